//! The identity bytes of a resource: a rope of shared slices, so that a merged document needs no
//! copy.

use std::slice;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::byte_store::ByteStore;
use crate::segment::{Extent, Segments};

/// Up to this many slices, joining them saves nothing.
const FEW: usize = 2;

/// A rope of shared slices. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Body(Slices);

/// Most bodies are one slice, which needs no allocation of its own.
#[derive(Clone, Debug)]
enum Slices {
    One(Bytes),
    Rope(Arc<Rope>),
}

/// Any number of slices.
#[derive(Debug, Default)]
struct Rope {
    slices: OnceLock<Box<[Bytes]>>,
    /// The length of all of them in bytes.
    length: u64,
    /// The extents of the slices, if they are read on first use.
    stored: Option<Stored>,
    /// The joined bytes, computed once.
    joined: OnceLock<Bytes>,
}

/// Extents in segments.
#[derive(Debug)]
struct Stored {
    extents: Box<[Extent]>,
    segments: Arc<Segments>,
}

impl Default for Slices {
    fn default() -> Self {
        Self::Rope(Arc::default())
    }
}

impl Rope {
    /// All slices; empty if one is damaged, which the segments record.
    fn slices(&self) -> &[Bytes] {
        self.slices.get_or_init(|| {
            self.stored
                .as_ref()
                .and_then(Stored::read)
                .unwrap_or_default()
        })
    }
}

impl Stored {
    fn read(&self) -> Option<Box<[Bytes]>> {
        let extents = self.extents.iter();
        extents.map(|extent| self.segments.bytes(*extent)).collect()
    }
}

impl Body {
    /// A rope of these slices; empty ones are dropped.
    pub fn rope(slices: impl IntoIterator<Item = Bytes>) -> Self {
        let slices: Box<[Bytes]> = slices
            .into_iter()
            .filter(|slice| !slice.is_empty())
            .collect();
        if let [only] = &*slices {
            return Self(Slices::One(only.clone()));
        }
        let rope = Rope {
            length: slices.iter().map(|slice| slice.len() as u64).sum(),
            slices: slices.into(),
            ..Rope::default()
        };
        Self(Slices::Rope(Arc::new(rope)))
    }

    /// A rope of these extents, read on first use; `None` if the segments lack one of them.
    pub(crate) fn stored(mut extents: Vec<Extent>, segments: &Arc<Segments>) -> Option<Self> {
        extents.retain(|extent| extent.length > 0);
        let mut length = 0_u64;
        for extent in &extents {
            if !segments.has(*extent) {
                return None;
            }
            length = length.checked_add(extent.length)?;
        }
        let stored = Stored {
            extents: extents.into(),
            segments: Arc::clone(segments),
        };
        let rope = Rope {
            stored: Some(stored),
            length,
            ..Rope::default()
        };
        Some(Self(Slices::Rope(Arc::new(rope))))
    }

    /// Whether all of it is in memory.
    pub(crate) fn is_here(&self) -> bool {
        match &self.0 {
            Slices::One(_) => true,
            Slices::Rope(rope) => rope.slices.get().is_some(),
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Slices::One(only) => only.len() as u64,
            Slices::Rope(rope) => rope.length,
        }
    }

    /// Whether the body has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slices in order; none is empty.
    pub fn slices(&self) -> &[Bytes] {
        match &self.0 {
            Slices::One(only) => slice::from_ref(only),
            Slices::Rope(rope) => rope.slices(),
        }
    }

    /// The whole body, if it is one slice or was joined by [`join`](Self::join).
    pub fn whole(&self) -> Option<&Bytes> {
        match &self.0 {
            Slices::One(only) => Some(only),
            Slices::Rope(rope) => match rope.slices() {
                [only] => Some(only),
                _ => rope.joined.get(),
            },
        }
    }

    /// Joins the slices in this store, once, unless the body is longer than `most` or has few
    /// slices. One slice takes far fewer system calls than thousands, at the cost of a second copy
    /// of the text.
    pub fn join(&self, store: &dyn ByteStore, most: u64) {
        if let Slices::Rope(rope) = &self.0
            && rope.length <= most
            && rope.slices().len() > FEW
        {
            rope.joined.get_or_init(|| {
                let slices: Vec<&[u8]> = rope.slices().iter().map(AsRef::as_ref).collect();
                store.keep(&slices)
            });
        }
    }

    /// Moves a body of one slice into this store. A slice with other owners stays where it is.
    pub(crate) fn kept_in(self, store: &dyn ByteStore) -> Self {
        match self.0 {
            Slices::One(only) if only.is_unique() => store.keep(&[&only]).into(),
            slices => Self(slices),
        }
    }

    /// The whole body as one slice, copied only if it has several.
    pub fn to_bytes(&self) -> Bytes {
        self.whole()
            .cloned()
            .unwrap_or_else(|| self.slices().concat().into())
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        if bytes.is_empty() {
            return Self::default();
        }
        Self(Slices::One(bytes))
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byte_store::Heap;

    #[test]
    fn slices_are_put_together_once_and_only_up_to_a_bound() {
        let few = Body::rope(["ab", "", "cde"].map(Bytes::from));
        few.join(&Heap, 5);
        assert_eq!(few.whole(), None, "two are few");
        let rope = Body::rope(["ab", "", "c", "de"].map(Bytes::from));
        rope.join(&Heap, 4);
        assert_eq!(rope.whole(), None, "five bytes are too many");
        let clone = rope.clone();
        rope.join(&Heap, 5);
        assert_eq!(clone.whole().unwrap(), "abcde");
        assert_eq!(rope.slices().len(), 3, "the slices stay as they are");
        let first = rope.whole().unwrap().as_ptr();
        clone.join(&Heap, 5);
        assert_eq!(clone.whole().unwrap().as_ptr(), first);
    }

    #[test]
    fn one_piece_is_whole_by_itself() {
        let piece = Bytes::from("abc");
        let body = Body::from(piece.clone());
        assert_eq!(body.whole().unwrap().as_ptr(), piece.as_ptr());
        assert_eq!(Body::default().whole(), None);
    }
}
