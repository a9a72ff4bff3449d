//! How a folder's ambiguous links are read: as most of its unambiguous ones are.

use std::{cmp::Reverse, collections::BTreeMap, hash::Hash, sync::Arc};

use super::{
    item::ItemId,
    lookup::Origin,
    table::{Conventions, LinkTable},
};
use crate::library::{
    candidate::Candidate,
    paths::{Address, decoded, join},
};
use crate::model::{
    document::{Reference, ReferenceKind},
    fingerprint::{Digest, Fingerprint},
    memo::Memo,
    parallel,
};

/// The number of texts in a chunk.
const CHUNK: usize = 100;
/// The maximum number of mounts.
const MOST_MOUNTS: usize = 20;

impl Conventions {
    /// The evidence from the links of a folder; `addresses` is a digest of all that the table depends
    /// on. `memo` has the evidence of chunks of texts: most links of a folder are the same as before.
    pub fn infer(table: &LinkTable<'_>, addresses: &Digest, memo: &Memo<Evidence>) -> Self {
        let evidence =
            parallel::map_chunks(&table.publication.candidates, CHUNK, |number, texts| {
                let mut sum = Fingerprint::new();
                (addresses, number).hash(&mut sum);
                for text in texts {
                    text.parsed.digest.hash(&mut sum);
                }
                memo.get(sum.digest(), || {
                    Evidence::collect(table, number * CHUNK, texts)
                })
            });
        let mut from_address = 0;
        let mut from_file = 0;
        for texts in &evidence {
            from_address += texts.from_address;
            from_file += texts.from_file;
        }
        Self {
            from_address: from_address >= from_file,
            mounts: mounts(&evidence),
        }
    }
}

/// Prefixes of root-relative paths where most links have a target only without the prefix; the most
/// frequent first.
fn mounts(evidence: &[Arc<Evidence>]) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for Beginning {
        path,
        leads_without,
    } in evidence.iter().flat_map(|texts| &texts.beginnings)
    {
        let (without, all) = counts.entry(path).or_default();
        *without += usize::from(*leads_without);
        *all += 1;
    }
    counts.retain(|_, (without, all)| *without > 1 && *without * 2 > *all);
    let mut mounts: Vec<(&str, usize)> = counts
        .into_iter()
        .map(|(path, (without, _))| (path, without))
        .collect();
    mounts.sort_by_key(|(_, without)| Reverse(*without));
    mounts.truncate(MOST_MOUNTS);
    mounts
        .into_iter()
        .map(|(path, _)| path.to_owned())
        .collect()
}

/// The evidence from the links of some texts.
#[derive(Debug, Default)]
pub struct Evidence {
    /// How many links upwards have a target from the page's address alone.
    from_address: usize,
    /// How many have one from the file alone.
    from_file: usize,
    beginnings: Vec<Beginning>,
}

/// A prefix of a root-relative path without a target.
#[derive(Debug)]
struct Beginning {
    path: String,
    /// Whether the path has a target without the prefix.
    leads_without: bool,
}

impl Evidence {
    fn collect(table: &LinkTable<'_>, first: ItemId, texts: &[Candidate]) -> Self {
        let mut evidence = Self::default();
        for (item, text) in (first..).zip(texts) {
            evidence.add(table, item, &text.parsed.references);
        }
        evidence
    }

    fn add(&mut self, table: &LinkTable<'_>, item: ItemId, references: &[Reference]) {
        let Some(origin) = table.origin(item) else {
            return;
        };
        for Reference { raw, kind, .. } in references {
            let raw = raw.trim();
            let is_link = *kind == ReferenceKind::Link;
            if is_link && raw.starts_with("../") {
                self.add_upward(table, &origin, raw);
            }
            if is_link || matches!(kind, ReferenceKind::Media | ReferenceKind::Player) {
                self.add_rooted(table, &origin, raw);
            }
        }
    }

    fn add_upward(&mut self, table: &LinkTable<'_>, origin: &Origin<'_>, raw: &str) {
        match table.counts_from_address(origin, &decoded(Address::parse(raw).path)) {
            Some(true) => self.from_address += 1,
            Some(false) => self.from_file += 1,
            None => {}
        }
    }

    fn add_rooted(&mut self, table: &LinkTable<'_>, origin: &Origin<'_>, raw: &str) {
        let Some(rest) = raw.strip_prefix('/') else {
            return;
        };
        if rest.starts_with('/') {
            return;
        }
        let Some(path) = join("", &decoded(Address::parse(rest).path)) else {
            return;
        };
        if table.at_root(origin, &path, true).is_some() {
            return;
        }
        for (end, _) in path.match_indices('/').take(3) {
            let leads_without = table.at_root(origin, &path[end + 1..], true).is_some();
            self.beginnings.push(Beginning {
                path: path[..end].to_owned(),
                leads_without,
            });
        }
    }
}
