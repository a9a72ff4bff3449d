//! What the program that configures a site says of all its texts: data, and functions that leave texts
//! out.

use super::data_files::{COMPUTED, of_texts};
use super::data_names::PROGRAMS;
use super::{Config, MOST_ENTRIES, MOST_VALUES, SiteValue};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::{Scripts, is_computed};
use crate::model::problem::SourceLocation;
use crate::syntax::front::{Entry, Key, Node, Value};

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

/// The first part of a name with dots, or of a path.
fn first(name: &str) -> &str {
    &name[..name.find(['/', '.']).unwrap_or(name.len())]
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
            let [name, value, ..] = &arguments[..] else {
                continue;
            };
            let Some(name) = name.text().filter(|_| !is_computed(name)) else {
                self.has_more_values = true;
                continue;
            };
            let key = Key {
                text: name.to_owned(),
                line: place.line,
                column: place.column,
            };
            let node = value.clone();
            let entries = vec![Entry { key, node }];
            self.open_flags(&format!(".{}", first(name)));
            self.flags_for_all(&entries);
            self.give_to_all(&place.path, entries);
        }
    }

    /// Reads values in programs that are data, which templates name by the paths of their files.
    pub fn program_flags(&mut self, evidence: &Evidence<'_>, folder: &str) {
        // What is written once holds whatever the program does.
        let is_simple = |text: &str| {
            let changes = ["let ", "var "].iter().any(|word| text.contains(word));
            text.matches("return").count() <= 1 && !changes
        };
        for file in evidence.below(folder).take(MOST_ENTRIES) {
            let stem = file.path.rsplit_once('.');
            let Some((stem, _)) = stem.filter(|(_, format)| PROGRAMS.contains(format)) else {
                continue;
            };
            if is_simple(&String::from_utf8_lossy(&file.bytes)) {
                let entries = Scripts::of_data(evidence).data(&file.path);
                let name = format!(".{}", stem[folder.len() + 1..].replace('/', "."));
                self.flags_of_file(evidence, stem, name, &entries);
            }
        }
    }

    /// Reads the files of a folder that give one value to all texts: `_data/layout.json`.
    pub fn value_files(&mut self, evidence: &Evidence<'_>, folder: &str) {
        const KEYS: [&str; 3] = ["draft", "layout", "permalink"];
        for key in KEYS {
            let Some(file) = evidence.beginning(&format!("{folder}/{key}.")) else {
                continue;
            };
            let value = Scripts::of_data(evidence).default_export(&file.path);
            let entry = value.map(|node| Entry::new(key, node));
            self.give_to_all(&file.path, entry.into_iter().collect());
        }
    }

    /// Notes the names of data whose values are not known: those of files for all texts in a folder, and
    /// the keys of layouts.
    pub fn note_names(&mut self, evidence: &Evidence<'_>, folder: &str) {
        for file in evidence.below(folder) {
            let name = first(&file.path[folder.len() + 1..]);
            if !self.values.contains_key(&format!(".{name}")) {
                self.unknown_names.insert(name.to_owned());
            }
        }
        let layouts = std::mem::take(&mut self.layouts);
        for layout in layouts.values() {
            self.note_keys(&layout.entries);
        }
        self.layouts = layouts;
    }

    /// Notes the keys of data of which it is not known which texts have it.
    pub(super) fn note_keys(&mut self, entries: &[Entry]) {
        let computed = entries.iter().filter(|entry| entry.key.text == COMPUTED);
        let computed = computed.filter_map(|entry| match &entry.node.value {
            Value::Map(inner) => Some(inner),
            _ => None,
        });
        for Entry { key, .. } in entries.iter().chain(computed.flatten()) {
            // An object that is not read may have any key.
            self.has_more_values |= key.text.starts_with('\0');
            let name = key.text.strip_prefix(COMPUTED).unwrap_or(&key.text);
            let name = first(name.trim_start_matches('.'));
            self.unknown_names.insert(name.to_owned());
        }
    }

    /// Says that a folder has all data below a key. What of it is not read has some value.
    pub fn data_is_whole(&mut self, evidence: &Evidence<'_>, folder: &str, key: &str) {
        if self.values.len() >= MOST_VALUES / 2 {
            return;
        }
        for file in evidence.below(folder) {
            let name = first(&file.path[folder.len() + 1..]);
            let name = format!("{key}.{name}");
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
