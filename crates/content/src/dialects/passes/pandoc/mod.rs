//! Markdown as Pandoc reads it: attributes in braces, cells of code, blocks between colons, tables
//! in a grid, captions, references to figures, notes in a line.
//!
//! The steps go from the outside in, each over the whole text. `dialects::numbering` numbers
//! what has an id, `values` fills in what the page and the site say.

mod bookdown;
mod cells;
mod divs;
mod inline;
mod marks;
mod tables;
#[cfg(test)]
mod tests;
mod values;

use super::files::way_to_root;
use super::page::Page;
use crate::dialects::attributes::Conditions;
use crate::dialects::config::{Label, QuartoValues};
use crate::dialects::lines::Lines;
use crate::dialects::markup::address;
use crate::dialects::numbering::{Labels, Numbering, labels};
use crate::model::bounds;
use crate::syntax::front::{Front, Node};

/// What a text and its site say at keys.
pub struct Said<'a> {
    front: &'a Front,
    quarto_values: &'a QuartoValues,
}

/// What a text knows of itself and of its site.
pub struct Values<'a> {
    said: Said<'a>,
    labels: Labels,
    path: &'a str,
}

impl<'a> Said<'a> {
    /// What a page in Pandoc's Markdown and its site say.
    pub fn on_page(page: &Page<'a>) -> Option<Self> {
        page.is_pandoc().then(|| Self {
            front: page.front,
            quarto_values: &page.kind.config.quarto_values,
        })
    }
}

impl Conditions for Said<'_> {
    fn meta(&self, key: &str) -> Option<String> {
        let own = self.front.get(key).and_then(|entry| text(&entry.node));
        own.or_else(|| found(&self.quarto_values.meta, key))
    }

    fn has_profile(&self, name: &str) -> bool {
        self.quarto_values
            .profiles
            .iter()
            .any(|active| active == name)
    }
}

impl Values<'_> {
    /// The value of the first of these keys that the page has, else of the first that the site has.
    fn first(&self, keys: &[String]) -> Option<String> {
        let Said {
            front,
            quarto_values,
        } = self.said;
        let own = |key| front.get(key).and_then(|entry| text(&entry.node));
        let site = |key| found(&quarto_values.meta, key);
        let found = keys.iter().find_map(|key| own(key));
        found.or_else(|| keys.iter().find_map(|key| site(key)))
    }

    fn variable(&self, key: &str) -> Option<String> {
        found(&self.said.quarto_values.variables, key)
    }

    fn label(&self, id: &str) -> Option<&Label> {
        self.labels.get(id)
    }

    /// What a reference to an id shows, and the file with it; the file is empty for this one.
    fn target(&self, id: &str) -> Option<(&Label, &str)> {
        if let Some(own) = self.labels.get(id) {
            return Some((own, ""));
        }
        let labels = &self.said.quarto_values.labels;
        let at = labels.partition_point(|(own, _, _)| own.as_str() < id);
        let other = labels.get(at).filter(|(own, _, _)| own == id)?;
        Some((&other.2, &other.1))
    }

    /// The address of an id in a file of the site; the empty file is this one.
    fn address(&self, file: &str, id: &str) -> String {
        match file {
            "" => format!("#{id}"),
            _ => format!("{}{}#{id}", way_to_root(self.path), address(file)),
        }
    }
}

fn text(node: &Node) -> Option<String> {
    node.text().map(str::to_owned)
}

fn found(values: &[(String, String)], key: &str) -> Option<String> {
    let (_, value) = values.iter().find(|(own, _)| own == key)?;
    Some(value.clone())
}

/// Rewrites a text into the Markdown of the other steps.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let Some(said) = Said::on_page(page) else {
        return;
    };
    let quarto_values = said.quarto_values;
    let chapter = quarto_values
        .chapters
        .iter()
        .find(|(file, _)| file == page.files.path);
    let sections = page
        .front
        .bool(&["number-sections"])
        .unwrap_or(quarto_values.sections);
    let site = page.kind.config.settings.language.as_deref();
    let mut values = Values {
        said,
        labels: Labels::new(),
        path: page.files.path,
    };
    values::rewrite(lines, &values);
    let numbering = Numbering {
        chapter: chapter.and_then(|(_, number)| number.as_deref()),
        sections: sections && chapter.is_none_or(|(_, number)| number.is_some()),
        language: page.front.text(&["lang"]).or(site).unwrap_or_default(),
    };
    values.labels = labels(lines, numbering);
    bookdown::rewrite(lines, &values);
    for step in [cells::rewrite, divs::rewrite, tables::rewrite] {
        if bounds::is_over_now() {
            return;
        }
        step(lines, &values);
    }
    marks::rewrite(lines);
    inline::rewrite(lines, &values);
}

/// A caption with its number: `Figure 1: words`.
fn caption(label: Option<&Label>, words: &str) -> String {
    match label {
        None => words.to_owned(),
        Some(label) if words.is_empty() => label.text(),
        Some(label) => format!("{}: {words}", label.text()),
    }
}

/// The lines of a caption in a figure.
fn figcaption(prefix: &str, words: &str) -> Vec<String> {
    let bare = prefix.trim_end();
    vec![
        format!("{prefix}<figcaption>"),
        bare.to_owned(),
        format!("{prefix}{words}"),
        bare.to_owned(),
        format!("{prefix}</figcaption>"),
    ]
}
