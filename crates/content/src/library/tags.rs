//! Tags of the whole folder: spellings that differ only by case or space are one tag.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::Tag;
use crate::model::slug;

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

impl Tags {
    /// Settles names and addresses: the most frequent spelling counts, of equals the first in byte order. `names` are those of each text, and whether lists show it.
    pub fn of<'a>(names: impl Iterator<Item = (&'a [String], bool)>) -> Self {
        // Thousands of articles have the same few tags: each spelling is looked at once.
        let mut counts: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
        for (names, listed) in names {
            for name in names {
                let (count, shown) = counts.entry(name).or_default();
                *count += 1;
                *shown |= listed;
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut tags = Self::default();
        let mut spellings: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for (name, (count, listed)) in counts {
            let key = key(name);
            if listed {
                tags.listed.insert(key.clone());
            }
            spellings.entry(key).or_default().insert(name, count);
        }
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
