//! Front matter that expressions find in the paths of texts: `(?P<date>\d{4}-\d{2}-\d{2})-.*`.

use regex_lite::Regex;

use super::Config;
use crate::model::path::{below, name};
use crate::syntax::front::{Entry, Front};

/// The longest expression, in bytes.
const LONGEST: usize = 500;
/// Why nothing is published where it is not known which paths say a state.
pub const UNKNOWN_STATE: &str = "withheld, because it is not known which texts are drafts";
/// Keys that count only with a value.
const FILLED: [&str; 4] = ["status", "slug", "category", "tags"];

/// An expression whose groups are keys of front matter.
#[derive(Clone, Debug)]
pub struct PathMetadata {
    /// The folder of the texts.
    folder: String,
    /// Whether it is for the name of a file without its ending; otherwise it is for the path below
    /// the folder.
    is_of_name: bool,
    expression: Regex,
}

impl PartialEq for PathMetadata {
    fn eq(&self, other: &Self) -> bool {
        let all = |one: &Self| (one.folder.clone(), one.is_of_name);
        all(self) == all(other) && self.expression.as_str() == other.expression.as_str()
    }
}

impl Eq for PathMetadata {}

impl PathMetadata {
    /// An expression as Python has it, from the beginning of a text; `None`: it is not read.
    pub fn new(folder: &str, is_of_name: bool, expression: &str) -> Option<Self> {
        if expression.len() > LONGEST {
            return None;
        }
        Some(Self {
            folder: folder.to_owned(),
            is_of_name,
            expression: Regex::new(&format!("^(?:{expression})")).ok()?,
        })
    }

    /// The keys and values in a path.
    fn read(&self, path: &str) -> Vec<(String, String)> {
        let path = match self.folder.as_str() {
            "" => Some(path),
            folder => below(path, folder),
        };
        let Some(path) = path else { return Vec::new() };
        let text = match name(path).rsplit_once('.') {
            Some((stem, _)) if self.is_of_name => stem,
            _ if self.is_of_name => name(path),
            _ => path,
        };
        let Some(captures) = self.expression.captures(text) else {
            return Vec::new();
        };
        let names = self.expression.capture_names().flatten();
        let found = names.filter_map(|key| {
            let value = captures.name(key)?.as_str();
            Some((key.to_lowercase(), value.to_owned()))
        });
        found.collect()
    }
}

impl Config {
    /// Adds what the path of a text says to its front matter, whose own keys win.
    pub(super) fn fill_from_path(&self, path: &str, front: &mut Front) {
        if self.path_metadata.is_empty() {
            return;
        }
        let is_empty = |entry: &Entry| {
            entry.node.is_null() && FILLED.contains(&&*entry.key.text.to_lowercase())
        };
        front.entries.retain(|entry| !is_empty(entry));
        for metadata in &self.path_metadata {
            for (key, value) in metadata.read(path) {
                if front.get(&key).is_none() {
                    front.entries.push(Entry::plain(&key, value, 0, 0));
                }
            }
        }
    }
}
