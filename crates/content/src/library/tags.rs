//! Tags of the whole folder: spellings that differ only in case or space are one tag.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::article::Tag;
use crate::model::slug;

/// All tags.
pub struct Tags {
    /// By their key.
    tags: BTreeMap<String, Tag>,
    /// By each spelling: texts are many, spellings are few, and a key takes long to make.
    spelled: FxHashMap<String, Tag>,
    /// The keys of tags with a page.
    listed: BTreeSet<String>,
}

/// What all spellings of one tag share.
pub fn key(name: &str) -> String {
    let parts = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-").to_lowercase()
}

/// The frequency of each spelling of one tag.
type Spellings<'n> = BTreeMap<&'n str, usize>;

impl Tags {
    /// Chooses names and addresses: the most frequent spelling wins, on a tie the first in byte
    /// order. `texts` are the names of each text, and whether it is listed.
    pub fn choose(texts: &[(&[String], bool)]) -> Self {
        let counts = counts(texts);
        let mut listed = BTreeSet::new();
        let mut spellings: BTreeMap<String, Spellings<'_>> = BTreeMap::new();
        for (name, (count, is_listed)) in &counts {
            let key = key(name);
            if *is_listed {
                listed.insert(key.clone());
            }
            spellings.entry(key).or_default().insert(name, *count);
        }
        let tags = settle_spellings(spellings);
        let tag = |name: &&str| Some(((*name).to_owned(), tags.get(&key(name))?.clone()));
        Self {
            spelled: counts.keys().filter_map(tag).collect(),
            tags,
            listed,
        }
    }

    fn tag(&self, name: &str) -> Option<&Tag> {
        let known = self.spelled.get(name);
        known.or_else(|| self.tags.get(&key(name)))
    }

    /// The tags of one article, without duplicates.
    pub fn settle(&self, names: &[String]) -> Vec<Tag> {
        let mut settled: Vec<Tag> = Vec::with_capacity(names.len());
        for name in names {
            if let Some(tag) = self.tag(name)
                && !settled.contains(tag)
            {
                settled.push(tag.clone());
            }
        }
        settled
    }

    /// The address segments of all tags with a page.
    pub fn slugs(&self) -> Vec<&str> {
        let listed = self
            .tags
            .iter()
            .filter(|(key, _)| self.listed.contains(*key));
        listed.map(|(_, tag)| &*tag.slug).collect()
    }
}

/// How often each name is used, and whether a listed text uses it.
fn counts<'t>(texts: &[(&'t [String], bool)]) -> BTreeMap<&'t str, (usize, bool)> {
    let mut counts: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
    for (names, is_listed) in texts {
        for name in *names {
            let (count, listed) = counts.entry(name).or_default();
            *count += 1;
            *listed |= is_listed;
        }
    }
    counts.into_iter().collect()
}

/// One name and one address for each tag. Of two tags with the same slug, the first keeps it.
fn settle_spellings(spellings: BTreeMap<String, Spellings<'_>>) -> BTreeMap<String, Tag> {
    let mut tags = BTreeMap::new();
    let mut slugs = BTreeSet::new();
    for (key, counts) in spellings {
        let Some((name, _)) = counts.into_iter().rev().max_by_key(|(_, count)| *count) else {
            continue;
        };
        let slug = match slug::segment(name) {
            Ok(slug) if slugs.insert(slug.clone()) => slug,
            _ => slug::fallback(None, name),
        };
        tags.insert(
            key,
            Tag {
                name: name.into(),
                slug: slug.into(),
            },
        );
    }
    tags
}
