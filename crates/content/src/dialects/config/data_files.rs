//! Front matter in data files beside texts.

use super::layers::nested;
use super::{Config, DataFile, Defaults, LARGEST, MOST_ENTRIES, MOST_VALUES, SiteValue, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::{Falsehood, Scripts, is_computed, whole};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem, Severity};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Node, Syntax, Value};

/// The formats of data that is read for yes and no.
const FORMATS: [&str; 3] = ["json", "yml", "yaml"];
/// How deep they may be in a file.
const DEEPEST: usize = 4;
/// The maximum number of values with those of the configuration: more would make the names open.
const MOST_FLAGS: usize = MOST_VALUES / 2;
/// The maximum number of values of a file of which more is read than yes and no.
const MOST_TEXTS: usize = 100;
/// The key of values that the generator computes after all others.
pub(super) const COMPUTED: &str = "eleventyComputed";
/// Keys that withhold a text.
const PERMALINK: &str = "permalink";
const DRAFT: &str = "draft";
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

/// What a data file says of its texts.
pub fn data(evidence: &Evidence<'_>, file: &SourceFile) -> Vec<Entry> {
    of_texts(written(evidence, file).0)
}

/// The values for texts; those that are computed last replace the others. What a program computes is
/// not among them, unless it decides whether a text is published.
pub(super) fn of_texts(entries: Vec<Entry>) -> Vec<Entry> {
    let computed = entries.iter().filter(|entry| is_computed(&entry.node));
    let computed: Vec<String> = computed.map(|entry| entry.key.text.clone()).collect();
    let is_read = |node: &Node| {
        let found = Falsehood::of(node);
        let asks = |found: &Falsehood| computed.iter().any(|key| found.asks_for(key));
        found.is_some_and(|found| !asks(&found))
    };
    let (values, last) = divided(entries);
    let last = last.into_iter().filter_map(|mut entry| {
        let is_false = entry.node.bool() == Some(false) || is_read(&entry.node);
        if entry.key.text == PERMALINK && is_false {
            // It has the last word, also about the text's own.
            entry.key.text = format!("{COMPUTED}.{PERMALINK}");
            return Some(entry);
        }
        (!is_computed(&entry.node)).then_some(entry)
    });
    let values = values.into_iter().filter(|Entry { key, node }| {
        !is_computed(node) || key.text == DRAFT || key.text == PERMALINK && is_read(node)
    });
    last.chain(values).collect()
}

/// All values of a data file, as it has them. One of which nothing is read withholds its texts, since
/// what it hides is unknown.
fn written(evidence: &Evidence<'_>, file: &SourceFile) -> (Vec<Entry>, Option<Problem>) {
    if file.path.ends_with("js") && file.bytes.len() <= LARGEST {
        return (Scripts::of_data(evidence).data(&file.path), None);
    }
    let (front, _, mut problems) = read(file);
    match problems.pop().filter(|_| front.entries.is_empty()) {
        Some(mut problem) => {
            problem.severity = Severity::Error;
            let problem = problem.hint("its texts are withheld until it is corrected");
            (vec![Entry::plain(DRAFT, "true", 1, 1)], Some(problem))
        }
        None => (front.entries, None),
    }
}

/// The values of data, and those that are computed after all others.
fn divided(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Entry>) {
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
    (values, computed)
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
            let (written, problem) = written(evidence, file);
            self.problems.extend(problem);
            self.has_more_values |= written.is_empty() && !file.bytes.trim_ascii().is_empty();
            self.note_keys(&written);
            let values = self.values_of(&file.path, written);
            let values = facts(values, folder.unwrap_or_default());
            for scope in scopes.into_iter().filter(|_| !values.is_empty()) {
                self.say("data", &file.path);
                found.push(Defaults::merged(scope, values.clone()));
            }
        }
        let everywhere = inside_or_folder(data_folder, &format!("{COMPUTED}."));
        if let Some(file) = evidence.beginning(&everywhere) {
            let (written, problem) = written(evidence, file);
            self.problems.extend(problem);
            let values = facts(self.values_of(&file.path, written.clone()), "");
            let written = vec![nested(COMPUTED, written)];
            self.note_keys(&written);
            self.give_to_all(&file.path, written);
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
            self.flags_in(evidence, file, stem, name);
        }
    }

    /// Reads a file of data that may be a single yes or no, a list or a map.
    fn flags_in(&mut self, evidence: &Evidence<'_>, file: &SourceFile, stem: &str, name: String) {
        match file.bytes.trim_ascii() {
            b"true" => self.flag(name, SiteValue::of_bool(true)),
            b"false" => self.flag(name, SiteValue::of_bool(false)),
            b"[]" if is_alone(evidence, stem) => self.flag(name, SiteValue::Empty),
            _ => match read(file).0.entries {
                entries if !entries.is_empty() => {
                    self.flags_of_file(evidence, stem, name, &entries);
                }
                _ if !is_alone(evidence, stem) => {}
                _ => self.flag(name, list(file)),
            },
        }
    }

    /// Reads a map in a file of data, by its path without suffix and its name in templates.
    pub(super) fn flags_of_file(
        &mut self,
        evidence: &Evidence<'_>,
        stem: &str,
        name: String,
        entries: &[Entry],
    ) {
        let mut flags = Vec::new();
        let is_whole = flags_of(&name, entries, 0, &mut flags);
        if flags.len() > MOST_TEXTS {
            for (_, value) in &mut flags {
                value.without_text();
            }
        }
        // Other files of this name may add keys.
        if !is_alone(evidence, stem) || self.values.len() + flags.len() >= MOST_FLAGS {
            flags.retain(|(_, value)| {
                use SiteValue::{List, Nil, No, Text, Zero};
                matches!(value, Text(_) | Zero | No | Nil | List(_))
            });
        } else if is_whole {
            flags.push((name, SiteValue::Map));
        }
        for (name, value) in flags {
            self.flag(name, value);
        }
    }

    /// Reads values for all texts by their own names.
    pub(super) fn flags_for_all(&mut self, entries: &[Entry]) {
        let mut flags = Vec::new();
        let is_last = |entry: &Entry| entry.key.text.starts_with(COMPUTED);
        if entries.iter().any(is_last) || !flags_of("", entries, 0, &mut flags) {
            self.note_keys(entries);
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

    /// Gives the entries of a map names in templates, below a name.
    pub fn name_values(&mut self, above: &str, entries: &[Entry]) {
        let mut flags = Vec::new();
        if flags_of(above, entries, 0, &mut flags) && !above.is_empty() {
            flags.push((above.to_owned(), SiteValue::Map));
        }
        for (name, value) in flags {
            self.flag(name, value);
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

    /// All values of a data file; those that are computed last replace the others. Says what a
    /// program computes.
    fn values_of(&mut self, path: &str, written: Vec<Entry>) -> Vec<Entry> {
        let (values, mut last) = divided(written);
        let is = |entry: &&Entry, key| entry.key.text == key && is_computed(&entry.node);
        let draft = values.iter().find(|entry| is(entry, DRAFT));
        let mut all = last.iter().chain(&values);
        let address = all.find(|entry| is(entry, PERMALINK));
        let computed = draft.into_iter().chain(address);
        let problems = computed.map(|entry| not_read(entry, path));
        self.problems.extend(problems);
        last.extend(values);
        last
    }
}

/// The problem of a value that a program computes. An address is that of the file then.
fn not_read(Entry { key, node }: &Entry, path: &str) -> Problem {
    let message = format!("`{}` is not read: a program computes it", key.text);
    let found = Falsehood::of(node).unwrap_or_default();
    let is_read = !found.otherwise && !found.conditions.is_empty();
    let has_calls = found.conditions.iter().any(|(text, _)| text.contains('('));
    let (problem, hint) = match key.text == DRAFT || found.perhaps {
        true => (
            Problem::error(message),
            "its texts are withheld; write a literal, such as `false`",
        ),
        false if is_read && !has_calls => (
            Problem::warning(message),
            "only texts for which it is `false` are withheld; write old addresses as `aliases` in their front matter",
        ),
        false => (
            Problem::warning(message),
            "its texts are published; write old addresses as `aliases` in their front matter",
        ),
    };
    let problem = problem.at(path, key.line, key.column);
    problem.cause(Cause::Configuration).hint(hint)
}

/// The list in a file of data; nothing, if only comments are in it.
fn list(file: &SourceFile) -> SiteValue {
    let (text, _) = decode(&file.bytes, &file.path);
    let syntax = match file.path.ends_with(".json") {
        true => Syntax::Json,
        false => Syntax::Yaml,
    };
    let is_comment = |line: &str| line.trim().is_empty() || line.starts_with(['#', '-']);
    match whole(&text, &file.path, syntax).map(|node| node.value) {
        Some(Value::List(items)) => SiteValue::of_list(&items),
        None if text.lines().all(is_comment) => SiteValue::Nil,
        _ => SiteValue::Unread,
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
            Value::List(items) => Some(SiteValue::of_list(items)),
            Value::Map(_) => Some(SiteValue::Unread),
            _ if is_computed(node) => None,
            Value::Scalar { plain: true, .. } if node.is_null() => Some(SiteValue::Nil),
            Value::Scalar { text, plain } => Some(match node.bool() {
                Some(value) => SiteValue::of_bool(value),
                None if *plain && text.parse() == Ok(0.0) => SiteValue::Zero,
                None => SiteValue::Text(text.clone()),
            }),
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
