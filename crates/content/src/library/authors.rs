//! Author files: `_data/authors.yml` and similar (`id: { name: … }`), or one Markdown file per
//! author.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{fields, files, parse::Parsed, paths};
use crate::model::{
    format::is_markdown,
    sources::{SourceFile, Sources},
    text::plain,
};
use crate::syntax::front;

const FILES: [&str; 14] = [
    "_data/authors.json",
    "src/_data/authors.json",
    "src/_data/authors.yml",
    "data/authors.json",
    "data/authors.toml",
    "blog/authors.yaml",
    "docs/blog/.authors.yml",
    "blog/.authors.yml",
    "_data/authors.yml",
    "_data/authors.yaml",
    "data/authors.yml",
    "data/authors.yaml",
    "blog/authors.yml",
    "authors.yml",
];
const FOLDERS: [&str; 7] = [
    "_authors/",
    "_team_members/",
    "_team/",
    "authors/",
    "content/authors/",
    "data/authors/",
    "src/content/authors/",
];

/// Author ids and their names.
pub type Authors = BTreeMap<String, String>;

/// The authors of a folder. The first name of an id wins.
pub fn read(sources: &Sources) -> Authors {
    let mut authors = Authors::new();
    for path in FILES {
        if let Some(file) = files::find(sources, path) {
            add_list(&mut authors, file);
        }
    }
    for folder in FOLDERS {
        for (_, file) in files::beginning(sources, folder) {
            add_person(&mut authors, file, folder);
        }
    }
    authors
}

/// Adds the authors of one file that lists several.
fn add_list(authors: &mut Authors, file: &SourceFile) {
    let mut entries = entries(file);
    // All of them below one key.
    if let [only] = entries.as_slice()
        && only.key.text == "authors"
        && let front::Value::Map(below) = &only.node.value
    {
        entries = below.clone();
    }
    for entry in entries {
        let named = fields::PERSON
            .iter()
            .find_map(|key| entry.node.get(key)?.node.text());
        add(
            authors,
            &entry.key.text,
            named.or_else(|| entry.node.text()),
        );
    }
}

/// The entries of a file as if it were front matter.
fn entries(file: &SourceFile) -> Vec<front::Entry> {
    let text = String::from_utf8_lossy(&file.bytes);
    let fence = if file.path.ends_with(".toml") {
        "+++"
    } else {
        "---"
    };
    let text = format!("{fence}\n{}\n{fence}\n", text.trim_start_matches("---"));
    front::split(&text, &file.path).front.entries
}

/// Adds the author described by one file.
fn add_person(authors: &mut Authors, file: &SourceFile, folder: &str) {
    let id = id_of(&file.path, folder);
    if !id.is_empty() && is_markdown(&file.path) {
        let text = String::from_utf8_lossy(&file.bytes);
        add(
            authors,
            id,
            front::split(&text, &file.path).front.text(&fields::PERSON),
        );
    }
}

/// Keys that name a person.
const NAMES: [&str; 5] = [
    "name",
    "full_name",
    "display_name",
    "first_name",
    "last_name",
];

/// The records of authors among the texts: those in a folder for authors that describe a person, or
/// whose id another text names as its author. They are not articles.
pub fn records(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> BTreeSet<usize> {
    let named = || {
        let texts = parsed.iter().flatten();
        let names: BTreeSet<String> = texts
            .flat_map(|text| fields::authors(&text.front))
            .collect();
        names
    };
    let mut used: Option<BTreeSet<String>> = None;
    let mut records = BTreeSet::new();
    for folder in FOLDERS {
        for (at, file) in files::beginning(sources, folder) {
            let Some(text) = &parsed[at] else { continue };
            let id = id_of(&file.path, folder);
            let is_person = text.front.first(&NAMES).is_some();
            if is_person || used.get_or_insert_with(named).contains(id) {
                records.insert(at);
            }
        }
    }
    records
}

/// The id of the author that one file describes.
fn id_of<'p>(path: &'p str, folder: &str) -> &'p str {
    let id = paths::without_suffix(&path[folder.len()..]);
    id.trim_end_matches("/_index").trim_end_matches("/index")
}

fn add(authors: &mut Authors, id: &str, name: Option<&str>) {
    if let Some(name) = name {
        authors.entry(id.to_owned()).or_insert_with(|| plain(name));
    }
}
