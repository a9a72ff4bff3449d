//! What the templates of a site's shortcodes may ask the site for.

use std::collections::BTreeSet;

use super::super::{entries, read};
use super::value::Value;
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front};

/// The largest template that is searched, in bytes.
const LARGEST: usize = 100_000;
/// The longest key of what is kept, with the name of the method, in bytes.
const LONGEST: usize = 200;
/// How a template writes to what it keeps for others.
pub const WRITES: [&str; 5] = ["Set", "Add", "SetInMap", "Delete", "DeleteInMap"];
/// How a template reads one key of it.
const READS: [&str; 2] = [".Get \"", ".GetSortedMapValues \""];
/// What pages and shortcodes keep for other templates.
pub const KEPT: [&str; 2] = ["Scratch", "Store"];

/// Values of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteValues {
    /// Whether drafts are published.
    pub builds_drafts: bool,
    params: Front,
    /// Those of single languages, which are stronger.
    of_languages: Vec<Front>,
    /// Those of themes, which are weaker.
    of_themes: Vec<Front>,
    kept: Kept,
}

/// The keys at which templates read what others have kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kept {
    keys: BTreeSet<String>,
    /// Whether every key may be read.
    all: bool,
}

impl SiteValues {
    /// The values in the configuration of the site.
    pub fn read(front: &Front) -> Self {
        let mut site = Self {
            builds_drafts: front.bool(&["buildDrafts"]) == Some(true),
            params: params(front.get("params")),
            ..Self::default()
        };
        site.add_languages(front);
        site
    }

    fn add_languages(&mut self, front: &Front) {
        for language in entries(front.get("languages")).unwrap_or_default() {
            self.of_languages.push(params(language.node.get("params")));
        }
    }

    /// Adds the values of a theme's configuration, which is below these keys.
    pub fn add_theme(&mut self, file: &SourceFile, keys: &[String]) {
        let (front, ..) = read(file);
        if keys.last().is_some_and(|key| key == "params") {
            self.of_themes.push(front);
        } else {
            self.of_themes.push(params(front.get("params")));
            self.add_languages(&front);
        }
    }

    /// The value of `site.Params` at a key.
    pub fn param(&self, key: &str) -> Value<'_> {
        let has_one = |all: &[Front]| all.iter().any(|params| params.get(key).is_some());
        match self.params.get(key) {
            _ if has_one(&self.of_languages) => Value::Unknown,
            Some(entry) => Value::of_node(&entry.node),
            None if has_one(&self.of_themes) => Value::Unknown,
            None => Value::Nil,
        }
    }

    /// Finds what all templates of the site read of what others have kept.
    pub fn find_kept<'f>(&mut self, templates: impl Iterator<Item = &'f SourceFile>) {
        for file in templates {
            if file.bytes.len() > LARGEST {
                self.kept.all = true;
                continue;
            }
            let (text, _) = decode(&file.bytes, &file.path);
            for word in KEPT {
                for (at, _) in text.match_indices(&format!(".{word}")) {
                    self.kept.note(&text[at + 1 + word.len()..]);
                }
            }
        }
    }

    /// Whether a template may read what is kept at a key.
    pub fn is_read(&self, key: &str) -> bool {
        self.kept.all || self.kept.keys.contains(key)
    }
}

impl Kept {
    /// Takes what follows the name of a store.
    fn note(&mut self, rest: &str) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let method = rest.strip_prefix('.').unwrap_or_default();
        let method = method.split(|c| !is_name(c)).next().unwrap_or_default();
        if rest.starts_with(is_name) || WRITES.contains(&method) {
            return;
        }
        let near = &rest[..rest.floor_char_boundary(LONGEST)];
        let rest = near.replacen('`', "\"", 2);
        let read = READS.iter().find_map(|read| rest.strip_prefix(read));
        match read.and_then(|rest| rest.split_once('"')) {
            Some((key, _)) => drop(self.keys.insert(key.to_owned())),
            None => self.all = true,
        }
    }
}

/// `params` of a configuration.
fn params(entry: Option<&Entry>) -> Front {
    Front {
        entries: entries(entry).unwrap_or_default().to_vec(),
        ..Front::default()
    }
}
