//! Tables of contents that lead to each other: `toc.yml`.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Ask, DEPTH, Item, MOST_ITEMS, Outline, To, Weight, chapters, folder_of, join,
    map::{Found, Reader, Words, a_path, nothing_more},
};
use crate::dialects::script::is_computed;
use crate::syntax::front::{Node, Value};

const NAMES: [&str; 4] = ["toc.yml", "toc.yaml", "TOC.yml", "toc.md"];

/// A table at the root or in a content folder, with all that it leads to.
pub fn tables(ask: &Ask<'_, '_>) -> Option<Outline> {
    let folders = ask
        .roots
        .iter()
        .map(String::as_str)
        .chain(["docs", "articles"]);
    let mut paths = folders.flat_map(|folder| NAMES.map(|name| super::inside(folder, name)));
    let path = paths.find(|path| ask.evidence.file(path).is_some())?;
    let mut tables = Tables {
        ask,
        seen: BTreeSet::new(),
        count: 0,
    };
    let items = tables.table(&path, 0);
    let own = items
        .iter()
        .any(|item| item.to != To::Nowhere || !item.items.is_empty());
    if !own {
        return None;
    }
    Outline::new(&path, "toc", Weight::Navigation, items)
}

const TABLE: Words = Words {
    title: &["name", "displayName"],
    link: &["topicHref", "homepage", "href", "topicUid", "uid"],
    items: &["items"],
    more: nothing_more,
    text: a_path,
};

struct Tables<'t, 'e, 'a> {
    ask: &'t Ask<'e, 'a>,
    seen: BTreeSet<String>,
    count: usize,
}

impl Tables<'_, '_, '_> {
    /// The items of a table. Each is read once.
    fn table(&mut self, path: &str, depth: usize) -> Vec<Item> {
        if depth > DEPTH || !self.seen.insert(path.to_owned()) {
            return Vec::new();
        }
        if path.ends_with(".md") {
            return match self.ask.text(path) {
                Some(text) => chapters::items(&text, path, self.ask),
                None => Vec::new(),
            };
        }
        let Some(data) = self.ask.data(path) else {
            return Vec::new();
        };
        let list = match data.get("items") {
            Some(items) if data.get("name").is_none() => items.node.clone(),
            _ => data,
        };
        self.items(&list, path, depth)
    }

    fn items(&mut self, list: &Node, path: &str, depth: usize) -> Vec<Item> {
        let Value::List(nodes) = &list.value else {
            return Vec::new();
        };
        let file: Arc<str> = path.into();
        let from: Arc<[String]> = [folder_of(path).to_owned(), String::new()].into();
        let reader = Reader {
            words: &TABLE,
            file: &file,
            from: &from,
            prefix: String::new(),
        };
        let mut items = Vec::new();
        for node in nodes {
            self.count += 1;
            if self.count > MOST_ITEMS || is_computed(node) || depth > DEPTH {
                break;
            }
            let single = Node {
                value: Value::List(vec![without_items(node)]),
                ..*node
            };
            let Some(mut item) = reader.items(&single, &mut Found::default(), 0).pop() else {
                continue;
            };
            if let Some(inner) = node.get("items") {
                item.items = self.items(&inner.node, path, depth + 1);
            }
            for key in ["tocHref", "href"] {
                let Some(table) = self.nested(node, key, path) else {
                    continue;
                };
                let has_page = ["topicHref", "homepage"]
                    .iter()
                    .any(|key| node.get(key).is_some());
                if !has_page {
                    item.to = To::Nowhere;
                }
                let below = self.table(&table, depth + 1);
                item.items.extend(below);
                break;
            }
            items.push(item);
        }
        items
    }

    /// The table to which an entry leads: a folder with one, or the file itself.
    fn nested(&self, node: &Node, key: &str, path: &str) -> Option<String> {
        let href = node.get(key)?.node.text()?;
        if href.contains("://") {
            return None;
        }
        let target = join(folder_of(path), href.trim_start_matches("~/"))?;
        let name = target.rsplit('/').next().unwrap_or_default();
        if NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return self.ask.evidence.file(&target).map(|_| target);
        }
        if !href.ends_with('/') {
            return None;
        }
        let mut tables = NAMES.map(|name| super::inside(&target, name)).into_iter();
        tables.find(|path| self.ask.evidence.file(path).is_some())
    }
}

/// An entry without what is below it, which is read by itself.
fn without_items(node: &Node) -> Node {
    let mut node = node.clone();
    if let Value::Map(entries) = &mut node.value {
        entries.retain(|entry| entry.key.text != "items");
    }
    node
}
