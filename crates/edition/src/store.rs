//! Where the bytes of an edition lie. Making them is pure; keeping them is the business of whoever makes editions.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// Keeps bytes that stay as long as the edition: bodies, and their codings once they are made.
pub trait Store: fmt::Debug + Send + Sync {
    /// These very bytes, readable until the last clone of what comes back is gone. Only the place where they lie is the store's to choose.
    fn keep(&self, bytes: Vec<u8>) -> Bytes;
}

/// The memory of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

impl Store for Heap {
    /// The same bytes without their room to grow.
    fn keep(&self, mut bytes: Vec<u8>) -> Bytes {
        bytes.shrink_to_fit();
        bytes.into()
    }
}

/// A store that is shared; by default the [`Heap`].
pub type Shared = Arc<dyn Store>;

/// The memory of the process, to be shared.
pub fn heap() -> Shared {
    Arc::new(Heap)
}
