//! Where the bytes of an edition are while the process runs. Making them is pure; keeping them is
//! the business of whoever makes editions.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// Keeps bytes that stay as long as the edition: bodies, and their codings once they are made.
pub trait Store: fmt::Debug + Send + Sync {
    /// These parts as one piece of bytes, readable until the last clone of it is gone.
    fn keep(&self, parts: &[&[u8]]) -> Bytes;

    /// Most of what is kept was read, and will not be for a while: memory that only mirrors a file
    /// may go.
    fn rest(&self) {}
}

/// A store that is shared.
pub type Shared = Arc<dyn Store>;

/// The memory of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

impl Store for Heap {
    fn keep(&self, parts: &[&[u8]]) -> Bytes {
        parts.concat().into()
    }
}

/// The memory of the process, to be shared.
pub fn heap() -> Shared {
    Arc::new(Heap)
}
