//! The order of a Sphinx site: the tables of contents of its texts, from the first page on.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::sphinx;
use crate::dialects::config::Glob;
use crate::dialects::evidence::Evidence;
use crate::dialects::myst::toctree::{self, Entry, toctrees};
use crate::dialects::order::{Ask, DEPTH, Item, Outline, To, Weight, book, title};
use crate::model::format::Format;
use crate::model::path::{folder, inside_or_folder, join};
use crate::model::text::{decode, number};

/// The maximum number of entries.
const MOST_ITEMS: usize = 20_000;
/// The name of the first page, if the settings give none.
const FIRST: &str = "index";

/// The texts with a table of contents.
pub fn files(evidence: &Evidence<'_>) -> Vec<String> {
    let Some((root, _)) = sphinx::myst_settings(evidence) else {
        return Vec::new();
    };
    let has_table = |bytes: &[u8]| memchr::memmem::find(bytes, toctree::SIGN.as_bytes()).is_some();
    let texts = evidence.all_below(root).iter().filter(|file| {
        Format::from_path(&file.path) == Some(Format::Markdown) && has_table(&file.bytes)
    });
    texts.map(|file| file.path.to_string()).collect()
}

/// The order of the site; `None`: its first page has no table of contents.
pub fn outline(ask: &Ask<'_, '_>) -> Option<Outline> {
    let (root, settings) = sphinx::myst_settings(ask.evidence)?;
    if let Some(table) = sphinx::table(&settings, root) {
        let of_table = Ask {
            config: &table,
            roots: Arc::clone(&ask.roots),
            ..*ask
        };
        return book::contents(&of_table);
    }
    let first = sphinx::first_page(&settings).unwrap_or_else(|| FIRST.to_owned());
    let mut reader = Reader {
        ask,
        root,
        from: [String::new()].into(),
        seen: BTreeSet::new(),
    };
    let first = reader.text(&first, reader.root)?;
    reader.seen.insert(first.clone());
    let items = reader.items(&first, 0);
    Outline::new(&first, "toctree", Weight::Navigation, items)
}

struct Reader<'r> {
    ask: &'r Ask<'r, 'r>,
    /// The folder of the settings.
    root: &'static str,
    /// The folder that paths count from: the root.
    from: Arc<[String]>,
    /// The texts that are in the order.
    seen: BTreeSet<String>,
}

impl Reader<'_> {
    /// The entries of a text; those of the first page are below their captions.
    fn items(&mut self, path: &str, depth: usize) -> Vec<Item> {
        let file = self.ask.evidence.file(path).filter(|_| depth < DEPTH);
        let Some(file) = file else { return Vec::new() };
        let (text, _) = decode(&file.bytes, path);
        let mut items = Vec::new();
        for table in toctrees(&text) {
            let line = table.entries.first().map_or(0, |entry| entry.line);
            let entries = table.entries.iter();
            let below: Vec<Item> = entries
                .flat_map(|entry| self.entry(entry, table.glob, path, depth))
                .collect();
            let caption = table.caption.as_deref().and_then(title);
            match caption.filter(|_| depth == 0 && !below.is_empty()) {
                Some(caption) => items.push(Item {
                    title: Some(caption),
                    items: below,
                    ..place(path, line)
                }),
                None => items.extend(below),
            }
        }
        items
    }

    /// What an entry of a text leads to.
    fn entry(&mut self, entry: &Entry, glob: bool, path: &str, depth: usize) -> Vec<Item> {
        if entry.target.contains("://") {
            return vec![Item {
                title: entry.title.as_deref().and_then(title),
                to: To::Site(entry.target.clone()),
                ..place(path, entry.line)
            }];
        }
        let texts = match glob && entry.target.contains(['*', '?', '[']) {
            true => self.fitting(&entry.target, folder(path)),
            false => self.text(&entry.target, folder(path)).into_iter().collect(),
        };
        let mut items = Vec::new();
        for text in texts {
            if self.seen.len() >= MOST_ITEMS || !self.seen.insert(text.clone()) {
                continue;
            }
            items.push(Item {
                title: entry.title.as_deref().and_then(title),
                items: self.items(&text, depth + 1),
                to: To::Path {
                    path: text,
                    from: Arc::clone(&self.from),
                },
                ..place(path, entry.line)
            });
        }
        items
    }

    /// The path of the text with this name, which counts from a folder.
    fn text(&self, name: &str, from: &str) -> Option<String> {
        let path = self.path(name, from)?;
        let candidates = [format!("{path}.md"), path];
        candidates.into_iter().find(|path| {
            Format::from_path(path).is_some() && self.ask.evidence.file(path).is_some()
        })
    }

    /// The texts that fit a pattern, by path.
    fn fitting(&self, pattern: &str, from: &str) -> Vec<String> {
        let Some(pattern) = self.path(pattern, from) else {
            return Vec::new();
        };
        let globs = Glob::parse_paths("", without_ending(&pattern));
        let texts = self.ask.evidence.all_below(self.root).iter();
        let texts = texts.filter(|file| {
            Format::from_path(&file.path) == Some(Format::Markdown)
                && globs
                    .iter()
                    .any(|glob| glob.fits(without_ending(&file.path)))
        });
        texts.map(|file| file.path.to_string()).collect()
    }

    /// A path; one that begins with a slash counts from the folder of the settings.
    fn path(&self, name: &str, from: &str) -> Option<String> {
        match name.strip_prefix('/') {
            Some(name) => join("", &inside_or_folder(self.root, name)),
            None => join(from, name),
        }
    }
}

/// The name of a text in a table of contents.
fn without_ending(path: &str) -> &str {
    path.strip_suffix(".md").unwrap_or(path)
}

/// An entry at a line, counted from 0.
fn place(path: &str, line: usize) -> Item {
    Item {
        file: path.into(),
        line: number(line + 1),
        column: 1,
        ..Item::default()
    }
}
