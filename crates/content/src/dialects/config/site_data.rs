//! What the program that configures a site says of all its texts: data, and functions that leave texts
//! out.

use super::data_files::of_texts;
use super::{Config, MOST_ENTRIES, MOST_VALUES, SiteValue};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::Scripts;
use crate::model::problem::SourceLocation;
use crate::syntax::front::{Entry, Key, Node};

/// Data for all texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteData {
    /// The file that gives it.
    pub by: String,
    /// Its values.
    pub entries: Vec<Entry>,
}

/// A function that leaves out the texts for which it returns `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preprocessor {
    /// Its name.
    pub name: String,
    /// The suffixes of the texts that it is for, or `*`.
    formats: Vec<String>,
    /// What it returns.
    pub result: Node,
    /// Where it is.
    pub place: SourceLocation,
}

impl Preprocessor {
    /// Whether it is for the text at a path.
    pub fn is_for(&self, path: &str) -> bool {
        let mut formats = self.formats.iter();
        formats.any(|format| format == "*" || path.ends_with(format.as_str()))
    }
}

impl Config {
    /// Reads the calls of a program that give data to all texts.
    pub fn global_data(&mut self, evidence: &Evidence<'_>, program: &str) {
        let mut scripts = Scripts::of_data(evidence);
        for (place, arguments) in scripts.calls(program, "addGlobalData") {
            if let [name, value, ..] = &arguments[..]
                && let Some(name) = name.text()
            {
                let key = Key {
                    text: name.to_owned(),
                    line: place.line,
                    column: place.column,
                };
                let node = value.clone();
                self.give_to_all(&place.path, vec![Entry { key, node }]);
            }
        }
    }

    /// Says that a folder has all data below a key. What of it is not read has some value.
    pub fn data_is_whole(&mut self, evidence: &Evidence<'_>, folder: &str, key: &str) {
        if self.values.len() >= MOST_VALUES / 2 {
            return;
        }
        for file in evidence.below(folder) {
            let name = &file.path[folder.len() + 1..];
            let end = name.find(['/', '.']).unwrap_or(name.len());
            let name = format!("{key}.{}", &name[..end]);
            self.values.entry(name).or_insert(SiteValue::Unread);
        }
        self.values.insert(key.to_owned(), SiteValue::Map);
    }

    /// Gives values to all texts.
    pub(super) fn give_to_all(&mut self, by: &str, entries: Vec<Entry>) {
        let entries = of_texts(entries);
        if !entries.is_empty() && self.site_data.len() < MOST_ENTRIES {
            let by = by.to_owned();
            self.site_data.push(SiteData { by, entries });
        }
    }

    /// Reads the functions of a program that leave texts out.
    pub fn read_preprocessors(&mut self, evidence: &Evidence<'_>, program: &str) {
        let mut scripts = Scripts::of_data(evidence);
        for (place, arguments) in scripts.calls(program, "addPreprocessor") {
            let [name, formats, result, ..] = &arguments[..] else {
                continue;
            };
            let formats = formats.items().iter().filter_map(Node::text);
            let formats = formats.flat_map(|formats| formats.split(','));
            self.preprocessors.push(Preprocessor {
                name: name.text().unwrap_or_default().to_owned(),
                formats: formats.map(|format| format.trim().to_owned()).collect(),
                result: result.clone(),
                place,
            });
        }
    }
}
