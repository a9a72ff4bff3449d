//! Tags of the whole folder: spellings that differ only by case or space are one tag.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::Tag;
use crate::slug;

/// All tags, by their key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags {
    tags: BTreeMap<String, Tag>,
    listed: BTreeSet<String>,
}

/// What the spellings of one tag have in common.
fn key(name: &str) -> String {
    name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_')).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
}

/// How often each name occurs, in byte order.
fn counts<'a>(names: impl Iterator<Item = &'a [String]>) -> Vec<(&'a str, usize)> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    names.flatten().for_each(|name| *counts.entry(name).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable();
    counts
}

impl Tags {
    /// Settles names and addresses: the most frequent spelling counts, of equals the first in byte order. `listed` are the tags that lists show.
    pub fn of<'a>(listed: impl Iterator<Item = &'a [String]>, all: impl Iterator<Item = &'a [String]>) -> Self {
        // Thousands of articles have the same few tags: each spelling is looked at once.
        let mut spellings: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for (name, count) in counts(all) {
            spellings.entry(key(name)).or_default().insert(name, count);
        }
        let mut tags = Self { listed: counts(listed).into_iter().map(|(name, _)| key(name)).collect(), ..Self::default() };
        let mut taken = BTreeSet::new();
        for (key, spellings) in spellings {
            let Some((name, _)) = spellings.into_iter().rev().max_by_key(|(_, count)| *count) else { continue };
            let slug = slug::segment(name).ok().filter(|slug| taken.insert(slug.clone())).unwrap_or_else(|| slug::fallback(None, name));
            tags.tags.insert(key, Tag { name: name.into(), slug: slug.into() });
        }
        tags
    }

    /// The tags of one article, without repeats.
    pub fn settle(&self, names: &[String]) -> Vec<Tag> {
        let mut settled: Vec<Tag> = Vec::new();
        for tag in names.iter().filter_map(|name| self.tags.get(&key(name))) {
            if !settled.contains(tag) {
                settled.push(tag.clone());
            }
        }
        settled
    }

    /// The address parts of all tags that have a page.
    pub fn slugs(&self) -> BTreeSet<&str> {
        self.tags.iter().filter(|(key, _)| self.listed.contains(*key)).map(|(_, tag)| &*tag.slug).collect()
    }
}
