//! How a folder's ambiguous links are read: as most of its unambiguous ones are.

use std::{cmp::Reverse, collections::BTreeMap};

use rayon::prelude::*;

use super::{
    lookup::Origin,
    table::{ItemId, LinkTable},
};
use crate::library::paths::{Address, decoded, join};
use crate::model::{
    AT_ONCE,
    document::{Reference, ReferenceKind},
};

/// The maximum number of mounts.
const MOST_MOUNTS: usize = 20;

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

impl Conventions {
    /// The evidence from the links of a folder.
    pub fn of(table: &LinkTable<'_>) -> Self {
        let candidates = table
            .work
            .candidates
            .par_iter()
            .enumerate()
            .with_max_len(AT_ONCE);
        let evidence = candidates
            .map(|(item, candidate)| Evidence::of(table, item, &candidate.parsed.references));
        let evidence: Vec<Evidence> = evidence.collect();
        let mut from_address = 0;
        let mut from_file = 0;
        for text in &evidence {
            from_address += text.from_address;
            from_file += text.from_file;
        }
        Self {
            from_address: from_address >= from_file,
            mounts: mounts(&evidence),
        }
    }
}

/// Prefixes of root-relative paths where most links have a target only without the prefix; the most
/// frequent first.
fn mounts(evidence: &[Evidence]) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for Beginning {
        path,
        leads_without,
    } in evidence.iter().flat_map(|text| &text.beginnings)
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

/// The evidence from the links of one text.
#[derive(Default)]
struct Evidence {
    /// How many links upwards have a target from the page's address alone.
    from_address: usize,
    /// How many have one from the file alone.
    from_file: usize,
    beginnings: Vec<Beginning>,
}

/// A prefix of a root-relative path without a target.
struct Beginning {
    path: String,
    /// Whether the path has a target without the prefix.
    leads_without: bool,
}

impl Evidence {
    fn of(table: &LinkTable<'_>, item: ItemId, references: &[Reference]) -> Self {
        let mut evidence = Self::default();
        let Some(origin) = table.origin(item) else {
            return evidence;
        };
        for Reference { raw, kind, .. } in references {
            let raw = raw.trim();
            let is_link = *kind == ReferenceKind::Link;
            if is_link && raw.starts_with("../") {
                evidence.add_upward(table, &origin, raw);
            }
            if is_link || matches!(kind, ReferenceKind::Media | ReferenceKind::Player) {
                evidence.add_rooted(table, &origin, raw);
            }
        }
        evidence
    }

    fn add_upward(&mut self, table: &LinkTable<'_>, origin: &Origin<'_>, raw: &str) {
        match table.counts_from_address(origin, &decoded(Address::of(raw).path)) {
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
        let Some(path) = join("", &decoded(Address::of(rest).path)) else {
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
