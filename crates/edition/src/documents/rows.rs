//! Rows of documents: a page as a list shows it. They are written in chunks, so that an edition
//! writes only those with a page that changed.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;

use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::memo::Memo;
use diglot_content::parallel;

use super::Entry;

/// The number of pages in a chunk.
pub(super) const CHUNK: usize = 100;

/// The rows of these pages, a result for each chunk. `memo` has those of earlier editions.
pub(super) fn chunks<'e, E, T>(
    entries: &[E],
    memo: &Memo<T>,
    write: impl Fn(&[E]) -> T + Sync,
) -> Vec<Arc<T>>
where
    E: Borrow<Entry<'e>> + Sync,
    T: Send + Sync,
{
    let chunk = |_, chunk: &[E]| memo.get(key(chunk), || write(chunk));
    parallel::map_chunks(entries, CHUNK, chunk)
}

/// A digest of everything that the rows of these pages are written from.
pub(super) fn key<'e>(entries: &[impl Borrow<Entry<'e>>]) -> Digest {
    let mut sum = Fingerprint::new();
    for entry in entries {
        let Entry {
            key,
            digest,
            modified,
            ..
        } = entry.borrow();
        (key, digest, modified).hash(&mut sum);
    }
    sum.digest()
}
