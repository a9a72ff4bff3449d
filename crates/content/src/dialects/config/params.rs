//! Values that texts show by their names: those that a section gives to the pages below it, and those
//! of the site.

use super::Config;
use crate::dialects::evidence::Evidence;
use crate::model::path;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front, Node, Value, split};

/// The key of the values of a section.
const CASCADE: &str = "cascade";
/// The maximum number of sections whose values are read.
const MOST: usize = 1000;

/// Front matter that a configuration gives to texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// The language of the texts, where the values do not name one themselves; `None`: all.
    pub language: Option<String>,
    /// The values, which may have a target.
    pub values: Node,
}

/// The values that the index of a folder gives to the texts in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    folder: String,
    values: Front,
}

impl Config {
    /// Reads the values of all indexes with this name and any ending.
    pub fn read_sections(&mut self, evidence: &Evidence<'_>, index: &str) {
        for file in evidence.all_beginning(index, true) {
            let has_some = memchr::memmem::find(&file.bytes, CASCADE.as_bytes()).is_some();
            if !has_some || self.given.len() >= MOST {
                continue;
            }
            let (text, _) = decode(&file.bytes, &file.path);
            let front = split(&text, &file.path).front;
            let nodes = front
                .get(CASCADE)
                .map_or(&[][..], |entry| entry.node.items());
            let values = values(nodes);
            if !values.entries.is_empty() {
                let folder = path::folder(&file.path).to_owned();
                self.given.push(Given { folder, values });
            }
        }
        // The nearest section first.
        let depth = |given: &Given| (given.folder.len(), given.folder.clone());
        self.given
            .sort_by_key(|given| std::cmp::Reverse(depth(given)));
    }

    /// What gives values to the text at a path beside its own front matter, the strongest first.
    pub fn params(&self, path: &str) -> Vec<&Front> {
        let is_above = |given: &&Given| {
            let below = path.strip_prefix(&*given.folder);
            given.folder.is_empty() || below.is_some_and(|below| below.starts_with('/'))
        };
        let above = self.given.iter().filter(is_above);
        let of_site = Some(&self.site_params).filter(|params| !params.entries.is_empty());
        above.map(|given| &given.values).chain(of_site).collect()
    }
}

/// The values of a cascade for all texts: those with a target are for some only.
pub fn values(cascade: &[Node]) -> Front {
    let mut entries: Vec<Entry> = Vec::new();
    for node in cascade {
        let Value::Map(all) = &node.value else {
            continue;
        };
        let has_target = |entry: &Entry| matches!(&*entry.key.text, "target" | "_target");
        if !all.iter().any(has_target) {
            entries.extend(all.iter().cloned());
        }
    }
    Front {
        entries,
        ..Front::default()
    }
}
