//! What belongs to the theme of the former site, not to its texts: several pages have it, and their
//! texts here do not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::old::OldSite;
use super::ours::Ours;
use super::pairs::{Pair, Part};
use super::text::Text;
use super::words::{Grams, words};

/// What belongs to the theme is missing on at least this many pages …
const SEVERAL: usize = 3;
/// … and on at least this many of ten pages that have it.
const MOST: usize = 8;
/// How many parts of the theme a report names.
const SHOWN: usize = 20;

/// What belongs to the theme.
#[derive(Debug, Default)]
pub struct Theme {
    blocks: BTreeMap<String, Count>,
    headings: BTreeMap<String, Count>,
    images: BTreeMap<String, Count>,
    known: OnceLock<Grams>,
}

/// On how many pages something is, on how many of them it is missing here, and how it reads.
#[derive(Debug, Default)]
struct Count {
    pages: usize,
    missing: usize,
    text: String,
}

impl Count {
    fn is_theme(&self) -> bool {
        self.missing >= SEVERAL && self.missing * 10 >= self.pages * MOST
    }
}

impl Theme {
    /// Learns it from all pages.
    pub fn learn<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let mut theme = Self::default();
        for pair in pairs {
            count(&mut theme.blocks, &pair.blocks);
            count(&mut theme.headings, &pair.headings);
            count(&mut theme.images, &pair.images);
        }
        for counts in [&mut theme.blocks, &mut theme.headings, &mut theme.images] {
            counts.retain(|_, count| count.is_theme());
        }
        theme
    }

    /// The blocks of a page that lost words: the words, and how many.
    pub fn lost_blocks(&self, pair: &Pair) -> Vec<(String, usize)> {
        lost(&self.blocks, &pair.blocks)
    }

    /// The headings that are missing.
    pub fn lost_headings(&self, pair: &Pair) -> Vec<String> {
        texts(lost(&self.headings, &pair.headings))
    }

    /// The images that are missing.
    pub fn lost_images(&self, pair: &Pair) -> Vec<String> {
        texts(lost(&self.images, &pair.images))
    }

    /// What was found, for people: the text and the number of pages.
    pub fn shown(&self) -> Vec<(String, usize)> {
        let all = [&self.blocks, &self.headings, &self.images];
        let all = all.into_iter().flat_map(BTreeMap::values);
        let mut shown: Vec<(usize, &str)> = all
            .map(|count| (count.missing, count.text.as_str()))
            .collect();
        shown.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let mut seen = BTreeSet::new();
        shown.retain(|(_, text)| seen.insert(*text));
        let shown = shown.into_iter().take(SHOWN);
        shown
            .map(|(count, text)| (text.to_owned(), count))
            .collect()
    }

    /// The words of all texts here.
    pub fn known(&self, ours: &Ours<'_>) -> &Grams {
        self.known.get_or_init(|| {
            let mut known = Grams::default();
            for text in ours.texts.values() {
                known.join(&text.grams);
            }
            known
        })
    }
}

fn count(counts: &mut BTreeMap<String, Count>, parts: &[Part]) {
    let mut of_page: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for part in parts {
        for key in &part.keys {
            let missing = of_page.entry(key).or_default();
            *missing = missing.or(part.missing.as_ref().map(|(text, _)| text.as_str()));
        }
    }
    for (key, missing) in of_page {
        let count = counts.entry(key.to_owned()).or_default();
        count.pages += 1;
        if let Some(text) = missing {
            count.missing += 1;
            text.clone_into(&mut count.text);
        }
    }
}

fn lost(theme: &BTreeMap<String, Count>, parts: &[Part]) -> Vec<(String, usize)> {
    let is_own = |part: &&Part| !part.keys.iter().any(|key| theme.contains_key(key));
    let own = parts.iter().filter(is_own);
    own.filter_map(|part| part.missing.clone()).collect()
}

fn texts(lost: Vec<(String, usize)>) -> Vec<String> {
    lost.into_iter().map(|(text, _)| text).collect()
}

/// Whether a page is a list of others: most of its words are links within the site, or are words of
/// texts that are here.
pub fn is_list(text: &Text, old: &OldSite, path: &str, known: &Grams) -> bool {
    let is_own = |address: &str| old.base.resolve(address, path).is_some();
    let links = text.links.iter().filter(|(_, address)| is_own(address));
    let linked: usize = links.map(|(text, _)| words(text).len()).sum();
    let all: usize = text.blocks.iter().map(|block| words(block).len()).sum();
    linked * 2 >= all || is_within(text, known)
}

/// Whether most words of a page are among these.
pub fn is_within(text: &Text, known: &Grams) -> bool {
    let (mut all, mut found) = (0, 0);
    for block in &text.blocks {
        let words = words(block);
        let missing = known.missing(&words);
        all += words.len();
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let pairs = words.iter().zip(missing);
        found += pairs
            .filter(|(word, missing)| !missing || is_number(word))
            .count();
    }
    found * 10 >= all * 7
}
