//! Files with data that templates make a menu of: `sidebar*.json`, `_data/navigation.yml`.

use std::sync::Arc;

use super::{
    Ask, DEPTH, Item, Outline, To, Weight, folder_of,
    map::{Found, Reader, Words, a_path, nothing_more},
    title, to,
};
use crate::syntax::front::{Node, Value};

/// The maximum number of files that are read together.
const MOST_FILES: usize = 50;

/// `{title, path, routes: […]}`
const ROUTES: Words = Words {
    title: &["title", "label", "name", "text", "sectionHeader"],
    link: &["path", "href", "url", "link", "slug"],
    items: &["routes", "items", "children", "pages"],
    more: |_, node, item| {
        let header = node
            .get("sectionHeader")
            .and_then(|entry| entry.node.text());
        if let Some(header) = header {
            item.title = title(header);
            item.to = To::Nowhere;
        }
        true
    },
    text: a_path,
};

/// `sidebar*.json`, at the root, in `src/`, `docs/` or `data/`. A list of the whole site orders the
/// others.
pub fn routes(ask: &Ask<'_, '_>) -> Option<Outline> {
    let mut lists = lists(ask);
    let first = lists.iter().find(|(_, items)| !items.is_empty())?.0.clone();
    let mut items: Vec<Item> = Vec::new();
    let order = home_order(&lists);
    lists.sort_by_key(|(path, items)| (order(items), path.clone()));
    for (_, list) in lists {
        items.extend(list);
    }
    Outline::new(&first, "routes", Weight::Navigation, items)
}

/// The files of routes, each with its items.
fn lists(ask: &Ask<'_, '_>) -> Vec<(String, Vec<Item>)> {
    let mut lists: Vec<(String, Vec<Item>)> = Vec::new();
    for folder in ["", "src", "docs", "data", "src/data", "config"] {
        let prefix = super::inside(folder, "sidebar");
        for file in ask.evidence.all_from(&prefix) {
            let path = &*file.path;
            if !path.ends_with(".json") || folder_of(path) != folder || lists.len() == MOST_FILES {
                continue;
            }
            if let Some(data) = ask.data(path) {
                lists.push((path.to_owned(), list(ask, path, &data)));
            }
        }
    }
    lists
}

/// The items of one file, under its own title if it has one.
fn list(ask: &Ask<'_, '_>, path: &str, data: &Node) -> Vec<Item> {
    let file: Arc<str> = path.into();
    let reader = Reader {
        words: &ROUTES,
        file: &file,
        from: &ask.roots,
        prefix: String::new(),
    };
    let mut items = reader.items(data, &mut Found::default(), 0);
    headed(&mut items, 0);
    items
}

/// Puts what follows a header below it.
fn headed(items: &mut Vec<Item>, depth: usize) {
    let is_header = |item: &Item| item.to == To::Nowhere && item.items.is_empty();
    let mut under: Vec<Item> = Vec::new();
    for mut item in items.drain(..) {
        if depth < DEPTH {
            headed(&mut item.items, depth + 1);
        }
        match under.last_mut() {
            Some(header)
                if header.to == To::Nowhere && !is_header(&item) && item.to != To::Nowhere =>
            {
                header.items.push(item);
            }
            _ => under.push(item),
        }
    }
    *items = under;
}

/// The place of a list: where the list of the whole site, whose address is the root, first names
/// something below its address.
fn home_order(lists: &[(String, Vec<Item>)]) -> impl Fn(&[Item]) -> usize + use<> {
    let is_home =
        |items: &[Item]| matches!(items, [Item { to: To::Path { path, .. }, .. }] if path == "/");
    let home = lists.iter().find(|(_, items)| is_home(items));
    let mut named = Vec::new();
    if let Some((_, items)) = home {
        paths(items, &mut named, 0);
    }
    move |items| {
        if is_home(items) {
            return usize::MAX;
        }
        let Some(To::Path { path, .. }) = items.first().map(|item| &item.to) else {
            return named.len();
        };
        let top = path.trim_matches('/').split('/').next().unwrap_or_default();
        let mut places = named.iter();
        places
            .position(|path| path.trim_matches('/').split('/').next() == Some(top))
            .unwrap_or(named.len())
    }
}

fn paths(items: &[Item], named: &mut Vec<String>, depth: usize) {
    const MOST: usize = 500;
    for item in items {
        if let To::Path { path, .. } = &item.to
            && path != "/"
            && named.len() < MOST
        {
            named.push(path.clone());
        }
        if depth < DEPTH {
            paths(&item.items, named, depth + 1);
        }
    }
}

/// `- title: …, url: …, children: […]`
const MENU: Words = Words {
    title: &["title", "name", "text", "label", "page"],
    link: &["url", "link", "href", "path", "permalink", "doc"],
    items: &[
        "children",
        "items",
        "docs",
        "pages",
        "links",
        "sublinks",
        "subitems",
        "subfolderitems",
        "folderitems",
        "folders",
        "subfolders",
        "subnav",
        "toc",
        "sublist",
        "contents",
    ],
    more: nothing_more,
    text: a_path,
};

/// Menus of `_data`: `navigation.yml` and its like.
pub fn menus(ask: &Ask<'_, '_>) -> Option<Outline> {
    const NAMES: [&str; 10] = [
        "docs",
        "docs_nav",
        "docs-nav",
        "toc",
        "sidebar",
        "sidebars",
        "navigation",
        "nav",
        "docs_navigation",
        "menu",
    ];
    let roots = ask.roots.iter().rev();
    let (path, data) = roots
        .flat_map(|root| NAMES.map(|name| super::inside(root, &format!("_data/{name}"))))
        .flat_map(|path| [".yml", ".yaml", ".json"].map(|ending| format!("{path}{ending}")))
        .find_map(|path| {
            let data = ask.data(&path)?;
            Some((path, data))
        })?;
    let file: Arc<str> = path.as_str().into();
    // Documents may be named below their collection, or below the usual folders.
    let from: Arc<[String]> = ["", "docs", "_docs", "pages", "_pages"]
        .map(str::to_owned)
        .into();
    let reader = Reader {
        words: &MENU,
        file: &file,
        from: &from,
        prefix: String::new(),
    };
    let mut found = Found::default();
    let items = match &data.value {
        // Several menus, by name: their names are not titles.
        Value::Map(menus)
            if menus
                .iter()
                .all(|menu| matches!(menu.node.value, Value::List(_))) =>
        {
            menus
                .iter()
                .flat_map(|menu| reader.items(&menu.node, &mut found, 0))
                .collect()
        }
        _ => reader.items(&data, &mut found, 0),
    };
    Outline::new(&path, "menu", Weight::Menu, items)
}

/// `_data/sidebar.yml` by sections: `docs: {group: {name: file.html}}`.
pub fn sections(ask: &Ask<'_, '_>) -> Option<Outline> {
    const FILES: [&str; 4] = [
        "source/_data/sidebar.yml",
        "source/_data/sidebar.yaml",
        "_data/sidebar.yml",
        "source/_data/sidebar.json",
    ];
    let (path, data) = ask.first(&FILES)?;
    let file: Arc<str> = path.as_str().into();
    let mut items = Vec::new();
    for section in data.entries() {
        let from: Arc<[String]> = ask
            .roots
            .iter()
            .map(|root| super::inside(root, &section.key.text))
            .chain(ask.roots.iter().cloned())
            .collect();
        groups(&section.node, &file, &from, &mut items, 0);
    }
    Outline::new(&path, "sidebar", Weight::Navigation, items)
}

fn groups(node: &Node, file: &Arc<str>, from: &Arc<[String]>, items: &mut Vec<Item>, depth: usize) {
    for entry in node.entries() {
        let mut item = Item {
            title: title(&crate::model::text::presentable(&entry.key.text)),
            file: Arc::clone(file),
            line: entry.key.line,
            column: entry.key.column,
            ..Item::default()
        };
        match entry.node.text() {
            Some(text) => item.to = to(text, from),
            None if depth < DEPTH => groups(&entry.node, file, from, &mut item.items, depth + 1),
            None => {}
        }
        items.push(item);
    }
}
