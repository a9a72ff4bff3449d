//! Where the bytes of an edition are kept at run time. Building them is pure; the caller decides on
//! the store.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// Keeps bytes for the lifetime of an edition: bodies and codings.
pub trait ByteStore: fmt::Debug + Send + Sync {
    /// Concatenates these parts. The result stays readable until its last clone is dropped.
    fn keep(&self, parts: &[&[u8]]) -> Bytes;

    /// As [`keep`](Self::keep), for bytes that building an edition reads again. They are next to each
    /// other: reading from a mapped file also loads the pages around, which may be a body's.
    fn keep_near(&self, parts: &[&[u8]]) -> Bytes {
        self.keep(parts)
    }

    /// Most of the stored bytes were read and are not needed for a while: memory that only mirrors
    /// a file may be freed.
    fn release_mirrored(&self) {}
}

/// A shared store.
pub type Shared = Arc<dyn ByteStore>;

/// The process's heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

impl ByteStore for Heap {
    fn keep(&self, parts: &[&[u8]]) -> Bytes {
        parts.concat().into()
    }
}

/// The process's heap as a shared store.
pub fn heap() -> Shared {
    Arc::new(Heap)
}
