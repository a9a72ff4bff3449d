//! Long lists, written in chunks: an edit changes one row of many, so chunks of which no row changed are taken from the edition before.

use std::hash::Hash;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::fingerprint::Fingerprint;
use diglot_content::memo::Memo;
use rayon::prelude::*;

use super::Entry;
use super::llms::Line;
use crate::resource::Digest;

/// How many rows are written and remembered together.
const CHUNK: usize = 100;

/// What was written of each long list.
#[derive(Debug, Default)]
pub struct Rows {
    pub(crate) sitemap: Memo<Chunk>,
    pub(crate) sitemap_md: Memo<Chunk>,
    pub(crate) llms: Memo<Vec<Line>>,
    /// What stands before each article in the merged text, with its digest.
    pub(crate) merged: Memo<Vec<(Digest, Bytes)>>,
}

/// Some rows, one behind the other.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(super) text: String,
    /// How many rows there are.
    pub(super) rows: usize,
}

impl Rows {
    /// Ends an edition.
    pub fn next(&mut self) {
        let Self { sitemap, sitemap_md, llms, merged } = self;
        sitemap.next();
        sitemap_md.next();
        llms.next();
        merged.next();
    }
}

/// The chunks of a list of these entries, in its order. `common` is what all rows are made from beside their entries, which they say by their keys.
pub(super) fn chunks<'e, T: Send + Sync>(
    memo: &Memo<T>,
    common: &(impl Hash + Sync),
    entries: &[&'e Entry<'e>],
    write: impl Fn(&[&'e Entry<'e>]) -> T + Sync,
) -> Vec<Arc<T>> {
    let chunk = |entries: &[&'e Entry<'e>]| {
        let mut sum = Fingerprint::new();
        common.hash(&mut sum);
        entries.iter().for_each(|entry| entry.key.hash(&mut sum));
        memo.get(sum.digest(), || write(entries))
    };
    entries.par_chunks(CHUNK).map(chunk).collect()
}
