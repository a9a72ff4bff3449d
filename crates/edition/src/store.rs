//! Where the bytes of an edition lie. Making them is pure; keeping them is the business of whoever makes editions.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// Keeps bytes that stay as long as the edition: bodies, and their codings once they are made.
pub trait Store: fmt::Debug + Send + Sync {
    /// These very bytes, readable until the last clone of what comes back is gone. Only the place where they lie is the store's to choose.
    fn keep(&self, bytes: Vec<u8>) -> Bytes;

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
