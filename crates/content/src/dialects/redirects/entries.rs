//! Redirects in YAML, TOML and JSON: tables of addresses, and lists of objects.

use super::{Reader, is_redirect};
use crate::dialects::pattern::{Pattern, Style};
use crate::dialects::scope::folder_path;
use crate::syntax::front::{self, Entry, Front, Node, Syntax};

/// A table of old addresses and targets.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The key of the table.
    pub key: &'static str,
    /// Whether its keys are paths of texts, not addresses.
    pub of_texts: bool,
    /// Whether targets are relative to the old address.
    pub relative: bool,
}

impl Table {
    /// A table at this key, of addresses, with targets from the root.
    pub const fn new(key: &'static str) -> Self {
        Self {
            key,
            of_texts: false,
            relative: false,
        }
    }
}

/// A list of objects, one a redirect.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The key of the list.
    pub key: &'static str,
    /// The keys of the old address.
    pub from: &'static [&'static str],
    /// The keys of the target.
    pub to: &'static [&'static str],
    pub style: Style,
    /// Whether the old addresses are paths of texts.
    pub of_texts: bool,
}

impl List {
    /// `redirects: [{source, destination}]`
    pub const SOURCES: Self = Self {
        key: "redirects",
        from: &["source"],
        to: &["destination"],
        style: Style::Express,
        of_texts: false,
    };
    /// `[{from, to}]`
    pub const PAIRS: Self = Self {
        from: &["from"],
        to: &["to"],
        ..Self::SOURCES
    };
}

/// Keys of conditions: such a redirect depends on more than the path.
const CONDITIONS: [&str; 6] = [
    "has",
    "missing",
    "conditions",
    "query",
    "country",
    "language",
];
/// Keys of the status.
const STATUS: [&str; 4] = ["status", "statusCode", "type", "code"];

impl Reader<'_> {
    pub(super) fn table(&mut self, text: &str, table: &Table) {
        let front = self.front(text);
        for node in at(&front, table.key) {
            for entry in node.entries() {
                self.pair(entry, table);
            }
        }
    }

    fn pair(&mut self, entry: &Entry, table: &Table) {
        let key = &entry.key;
        let place = (key.line, key.column);
        let Some(to) = entry.node.text() else {
            return self.skip(place, "it has no target");
        };
        let to = if to.contains("://") || to.starts_with('/') {
            to.to_owned()
        } else if table.relative {
            let (folder, _) = key.text.rsplit_once('/').unwrap_or_default();
            let (path, fragment) = to.split_at(to.find('#').unwrap_or(to.len()));
            let path = folder_path(&format!("{folder}/{path}"));
            path.map_or_else(|| to.to_owned(), |path| format!("/{path}{fragment}"))
        } else {
            format!("/{to}")
        };
        if table.of_texts {
            let from = Pattern::exactly(key.text.trim_start_matches('/'));
            self.add(Some(from), Some(Pattern::exactly(&to)), true, place);
        } else {
            // `./a.html` is `/a.html`.
            let from = key.text.strip_prefix("./").unwrap_or(&key.text);
            self.rule(from, &to, Style::Plain, place);
        }
    }

    pub(super) fn list(&mut self, text: &str, list: &List) {
        let front = self.front(text);
        for node in at(&front, list.key) {
            self.item(node, list);
        }
    }

    /// One object of a list, with one old address or several.
    pub(super) fn item(&mut self, item: &Node, list: &List) {
        let of = |keys: &[&str]| keys.iter().find_map(|key| item.get(key));
        let (Some(from), Some(to)) = (of(list.from), of(list.to)) else {
            return;
        };
        let place = (from.node.line, from.node.column);
        let status = of(&STATUS).and_then(|entry| entry.node.text());
        if status.is_some_and(|status| !is_redirect(status)) {
            return;
        }
        let Some(target) = to.node.text() else {
            return self.skip(place, "its target is computed");
        };
        if CONDITIONS
            .iter()
            .any(|key| item.get(key).is_some_and(|entry| !entry.node.is_null()))
        {
            return self.skip(place, "it depends on more than the path");
        }
        for node in from.node.items() {
            let place = (node.line, node.column);
            match node.text() {
                Some(text) if list.of_texts => {
                    let path = self.text_path(text, &from.key.text);
                    let to = rooted(&path, target);
                    let from = Pattern::exactly(&path);
                    self.add(Some(from), Some(Pattern::exactly(&to)), true, place);
                }
                Some(text) => self.rule(text, target, list.style, place),
                None => self.skip(place, "its old address is computed"),
            }
        }
    }

    /// The path of a text from the root of the folder: as it is, or relative to this file.
    fn text_path(&self, text: &str, key: &str) -> String {
        let text = text.trim_start_matches(['/', '.']);
        match self.path.rsplit_once('/') {
            Some((folder, _)) if !key.ends_with("root") => format!("{folder}/{text}"),
            _ => text.to_owned(),
        }
    }

    fn front(&self, text: &str) -> Front {
        let syntax = match self.path.rsplit_once('.') {
            Some((_, "toml")) => Syntax::Toml,
            Some((_, "json")) => Syntax::Json,
            _ => Syntax::Yaml,
        };
        // The configuration, or the program that the file is for, reports what is wrong with it.
        front::read(text, self.path, syntax).0
    }
}

/// A target: as it is, or relative to the path of a text.
fn rooted(path: &str, target: &str) -> String {
    if target.starts_with('/') || target.contains("://") {
        return target.to_owned();
    }
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    format!("/{folder}/{target}")
}

/// The nodes at a path of keys. In a list, every item is looked at.
fn at<'f>(front: &'f Front, path: &str) -> Vec<&'f Node> {
    let mut keys = path.split('.');
    let first = keys.next().unwrap_or_default();
    let mut nodes: Vec<&Node> = front
        .get(first)
        .map(|entry| &entry.node)
        .into_iter()
        .collect();
    for key in keys {
        let inner = nodes
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|node| Some(&node.get(key)?.node));
        nodes = inner.collect();
    }
    nodes.into_iter().flat_map(Node::items).collect()
}
