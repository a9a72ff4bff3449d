//! `nav` of a configuration in YAML, and `contents` and `chapters` of books and websites.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    Arrangement, Ask, Item, Outline, To, Weight, arrange, chapters, folder_of, inside,
    map::{Found, Reader, Words, a_path, nothing_more},
    title,
};
use crate::dialects::config::chain;
use crate::dialects::script::is_computed;
use crate::syntax::front::{Node, Value};

/// `- Title: file.md`, `- Section: […]`, `- file.md`
const NAV: Words = Words {
    title: &[],
    link: &[],
    items: &[],
    more: nothing_more,
    text: |reader, text| match text.strip_suffix("/*").or(text.strip_suffix('/')) {
        Some(folder) if !text.contains("://") => Item {
            to: reader.folder(folder),
            ..Item::default()
        },
        _ => a_path(reader, text),
    },
};

/// The key of the file on which a configuration builds.
const INHERIT: Option<&str> = Some("INHERIT");
/// The table in which a configuration of Zensical has its values.
const PROJECT: &str = "project";

/// `nav` of a configuration; without one the files by their names, as `.pages` arranges them, or a
/// list of chapters in the content folder.
pub fn nav(ask: &Ask<'_, '_>) -> Option<Outline> {
    // In the file itself, else in one on which it builds.
    let first = ask.evidence.file(ask.config);
    let files = first.map_or_else(Vec::new, |first| chain(ask.evidence, first, INHERIT));
    let found = files.iter().find_map(|file| {
        let data = ask.data(&file.path)?;
        let own = data.get(PROJECT).map_or(&data, |project| &project.node);
        let nav = own.get("nav").or(own.get("pages"))?.clone();
        Some((nav, Arc::clone(&file.path)))
    });
    if let Some((nav, file)) = found {
        let mut found = Found::default();
        let reader = Reader {
            words: &NAV,
            file: &file,
            from: &ask.roots,
            prefix: String::new(),
        };
        let items = reader.items(&nav.node, &mut found, 0);
        let outline = Outline::new(&file, "nav", Weight::Navigation, items);
        return Some(outline?.computed(found.computed));
    }
    let root = ask.roots.first()?;
    if let Some(list) = chapters::list(ask, &inside(root, "SUMMARY.md"), 1) {
        return Some(list);
    }
    let mut outline = Outline::folder(root);
    outline.folders = pages(ask, root);
    Some(outline)
}

/// A website's `sidebar` and `navbar`, a book's `chapters` and `appendices`, `rmd_files` of bookdown.
pub fn contents(ask: &Ask<'_, '_>) -> Option<Outline> {
    let data = ask.data(ask.config)?;
    let file: Arc<str> = ask.config.into();
    let at = |path: &[&str]| -> Option<Node> {
        let mut node = &data;
        for key in path {
            node = &node.get(key)?.node;
        }
        Some(node.clone())
    };
    let reader = Reader {
        words: &CONTENTS,
        file: &file,
        from: &ask.roots,
        prefix: String::new(),
    };
    let mut found = Found::default();
    let mut read = |path: &[&str]| match at(path) {
        Some(node) => reader.items(&node, &mut found, 0),
        None => Vec::new(),
    };
    // A list for one format is in a map.
    let of_bookdown = [["rmd_files", "html"].as_slice(), &["rmd_files"]];
    let of_bookdown = of_bookdown.into_iter().map(&mut read);
    if let Some(items) = of_bookdown.into_iter().find(|items| !items.is_empty()) {
        return Outline::new(ask.config, "rmd_files", Weight::Navigation, items);
    }
    let mut items = read(&["book", "chapters"]);
    if let Some(appendices) = at(&["book", "appendices"]) {
        let more = read(&["book", "appendices"]);
        let heading = Item {
            title: title("Appendices"),
            items: more,
            ..Item::default()
        };
        items.push(reader.at(&appendices, heading));
    }
    if !items.is_empty() {
        return Outline::new(ask.config, "book.chapters", Weight::Navigation, items);
    }
    if let Some(sidebar) = at(&["website", "sidebar"]) {
        let items = sidebars(&reader, &sidebar, &mut found);
        let outline = Outline::new(ask.config, "website.sidebar", Weight::Navigation, items);
        return Some(outline?.computed(found.computed));
    }
    for side in ["left", "right"] {
        items.extend(read(&["website", "navbar", side]));
    }
    Outline::new(ask.config, "website.navbar", Weight::Menu, items)
}

/// One sidebar, or several, each with a title.
fn sidebars(reader: &Reader<'_>, node: &Node, found: &mut Found) -> Vec<Item> {
    let mut items = Vec::new();
    for sidebar in node.items() {
        let Some(contents) = sidebar.get("contents") else {
            items.extend(reader.items(sidebar, found, 0));
            continue;
        };
        let inner = reader.items(&contents.node, found, 0);
        let name = sidebar.get("title").and_then(|entry| entry.node.text());
        match name.and_then(title).filter(|_| node.items().len() > 1) {
            Some(name) => items.push(reader.at(
                sidebar,
                Item {
                    title: Some(name),
                    items: inner,
                    ..Item::default()
                },
            )),
            None => items.extend(inner),
        }
    }
    items
}

const CONTENTS: Words = Words {
    title: &["text", "section", "part", "title"],
    link: &["href", "file", "url"],
    items: &["contents", "chapters", "menu"],
    more: |reader, node, item| {
        if node.get("href").is_none() && node.get("file").is_none() {
            // The name of a section may be a file.
            let name = ["section", "part"]
                .iter()
                .find_map(|key| node.get(key)?.node.text());
            if let Some(name) = name
                && is_file(name)
            {
                item.to = a_path(reader, name).to;
                item.title = None;
            }
        }
        for key in ["contents", "chapters"] {
            let Some(text) = node.get(key).and_then(|entry| entry.node.text()) else {
                continue;
            };
            let is_list = node
                .get(key)
                .is_some_and(|entry| matches!(entry.node.value, Value::List(_)));
            if !is_list {
                item.items = vec![reader.at(node, CONTENTS_TEXT(reader, text))];
            }
        }
        let icon_only = item.title.is_none() && item.to == To::Nowhere && item.items.is_empty();
        !icon_only
    },
    text: CONTENTS_TEXT,
};

/// `file.qmd`, `folder`, `folder/*.qmd`, `auto`, `---`.
const CONTENTS_TEXT: fn(&Reader<'_>, &str) -> Item = |reader, text| {
    let to = match text {
        "auto" => reader.folder(""),
        _ if text.chars().all(|c| c == '-') => To::Nowhere,
        _ if text.contains('*') => {
            let before = text.split('*').next().unwrap_or_default();
            reader.folder(folder_of(before))
        }
        _ if is_file(text) => a_path(reader, text).to,
        _ if text.contains("://") => a_path(reader, text).to,
        _ => reader.folder(text),
    };
    Item {
        to,
        ..Item::default()
    }
};

/// Whether a text names a file.
fn is_file(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, suffix)| {
        !stem.is_empty() && !suffix.contains(' ') && (1..=8).contains(&suffix.len())
    })
}

/// `.pages` and `.nav.yml` below a folder.
fn pages(ask: &Ask<'_, '_>, root: &str) -> BTreeMap<String, Arrangement> {
    arrange::all(ask, root, &[".pages", ".nav.yml"], arrangement)
}

/// `.pages` and `.nav.yml`: `nav`, `title`, `arrange`, `hide`.
fn arrangement(node: &Node) -> Arrangement {
    let text = |key: &str| node.get(key).and_then(|entry| entry.node.text());
    let mut arrangement = Arrangement {
        title: text("title").and_then(title),
        hidden: node.get("hide").and_then(|entry| entry.node.bool()) == Some(true),
        ..Arrangement::default()
    };
    let Some(nav) = node.get("nav").or(node.get("arrange")) else {
        return arrangement;
    };
    arrangement.only = node.get("nav").is_some();
    for item in nav.node.items() {
        if is_computed(item) {
            continue;
        }
        add_item(&mut arrangement, item);
    }
    arrangement
}

fn add_item(arrangement: &mut Arrangement, item: &Node) {
    if let Some(text) = item.text() {
        if matches!(text, "..." | "*") || text.starts_with("... |") {
            arrangement.add_rest();
        } else {
            arrangement.add(text, None);
        }
    }
    for entry in item.entries() {
        if let Some(path) = entry.node.text() {
            arrangement.add(path, title(&entry.key.text));
        }
    }
}
