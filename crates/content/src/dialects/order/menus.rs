//! Menus of Hugo, in the configuration and in the front matter of texts: an order where texts have
//! no weights of their own.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Ask, DEPTH, Item, Outline, To, Weight, inside, title, to};
use crate::dialects::config::{Config, Keys};
use crate::model::format::Format;
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Front, Node, Value, split};

/// The keys of menus in a configuration, and of those in which a text is.
const KEYS: [&str; 2] = ["menus", "menu"];
/// The menus that may order a site, the best first.
const NAMES: [&str; 6] = [
    "docs",
    "documentation",
    "sidebar",
    "side",
    "main",
    "primary",
];
/// The keys in texts that decide about menus.
const WORDS: [&str; 2] = ["weight", "menu"];
/// How much of a text is searched for the keys of front matter, in bytes.
const WITHIN: usize = 4000;

/// The maximum number of entries of a menu.
const MOST: usize = 5000;

/// An entry of a menu.
struct Entry {
    /// By what other entries name it.
    id: String,
    parent: String,
    weight: i64,
    item: Item,
}

/// The menu that names most texts. `None`: texts have weights, or no menu names more than half of
/// them.
pub fn of_hugo(ask: &Ask<'_, '_>, keys: &Keys) -> Option<Outline> {
    let texts = texts(ask);
    let fronts: Vec<(&SourceFile, Front)> = texts
        .iter()
        .filter(|file| may_name_one(file))
        .map(|file| {
            let (text, _) = decode(&file.bytes, &file.path);
            (*file, split(&text, &file.path).front)
        })
        .collect();
    if fronts
        .iter()
        .any(|(_, front)| front.get("weight").is_some())
    {
        return None;
    }
    let (config, front) = Config::with_values(ask.evidence, keys);
    let language = config.default_language.as_deref().unwrap_or("en");
    let name = NAMES.into_iter().find(|name| {
        let in_texts = || {
            fronts
                .iter()
                .any(|(_, front)| of_text(front, name).is_some())
        };
        menu(&front, language, name).is_some() || in_texts()
    })?;
    let mut entries = Vec::new();
    if let Some(menu) = menu(&front, language, name) {
        let items = menu.items().iter().take(MOST);
        entries.extend(items.map(|node| of_node(node, config.file_of("menus"), ask)));
    }
    for (file, front) in &fronts {
        entries.extend(of_text(front, name).map(|menu| of_front(file, front, menu, ask)));
    }
    entries.truncate(MOST);
    let items = nested(&mut entries, "", 0);
    let mut named = Named::default();
    named.add(&items);
    let count = texts.iter().filter(|text| named.has(&text.path)).count();
    if count * 2 <= texts.len() {
        return None;
    }
    let file = config.file_of("menus").to_owned();
    Outline::new(&file, "menu", Weight::Menu, items)
}

/// The texts of the content.
fn texts<'a>(ask: &Ask<'_, 'a>) -> Vec<&'a SourceFile> {
    let root = ask.roots.first().map_or("content", String::as_str);
    let files = ask.evidence.all_below(root).iter();
    files
        .filter(|file| {
            Format::from_path(&file.path).is_some() && !file.path.ends_with("/_index.md")
        })
        .collect()
}

/// Whether a text may have a menu or a weight in its front matter.
pub fn may_name_one(file: &SourceFile) -> bool {
    let beginning = &file.bytes[..file.bytes.len().min(WITHIN)];
    let has = |word: &&str| memchr::memmem::find(beginning, word.as_bytes()).is_some();
    Format::from_path(&file.path).is_some() && WORDS.iter().any(has)
}

/// A menu of the configuration, of the default language or of all.
fn menu<'f>(front: &'f Front, language: &str, name: &str) -> Option<&'f Node> {
    KEYS.into_iter().find_map(|key| {
        let own = front.get(&format!("languages.{language}.{key}.{name}"));
        let entry = own.or_else(|| front.get(&format!("{key}.{name}")))?;
        Some(&entry.node)
    })
}

/// What a text says of its entry in a menu: `menu: main`, `menus: [main]`, `menu: {main: {…}}`.
fn of_text<'f>(front: &'f Front, name: &str) -> Option<&'f Node> {
    KEYS.into_iter().find_map(|key| {
        let node = &front.get(key)?.node;
        match &node.value {
            Value::Map(_) => Some(&node.get(name)?.node),
            _ => node.items().iter().find(|item| item.text() == Some(name)),
        }
    })
}

fn text_of<'n>(node: &'n Node, keys: &[&str]) -> Option<&'n str> {
    let found = keys.iter().find_map(|key| node.get(key)?.node.text());
    found.filter(|text| !text.is_empty())
}

/// `{name: Docs, pageRef: /docs, weight: 10, identifier: docs, parent: top}`
fn of_node(node: &Node, file: &str, ask: &Ask<'_, '_>) -> Entry {
    let name = text_of(node, &["name", "title"]).unwrap_or_default();
    let address = text_of(node, &["pageRef", "url"]).unwrap_or_default();
    let mut entry = entry(node, name, file.into());
    entry.item.to = to(address, &ask.roots);
    entry.item.items = section(address.trim_matches('/'), ask);
    entry
}

/// The entry of a text.
fn of_front(file: &SourceFile, front: &Front, menu: &Node, ask: &Ask<'_, '_>) -> Entry {
    let own = front.text(&["linkTitle", "title"]).unwrap_or_default();
    let name = text_of(menu, &["name", "title"]).unwrap_or(own);
    let mut entry = entry(menu, name, Arc::clone(&file.path));
    entry.item.to = To::Path {
        path: format!("/{}", file.path),
        from: [String::new()].into(),
    };
    let folder = file.path.rsplit_once("/_index.").map(|(folder, _)| folder);
    if let Some(folder) = folder {
        entry.item.items = section(folder, ask);
    }
    entry
}

fn entry(node: &Node, name: &str, file: Arc<str>) -> Entry {
    let weight = node.get("weight").and_then(|entry| entry.node.integer());
    let own = |key: &str| text_of(node, &[key]).map(str::to_owned);
    Entry {
        id: own("identifier").unwrap_or_else(|| name.to_owned()),
        parent: own("parent").unwrap_or_default(),
        // As in Hugo, an entry without a weight is last.
        weight: weight.filter(|weight| *weight != 0).unwrap_or(i64::MAX),
        item: Item {
            title: title(name),
            file,
            line: node.line,
            column: node.column,
            ..Item::default()
        },
    }
}

/// The texts of a section, if there are some.
fn section(path: &str, ask: &Ask<'_, '_>) -> Vec<Item> {
    let mut folders = ask.roots.iter().map(|root| inside(root, path));
    let folder = folders.find(|folder| !path.is_empty() && ask.evidence.folder(folder));
    let item = folder.map(|folder| Item {
        to: To::Folder(folder),
        ..Item::default()
    });
    item.into_iter().collect()
}

/// The entries below one of them, by weight and name. Entries without a known parent are at the
/// top.
fn nested(entries: &mut Vec<Entry>, parent: &str, depth: usize) -> Vec<Item> {
    if depth == 0 {
        clear_unknown_parents(entries);
    }
    let own = take_below(entries, parent);
    let mut items = Vec::with_capacity(own.len());
    for mut entry in own {
        let below = match entry.id.as_str() {
            "" => Vec::new(),
            _ if depth == DEPTH => Vec::new(),
            id => nested(entries, id, depth + 1),
        };
        if !below.is_empty() {
            entry.item.items = below;
        }
        items.push(entry.item);
    }
    items
}

/// Takes the entries below a parent, in their order.
fn take_below(entries: &mut Vec<Entry>, parent: &str) -> Vec<Entry> {
    let (mut own, others): (Vec<Entry>, Vec<Entry>) =
        entries.drain(..).partition(|entry| entry.parent == parent);
    *entries = others;
    own.sort_by(|one, other| (one.weight, &one.item.title).cmp(&(other.weight, &other.item.title)));
    own
}

/// An entry whose parent is not in the menu, or itself, is at the top.
fn clear_unknown_parents(entries: &mut [Entry]) {
    let ids: BTreeSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    for entry in entries.iter_mut() {
        if entry.parent == entry.id || !ids.contains(&entry.parent) {
            entry.parent.clear();
        }
    }
}

/// Where the items of a menu lead.
#[derive(Default)]
struct Named {
    /// Texts, with their suffix or without.
    paths: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Named {
    fn add(&mut self, items: &[Item]) {
        for item in items {
            match &item.to {
                To::Path { path, from } => {
                    let path = path.trim_matches('/');
                    self.paths
                        .extend(from.iter().map(|root| inside(root, path)));
                }
                To::Folder(folder) => {
                    self.folders.insert(folder.clone());
                }
                To::Nowhere | To::Site(_) => {}
            }
            self.add(&item.items);
        }
    }

    /// Whether an item leads to a text, or to a folder around it.
    fn has(&self, path: &str) -> bool {
        let before = |sign| path.match_indices(sign).map(|(at, _)| &path[..at]);
        before('.')
            .chain([path])
            .any(|path| self.paths.contains(path))
            || before('/').any(|folder| self.folders.contains(folder))
    }
}
