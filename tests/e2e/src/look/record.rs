//! The appearance of a page in numbers: as reported by the browser, and as stored, one line for
//! each block.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

/// The browser's report.
#[derive(Debug, Deserialize)]
pub struct Report {
    results: BTreeMap<String, Vec<View>>,
    /// Violated rules.
    pub broken: Vec<String>,
}

/// A page at one width, light or dark.
#[derive(Debug, Deserialize)]
struct View {
    width: u32,
    scheme: String,
    blocks: Vec<Seen>,
    styles: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Seen {
    name: String,
    r#box: [i32; 4],
    cells: String,
}

/// A block at one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The element and its first class.
    pub name: String,
    /// Left edge, width, height, and the distance to the end of the previous block, in pixels.
    pub place: [i32; 4],
    /// The mean colours of four columns of its picture, in hexadecimal digits: light, then dark.
    pub cells: [String; 2],
}

/// A page at every width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The blocks by width.
    pub widths: BTreeMap<u32, Vec<Block>>,
    /// The style of each kind of element: light, then dark.
    pub styles: BTreeMap<String, [String; 2]>,
}

impl Report {
    /// The pages by name.
    ///
    /// # Errors
    /// Light and dark differ in more than colour.
    pub fn pages(&self) -> Result<Vec<(String, Page)>, String> {
        self.results
            .iter()
            .map(|(name, views)| Ok((name.clone(), page(name, views)?)))
            .collect()
    }
}

fn page(name: &str, views: &[View]) -> Result<Page, String> {
    let mut page = Page::default();
    for light in views.iter().filter(|view| view.scheme == "light") {
        let dark = views
            .iter()
            .find(|view| view.scheme == "dark" && view.width == light.width);
        let dark = dark.filter(|dark| {
            dark.blocks
                .iter()
                .map(|block| block.r#box)
                .eq(light.blocks.iter().map(|block| block.r#box))
        });
        let Some(dark) = dark else {
            return Err(format!(
                "{name} at {} px: light and dark are placed differently",
                light.width
            ));
        };
        let block = |(one, other): (&Seen, &Seen)| Block {
            name: one.name.clone(),
            place: one.r#box,
            cells: [one.cells.clone(), other.cells.clone()],
        };
        page.widths.insert(
            light.width,
            light.blocks.iter().zip(&dark.blocks).map(block).collect(),
        );
        for (element, style) in &light.styles {
            let other = dark.styles.get(element).cloned().unwrap_or_default();
            page.styles
                .insert(format!("{} {element}", light.width), [style.clone(), other]);
        }
    }
    Ok(page)
}

impl Page {
    /// The page as stored.
    pub fn write(&self) -> String {
        let mut out = String::from(
            "# Written by `DIGLOT_LOOK=update cargo xtask look`: left edge, width, height, space above; light; dark.\n",
        );
        for (width, blocks) in &self.widths {
            for Block {
                name,
                place: [x, w, h, above],
                cells: [light, dark],
            } in blocks
            {
                let _ = writeln!(out, "{width} {name}\t{x} {w} {h} {above}\t{light}\t{dark}");
            }
        }
        for (element, [light, dark]) in &self.styles {
            let _ = writeln!(out, "style {element}\t{light}\t{dark}");
        }
        out
    }

    /// Parses what [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// An invalid line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut page = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            page.line(line)
                .ok_or_else(|| format!("`{line}` is no line of a page's look"))?;
        }
        Ok(page)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (head, rest) = line.split_once('\t')?;
        let (first, name) = head.split_once(' ')?;
        if first == "style" {
            let (light, dark) = rest.split_once('\t')?;
            self.styles
                .insert(name.to_owned(), [light.to_owned(), dark.to_owned()]);
            return Some(());
        }
        let mut fields = rest.split('\t');
        let place: Vec<i32> = fields
            .next()?
            .split(' ')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?;
        let cells = [fields.next()?.to_owned(), fields.next()?.to_owned()];
        let block = Block {
            name: name.to_owned(),
            place: place.try_into().ok()?,
            cells,
        };
        self.widths
            .entry(first.parse().ok()?)
            .or_default()
            .push(block);
        Some(())
    }
}
