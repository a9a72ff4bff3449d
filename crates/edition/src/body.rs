//! The identity bytes of a resource: a rope of shared slices, so that a merged document is no copy.

use std::sync::Arc;

use bytes::Bytes;

use crate::store::Store;

/// A rope of shared slices. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Body {
    slices: Arc<[Bytes]>,
    length: u64,
}

impl Body {
    /// A rope of these slices; empty ones are dropped.
    pub fn rope(slices: impl IntoIterator<Item = Bytes>) -> Self {
        let slices: Arc<[Bytes]> = slices.into_iter().filter(|slice| !slice.is_empty()).collect();
        let length = slices.iter().map(|slice| slice.len() as u64).sum();
        Self { slices, length }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there is no byte in it.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The slices, in order, none empty.
    pub fn slices(&self) -> &[Bytes] {
        &self.slices
    }

    /// The same bytes in this store, where they are one piece.
    pub(crate) fn kept_in(self, store: &dyn Store) -> Self {
        match &*self.slices {
            [only] => {
                let only = only.clone();
                drop(self);
                store.keep(only.into()).into()
            }
            _ => self,
        }
    }

    /// The whole as one piece; no copy when it is one already.
    pub fn to_bytes(&self) -> Bytes {
        match &*self.slices {
            [] => Bytes::new(),
            [only] => only.clone(),
            many => many.concat().into(),
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::rope([bytes])
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}
