//! Front matter in data files beside texts.

use super::{Config, DataFile, Defaults, LARGEST, MOST_ENTRIES, MOST_VALUES, SiteValue, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::{Scripts, is_computed};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::syntax::front::{Entry, Node, Value};

/// The formats of data that is read for yes and no.
const FORMATS: [&str; 3] = ["json", "yml", "yaml"];
/// How deep they may be in a file.
const DEEPEST: usize = 4;
/// The maximum number of values with those of the configuration: more would make the names open.
const MOST_FLAGS: usize = MOST_VALUES / 2;
/// The key of values that the generator computes after all others.
const COMPUTED: &str = "eleventyComputed";
/// The values of data files that say something here. Whether a text is published is decided where
/// the report can name the file.
const FACTS: [&str; 16] = [
    "permalink",
    "tags",
    "date",
    "updated",
    "lastmod",
    "eleventyExcludeFromCollections",
    "eleventyNavigation",
    "order",
    "weight",
    "lang",
    "language",
    "locale",
    "author",
    "authors",
    "category",
    "categories",
];
/// What the names of keys contain that decide about the publication of a text.
const DECIDES: [&str; 13] = [
    "draft", "exclude", "headless", "hidden", "ignore", "link", "listed", "private", "publish",
    "render", "search", "sitemap", "url",
];
/// Names of collections that are not tags for readers.
const COLLECTIONS: [&str; 4] = ["all", "nav", "post", "posts"];

/// A layout with front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its path.
    pub file: String,
    /// Its front matter.
    pub entries: Vec<Entry>,
}

/// The values of a data file; those that are computed last replace the others. What a program
/// computes is not among them.
pub fn data(evidence: &Evidence<'_>, file: &SourceFile) -> Vec<Entry> {
    all_values(evidence, file)
        .into_iter()
        .filter(|entry| !is_computed(&entry.node))
        .collect()
}

fn all_values(evidence: &Evidence<'_>, file: &SourceFile) -> Vec<Entry> {
    if file.bytes.len() > LARGEST {
        return Vec::new();
    }
    if !file.path.ends_with("js") {
        return computed_last(read(file).0.entries);
    }
    let exported = Scripts::of_data(evidence).default_export(&file.path);
    match exported.map(|node| node.value) {
        Some(Value::Map(entries)) => computed_last(entries),
        _ => Vec::new(),
    }
}

fn computed_last(entries: Vec<Entry>) -> Vec<Entry> {
    let (mut values, mut computed) = (Vec::new(), Vec::new());
    for mut entry in entries {
        let below = entry.key.text.strip_prefix(COMPUTED);
        match (below, &entry.node.value) {
            (Some(""), Value::Map(inner)) => computed.extend(inner.iter().cloned()),
            (Some(name), _) if name.starts_with('.') => {
                entry.key.text = name[1..].to_owned();
                computed.push(entry);
            }
            _ => values.push(entry),
        }
    }
    computed.extend(values);
    computed
}

impl Config {
    /// Reads the data files of a folder as front matter for its texts. `data` is the folder of data
    /// for all texts.
    pub fn data_files(&mut self, evidence: &Evidence<'_>, data_folder: &str) {
        const SUFFIXES: [&str; 3] = ["md", "html", "markdown"];
        let mut found: Vec<Defaults> = Vec::new();
        for file in evidence.all() {
            if found.len() >= MOST_ENTRIES {
                break;
            }
            let Some(DataFile { text, folder }) = self.data_names.read(&file.path) else {
                continue;
            };
            let texts = SUFFIXES.map(|suffix| format!("{text}.{suffix}"));
            let mut scopes: Vec<&str> = texts
                .iter()
                .map(String::as_str)
                .filter(|path| evidence.file(path).is_some())
                .collect();
            scopes.extend(folder);
            if scopes.is_empty() {
                continue;
            }
            let values = all_values(evidence, file);
            self.computed_address(file, &values);
            let values = facts(values, folder.unwrap_or_default());
            for scope in scopes.into_iter().filter(|_| !values.is_empty()) {
                self.say("data", &file.path);
                found.push(Defaults::merged(scope, values.clone()));
            }
        }
        let everywhere = inside_or_folder(data_folder, &format!("{COMPUTED}."));
        if let Some(file) = evidence.beginning(&everywhere) {
            let values = all_values(evidence, file);
            self.computed_address(file, &values);
            let values = facts(values, "");
            self.say("data", &file.path);
            found.push(Defaults::merged("", values));
        }
        self.add_defaults(found);
    }

    /// Reads yes and no in the files of data, which templates name by the paths of their files.
    pub fn flags(&mut self, evidence: &Evidence<'_>, folder: &str, above: &str) {
        let files = evidence.below(folder).take(MOST_ENTRIES);
        for file in files.filter(|file| file.bytes.len() <= LARGEST) {
            let Some((stem, ending)) = file.path.rsplit_once('.') else {
                continue;
            };
            if !FORMATS.contains(&ending) {
                continue;
            }
            let name = format!("{above}{}", stem[folder.len() + 1..].replace('/', "."));
            match file.bytes.trim_ascii() {
                b"true" => self.flag(name, SiteValue::of_bool(true)),
                b"false" => self.flag(name, SiteValue::of_bool(false)),
                b"[]" if is_alone(evidence, stem) => self.flag(name, SiteValue::Empty),
                _ => self.flags_of_file(evidence, stem, name, &read(file).0.entries),
            }
        }
    }

    /// Reads a file of data, by its path without suffix and its name in templates.
    fn flags_of_file(
        &mut self,
        evidence: &Evidence<'_>,
        stem: &str,
        name: String,
        entries: &[Entry],
    ) {
        let mut flags = Vec::new();
        let is_whole = flags_of(&name, entries, 0, &mut flags);
        // Other files of this name may add keys.
        if !is_alone(evidence, stem) || self.values.len() + flags.len() >= MOST_FLAGS {
            flags.retain(|(_, value)| {
                matches!(value, SiteValue::Text(_) | SiteValue::No | SiteValue::Nil)
            });
        } else if is_whole {
            flags.push((name, SiteValue::Map));
        }
        for (name, value) in flags {
            self.flag(name, value);
        }
    }

    /// Says that something else may add keys to the data of this name.
    pub fn open_flags(&mut self, name: &str) {
        for (path, value) in self.values.range_mut(name.to_owned()..) {
            match path.strip_prefix(name) {
                Some(below) if below.is_empty() || below.starts_with('.') => {}
                Some(_) => continue,
                None => break,
            }
            if matches!(value, SiteValue::Map | SiteValue::Empty) {
                *value = SiteValue::Unread;
            }
        }
    }

    /// Adds a value, as long as many others may follow.
    fn flag(&mut self, name: String, value: SiteValue) {
        if self.values.len() < MOST_FLAGS {
            self.values.entry(name).or_insert(value);
        }
    }

    /// Reads files with one of these names as front matter for the texts of their folders.
    pub fn folder_metadata(&mut self, evidence: &Evidence<'_>, names: &[&str]) {
        let mut found: Vec<Defaults> = Vec::new();
        for file in evidence.all() {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if !names.contains(&name) || file.bytes.len() > LARGEST || found.len() >= MOST_ENTRIES {
                continue;
            }
            let mut values = read(file).0.entries;
            without_places(&mut values);
            self.say("metadata", &file.path);
            found.push(Defaults::merged(folder, values));
        }
        self.add_defaults(found);
    }

    /// Says that a program computes addresses: its texts keep those of their files.
    fn computed_address(&mut self, file: &SourceFile, values: &[Entry]) {
        let computed = values
            .iter()
            .find(|entry| entry.key.text == "permalink" && is_computed(&entry.node));
        if let Some(Entry { key, .. }) = computed {
            let message = "`permalink` is not read: a program computes it";
            let problem = Problem::warning(message)
                .at(&*file.path, key.line, key.column)
                .cause(Cause::Configuration)
                .hint("its texts are published; write old addresses as `aliases` in their front matter");
            self.problems.push(problem);
        }
    }
}

/// Whether no other file or folder of data has this path, without a suffix.
fn is_alone(evidence: &Evidence<'_>, stem: &str) -> bool {
    let count = |sign| evidence.count_beginning(&format!("{stem}{sign}"));
    count('.') + count('/') == 1
}

/// Reads what conditions in texts may ask of a map of data, a map after all that is in it. Returns
/// whether the rest is known to have no value.
fn flags_of(
    above: &str,
    entries: &[Entry],
    depth: usize,
    flags: &mut Vec<(String, SiteValue)>,
) -> bool {
    let mut is_whole = true;
    for Entry { key, node } in entries {
        let name = format!("{above}.{}", key.text);
        let value = match &node.value {
            Value::Map(_) | Value::List(_) if node.is_null() => Some(SiteValue::Empty),
            Value::Map(inner) if depth < DEEPEST => {
                let is_known = flags_of(&name, inner, depth + 1, flags);
                is_known.then_some(SiteValue::Map)
            }
            Value::Map(_) | Value::List(_) => Some(SiteValue::Unread),
            Value::Scalar { plain: true, .. } if node.is_null() => Some(SiteValue::Nil),
            Value::Scalar { text, .. } => match node.bool() {
                Some(value) => Some(SiteValue::of_bool(value)),
                // Languages of templates differ in whether these hold.
                None if text.is_empty() || text.parse() == Ok(0.0) => None,
                None => Some(SiteValue::Unread),
            },
        };
        is_whole &= value.is_some();
        flags.extend(value.map(|value| (name, value)));
    }
    is_whole
}

/// The values that say something here, without places.
fn facts(mut entries: Vec<Entry>, folder: &str) -> Vec<Entry> {
    entries.retain(|entry| {
        let is_fact = FACTS.contains(&entry.key.text.as_str());
        let is_known = is_fact && entry.node.bool() != Some(false) || is_flag(entry);
        is_known && !is_computed(&entry.node)
    });
    without_places(&mut entries);
    let collection = folder.rsplit('/').next().unwrap_or_default();
    for entry in &mut entries {
        if entry.key.text == "tags" {
            let mut tags = entry.node.items().to_vec();
            tags.retain(|tag| {
                let name = tag.text().unwrap_or_default();
                name != collection && !COLLECTIONS.contains(&name)
            });
            entry.node.value = Value::List(tags);
        }
    }
    entries
}

/// Whether an entry is a yes or no that only conditions in texts ask for.
fn is_flag(Entry { key, node }: &Entry) -> bool {
    let name = key.text.to_lowercase();
    node.bool().is_some() && !DECIDES.iter().any(|word| name.contains(word))
}

/// Removes the places of values: they are in another file than the text.
pub fn without_places(entries: &mut [Entry]) {
    for entry in entries {
        entry.key.line = 0;
        unplaced(&mut entry.node);
    }
}

/// Removes the places of a value. The parsers bound its depth.
pub fn unplaced(node: &mut Node) {
    (node.line, node.column) = (0, 0);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(unplaced),
        Value::Map(entries) => entries
            .iter_mut()
            .for_each(|entry| unplaced(&mut entry.node)),
        Value::Scalar { .. } => {}
    }
}
