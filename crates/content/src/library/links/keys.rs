//! The keys of the items in a table.

use std::{borrow::Cow, sync::Arc};

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::item::{Item, ItemId, ItemKind};
use crate::library::{
    candidate::Candidate,
    paths::{bare, is_number, name, unnumbered, without_suffix, without_zeros},
};
use crate::model::format::Format;

/// Items by their paths and addresses. If two share a key, the first is kept.
#[derive(Clone, Debug, Default)]
pub struct PathKeys {
    /// Source paths as they are.
    sources: Keys,
    /// Source paths of texts without suffix and `index`.
    bare: Keys,
    /// The same without the numbers before their segments.
    unnumbered: FxHashMap<String, Unique>,
    /// Site paths of files, and stems and old addresses of pages, without suffix and closing slash.
    addresses: Keys,
    /// In lower case, the keys above that are not, and those that several items share.
    folded: FxHashMap<String, Unique>,
}

type Keys = FxHashMap<Arc<str>, ItemId>;

/// The item of an unambiguous key; `None`: several items share it.
type Unique = Option<ItemId>;

impl PathKeys {
    pub fn new(items: &[Item]) -> Self {
        let mut keys = Self::default();
        for (id, item) in items.iter().enumerate() {
            keys.add(item, id);
        }
        keys
    }

    pub fn add(&mut self, item: &Item, id: ItemId) {
        if !item.source.is_empty() {
            self.add_source(Arc::clone(&item.source), id);
        }
        match &item.kind {
            ItemKind::Page(stem) | ItemKind::Generated(stem) => {
                self.add_address(Arc::clone(stem), id);
                // A page that is data has no suffix of a text.
                if !item.source.is_empty() && Format::from_path(&item.source).is_none() {
                    let text = format!("{}.md", without_suffix(&item.source));
                    let bare = composed(bare(&text)).into();
                    self.bare.entry(bare).or_insert(id);
                }
            }
            ItemKind::File { path, .. } => {
                self.add_address(Arc::clone(path), id);
                // Hosts show the index of a folder at the path of the folder.
                if let Some(folder) = path.strip_suffix("/index.html") {
                    self.add_address(folder, id);
                }
            }
            ItemKind::Hidden(_) => {}
        }
    }

    /// Adds a path of an item in the source space.
    pub fn add_source(&mut self, source: impl Into<Arc<str>>, id: ItemId) {
        let source = in_nfc(source.into());
        if Format::from_path(&source).is_some() {
            let bare = bare(&source);
            if let Some(unnumbered) = unnumbered(bare) {
                self.unnumbered
                    .entry(unnumbered)
                    .and_modify(|unique| *unique = None)
                    .or_insert(Some(id));
            }
            insert(&mut self.bare, bare.into(), id, &mut self.folded);
        }
        insert(&mut self.sources, source, id, &mut self.folded);
    }

    pub fn add_address(&mut self, address: impl Into<Arc<str>>, id: ItemId) {
        let address = in_nfc(address.into());
        insert(&mut self.addresses, address, id, &mut self.folded);
    }

    /// A path in the source space: the file itself, or a text without its suffix or `index`.
    pub fn source(&self, path: &str) -> Option<ItemId> {
        let exact = self.text(path);
        if exact.is_some() || path.is_empty() || self.unnumbered.is_empty() {
            return exact;
        }
        let bare = bare(path);
        let unnumbered = unnumbered(bare);
        *self.unnumbered.get(unnumbered.as_deref().unwrap_or(bare))?
    }

    /// Like [`source`](Self::source), without the numbers before its segments.
    pub fn text(&self, path: &str) -> Option<ItemId> {
        self.sources
            .get(path)
            .or_else(|| self.bare.get(bare(path)))
            .copied()
    }

    /// A root-relative address with its leading slash, unchanged.
    pub fn address(&self, address: &str) -> Option<ItemId> {
        self.addresses.get(address).copied()
    }

    /// Every root-relative address, in no order.
    pub fn all_addresses(&self) -> impl Iterator<Item = &str> {
        self.addresses.keys().map(|address| &**address)
    }

    /// A path in the address space.
    pub fn site(&self, path: &str) -> Option<ItemId> {
        let path = format!("/{}", path.trim_matches('/'));
        if path == "/" {
            return self.address("");
        }
        self.address(&path).or_else(|| self.address(bare(&path)))
    }

    /// The item of a path in any case, if it is unique.
    pub fn any_case(&self, path: &str) -> Option<ItemId> {
        let lower = path.to_lowercase();
        let bare = bare(&lower);
        for key in [
            format!("/{lower}").as_str(),
            &format!("/{bare}"),
            bare,
            &lower,
        ] {
            if key.len() > 1
                && let Some(item) = self.folded(key)
            {
                return Some(item);
            }
        }
        None
    }

    /// The only item with this key in lower case.
    fn folded(&self, key: &str) -> Option<ItemId> {
        let exact = [&self.sources, &self.bare, &self.addresses];
        let exact = exact.into_iter().filter_map(|keys| keys.get(key));
        let mut all = exact
            .copied()
            .map(Some)
            .chain(self.folded.get(key).copied());
        let first = all.next()??;
        all.all(|item| item == Some(first)).then_some(first)
    }
}

/// Adds a key; `folded` has those that are not in lower case, and those that items share.
fn insert(keys: &mut Keys, key: Arc<str>, id: ItemId, folded: &mut FxHashMap<String, Unique>) {
    let lower = key.to_lowercase();
    let is_lower = lower == *key;
    let first = *keys.entry(key).or_insert(id);
    if !is_lower || first != id {
        let unique = folded.entry(lower).or_insert(Some(first));
        if *unique != Some(id) {
            *unique = None;
        }
    }
}

/// A path in NFC: usually the same value.
fn in_nfc(path: Arc<str>) -> Arc<str> {
    match composed(&path) {
        Cow::Borrowed(_) => Arc::clone(&path),
        Cow::Owned(composed) => composed.into(),
    }
}

/// Items by their names, in lower case.
#[derive(Clone, Debug, Default)]
pub struct NameKeys {
    /// Names of notes and of other files.
    names: FxHashMap<String, Vec<ItemId>>,
    /// The last segment of articles' stems, without a date.
    articles: FxHashMap<String, Vec<ArticleName>>,
}

/// How many items of one name are checked: a name shared by more is meaningless, and links must
/// stay cheap.
const MANY: usize = 1000;

/// Most names are of one item.
fn room_for_one<T>() -> Vec<T> {
    Vec::with_capacity(1)
}

impl NameKeys {
    /// The names of files, and the additional names of pages.
    pub fn new(
        items: &[Item],
        candidates: &[Candidate],
        articles: Vec<(String, ArticleName)>,
    ) -> Self {
        let mut keys = Self::default();
        for (id, item) in items.iter().enumerate() {
            let name = name(&item.source);
            if Format::from_path(name).is_some() {
                keys.add(bare(name), id);
            }
            keys.add(name, id);
            if let (ItemKind::Page(_), Some(candidate)) = (&item.kind, candidates.get(id)) {
                for alias in &candidate.names {
                    keys.add(alias, id);
                }
            }
        }
        for (name, article) in articles {
            keys.articles
                .entry(normal(&name))
                .or_insert_with(room_for_one)
                .push(article);
        }
        keys
    }

    fn add(&mut self, name: &str, id: ItemId) {
        let items = self.names.entry(normal(name)).or_insert_with(room_for_one);
        // Its own names are last.
        if items.last() != Some(&id) {
            items.push(id);
        }
    }

    pub fn named(&self, name: &str) -> Option<&[ItemId]> {
        let items = self.names.get(&normal(name))?;
        Some(&items[..items.len().min(MANY)])
    }

    /// The only article with this name that a former address may mean.
    pub fn article(&self, name: &str, folders: &str, date: Option<&str>) -> Option<ItemId> {
        let mut found = None;
        for article in self.articles.get(&name.to_lowercase())?.iter().take(MANY) {
            if !article.fits(folders, date) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some(article.item);
        }
        found
    }
}

/// An article as former addresses name it.
#[derive(Clone, Debug)]
pub struct ArticleName {
    pub item: ItemId,
    /// `2015-03-19`, if the article has a date.
    pub date: Option<String>,
    /// The folders of its path and its categories.
    pub words: Vec<String>,
}

impl ArticleName {
    /// Whether a former address may have these folders, and this date in its last segment: each
    /// folder is part of the article's date or path, or a word usual in such addresses.
    fn fits(&self, folders: &str, date: Option<&str>) -> bool {
        if date.is_some() && date != self.date.as_deref() {
            return false;
        }
        let mut numbers = self.date.iter().flat_map(|date| date.split('-'));
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            let fits = if is_number(folder) {
                numbers
                    .next()
                    .is_some_and(|number| without_zeros(number) == without_zeros(folder))
            } else {
                self.names(folder)
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Whether a folder says where articles are, or what this one is about.
    fn names(&self, folder: &str) -> bool {
        const WORDS: [&str; 12] = [
            "blog", "posts", "post", "articles", "article", "news", "writing", "notes", "entries",
            "archive", "archives", "content",
        ];
        let mut words = self.words.iter();
        WORDS.contains(&folder.to_lowercase().as_str())
            || words.any(|word| word.eq_ignore_ascii_case(folder))
    }
}

/// NFC: some systems store names composed, others decomposed.
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// A name normalized for comparison.
fn normal(name: &str) -> String {
    composed(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_any_case_leads_to_the_only_item_that_has_it() {
        let pages = [
            ("Notes/One.md", "/notes/one"),
            ("notes/two.md", "/a/Two"),
            ("x/same.md", "/1"),
            ("x/Same.md", "/2"),
            ("y/a.md", "/3"),
            ("y/a.html", "/4"),
        ];
        let items = pages.map(|(source, stem)| Item {
            source: source.into(),
            kind: ItemKind::Page(stem.into()),
        });
        let keys = PathKeys::new(&items);
        for (path, expected) in [
            ("notes/ONE", Some(0)),
            ("NOTES/One.md", Some(0)),
            ("a/two", Some(1)),
            ("A/TWO", Some(1)),
            ("notes/two", Some(1)),
            ("x/SAME", None),
            ("x/same.md", None),
            ("Y/a", None),
            ("Y/A.md", Some(4)),
            ("nothing", None),
        ] {
            assert_eq!(keys.any_case(path), expected, "{path}");
        }
        assert_eq!(keys.source("y/a"), Some(4), "the first is kept");
    }
}
