//! The table of all possible link targets in a folder, and their keys.

use std::{
    collections::BTreeMap,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    fallback::Fallbacks,
    item::{Item, ItemId, ItemKind},
    keys::{ArticleName, NameKeys, PathKeys, composed},
};
use crate::library::{
    article::Kind,
    candidate::{Candidate, Described},
    classify::Role,
    fields,
    generated::{FEEDS, GENERATED},
    paths::{folder, undated},
    publication::Publication,
    publish::Outcome,
};
use crate::model::{address::Destination, date, parallel};
use crate::syntax::picture;

/// The stem of the search page.
pub const SEARCH: &str = "/search";

/// Other addresses of the list of all articles.
const LISTS: [&str; 6] = [
    "/articles",
    "/blog",
    "/posts",
    "/archive",
    "/archives",
    "/blog/archive",
];

/// The table.
pub struct LinkTable<'a> {
    pub publication: &'a Publication<'a>,
    pub index: Arc<Index>,
    /// The link conventions of the folder.
    pub conventions: Conventions,
}

impl Deref for LinkTable<'_> {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

/// The link conventions of a folder.
#[derive(Hash)]
pub struct Conventions {
    /// Whether `../x` counts from the page's address if both readings have a target.
    pub from_address: bool,
    /// Prefixes of root-relative paths that name the folder's own place on its site: `docs` for a
    /// folder published below `/docs/`.
    pub mounts: Vec<String>,
}

impl Default for Conventions {
    fn default() -> Self {
        Self {
            from_address: true,
            mounts: Vec::new(),
        }
    }
}

/// The items and their keys. They depend on no words of a text, so that most edits keep them.
#[derive(Clone, Debug)]
pub struct Index {
    pub items: Vec<Item>,
    pub paths: PathKeys,
    pub names: NameKeys,
    /// Folders that a root-relative path may omit.
    pub roots: Vec<String>,
    /// What replaces missing targets.
    pub fallbacks: Fallbacks,
    /// Where texts lead that are only a redirect.
    pub redirects: FxHashMap<ItemId, Destination>,
    /// These texts by the stems at which they redirect.
    pub redirect_stems: FxHashMap<Arc<str>, ItemId>,
    /// The former base address: `https://example.org`, or `https://example.org/blog`.
    pub former: Option<String>,
    /// The first folders of everything here, once a link asks.
    pub parts: OnceLock<FxHashSet<String>>,
    /// All folders, once a link asks.
    pub folders: OnceLock<FxHashSet<String>>,
}

impl<'a> LinkTable<'a> {
    /// The table of a folder, before former addresses and conventions are added.
    pub fn new(publication: &'a Publication<'a>) -> Self {
        let items = items(publication);
        let articles = parallel::map_numbers(publication.candidates.len(), |id| {
            article_name(publication, &publication.candidates[id], id)
        });
        let articles = articles.into_iter().flatten().collect();
        // Independent of each other.
        let (paths, names) = rayon::join(
            || PathKeys::new(&items),
            || NameKeys::new(&items, &publication.candidates, articles),
        );
        let index = Index {
            items,
            paths,
            names,
            roots: roots(publication),
            fallbacks: Fallbacks::new(publication),
            redirects: FxHashMap::default(),
            redirect_stems: FxHashMap::default(),
            former: former(publication),
            parts: OnceLock::new(),
            folders: OnceLock::new(),
        };
        let mut table = Self::with(publication, Arc::new(index));
        table.add_copies();
        table.add_generated();
        table
    }

    /// The table with an index of the same items and addresses.
    pub fn with(publication: &'a Publication<'a>, index: Arc<Index>) -> Self {
        Self {
            publication,
            index,
            conventions: Conventions::default(),
        }
    }

    fn add(&mut self, kind: ItemKind) -> ItemId {
        let id = self.items.len();
        let source = "".into();
        let item = Item { source, kind };
        let index = self.index_mut();
        index.paths.add(&item, id);
        index.items.push(item);
        id
    }

    /// The index while the table is built.
    fn index_mut(&mut self) -> &mut Index {
        Arc::make_mut(&mut self.index)
    }

    /// Adds where the text with this stem leads, which is only a redirect.
    pub fn add_redirect(&mut self, item: ItemId, stem: &Arc<str>, to: Destination) {
        let index = self.index_mut();
        index.redirects.insert(item, to);
        index.redirect_stems.entry(Arc::clone(stem)).or_insert(item);
    }

    /// The description of an author's page.
    pub fn page(&self, item: ItemId) -> Option<&'a Described> {
        let is_page = matches!(self.items.get(item)?.kind, ItemKind::Page(_));
        let candidate = self.publication.candidates.get(item).filter(|_| is_page);
        candidate.map(|candidate| &*candidate.described)
    }

    /// Whether an item is not a withheld text.
    pub fn is_shown(&self, item: ItemId) -> bool {
        !matches!(self.items[item].kind, ItemKind::Hidden(_))
    }

    /// Adds an address for an item.
    pub fn add_address(&mut self, address: impl Into<Arc<str>>, id: ItemId) {
        self.index_mut().paths.add_address(address, id);
    }

    /// Adds the names that symbolic links give to files.
    fn add_copies(&mut self) {
        let files = &self.publication.sources.files;
        for (copy, file) in &self.publication.plan.copies {
            if let Some(id) = self.paths.text(&composed(&files[*file].path)) {
                self.index_mut()
                    .paths
                    .add_source(Arc::clone(&files[*copy].path), id);
            }
        }
    }

    /// Adds Diglot's own documents: fixed pages, and the lists of tags, years and languages with
    /// their feeds.
    fn add_generated(&mut self) {
        for path in GENERATED {
            let id = self.add(ItemKind::File {
                path: path.into(),
                size: None,
            });
            if path == "/rss.xml" {
                self.add_addresses(&FEEDS, id);
            }
        }
        for stem in ["/index", "/terms", "/api", "/articles/index"] {
            if self.paths.address(stem).is_none() {
                self.add(ItemKind::Generated(stem.into()));
            }
        }
        if let Some(home) = self.paths.address("/index") {
            self.add_address("", home);
        }
        if let Some(list) = self.paths.address("/articles/index") {
            self.add_addresses(&LISTS, list);
        }
        self.add_lists();
        self.add_search();
        self.add_changes();
    }

    /// Adds the documents on changes, unless an author's file or text is at the path of one.
    fn add_changes(&mut self) {
        for (path, author) in [
            ("/changes.json", "/changes.json"),
            ("/changes/all.json", "/changes/all.json"),
            ("/changes.md", "/changes"),
        ] {
            if self.paths.address(author).is_none() {
                self.add_document(path);
            }
        }
    }

    fn add_search(&mut self) {
        if self.publication.site.search && self.paths.address(SEARCH).is_none() {
            self.add(ItemKind::Generated(SEARCH.into()));
            for path in ["/search/index.json", "/opensearch.xml"] {
                self.add_document(path);
            }
        }
    }

    fn add_lists(&mut self) {
        for tag in self.publication.tags.slugs() {
            self.add_list(&format!("/tags/{tag}"), true);
        }
        for year in &self.publication.years {
            self.add_list(&format!("/years/{year:04}"), false);
        }
        for tag in self.publication.languages() {
            self.add_list(&format!("/languages/{tag}"), true);
        }
    }

    fn add_list(&mut self, stem: &str, has_feed: bool) {
        self.add(ItemKind::Generated(stem.into()));
        if has_feed {
            self.add_document(&format!("{stem}.rss"));
        }
    }

    fn add_document(&mut self, path: &str) {
        let (path, size) = (path.into(), None);
        self.add(ItemKind::File { path, size });
    }

    fn add_addresses(&mut self, addresses: &[&str], id: ItemId) {
        for address in addresses {
            self.add_address(*address, id);
        }
    }

    /// Whether an address (without closing slash) already has a target.
    pub fn is_taken(&self, address: &str) -> bool {
        self.paths.address(&composed(address)).is_some()
    }
}

/// The candidates, then all other files that are published or hidden.
fn items(publication: &Publication<'_>) -> Vec<Item> {
    let mut described = vec![false; publication.outcomes.len()];
    let mut items = Vec::new();
    for candidate in &publication.candidates {
        described[candidate.file] = true;
        let kind = match &publication.outcomes[candidate.file] {
            Outcome::Published => ItemKind::Page(Arc::clone(&candidate.stem.value)),
            Outcome::Skipped(why) | Outcome::SetAside(why) => ItemKind::Hidden(why.as_str().into()),
        };
        items.push(Item {
            source: Arc::clone(&candidate.path),
            kind,
        });
    }
    add_files(publication, &described, &mut items);
    items
}

/// Adds the files that are not described as texts.
fn add_files(publication: &Publication<'_>, described: &[bool], items: &mut Vec<Item>) {
    let sizes = image_sizes(publication);
    for (at, file) in publication.sources.files.iter().enumerate() {
        if described[at] || publication.plan.copies.contains_key(&at) {
            continue;
        }
        let kind = match (&publication.outcomes[at], &publication.plan.roles[at]) {
            (Outcome::Published, Role::File(path)) => ItemKind::File {
                path: path.as_str().into(),
                size: sizes[at],
            },
            (Outcome::Skipped(why) | Outcome::SetAside(why), _) => {
                ItemKind::Hidden(why.as_str().into())
            }
            (Outcome::Published, _) => continue,
        };
        items.push(Item {
            source: Arc::clone(&file.path),
            kind,
        });
    }
}

/// The sizes of images, one element for each file.
fn image_sizes(publication: &Publication<'_>) -> Vec<Option<(u32, u32)>> {
    let (files, roles) = (&publication.sources.files, &publication.plan.roles);
    parallel::map_numbers(files.len(), |at| match roles[at] {
        Role::File(_) => picture::size(&files[at].path, &files[at].bytes),
        _ => None,
    })
}

/// Folders that a root-relative path may omit: the articles folder, its parents, the content
/// folders, and the usual ones.
fn roots(publication: &Publication<'_>) -> Vec<String> {
    const USUAL: [&str; 8] = [
        "static", "public", "assets", "content", "docs", "src", "img", "images",
    ];
    let articles = publication.plan.articles.as_str();
    let mut all = vec!["", articles];
    all.extend(articles.match_indices('/').map(|(end, _)| &articles[..end]));
    all.extend(publication.plan.content_roots());
    all.extend(USUAL);
    let mut roots: Vec<String> = Vec::new();
    for root in all {
        if !roots.iter().any(|known| known == root) {
            roots.push(root.to_owned());
        }
    }
    roots
}

/// How former addresses name an article; `None` for pages and unpublished texts.
fn article_name(
    publication: &Publication<'_>,
    candidate: &Candidate,
    item: ItemId,
) -> Option<(String, ArticleName)> {
    if candidate.kind != Kind::Article || !publication.is_published(candidate) {
        return None;
    }
    let slug = candidate.stem.value.strip_prefix("/articles/")?;
    let mut words: Vec<&str> = publication.plan.articles.split('/').collect();
    words.extend(slug.split('/'));
    let last = words.pop()?;
    // A `slug` may replace the folders of the file.
    words.extend(folder(&candidate.path).split('/'));
    words.retain(|word| !word.is_empty());
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    words.extend(fields::categories(&candidate.parsed.front));
    let date = former_day(candidate, last);
    Some((undated(last).to_owned(), ArticleName { item, date, words }))
}

/// The day in former addresses: from the file name, or in the author's time zone, which may differ
/// from UTC.
fn former_day(candidate: &Candidate, name: &str) -> Option<String> {
    let in_name = date::in_name(name).map(|(moment, _)| moment);
    let moment = in_name.or(candidate.dates.date.value)?;
    moment.iso().get(..10).map(str::to_owned)
}

/// The former base address: from another generator's configuration, else the origin most frequent
/// in the canonical URLs of already built pages.
pub fn former(publication: &Publication<'_>) -> Option<String> {
    if let Some(address) = &publication.plan.kind.config.address {
        return Some(address.clone());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = 0;
    for parsed in publication.parsed.iter().flatten() {
        if let Some(origin) = parsed.canonical.as_deref().and_then(origin) {
            *counts.entry(origin).or_default() += 1;
            all += 1;
        }
    }
    let (origin, _) = counts
        .into_iter()
        .find(|(_, count)| *count > 1 && count * 2 > all)?;
    Some(origin.to_owned())
}

/// The scheme and host of an absolute URL.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let length = url[host..].find('/').unwrap_or(url.len() - host);
    Some(&url[..host + length])
}
