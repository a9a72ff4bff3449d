//! Items in nested lists of maps, the form that most orders have: `{title: …, link: …, items: […]}`.

use std::sync::Arc;

use super::{DEPTH, Item, MOST_ITEMS, To, inside, title, to};
use crate::dialects::script::is_computed;
use crate::syntax::front::{Entry, Node, Value};

/// The keys of one form.
#[derive(Clone, Copy)]
pub struct Words {
    /// Keys of the title.
    pub title: &'static [&'static str],
    /// Keys of the address.
    pub link: &'static [&'static str],
    /// Keys of the items below.
    pub items: &'static [&'static str],
    /// What else an item says. `false`: it is not an entry.
    pub more: fn(&Reader<'_>, &Node, &mut Item) -> bool,
    /// What a text alone is.
    pub text: fn(&Reader<'_>, &str) -> Item,
}

/// No further keys.
pub fn nothing_more(_: &Reader<'_>, _: &Node, _: &mut Item) -> bool {
    true
}

/// A text alone is a file or address.
pub fn a_path(reader: &Reader<'_>, text: &str) -> Item {
    Item {
        to: to(text, reader.from),
        ..Item::default()
    }
}

/// Reads one list of items.
pub struct Reader<'r> {
    /// The keys.
    pub words: &'r Words,
    /// The file.
    pub file: &'r Arc<str>,
    /// The folders that paths count from.
    pub from: &'r Arc<[String]>,
    /// The prefix of paths.
    pub prefix: String,
}

/// The items read so far, and the first part that is computed.
#[derive(Default)]
pub struct Found {
    /// How many.
    pub count: usize,
    /// The place of the first part that is computed.
    pub computed: Option<(u32, u32)>,
}

impl Reader<'_> {
    /// The items of a list, or of a map from names to addresses or lists.
    pub fn items(&self, node: &Node, found: &mut Found, depth: usize) -> Vec<Item> {
        let mut items = Vec::new();
        if depth > DEPTH {
            return items;
        }
        if is_computed(node) {
            found.computed.get_or_insert((node.line, node.column));
            return items;
        }
        match &node.value {
            Value::List(nodes) => {
                for node in nodes {
                    self.item(node, found, depth, &mut items);
                }
            }
            Value::Map(entries) if self.is_item(entries) => {
                self.item(node, found, depth, &mut items);
            }
            Value::Map(entries) => {
                for entry in entries {
                    self.named(entry, found, depth, &mut items);
                }
            }
            Value::Scalar { .. } => self.item(node, found, depth, &mut items),
        }
        items
    }

    /// Whether a map is one item, not a map of items.
    fn is_item(&self, entries: &[Entry]) -> bool {
        let Words {
            title, link, items, ..
        } = self.words;
        entries.iter().any(|entry| {
            let key = entry.key.text.as_str();
            matches!(key, "type" | "autogenerate")
                || [title, link, items].iter().any(|keys| keys.contains(&key))
        })
    }

    fn item(&self, node: &Node, found: &mut Found, depth: usize, items: &mut Vec<Item>) {
        found.count += 1;
        if found.count > MOST_ITEMS {
            return;
        }
        if is_computed(node) {
            found.computed.get_or_insert((node.line, node.column));
            return;
        }
        match &node.value {
            Value::Scalar { .. } => {
                let Some(text) = node.text() else { return };
                items.push(self.at(node, (self.words.text)(self, text)));
            }
            Value::Map(entries) if self.is_item(entries) => self.map(node, found, depth, items),
            Value::Map(entries) => {
                for entry in entries {
                    self.named(entry, found, depth, items);
                }
            }
            Value::List(_) => items.extend(self.items(node, found, depth + 1)),
        }
    }

    /// `{title: …, link: …, items: […]}`
    fn map(&self, node: &Node, found: &mut Found, depth: usize, items: &mut Vec<Item>) {
        let first = |keys: &[&str]| {
            let mut nodes = keys.iter().filter_map(|key| Some(&node.get(key)?.node));
            nodes.find(|node| !node.is_null())
        };
        let mut item = Item::default();
        if let Some(named) = first(self.words.title) {
            item.title = named.text().and_then(title);
            for entry in named.entries() {
                let text = entry.node.text().and_then(title);
                item.translations
                    .extend(text.map(|text| (entry.key.text.clone(), text)));
            }
        }
        if let Some(link) = first(self.words.link).and_then(Node::text) {
            item.to = to(&format!("{}{link}", self.prefix), self.from);
            if let To::Site(_) = to(link, self.from) {
                item.to = to(link, self.from);
            }
        }
        if let Some(inner) = first(self.words.items) {
            let base = node.get("base").and_then(|entry| entry.node.text());
            let reader = Reader {
                prefix: base.map_or_else(|| self.prefix.clone(), str::to_owned),
                ..*self
            };
            item.items = reader.items(inner, found, depth + 1);
        }
        if (self.words.more)(self, node, &mut item) {
            items.push(self.at(node, item));
        }
    }

    /// `Title: address` or `Title: […]`
    fn named(&self, entry: &Entry, found: &mut Found, depth: usize, items: &mut Vec<Item>) {
        found.count += 1;
        let node = &entry.node;
        if found.count > MOST_ITEMS {
            return;
        }
        if is_computed(node) || entry.key.text.starts_with('\0') {
            found.computed.get_or_insert((node.line, node.column));
            return;
        }
        let mut item = match &node.value {
            Value::Scalar { .. } => match node.text() {
                Some(text) => (self.words.text)(self, text),
                None => return,
            },
            Value::List(_) | Value::Map(_) => Item {
                items: self.items(node, found, depth + 1),
                ..Item::default()
            },
        };
        item.title = title(&entry.key.text);
        item.line = entry.key.line;
        item.column = entry.key.column;
        item.file = Arc::clone(self.file);
        items.push(item);
    }

    /// An item with its place.
    pub fn at(&self, node: &Node, item: Item) -> Item {
        Item {
            file: Arc::clone(self.file),
            line: node.line,
            column: node.column,
            ..item
        }
    }

    /// A folder below the first of those that paths count from.
    pub fn folder(&self, path: &str) -> To {
        let root = self.from.first().map_or("", String::as_str);
        To::Folder(super::clean(&inside(root, path)))
    }
}
