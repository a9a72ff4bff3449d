//! Sidebars in configuration that is a program: `themeConfig.sidebar`, `sidebars.js`, the `sidebar`
//! of an integration.

use std::sync::Arc;

use super::{
    Ask, Item, Outline, To, Weight, arrange,
    map::{Found, Reader, Words, a_path, nothing_more},
    title, to,
};
use crate::dialects::instances::{self, Instance, Plugin, project};
use crate::dialects::script::is_computed;
use crate::model::path::join;
use crate::syntax::front::{Entry, Node, Value};

/// `{text, link, items}`
const LINKS: Words = Words {
    title: &["text"],
    link: &["link"],
    items: &["items", "children"],
    more: nothing_more,
    text: a_path,
};

/// `themeConfig.sidebar`: one list, or a list for each path; the same in each of `locales`.
pub fn theme(ask: &Ask<'_, '_>) -> Option<Outline> {
    let data = ask.data(ask.config)?;
    let file: Arc<str> = ask.config.into();
    // The content is beside the hidden folder with the configuration.
    let site = ask.config.split("/.").next();
    let site = site.filter(|_| !ask.config.starts_with('.'));
    let mut from = vec![site.unwrap_or_default().to_owned()];
    from.extend(ask.roots.iter().cloned());
    let reader = Reader {
        words: &LINKS,
        file: &file,
        from: &from.into(),
        prefix: String::new(),
    };
    let mut found = Found::default();
    let locales = data.get("locales");
    let locales = locales.map_or(&[][..], |entry| entry.node.entries());
    let sites = std::iter::once(&data).chain(locales.iter().map(|entry| &entry.node));
    let items: Vec<Item> = sites
        .filter_map(|site| Some(&site.get("themeConfig")?.node))
        .flat_map(|theme| sidebar_of(&reader, theme, &mut found))
        .collect();
    let weight = match (items.is_empty(), found.computed) {
        (true, None) => return None,
        (true, Some(_)) => Weight::None,
        (false, _) => Weight::Navigation,
    };
    let outline = Outline {
        file: ask.config.to_owned(),
        what: "sidebar",
        weight,
        items,
        ..Outline::default()
    };
    Some(outline.computed(found.computed))
}

/// The items of a theme's `sidebar`.
fn sidebar_of(reader: &Reader<'_>, theme: &Node, found: &mut Found) -> Vec<Item> {
    let nav = theme.get("nav").map(|entry| &entry.node);
    match theme.get("sidebar") {
        Some(sidebar) => paths(reader, &sidebar.node, nav, found),
        None => {
            // A spread may hide it.
            if is_computed(theme) {
                found.computed.get_or_insert((theme.line, theme.column));
            }
            Vec::new()
        }
    }
}

/// The items of a sidebar: of one list, or of a list for each path.
fn paths(reader: &Reader<'_>, sidebar: &Node, nav: Option<&Node>, found: &mut Found) -> Vec<Item> {
    let Value::Map(lists) = &sidebar.value else {
        return reader.items(sidebar, found, 0);
    };
    if lists
        .iter()
        .any(|entry| !entry.key.text.starts_with(['/', '\0']))
    {
        return reader.items(sidebar, found, 0);
    }
    let mut items = Vec::new();
    for Entry { key, node } in lists {
        if key.text.starts_with('\0') || is_computed(node) {
            found.computed.get_or_insert((node.line, node.column));
        }
        let base = node.get("base").and_then(|entry| entry.node.text());
        let (list, prefix) = match node.get("items") {
            Some(inner) => (&inner.node, base.unwrap_or(&key.text)),
            None => (node, ""),
        };
        let reader = Reader {
            prefix: prefix.to_owned(),
            ..*reader
        };
        let inner = reader.items(list, found, 0);
        let name = nav.and_then(|nav| name_of(nav, &key.text, 0));
        match name.filter(|_| lists.len() > 1 && inner.len() > 1) {
            Some(name) => items.push(reader.at(
                node,
                Item {
                    title: title(name),
                    items: inner,
                    ..Item::default()
                },
            )),
            None => items.extend(inner),
        }
    }
    items
}

/// The name that the bar at the top has for a path.
fn name_of<'n>(nav: &'n Node, path: &str, depth: usize) -> Option<&'n str> {
    if depth > super::DEPTH || path == "/" {
        return None;
    }
    nav.items().iter().find_map(|item| {
        let text = |key: &str| item.get(key).and_then(|entry| entry.node.text());
        let fits = text("link").is_some_and(|link| link.starts_with(path))
            || text("activeMatch")
                .is_some_and(|link| link.trim_matches('/') == path.trim_matches('/'));
        if fits {
            return text("text");
        }
        name_of(&item.get("items")?.node, path, depth + 1)
    })
}

/// `sidebars.js`: lists of texts by their ids, categories, links, folders.
const CATEGORIES: Words = Words {
    title: &["label"],
    link: &["id", "href"],
    items: &["items"],
    more: |reader, node, item| {
        let text = |key: &str| node.get(key).and_then(|entry| entry.node.text());
        match text("type") {
            Some("html") => return false,
            Some("autogenerated") => {
                item.to = reader.folder(text("dirName").unwrap_or_default());
            }
            Some("category") => {
                item.to = To::Nowhere;
                if let Some(link) = node.get("link")
                    && let Some(id) = link.node.get("id").and_then(|entry| entry.node.text())
                {
                    item.to = to(id, reader.from);
                }
            }
            _ => {}
        }
        true
    },
    text: a_path,
};

/// The sidebars of each instance of the plug-in for documents, else the folder of its documents, both as
/// `_category_` files arrange it.
pub fn categories(ask: &Ask<'_, '_>) -> Option<Outline> {
    let instances = instances::all(ask.evidence, ask.config);
    let docs = instances
        .into_iter()
        .filter(|instance| instance.plugin == Plugin::Docs);
    let mut outlines = docs.filter_map(|docs| documents(ask, &docs));
    let mut all = outlines.next()?;
    for more in outlines {
        all.items.extend(more.items);
        all.folders.extend(more.folders);
        all.problems.extend(more.problems);
    }
    Some(all)
}

/// The sidebars of one instance: of the version that readers see first.
fn documents(ask: &Ask<'_, '_>, docs: &Instance) -> Option<Outline> {
    const FILES: [&str; 6] = [
        "sidebars.js",
        "sidebars.ts",
        "sidebars.json",
        "sidebars.mjs",
        "sidebars.cjs",
        "sidebars.mts",
    ];
    let versions = docs.versions(ask.evidence, ask.config);
    let last = docs.last(&versions);
    let root = docs.folder_of(ask.config, &last);
    ask.evidence.beginning(&format!("{root}/"))?;
    let own = |name: &str| join(project(ask.config), name);
    let named = match last.as_str() {
        "current" => docs.text("sidebarPath").and_then(own),
        last => {
            let folder = docs.own(ask.config, "versioned_sidebars");
            Some(format!("{folder}/version-{last}-sidebars.json"))
        }
    };
    let usual: Vec<String> = match (last.as_str(), docs.id.as_str()) {
        ("current", "") => FILES.iter().filter_map(|name| own(name)).collect(),
        _ => Vec::new(),
    };
    let mut files = named.into_iter().chain(usual);
    let found = files.find_map(|path| {
        let data = ask.data(&path)?;
        Some((path, data))
    });
    let folders = arrange::categories(ask, &root);
    let Some((path, data)) = found else {
        return Some(Outline {
            folders,
            ..Outline::folder(&root)
        });
    };
    let (items, found) = sidebars(&path, &root, &data);
    let outline = Outline {
        folders,
        ..Outline::new(&path, "sidebars", Weight::Navigation, items)?
    };
    Some(outline.computed(found.computed))
}

/// The items of all sidebars of a file.
fn sidebars(path: &str, root: &str, data: &Node) -> (Vec<Item>, Found) {
    let reader = Reader {
        words: &CATEGORIES,
        file: &path.into(),
        from: &[root.to_owned(), String::new()].into(),
        prefix: String::new(),
    };
    let mut found = Found::default();
    let mut items = Vec::new();
    for Entry { node, .. } in data.entries() {
        if is_computed(node) {
            found.computed.get_or_insert((node.line, node.column));
        } else {
            items.extend(reader.items(node, &mut found, 0));
        }
    }
    (items, found)
}

/// `{label, slug | link | items | autogenerate: {directory}}`
const SLUGS: Words = Words {
    title: &["label"],
    link: &["slug", "link"],
    items: &["items"],
    more: |reader, node, item| {
        if let Some(folder) = node.get("autogenerate")
            && let Some(folder) = folder
                .node
                .get("directory")
                .and_then(|entry| entry.node.text())
        {
            let folder = Item {
                to: reader.folder(folder),
                ..Item::default()
            };
            if item.title.is_none() {
                item.to = folder.to;
            } else {
                item.items.push(reader.at(node, folder));
            }
        }
        if let Some(names) = node.get("translations") {
            for entry in names.node.entries() {
                let name = entry.node.text().and_then(title);
                item.translations
                    .extend(name.map(|name| (entry.key.text.clone(), name)));
            }
        }
        true
    },
    text: a_path,
};

/// The `sidebar` of an integration, else the folder of its documents.
pub fn integration(ask: &Ask<'_, '_>) -> Option<Outline> {
    let config = ask.evidence.file(ask.config)?;
    memchr::memmem::find(&config.bytes, b"starlight")?;
    // The content folder is that of its collection.
    let root = ask.roots.first()?.as_str();
    ask.evidence.beginning(&format!("{root}/"))?;
    let data = ask.data(ask.config)?;
    let integrations = data.get("integrations")?;
    let from: Arc<[String]> = [root.to_owned()].into();
    let file: Arc<str> = ask.config.into();
    let reader = Reader {
        words: &SLUGS,
        file: &file,
        from: &from,
        prefix: String::new(),
    };
    let with = integrations
        .node
        .items()
        .iter()
        .find_map(|integration| integration.get("sidebar"));
    let Some(sidebar) = with else {
        return Some(Outline::folder(root));
    };
    let mut found = Found::default();
    let items = reader.items(&sidebar.node, &mut found, 0);
    let outline = if items.is_empty() {
        Outline {
            file: ask.config.to_owned(),
            what: "sidebar",
            ..Outline::folder(root)
        }
    } else {
        Outline::new(ask.config, "sidebar", Weight::Navigation, items)?
    };
    Some(outline.computed(found.computed))
}
