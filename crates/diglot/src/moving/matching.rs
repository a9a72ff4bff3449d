//! Finds the text of the folder that an old page shows.

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::parallel;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::old::OldSite;
use super::ours::{Ours, Reply};
use super::text::{Text, letters};
use super::words::Grams;

/// One in this many digests is in the index.
const SAMPLED: u64 = 8;
/// A digest that more texts have is ignored.
const COMMON: usize = 40;
/// How many texts are compared in full.
const CANDIDATES: usize = 5;
/// Texts that share this many of 1,000 runs of words are the same.
const SAME: usize = 500;
/// Texts that share fewer than this differ, whatever their titles and addresses.
const OTHER: usize = 300;
/// A text with fewer runs is too short to be recognised by its words.
const SHORT: usize = 60;

/// How the text of a page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Its address, or a redirect from it.
    Address,
    /// Its canonical address.
    Canonical,
    /// Its title.
    Title,
    /// Its words.
    Words,
}

/// The text of an old page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its path here.
    pub here: String,
    /// How it was found.
    pub by: By,
    /// The text to which its address leads, if that is another.
    pub wrong: Option<String>,
}

/// Finds the text of every old page that has one.
pub fn find(old: &OldSite, ours: &Ours<'_>) -> BTreeMap<String, Match> {
    let matcher = Matcher::new(old, ours);
    let pages: Vec<_> = old.pages.iter().collect();
    let found = parallel::flat_map(&pages, |(path, text)| {
        Some(((*path).clone(), matcher.find(path, text)?))
    });
    let mut found: BTreeMap<String, Match> = found.into_iter().collect();
    // A list with the whole of a text is not that text, which has a page of its own.
    let is_sure = |found: &&Match| found.by != By::Words;
    let sure = found.values().filter(is_sure).map(|it| it.here.clone());
    let sure: BTreeSet<String> = sure.collect();
    found.retain(|_, found| found.by != By::Words || !sure.contains(&found.here));
    found
}

/// How many pages were found in each way.
pub fn by(matches: &BTreeMap<String, Match>) -> BTreeMap<By, usize> {
    let mut counts = BTreeMap::new();
    for found in matches.values() {
        *counts.entry(found.by).or_default() += 1;
    }
    counts
}

struct Matcher<'m> {
    old: &'m OldSite,
    ours: &'m Ours<'m>,
    titles: FxHashMap<String, Vec<&'m str>>,
    index: FxHashMap<u64, Vec<&'m str>>,
}

impl<'m> Matcher<'m> {
    fn new(old: &'m OldSite, ours: &'m Ours<'m>) -> Self {
        let (mut titles, mut index) = (FxHashMap::default(), FxHashMap::default());
        for (path, text) in &ours.texts {
            let title: &mut Vec<&str> = titles.entry(letters(&text.title)).or_default();
            title.push(path);
            for digest in text.grams.digests().filter(|digest| is_sampled(*digest)) {
                let paths: &mut Vec<&str> = index.entry(digest).or_default();
                if paths.len() <= COMMON {
                    paths.push(path);
                }
            }
        }
        Self {
            old,
            ours,
            titles,
            index,
        }
    }

    fn find(&self, path: &str, text: &Text) -> Option<Match> {
        let mut grams = Grams::default();
        grams.add(text.blocks.iter().map(String::as_str));
        let at = |path: &str| match self.ours.reply(path) {
            // A query is not a part of any address here.
            Reply::Here(here) if !path.contains('?') => self.known(&here),
            _ => None,
        };
        let by_address = at(path);
        if let Some(here) = by_address
            && (grams.len() < SHORT || self.shared(&grams, here) >= OTHER)
        {
            return Some(matched(here, By::Address));
        }
        let canonical = text.canonical.as_deref();
        let canonical = canonical.and_then(|url| self.old.base.resolve(url, path));
        let canonical = canonical.filter(|own| own != path);
        let is_it = |here: &&str| self.shared(&grams, here) >= OTHER || grams.len() < SHORT;
        let better = canonical
            .and_then(|path| at(self.old.end(&path)).filter(is_it))
            .map(|here| (here, By::Canonical))
            .or_else(|| Some((self.by_title(text, &grams)?, By::Title)))
            .or_else(|| Some((self.by_words(&grams)?, By::Words)));
        match (by_address, better) {
            // The words differ, and no other text has them.
            (Some(here), None) => Some(matched(here, By::Address)),
            (None, better) => better.map(|(here, by)| matched(here, by)),
            (Some(wrong), Some((here, by))) => Some(Match {
                wrong: (wrong != here).then(|| wrong.to_owned()),
                ..matched(here, by)
            }),
        }
    }

    fn known(&self, path: &str) -> Option<&'m str> {
        self.ours
            .texts
            .get_key_value(path)
            .map(|(path, _)| path.as_str())
    }

    fn shared(&self, grams: &Grams, here: &str) -> usize {
        let text = self.ours.texts.get(here);
        text.map_or(0, |text| grams.shared(&text.grams))
    }

    /// The text with this title; of several the one with the most words in common.
    fn by_title(&self, text: &Text, grams: &Grams) -> Option<&'m str> {
        let titles = text
            .titles
            .iter()
            .filter_map(|title| self.titles.get(&letters(title)));
        let found = titles
            .flatten()
            .map(|here| (self.shared(grams, here), *here));
        let found = found.filter(|(shared, _)| *shared >= OTHER || grams.len() < SHORT);
        found.max().map(|(_, here)| here)
    }

    fn by_words(&self, grams: &Grams) -> Option<&'m str> {
        if grams.len() < SHORT {
            return None;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for digest in grams.digests().filter(|digest| is_sampled(*digest)) {
            let paths = self
                .index
                .get(&digest)
                .filter(|paths| paths.len() <= COMMON);
            for path in paths.into_iter().flatten() {
                *counts.entry(path).or_default() += 1;
            }
        }
        let mut best: Vec<(usize, &str)> = counts.into_iter().map(|(path, n)| (n, path)).collect();
        best.sort_by(|a, b| b.cmp(a));
        // A list has words of several texts, and so few of each.
        let is_whole = |path: &&str| {
            let text = self.ours.texts.get(*path);
            text.is_some_and(|text| text.grams.shared(grams) >= OTHER)
        };
        let best = best.into_iter().take(CANDIDATES).map(|(_, path)| path);
        let best = best.filter(is_whole);
        let best = best.map(|path| (self.shared(grams, path), path)).max()?;
        (best.0 >= SAME).then(|| self.known(best.1))?
    }
}

fn matched(here: &str, by: By) -> Match {
    Match {
        here: here.to_owned(),
        by,
        wrong: None,
    }
}

fn is_sampled(digest: u64) -> bool {
    // The low bits of this hash are its weakest.
    (digest >> 32).is_multiple_of(SAMPLED)
}
