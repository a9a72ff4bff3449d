//! By which keys the items of a table are found.
//!
//! There are some ten for every text of a folder, so they are shared where two maps have the same.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Item, ItemId, Place, path};
use crate::model::format::Format;

/// By which keys the items of a table are found.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Source paths as they are.
    pub(super) sources: FxHashMap<Arc<str>, ItemId>,
    /// Source paths of texts without suffix and `index`.
    pub(super) bare: FxHashMap<Arc<str>, ItemId>,
    /// Source paths of texts without suffix, `index` and the numbers before their parts; `None` where two are the same.
    pub(super) unnumbered: FxHashMap<String, Option<ItemId>>,
    /// Site paths of files, and stems and old addresses of pages, without suffix and closing slash.
    pub(super) addresses: FxHashMap<Arc<str>, ItemId>,
    /// All of the above in lower case; `None` where two differ only by case.
    pub(super) folded: FxHashMap<Arc<str>, Option<ItemId>>,
    /// Names of notes and of other files, in lower case.
    pub(super) names: FxHashMap<Arc<str>, Few<ItemId>>,
    /// The last part of articles' names, without a date, in lower case.
    pub(super) tails: FxHashMap<Arc<str>, Few<Tail>>,
}

/// An article as old addresses name it.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    pub item: ItemId,
    /// `2015-03-19`, where the article has a date.
    date: Option<[u8; 10]>,
    /// Words of its path and its categories, a line each.
    words: Box<str>,
}

/// At least one value, and hardly ever two.
#[derive(Clone, Debug)]
pub(super) enum Few<T> {
    One(T),
    Several(Vec<T>),
}

impl<T> Few<T> {
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Several(several) => several,
        }
    }

    /// The values at this key, one more with this.
    fn push(at: &mut FxHashMap<Arc<str>, Self>, key: Arc<str>, value: T) {
        use std::collections::hash_map::Entry;
        match at.entry(key) {
            Entry::Vacant(place) => {
                place.insert(Self::One(value));
            }
            Entry::Occupied(mut place) => {
                let own = place.get_mut();
                let mut several = match std::mem::replace(own, Self::Several(Vec::new())) {
                    Self::One(one) => vec![one],
                    Self::Several(several) => several,
                };
                several.push(value);
                *own = Self::Several(several);
            }
        }
    }
}

impl Tail {
    /// `date` is an ISO date or instant.
    pub fn new<'w>(item: ItemId, date: Option<&str>, words: impl Iterator<Item = &'w str>) -> Self {
        let date = date.and_then(|date| date.as_bytes().get(..10)?.try_into().ok());
        // No part of an address has a line break.
        let words: Vec<&str> = words.filter(|word| !word.contains('\n')).collect();
        Self { item, date, words: words.join("\n").into() }
    }

    /// `2015-03-19`, where the article has a date.
    pub fn date(&self) -> Option<&str> {
        std::str::from_utf8(self.date.as_ref()?).ok()
    }

    /// Words of its path and its categories.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.split('\n')
    }
}

impl Keys {
    /// Adds items, numbered from 0: names beside paths, since neither needs the other. `names` are further ones, in the items' order.
    pub(super) fn fill<'n>(&mut self, items: &[Item<'_>], names: impl Iterator<Item = (ItemId, &'n str)> + Send, tails: Vec<(String, Tail)>) {
        let mut own = Self { names: std::mem::take(&mut self.names), tails: std::mem::take(&mut self.tails), ..Self::default() };
        let paths = || {
            self.sources.reserve(items.len());
            self.addresses.reserve(items.len());
            self.folded.reserve(2 * items.len());
            items.iter().enumerate().for_each(|(id, item)| self.add_paths(item, id));
        };
        let called = || {
            own.names.reserve(2 * items.len());
            own.tails.reserve(tails.len());
            let mut names = names.peekable();
            for (id, item) in items.iter().enumerate() {
                own.add_names(item, id);
                while let Some((_, name)) = names.next_if(|(of, _)| *of == id) {
                    own.name(name, id);
                }
            }
            debug_assert!(names.next().is_none(), "names are in the items' order");
            tails.into_iter().for_each(|(name, tail)| own.tail(&name, tail));
        };
        rayon::join(paths, called);
        (self.names, self.tails) = (own.names, own.tails);
    }

    pub(super) fn add(&mut self, item: &Item<'_>, id: ItemId) {
        self.add_paths(item, id);
        self.add_names(item, id);
    }

    fn add_names(&mut self, item: &Item<'_>, id: ItemId) {
        if let Some(source) = item.source.map(normal) {
            let name = source.rsplit('/').next().unwrap_or(&source);
            if Format::of(&source).is_some() {
                self.name(path::bare(name), id);
            }
            self.name(name, id);
        }
    }

    fn add_paths(&mut self, item: &Item<'_>, id: ItemId) {
        if let Some(source) = item.source.map(normal) {
            fold(&mut self.folded, &source, id);
            if Format::of(&source).is_some() {
                let bare: Arc<str> = path::bare(&source).into();
                fold(&mut self.folded, &bare, id);
                if let Some(unnumbered) = path::unnumbered(&bare) {
                    self.unnumbered.entry(unnumbered).and_modify(|known| *known = None).or_insert(Some(id));
                }
                self.bare.entry(bare).or_insert(id);
            }
            self.sources.entry(source).or_insert(id);
        }
        match &item.place {
            Place::Page { stem, .. } => self.address(stem, id),
            Place::Generated(stem) => self.address(stem, id),
            Place::File { path, .. } => self.address(path, id),
            Place::Hidden(_) => {}
        }
    }

    /// Adds an address.
    pub(super) fn address(&mut self, address: &str, id: ItemId) {
        let address: Arc<str> = composed(address).into();
        fold(&mut self.folded, &address, id);
        self.addresses.entry(address).or_insert(id);
    }

    pub(super) fn name(&mut self, name: &str, id: ItemId) {
        let name: Arc<str> = composed(name).to_lowercase().into();
        if !self.names.get(&name).is_some_and(|names| names.as_slice().contains(&id)) {
            Few::push(&mut self.names, name, id);
        }
    }

    pub(super) fn tail(&mut self, name: &str, tail: Tail) {
        Few::push(&mut self.tails, composed(name).to_lowercase().into(), tail);
    }
}

/// NFC: files of one system have their names composed, those of another decomposed.
pub(super) fn composed(text: &str) -> String {
    if is_nfc(text) { text.to_owned() } else { text.nfc().collect() }
}

/// The same text where it is composed.
fn normal(text: &Arc<str>) -> Arc<str> {
    if is_nfc(text) { Arc::clone(text) } else { text.nfc().collect::<String>().into() }
}

fn fold(folded: &mut FxHashMap<Arc<str>, Option<ItemId>>, key: &Arc<str>, id: ItemId) {
    let same = if key.is_ascii() { !key.bytes().any(|letter| letter.is_ascii_uppercase()) } else { **key == *key.to_lowercase() };
    let lower = if same { Arc::clone(key) } else { key.to_lowercase().into() };
    folded.entry(lower).and_modify(|known| *known = known.filter(|known| *known == id)).or_insert(Some(id));
}
