//! The table of contents of a Jupyter Book: `project.toc` of `myst.yml`, else `_toc.yml`.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Ask, DEPTH, Item, MOST_ITEMS, Outline, To, Weight, folder_of, inside,
    map::{Found, Reader, Words, a_path},
};
use crate::dialects::config::{Glob, chain, too_many};
use crate::model::format::Format;
use crate::syntax::front::{Node, Value};

/// The file with the table, if the configuration has none.
pub const FILE: &str = "_toc.yml";
/// The key of the files on which a configuration builds.
const EXTENDS: Option<&str> = Some("extends");
/// The maximum number of patterns, each of which is compared with every text.
const MOST_PATTERNS: usize = 200;
/// Keys of texts, as paths or patterns.
const NAMES: [&str; 4] = ["file", "root", "glob", "pattern"];

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
    let mut texts = Texts::new(ask, folder, &names(&toc));
    let items = texts.flattened(items);
    let mut outline = Outline::new(&file, "toc", Weight::Navigation, items)?;
    if texts.patterns > MOST_PATTERNS {
        let problem = too_many(
            "toc",
            texts.patterns,
            "texts of further patterns are not read",
        );
        outline.problems.push(problem.at(&*file, 0, 0));
    }
    Some(outline)
}

/// The table, and the file that it is in.
fn table(ask: &Ask<'_, '_>) -> Option<(String, Node)> {
    let first = ask.evidence.file(ask.config);
    let files = first.map(|first| chain(ask.evidence, first, EXTENDS));
    let mut files = files.unwrap_or_default().into_iter();
    let toc = files.find_map(|file| {
        let config = ask.data(&file.path)?;
        Some(config.get("project")?.node.get("toc")?.node.clone())
    });
    if let Some(toc) = toc {
        return Some((ask.config.to_owned(), toc));
    }
    let path = inside(folder_of(ask.config), FILE);
    let toc = ask.data(&path)?;
    Some((path, toc))
}

/// The file with the table, and the paths of all texts that it names. `None`: there is none.
pub fn texts(ask: &Ask<'_, '_>) -> Option<(String, BTreeSet<String>)> {
    let (file, toc) = table(ask)?;
    let paths = named_in(ask, &file, &toc);
    Some((file, paths))
}

/// The paths of all texts that the table in a file names.
pub fn texts_in(ask: &Ask<'_, '_>, file: &str) -> BTreeSet<String> {
    let toc = ask.data(file);
    toc.map(|toc| named_in(ask, file, &toc)).unwrap_or_default()
}

fn named_in(ask: &Ask<'_, '_>, file: &str, toc: &Node) -> BTreeSet<String> {
    let (folder, names) = (folder_of(file), names(toc));
    let mut texts = Texts::new(ask, folder, &names);
    for pattern in names.iter().filter(|name| is_pattern(name)) {
        texts.fitting(pattern);
    }
    texts.seen.iter().map(|path| inside(folder, path)).collect()
}

/// The values of [`NAMES`] in a table.
fn names(toc: &Node) -> Vec<&str> {
    let mut names = Vec::new();
    collect(toc, 0, &mut names);
    names
}

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
                let is_text = NAMES.contains(&entry.key.text.as_str());
                match entry.node.text().filter(|_| is_text) {
                    Some(name) => names.push(name),
                    None => collect(&entry.node, depth + 1, names),
                }
            }
        }
        Value::Scalar { .. } => {}
    }
}

/// Finds the texts that a table names. All paths count from its folder.
struct Texts<'r> {
    ask: &'r Ask<'r, 'r>,
    folder: &'r str,
    /// The texts that are named, and those that the patterns so far have found. No other pattern finds
    /// them.
    seen: BTreeSet<String>,
    /// How many patterns there were.
    patterns: usize,
}

impl<'r> Texts<'r> {
    fn new(ask: &'r Ask<'r, 'r>, folder: &'r str, names: &[&str]) -> Self {
        let mut texts = Self {
            ask,
            folder,
            seen: BTreeSet::new(),
            patterns: 0,
        };
        let named = names.iter().filter(|name| !is_pattern(name));
        texts.seen = named.filter_map(|name| texts.named(name)).collect();
        texts
    }

    /// The items with the texts that fit patterns. What is below an item without a name and an address
    /// takes its place.
    fn flattened(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut all = Vec::with_capacity(items.len());
        for mut item in items {
            item.items = self.flattened(item.items);
            match &item.to {
                To::Nowhere if item.title.is_none() => all.append(&mut item.items),
                To::Path { path, from } if is_pattern(path) => {
                    let (pattern, from) = (path.clone(), Arc::clone(from));
                    let inner = std::mem::take(&mut item.items);
                    let text = |path| Item {
                        to: To::Path {
                            path,
                            from: Arc::clone(&from),
                        },
                        ..item.clone()
                    };
                    all.extend(self.fitting(&pattern).into_iter().map(text));
                    all.extend(inner);
                }
                To::Path { path, from } => {
                    if let Some(path) = self.named(path) {
                        let from = Arc::clone(from);
                        item.to = To::Path { path, from };
                    }
                    all.push(item);
                }
                To::Nowhere | To::Site(_) | To::Folder(_) => all.push(item),
            }
        }
        all
    }

    /// The text with this name, which may have no suffix.
    fn named(&self, name: &str) -> Option<String> {
        let path = inside(self.folder, name);
        if Format::from_path(name).is_some() {
            return self.ask.evidence.file(&path).map(|_| name.to_owned());
        }
        let files = self.ask.evidence.all_from(&format!("{path}."));
        let is_text = |path: &str| Format::from_path(path).is_some();
        let mut found = files.iter().filter(|file| is_text(&file.path));
        let found = found.find(|file| without_suffix(&file.path) == path)?;
        Some(self.inner(&found.path))
    }

    /// The texts that fit a pattern, in the order of their paths.
    fn fitting(&mut self, pattern: &str) -> Vec<String> {
        self.patterns += 1;
        if self.patterns > MOST_PATTERNS {
            return Vec::new();
        }
        let globs = Glob::parse_paths(self.folder, without_suffix(pattern));
        let fits = |path: &str| globs.iter().any(|glob| glob.fits(without_suffix(path)));
        let files = self.ask.evidence.all_below(self.folder).iter();
        let texts = files.filter(|file| Format::from_path(&file.path).is_some());
        let found = texts.filter(|file| fits(&file.path));
        let found: Vec<String> = found.map(|file| self.inner(&file.path)).collect();
        let is_new = |path: &String| self.seen.insert(path.clone());
        found.into_iter().filter(is_new).collect()
    }

    /// A path from the folder of the table.
    fn inner(&self, path: &str) -> String {
        let inner = path.strip_prefix(&inside(self.folder, ""));
        inner.unwrap_or(path).to_owned()
    }
}

fn is_pattern(name: &str) -> bool {
    name.contains('*')
}

/// A path without the suffix of a text.
fn without_suffix(path: &str) -> &str {
    let has_suffix = Format::from_path(path).is_some();
    let bare = path.rsplit_once('.').filter(|_| has_suffix);
    bare.map_or(path, |(bare, _)| bare)
}
