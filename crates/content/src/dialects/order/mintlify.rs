//! The navigation of a Mintlify site: `navigation` of `docs.json`, or of the former `mint.json`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    Ask, DEPTH, Item, MOST_ITEMS, Outline, To, Weight, folder_of,
    map::{Found, Reader, Words, a_path},
};
use crate::dialects::config::unplaced;
use crate::model::path::join;
use crate::syntax::front::{Entry, Node, Value};

/// The page at the root.
const HOME: &str = "index";
/// The key of the navigation.
const KEY: &str = "navigation";
/// The key of a file whose content takes the place of the map.
const REFERENCE: &str = "$ref";
/// The size of all files together that take the place of maps, in bytes.
const MOST_BYTES: usize = 8_000_000;
/// How many bytes a file counts at least.
const LEAST: usize = 10_000;
/// Keys of lists with pages, from the outermost.
const LISTS: [&str; 9] = [
    "versions",
    "products",
    "dropdowns",
    "tabs",
    "anchors",
    "menu",
    "groups",
    "pages",
    "languages",
];

/// What is hidden is published, but not listed.
const NAVIGATION: Words = Words {
    title: &[
        "group", "tab", "anchor", "dropdown", "product", "version", "item", "name",
    ],
    link: &["root", "href", "url"],
    items: &LISTS,
    more: |_, node, _| !is_hidden(node),
    text: a_path,
};

fn is_hidden(node: &Node) -> bool {
    let hidden = node.get("hidden").and_then(|entry| entry.node.bool());
    hidden == Some(true)
}

/// The order of a site.
pub fn navigation(ask: &Ask<'_, '_>) -> Option<Outline> {
    let file: Arc<str> = ask.config.into();
    let from: Arc<[String]> = [folder_of(&file).to_owned()].into();
    let reader = Reader {
        words: &NAVIGATION,
        file: &file,
        from: &from,
        prefix: String::new(),
    };
    let items = reader.items(&whole(ask)?, &mut Found::default(), 0);
    Outline::new(&file, KEY, Weight::Navigation, with_pages(items))
}

/// The items without operations of an interface. What is below an item without a name and an address
/// takes its place.
fn with_pages(items: Vec<Item>) -> Vec<Item> {
    let mut all = Vec::with_capacity(items.len());
    for mut item in items {
        item.items = with_pages(item.items);
        match &item.to {
            To::Path { path, .. } if is_operation(path) => {}
            To::Nowhere if item.title.is_none() => all.append(&mut item.items),
            _ => all.push(item),
        }
    }
    all
}

/// Whether an entry is `GET /users`, of which a page is made from the description of an interface.
fn is_operation(entry: &str) -> bool {
    entry.contains(" /")
}

/// The paths of the texts that the navigation shows, and of the home page. `None`: there is no navigation.
pub fn texts(ask: &Ask<'_, '_>) -> Option<BTreeSet<String>> {
    let folder = folder_of(ask.config);
    let navigation = whole(ask)?;
    let mut pages = BTreeSet::from([HOME]);
    collect(&navigation, 0, &mut pages);
    let texts = pages.into_iter().filter_map(|page| text(ask, folder, page));
    Some(texts.collect())
}

/// The pages that a part of the navigation names. A hidden part may be listed all the same.
fn collect<'n>(node: &'n Node, depth: usize, pages: &mut BTreeSet<&'n str>) {
    let searchable = node.get("searchable").and_then(|entry| entry.node.bool());
    if !is_hidden(node) || searchable == Some(true) {
        collect_inside(node, depth, pages);
    }
}

fn collect_inside<'n>(node: &'n Node, depth: usize, pages: &mut BTreeSet<&'n str>) {
    if depth > 2 * DEPTH || pages.len() >= MOST_ITEMS {
        return;
    }
    match &node.value {
        Value::List(nodes) => {
            for node in nodes {
                collect(node, depth + 1, pages);
            }
        }
        Value::Map(entries) => {
            for Entry { key, node } in entries {
                let names_pages = key.text == "root" || LISTS.contains(&key.text.as_str());
                if names_pages {
                    collect(node, depth + 1, pages);
                }
            }
        }
        Value::Scalar { .. } => pages.extend(node.text()),
    }
}

/// The text of a page: its path with or without the suffix, or its folder.
fn text(ask: &Ask<'_, '_>, folder: &str, page: &str) -> Option<String> {
    const ENDINGS: [&str; 5] = ["", ".mdx", ".md", "/index.mdx", "/index.md"];
    let path = join(folder, page.trim_matches('/'))?;
    for ending in ENDINGS {
        let path = format!("{path}{ending}");
        if ask.evidence.file(&path).is_some() {
            return Some(path);
        }
    }
    None
}

/// The navigation with the content of the files that it names.
fn whole(ask: &Ask<'_, '_>) -> Option<Node> {
    let data = ask.data(ask.config)?;
    let mut navigation = data.get(KEY)?.node.clone();
    let mut room = MOST_BYTES;
    include(ask, (&mut navigation, folder_of(ask.config)), &mut room, 0);
    Some(navigation)
}

/// Puts the content of files in the places that name them, without places of its own. Paths count from the
/// folder of the file that has them; `room` is how many bytes may follow.
fn include(ask: &Ask<'_, '_>, (node, folder): (&mut Node, &str), room: &mut usize, depth: usize) {
    if depth > 2 * DEPTH {
        return;
    }
    if let Some((path, mut content)) = referenced(ask, (node, folder), room) {
        unplaced(&mut content);
        include(ask, (&mut content, folder_of(&path)), room, depth + 1);
        let mut own = std::mem::replace(node, content);
        include_inside(ask, (&mut own, folder), room, depth);
        if let (Value::Map(all), Value::Map(own)) = (&mut node.value, own.value) {
            all.retain(|entry| own.iter().all(|known| known.key.text != entry.key.text));
            all.extend(own.into_iter().filter(|entry| entry.key.text != REFERENCE));
        }
        return;
    }
    include_inside(ask, (node, folder), room, depth);
}

fn include_inside(
    ask: &Ask<'_, '_>,
    (node, folder): (&mut Node, &str),
    room: &mut usize,
    depth: usize,
) {
    match &mut node.value {
        Value::List(nodes) => {
            for node in nodes {
                include(ask, (node, folder), room, depth + 1);
            }
        }
        Value::Map(entries) => {
            for entry in entries {
                include(ask, (&mut entry.node, folder), room, depth + 1);
            }
        }
        Value::Scalar { .. } => {}
    }
}

/// The file that a map names, and its content.
fn referenced(
    ask: &Ask<'_, '_>,
    (node, folder): (&Node, &str),
    room: &mut usize,
) -> Option<(String, Node)> {
    let path = join(folder, reference(node)?)?;
    let size = ask.evidence.file(&path)?.bytes.len();
    *room = room.checked_sub(size.max(LEAST))?;
    let content = ask.data(&path)?;
    Some((path, content))
}

/// The file that a map names in place of its content.
pub fn reference(node: &Node) -> Option<&str> {
    node.get(REFERENCE)?.node.text()
}

/// A language of the navigation.
pub struct Language {
    /// Its name.
    pub name: String,
    /// Whether it is the one of the site.
    pub is_default: bool,
    /// Whether its pages are in a folder with its name.
    pub has_folder: bool,
}

/// The languages of a site.
pub fn languages(ask: &Ask<'_, '_>) -> Vec<Language> {
    let navigation = whole(ask);
    let list = navigation.as_ref().and_then(|node| node.get("languages"));
    let items = list.map_or(&[][..], |list| list.node.items());
    items.iter().filter_map(language).collect()
}

fn language(node: &Node) -> Option<Language> {
    let name = node.get("language")?.node.text()?.to_owned();
    let is_default = node.get("default").and_then(|entry| entry.node.bool());
    let mut pages = BTreeSet::new();
    collect_inside(node, 0, &mut pages);
    let is_below = |page: &&str| {
        let rest = page.trim_matches('/').strip_prefix(&name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    Some(Language {
        has_folder: pages.iter().any(is_below),
        is_default: is_default == Some(true),
        name,
    })
}
