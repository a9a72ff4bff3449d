//! Author files: `_data/authors.yml` and similar (`id: { name: … }`), or one Markdown file per
//! author.

use std::collections::BTreeMap;

use super::{fields, files, paths};
use crate::model::{
    format::is_markdown,
    sources::{SourceFile, Sources},
    text::plain,
};
use crate::syntax::front;

const FILES: [&str; 6] = [
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
    let text = String::from_utf8_lossy(&file.bytes);
    let text = format!("---\n{}\n---\n", text.trim_start_matches("---"));
    for entry in front::split(&text, &file.path).front.entries {
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

/// Adds the author described by one file.
fn add_person(authors: &mut Authors, file: &SourceFile, folder: &str) {
    let id = paths::without_suffix(&file.path[folder.len()..]);
    let id = id.trim_end_matches("/_index").trim_end_matches("/index");
    if !id.is_empty() && is_markdown(&file.path) {
        let text = String::from_utf8_lossy(&file.bytes);
        add(
            authors,
            id,
            front::split(&text, &file.path).front.text(&fields::PERSON),
        );
    }
}

fn add(authors: &mut Authors, id: &str, name: Option<&str>) {
    if let Some(name) = name {
        authors.entry(id.to_owned()).or_insert_with(|| plain(name));
    }
}
