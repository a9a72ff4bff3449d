//! Where the bytes of an edition lie. Making them is pure; keeping them is the business of whoever makes editions.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

/// Keeps bytes that stay as long as the edition: bodies, and their codings once they are made.
pub trait Store: fmt::Debug + Send + Sync {
    /// These very bytes, readable until the last clone of what comes back is gone. Only the place where they lie is the store's to choose.
    fn keep(&self, bytes: Vec<u8>) -> Bytes;

    /// These parts as one piece: to where they are kept they are written from where they lie.
    fn keep_parts(&self, parts: &[&[u8]]) -> Bytes {
        self.keep(parts.concat())
    }

    /// Most of what is kept was looked at, and will not be for a while: memory that only mirrors it may go.
    fn rest(&self) {}
}

/// The memory of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

impl Store for Heap {
    fn keep(&self, bytes: Vec<u8>) -> Bytes {
        in_memory(bytes)
    }
}

/// From this length on the C library copies with the processor's own instruction for it.
const COPIED_WHOLE: usize = 4096;
/// How far behind the beginning of its piece of memory such a body begins.
const ASIDE: usize = 128;

/// The same bytes in memory of their own, without room to grow.
///
/// A longer body does not begin where its piece of memory does. TLS copies it into a record, and large pieces all begin at a page: a few bytes of the record's head, or of a
/// frame's, are then all by which the two places differ within their pages, and to go on by less than a line of the cache is what that instruction does worst (`rep movsb` of
/// 13 kB: 12 µs instead of half of one).
pub fn in_memory(mut bytes: Vec<u8>) -> Bytes {
    if bytes.len() < COPIED_WHOLE {
        bytes.shrink_to_fit();
        return bytes.into();
    }
    let mut aside = Vec::with_capacity(ASIDE + bytes.len());
    aside.resize(ASIDE, 0);
    aside.extend_from_slice(&bytes);
    Bytes::from(aside).slice(ASIDE..)
}

/// How many bytes apart texts of one piece begin: as lines of the processor's cache do, so that copying one takes no longer.
const LINE: usize = 64;

/// These few texts as one piece, for they come and go together: one write and one account for all of them.
pub(crate) fn together<const TEXTS: usize>(store: &dyn Store, texts: [&[u8]; TEXTS]) -> [Bytes; TEXTS] {
    let between = |text: &[u8]| &[0; LINE][..text.len().next_multiple_of(LINE) - text.len()];
    let parts: Vec<&[u8]> = texts.iter().flat_map(|text| [*text, between(text)]).collect();
    let piece = store.keep_parts(&parts);
    let mut start = 0;
    texts.map(|text| {
        let place = start..start + text.len();
        start = place.end.next_multiple_of(LINE);
        piece.slice(place)
    })
}

/// Many short texts that come and go together, before they are kept as one piece.
#[derive(Debug)]
pub(crate) struct Piece(Vec<u8>);

impl Piece {
    /// Room for so many texts of so many bytes in all.
    pub fn with_room(texts: usize, bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes + texts * (LINE - 1)))
    }

    /// Adds a text; its place in the piece.
    pub fn add(&mut self, text: &str) -> Range<usize> {
        let start = self.0.len();
        self.0.extend_from_slice(text.as_bytes());
        let end = self.0.len();
        self.0.resize(end.next_multiple_of(LINE), 0);
        start..end
    }

    /// The piece, kept.
    pub fn keep(self, store: &dyn Store) -> Bytes {
        store.keep(self.0)
    }
}

/// A store that is shared; by default the [`Heap`].
pub type Shared = Arc<dyn Store>;

/// The memory of the process, to be shared.
pub fn heap() -> Shared {
    Arc::new(Heap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_these_very_bytes() {
        for length in [0, 1, COPIED_WHOLE - 1, COPIED_WHOLE, 3 * COPIED_WHOLE + 1] {
            let mut bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            bytes.reserve(1000);
            assert_eq!(Heap.keep(bytes.clone()), bytes, "{length} bytes");
        }
    }
}
