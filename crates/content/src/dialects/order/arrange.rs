//! Files that arrange the folder in which they are: `_category_.json`, `_meta.json`, `.pages`.

use std::collections::BTreeMap;

use super::{ArrangedEntry, Arrangement, Ask, DEPTH, Outline, folder_of, inside, title};
use crate::model::language;
use crate::model::path::name;
use crate::syntax::front::{Node, Value};

/// The maximum number of folders that are arranged.
const MOST: usize = 20_000;

impl Arrangement {
    /// Adds the place of all entries that are not named.
    pub(super) fn add_rest(&mut self) {
        self.only = false;
        self.entries
            .push((REST.to_owned(), ArrangedEntry::default()));
    }

    /// Leaves an entry out.
    fn hide(&mut self, path: &str) {
        let entry = ArrangedEntry {
            hidden: true,
            ..ArrangedEntry::default()
        };
        self.entries.push((entry_name(path), entry));
    }

    /// Adds an entry: a file or folder by its name, or a link.
    pub(super) fn add(&mut self, path: &str, title: Option<String>) {
        let is_site = path.contains("://");
        let name = if is_site {
            path.to_owned()
        } else {
            entry_name(path)
        };
        self.entries.push((
            name,
            ArrangedEntry {
                title,
                site: is_site.then(|| path.to_owned()),
                ..ArrangedEntry::default()
            },
        ));
    }
}

/// The name of the place of all entries that are not named.
pub const REST: &str = "...";

/// The name of an entry: without the ending of a text.
fn entry_name(path: &str) -> String {
    let name = path.trim_start_matches("./").trim_end_matches('/');
    match name.rsplit_once('.') {
        Some((stem, "md" | "mdx" | "markdown" | "html" | "ipynb" | "qmd")) => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// Which of several files in a folder arranges it: the one without a language (`_meta.json`), else
/// the English one (`_meta.en-US.json`), else any other. `None`: a file of another name.
fn rank(path: &str, names: &[&str]) -> Option<usize> {
    let name = name(path);
    if names.contains(&name) {
        return Some(0);
    }
    let (before, ending) = name.rsplit_once('.')?;
    let (stem, language) = before.rsplit_once('.')?;
    let language = language::in_name(language)?;
    let is_one = names.contains(&format!("{stem}.{ending}").as_str());
    is_one.then_some(if language.starts_with("en") { 1 } else { 2 })
}

/// What files of these names say of their folders.
pub(super) fn all(
    ask: &Ask<'_, '_>,
    root: &str,
    names: &[&str],
    read: fn(&Node) -> Arrangement,
) -> BTreeMap<String, Arrangement> {
    let mut folders = BTreeMap::new();
    let files = ask.evidence.all_below(root).iter();
    let named = files.filter_map(|file| Some((rank(&file.path, names)?, &*file.path)));
    let mut named: Vec<(usize, &str)> = named.collect();
    named.sort();
    for (_, path) in named {
        if folders.len() == MOST {
            break;
        }
        if let Some(data) = ask.data(path) {
            folders
                .entry(folder_of(path).to_owned())
                .or_insert_with(|| read(&data));
        }
    }
    folders
}

/// `_category_.json` and its like below a folder.
pub(super) fn categories(ask: &Ask<'_, '_>, root: &str) -> BTreeMap<String, Arrangement> {
    const NAMES: [&str; 3] = ["_category_.json", "_category_.yml", "_category_.yaml"];
    all(ask, root, &NAMES, |node| Arrangement {
        title: node
            .get("label")
            .and_then(|entry| title(entry.node.text()?)),
        position: node.get("position").and_then(|entry| entry.node.integer()),
        ..Arrangement::default()
    })
}

/// The files that arrange a folder.
const NAMES: [&str; 7] = [
    "_meta.json",
    "_meta.js",
    "_meta.jsx",
    "_meta.ts",
    "_meta.tsx",
    "_meta.mjs",
    "meta.json",
];

/// `_meta.json`, `_meta.js` and `meta.json`: names of entries in their order, with titles.
pub fn meta(ask: &Ask<'_, '_>) -> Option<Outline> {
    let folders = all(ask, "", &NAMES, of_meta);
    let with_entries = folders
        .iter()
        .filter(|(_, arrangement)| !arrangement.entries.is_empty());
    let (top, _) =
        with_entries.min_by_key(|(folder, _)| (folder.matches('/').count(), folder.len()))?;
    Some(arranged(&top.clone(), folders))
}

/// As [`meta`], of a site that lists all texts of its content; `_meta.global.js` may arrange all
/// folders.
pub fn meta_of_all(ask: &Ask<'_, '_>) -> Option<Outline> {
    let mut roots = ask.roots.iter().filter(|root| !root.is_empty());
    let content = roots.find(|root| ask.evidence.holds_text(root))?;
    let mut folders = all(ask, "", &NAMES, of_meta);
    add_global(ask, content, &mut folders);
    let inside = inside(content, "");
    let is_arranged = |folder: &String| folder == content || folder.starts_with(&inside);
    let some = folders.keys().any(is_arranged);
    some.then(|| arranged(content, folders))
}

/// The outline of a folder whose parts are arranged.
fn arranged(top: &str, mut folders: BTreeMap<String, Arrangement>) -> Outline {
    folders.retain(|_, arrangement| !arrangement.entries.is_empty() || arrangement.title.is_some());
    let mut outline = Outline::folder(top);
    outline.what = "_meta";
    outline.folders = folders;
    outline
}

/// Adds what one file says of all folders. Its paths may start in its own folder or in the content
/// folder: both are tried.
fn add_global(ask: &Ask<'_, '_>, content: &str, folders: &mut BTreeMap<String, Arrangement>) {
    const GLOBAL: [&str; 4] = [
        "_meta.global.js",
        "_meta.global.jsx",
        "_meta.global.ts",
        "_meta.global.tsx",
    ];
    for file in ask.evidence.all() {
        let path = &*file.path;
        if !GLOBAL.contains(&name(path)) {
            continue;
        }
        let Some(data) = ask.data(path) else {
            continue;
        };
        add_nested(folders, folder_of(path), &data, 0);
        add_nested(folders, content, &data, 0);
    }
}

/// Adds what a map says of a folder, and what `items` in it say of the folders inside.
fn add_nested(
    folders: &mut BTreeMap<String, Arrangement>,
    folder: &str,
    node: &Node,
    depth: usize,
) {
    if depth > DEPTH || folders.len() >= MOST {
        return;
    }
    folders
        .entry(folder.to_owned())
        .or_insert_with(|| of_meta(node));
    for entry in node.entries() {
        let is_menu = entry.node.get("type").and_then(|kind| kind.node.text()) == Some("menu");
        if let Some(items) = entry.node.get("items").filter(|_| !is_menu) {
            let inner = inside(folder, &entry.key.text);
            add_nested(folders, &inner, &items.node, depth + 1);
        }
    }
}

fn of_meta(node: &Node) -> Arrangement {
    let mut arrangement = Arrangement::default();
    // `meta.json`: a list of names with a title.
    if let Some(pages) = node.get("pages")
        && let Value::List(pages) = &pages.node.value
    {
        arrangement.title = node
            .get("title")
            .and_then(|entry| title(entry.node.text()?));
        arrangement.only = true;
        for page in pages.iter().filter_map(Node::text) {
            match page {
                REST | "z...a" => arrangement.add_rest(),
                _ if page.starts_with("---") || page.starts_with('[') => {}
                _ => match page.strip_prefix('!') {
                    Some(hidden) => arrangement.hide(hidden),
                    None => arrangement.add(page.trim_start_matches(REST), None),
                },
            }
        }
        return arrangement;
    }
    for entry in node.entries() {
        let name = entry.key.text.as_str();
        if name == "*" || name.starts_with('\0') {
            continue;
        }
        let text = |key: &str| entry.node.get(key).and_then(|entry| entry.node.text());
        let hidden = text("display") == Some("hidden");
        let label = entry.node.text().or(text("title"));
        let label = label.filter(|text| !text.starts_with('\0')).and_then(title);
        if text("type") == Some("separator") {
            continue;
        }
        arrangement.entries.push((
            entry_name(name),
            ArrangedEntry {
                title: label,
                hidden,
                site: text("href")
                    .filter(|href| href.contains("://"))
                    .map(str::to_owned),
            },
        ));
    }
    arrangement
}
