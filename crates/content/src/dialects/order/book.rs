//! The table of contents of a Jupyter Book: `project.toc` of `myst.yml`, else `_toc.yml`.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Ask, DEPTH, Item, MOST_ITEMS, Outline, To, Weight, folder_of, inside,
    map::{Found, Reader, Words, a_path},
};
use crate::dialects::config::Glob;
use crate::model::format::Format;
use crate::syntax::front::{Node, Value};

/// The file with the table, if the configuration has none.
pub const FILE: &str = "_toc.yml";
/// Keys of texts, as paths or patterns.
const TEXTS: [&str; 4] = ["file", "root", "glob", "pattern"];

/// The keys of all versions. What is hidden is published, but not listed.
const TOC: Words = Words {
    title: &["title", "caption", "part"],
    link: &["file", "root", "url", "glob", "pattern"],
    items: &[
        "chapters", "sections", "entries", "children", "parts", "subtrees",
    ],
    more: |_, node, _| {
        let hidden = node.get("hidden").and_then(|entry| entry.node.bool());
        hidden != Some(true)
    },
    text: a_path,
};

/// The order of a book.
pub fn contents(ask: &Ask<'_, '_>) -> Option<Outline> {
    let (file, toc) = table(ask)?;
    let folder = folder_of(&file);
    let (name, from): (Arc<str>, Arc<[String]>) =
        (file.as_str().into(), [folder.to_owned()].into());
    let reader = Reader {
        words: &TOC,
        file: &name,
        from: &from,
        prefix: String::new(),
    };
    let mut items = reader.items(&toc, &mut Found::default(), 0);
    // The first page is before the others, not above them.
    if let (Value::Map(_), [root]) = (&toc.value, items.as_mut_slice()) {
        let others = std::mem::take(&mut root.items);
        items.extend(others);
    }
    let items = flattened(ask, folder, items);
    Outline::new(&file, "toc", Weight::Navigation, items)
}

/// The table, and the file that it is in.
fn table(ask: &Ask<'_, '_>) -> Option<(String, Node)> {
    let config = ask.data(ask.config);
    let toc = || Some(config?.get("project")?.node.get("toc")?.node.clone());
    if let Some(toc) = toc() {
        return Some((ask.config.to_owned(), toc));
    }
    let path = inside(folder_of(ask.config), FILE);
    let toc = ask.data(&path)?;
    Some((path, toc))
}

/// The file with the table, and the paths of all texts that it names. `None`: there is none.
pub fn texts(ask: &Ask<'_, '_>) -> Option<(String, BTreeSet<String>)> {
    let (file, toc) = table(ask)?;
    let mut names = Vec::new();
    collect(&toc, 0, &mut names);
    let folder = folder_of(&file);
    let paths = names.into_iter().flat_map(|name| named(ask, folder, name));
    let texts: BTreeSet<String> = paths.map(|path| inside(folder, &path)).collect();
    Some((file, texts))
}

/// Collects the values of [`TEXTS`].
fn collect<'n>(node: &'n Node, depth: usize, names: &mut Vec<&'n str>) {
    if depth > 2 * DEPTH || names.len() >= MOST_ITEMS {
        return;
    }
    match &node.value {
        Value::List(nodes) => nodes
            .iter()
            .for_each(|node| collect(node, depth + 1, names)),
        Value::Map(entries) => {
            for entry in entries {
                let is_text = TEXTS.contains(&entry.key.text.as_str());
                match entry.node.text().filter(|_| is_text) {
                    Some(name) => names.push(name),
                    None => collect(&entry.node, depth + 1, names),
                }
            }
        }
        Value::Scalar { .. } => {}
    }
}

/// The items with the texts that they name. What is below an item without a name and an address
/// takes its place.
fn flattened(ask: &Ask<'_, '_>, folder: &str, items: Vec<Item>) -> Vec<Item> {
    let mut all = Vec::with_capacity(items.len());
    for mut item in items {
        item.items = flattened(ask, folder, item.items);
        let To::Path { path, from } = &item.to else {
            match item.to == To::Nowhere && item.title.is_none() {
                true => all.append(&mut item.items),
                false => all.push(item),
            }
            continue;
        };
        let texts = named(ask, folder, path);
        if texts.is_empty() {
            all.push(item);
            continue;
        }
        let text = |path| Item {
            to: To::Path {
                path,
                from: Arc::clone(from),
            },
            ..item.clone()
        };
        all.extend(texts.into_iter().map(text));
    }
    all
}

/// The texts with this name, which may have no suffix or be a pattern. Both count from a folder.
fn named(ask: &Ask<'_, '_>, folder: &str, name: &str) -> Vec<String> {
    let (path, bare) = (inside(folder, name), without_suffix(name));
    let is_text = |path: &str| Format::from_path(path).is_some();
    let paths: Vec<&str> = if name.contains('*') {
        let globs = Glob::parse_paths(folder, bare);
        let fits = |path: &str| globs.iter().any(|glob| glob.fits(without_suffix(path)));
        let files = ask.evidence.all_below(folder).iter();
        let paths = files.map(|file| &*file.path);
        paths.filter(|path| is_text(path) && fits(path)).collect()
    } else if is_text(name) {
        let file = ask.evidence.file(&path);
        file.map(|file| &*file.path).into_iter().collect()
    } else {
        let files = ask.evidence.all_from(&format!("{path}."));
        let first = files
            .iter()
            .find(|file| is_text(&file.path) && without_suffix(&file.path) == path);
        first.map(|file| &*file.path).into_iter().collect()
    };
    let prefix = inside(folder, "");
    let inner = |path: &str| path.strip_prefix(&prefix).unwrap_or(path).to_owned();
    paths.into_iter().map(inner).collect()
}

/// A path without the suffix of a text.
fn without_suffix(path: &str) -> &str {
    let has_suffix = Format::from_path(path).is_some();
    let bare = path.rsplit_once('.').filter(|_| has_suffix);
    bare.map_or(path, |(bare, _)| bare)
}
