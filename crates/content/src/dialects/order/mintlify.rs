//! The navigation of a Mintlify site: `navigation` of `docs.json`, or of the former `mint.json`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    Ask, DEPTH, Item, MOST_ITEMS, Outline, To, Weight, folder_of,
    map::{Found, Reader, Words, a_path},
};
use crate::dialects::config::unplaced;
use crate::model::path::{is_at_or_below, join};
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
    let (navigation, mut found) = (whole(ask)?, Found::default());
    let languages = languages(&navigation);
    let mut items = Vec::new();
    if languages.is_empty() {
        items = with_pages(reader.items(&navigation, &mut found, 0));
    }
    for language in &languages {
        let own = with_pages(reader.items(language.node, &mut found, 0));
        // What is not translated is in the tree of its own language.
        items.extend(match language.is_default {
            false if language.has_folder => below(own, &language.name),
            _ => own,
        });
    }
    Outline::new(&file, KEY, Weight::Navigation, items)
}

/// The items with the pages in a folder, and other sites.
fn below(items: Vec<Item>, folder: &str) -> Vec<Item> {
    let mut all = Vec::with_capacity(items.len());
    for mut item in items {
        let had_items = !item.items.is_empty();
        item.items = below(item.items, folder);
        let is_own = match &item.to {
            To::Path { path, .. } => is_below(path, folder),
            To::Nowhere => !had_items,
            To::Site(_) | To::Folder(_) => true,
        };
        match is_own {
            true => all.push(item),
            false if item.items.is_empty() => {}
            false => {
                item.to = To::Nowhere;
                all.push(item);
            }
        }
    }
    all
}

/// Whether a page is in a folder, or is the folder's own.
fn is_below(page: &str, folder: &str) -> bool {
    is_at_or_below(page.trim_matches('/'), folder)
}

/// The items without operations of an API. What is below an item without a name and an address
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

/// Whether an entry is `GET /users`, of which a page is made from the description of an API.
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
pub fn whole(ask: &Ask<'_, '_>) -> Option<Node> {
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
pub struct Language<'n> {
    /// Its part of the navigation.
    node: &'n Node,
    /// Its name.
    pub name: String,
    /// Whether it is that of the site: it says so, or is the first.
    pub is_default: bool,
    /// Whether its pages are in a folder with its name.
    pub has_folder: bool,
}

/// The languages of a navigation.
pub fn languages(navigation: &Node) -> Vec<Language<'_>> {
    let list = navigation.get("languages");
    let nodes = list.map_or(&[][..], |list| list.node.items());
    let mut languages: Vec<Language<'_>> = nodes.iter().filter_map(language).collect();
    if languages.iter().all(|language| !language.is_default)
        && let Some(first) = languages.first_mut()
    {
        first.is_default = true;
    }
    languages
}

fn language(node: &Node) -> Option<Language<'_>> {
    let name = node.get("language")?.node.text()?.to_owned();
    let is_default = node.get("default").and_then(|entry| entry.node.bool());
    let mut pages = BTreeSet::new();
    collect_inside(node, 0, &mut pages);
    Some(Language {
        node,
        has_folder: pages.iter().any(|page| is_below(page, &name)),
        is_default: is_default == Some(true),
        name,
    })
}
