//! Where every address that an author wrote leads: one table over the whole folder.
//!
//! Two spaces of names meet here. Authors link files (`../x.md`) and addresses (`/2015/03/19/x/`, `../x/`); both are looked up by hash, so
//! that a link costs the same in a folder of a hundred files and of a hundred thousand.

mod fragment;
mod keys;
mod path;
mod resolve;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::library::generated::GENERATED;
use crate::model::document::Content;
use crate::model::site::BaseUrl;

use keys::{Keys, composed};

pub(crate) use fragment::Ids;
pub(crate) use keys::Tail;
pub(crate) use path::{folder_named, from_root, stemmed};
pub(crate) use resolve::Resolved;

/// What a link can lead to.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    /// The source file; `None` for what Diglot writes itself.
    pub source: Option<&'a Arc<str>>,
    pub place: Place<'a>,
}

impl Item<'_> {
    /// The source file; empty for what Diglot writes itself.
    fn source(&self) -> &str {
        self.source.map_or("", |source| source)
    }
}

/// Where an item is.
#[derive(Debug)]
pub(crate) enum Place<'a> {
    /// A page of an author's.
    Page { stem: &'a Arc<str>, document: &'a Content, language: &'a str, ids: &'a OnceLock<Ids> },
    /// A page that Diglot writes.
    Generated(Arc<str>),
    /// A file or document.
    File { path: Arc<str>, size: Option<(u32, u32)> },
    /// It is there and readers may not see it; says why.
    Hidden(&'a str),
}

/// The number of an item.
pub(crate) type ItemId = usize;

/// The table.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    base: &'a BaseUrl,
    items: Vec<Item<'a>>,
    /// By which keys items are found.
    keys: Keys,
    /// Folders below which a path from the root may lie.
    roots: Vec<String>,
    /// Whether `../x` counts from the page's address where both readings lead somewhere.
    pub from_address: bool,
    /// Beginnings of paths from the root that name where the folder itself is on its site: `docs` for a folder published below `/docs/`.
    pub mounts: Vec<String>,
    /// Where the site was before it came here: `https://example.org`, or `https://example.org/blog`.
    pub former: Option<String>,
    pub by_name: bool,
}

impl<'a> Table<'a> {
    /// An empty table. `roots` are folders whose own name may be missing from a path.
    pub fn new(base: &'a BaseUrl, articles: &str, roots: &[&str], by_name: bool) -> Self {
        const COMMON: [&str; 8] = ["static", "public", "assets", "content", "docs", "src", "img", "images"];
        let parents = articles.match_indices('/').map(|(at, _)| articles[..at].to_owned());
        let mut folders: Vec<String> = Vec::new();
        for root in [String::new(), articles.to_owned()].into_iter().chain(parents).chain(roots.iter().chain(&COMMON).map(|root| (*root).to_owned()))
        {
            if !folders.contains(&root) {
                folders.push(root);
            }
        }
        Self { base, items: Vec::new(), keys: Keys::default(), roots: folders, from_address: true, mounts: Vec::new(), former: None, by_name }
    }

    /// Adds an item under its source path. The first of two with the same key stays.
    pub fn add(&mut self, item: Item<'a>) -> ItemId {
        let id = self.items.len();
        self.keys.add(&item, id);
        self.items.push(item);
        id
    }

    /// Adds the first items of an empty table, numbered from 0, names beside paths; with names for wikilinks, in the items' order, and the last parts of articles' names.
    pub fn fill<'n>(&mut self, items: Vec<Item<'a>>, names: impl Iterator<Item = (ItemId, &'n str)> + Send, tails: Vec<(String, Tail)>) {
        self.keys.fill(&items, names, tails);
        self.items = items;
    }

    /// Adds an address that leads to an item.
    pub fn address(&mut self, address: &str, id: ItemId) {
        self.keys.address(address, id);
    }

    /// Adds what Diglot writes itself: documents and fixed pages, list pages of tags and years.
    pub fn add_generated(&mut self, tags: &BTreeSet<&str>, years: &BTreeSet<i16>) {
        const FEEDS: [&str; 7] = ["/feed.xml", "/atom.xml", "/index.xml", "/feed", "/rss", "/feed/feed.xml", "/blog/feed.xml"];
        const LISTS: [&str; 6] = ["/articles", "/blog", "/posts", "/archive", "/archives", "/blog/archive"];
        for path in GENERATED {
            let id = self.add(Item { source: None, place: Place::File { path: path.into(), size: None } });
            if path == "/rss.xml" {
                FEEDS.into_iter().for_each(|feed| self.address(feed, id));
            }
        }
        for stem in ["/index", "/terms", "/api", "/articles/index"] {
            if !self.keys.addresses.contains_key(stem) {
                self.add(Item { source: None, place: Place::Generated(stem.into()) });
            }
        }
        if let Some(home) = self.keys.addresses.get("/index").copied() {
            self.address("", home);
        }
        if let Some(list) = self.keys.addresses.get("/articles/index").copied() {
            LISTS.into_iter().for_each(|address| self.address(address, list));
        }
        for stem in tags.iter().map(|tag| format!("/tags/{tag}")).chain(years.iter().map(|year| format!("/years/{year:04}"))) {
            self.add(Item { source: None, place: Place::Generated(stem.into()) });
        }
    }

    /// Whether an address (without closing slash) leads somewhere already.
    pub fn is_taken(&self, address: &str) -> bool {
        self.keys.addresses.contains_key(composed(address).as_str())
    }

    /// The stem of the page that a path from the root leads to.
    pub fn leads_to(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches('/');
        let Keys { addresses, sources, bare, .. } = &self.keys;
        let id = addresses.get(stemmed(path).as_str()).or_else(|| sources.get(path)).or_else(|| bare.get(path::bare(path)))?;
        match &self.items.get(*id)?.place {
            Place::Page { stem, .. } => Some(stem.to_string()),
            Place::Generated(stem) => Some(stem.to_string()),
            Place::File { .. } | Place::Hidden(_) => None,
        }
    }
}
