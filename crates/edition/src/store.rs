//! Where the bytes of an edition lie. Making them is pure; keeping them is the business of whoever makes editions.

use std::fmt;
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

/// The same bytes in memory of their own, without room to grow.
pub fn in_memory(mut bytes: Vec<u8>) -> Bytes {
    bytes.shrink_to_fit();
    bytes.into()
}

/// These few texts as one piece, for they come and go together: one write and one account for all of them.
pub(crate) fn together<const TEXTS: usize>(store: &dyn Store, texts: [&[u8]; TEXTS]) -> [Bytes; TEXTS] {
    let mut rest = store.keep_parts(&texts);
    texts.map(|text| rest.split_to(text.len()))
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
        for length in [0, 1, 12_289] {
            let mut bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            bytes.reserve(1000);
            assert_eq!(Heap.keep(bytes.clone()), bytes, "{length} bytes");
        }
    }
}
