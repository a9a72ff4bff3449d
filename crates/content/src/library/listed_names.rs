//! The names that the author's order has for files.

use rustc_hash::FxHashMap;

use super::paths::{Address, decoded, join};
use crate::dialects::order::{Item, Outline, To};
use crate::model::{format::is_markdown, sources::Sources};

/// The names of listed files, by path.
pub type ListedNames = FxHashMap<String, String>;

/// Reads the names of files in an outline; the first of a file counts.
pub fn read(sources: &Sources, outline: &Outline) -> ListedNames {
    let mut names = ListedNames::default();
    add(&outline.items, sources, &mut names);
    names
}

/// The readers of outlines bound the depth.
fn add(items: &[Item], sources: &Sources, names: &mut ListedNames) {
    for item in items {
        add_one(item, sources, names);
        add(&item.items, sources, names);
    }
}

fn add_one(item: &Item, sources: &Sources, names: &mut ListedNames) {
    let (To::Path { path, from }, Some(title)) = (&item.to, &item.title) else {
        return;
    };
    let path = decoded(Address::parse(path).path);
    if !is_markdown(&path) {
        return;
    }
    for folder in from.iter() {
        if let Some(path) = join(folder, &path)
            && super::files::position(sources, &path).is_some()
        {
            names.entry(path).or_insert_with(|| title.clone());
            return;
        }
    }
}
