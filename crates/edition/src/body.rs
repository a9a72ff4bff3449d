//! The identity bytes of a resource: a rope of shared slices, so that a merged document needs no
//! copy.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::segment::{Place, Segments};
use crate::store::Store;

/// Up to this many slices, joining them saves nothing.
const FEW: usize = 2;

/// A rope of shared slices. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Body {
    slices: Slices,
    length: u64,
    /// The joined bytes, computed once; only present if there are many slices.
    joined: Option<Arc<OnceLock<Bytes>>>,
}

/// The slices, or their places in segments.
#[derive(Clone, Debug)]
enum Slices {
    Here(Arc<[Bytes]>),
    Stored(Arc<Stored>),
}

/// Slices that are read on first use.
#[derive(Debug)]
struct Stored {
    places: Box<[Place]>,
    segments: Arc<Segments>,
    slices: OnceLock<Box<[Bytes]>>,
}

impl Default for Slices {
    fn default() -> Self {
        Self::Here(Arc::default())
    }
}

impl Stored {
    /// All slices; empty if one is damaged, which the segments record.
    fn slices(&self) -> &[Bytes] {
        self.slices.get_or_init(|| {
            let slices: Option<Box<[Bytes]>> = self
                .places
                .iter()
                .map(|place| self.segments.bytes(*place))
                .collect();
            slices.unwrap_or_default()
        })
    }
}

impl Body {
    /// A rope of these slices; empty ones are dropped.
    pub fn rope(slices: impl IntoIterator<Item = Bytes>) -> Self {
        let slices: Arc<[Bytes]> = slices
            .into_iter()
            .filter(|slice| !slice.is_empty())
            .collect();
        let length = slices.iter().map(|slice| slice.len() as u64).sum();
        let joined = (slices.len() > 1).then(Arc::default);
        Self {
            slices: Slices::Here(slices),
            length,
            joined,
        }
    }

    /// A rope of these places, read on first use; `None` if the segments lack one of them.
    pub(crate) fn stored(mut places: Vec<Place>, segments: &Arc<Segments>) -> Option<Self> {
        places.retain(|place| place.length > 0);
        let mut length = 0_u64;
        for place in &places {
            if !segments.has(*place) {
                return None;
            }
            length = length.checked_add(place.length)?;
        }
        let joined = (places.len() > 1).then(Arc::default);
        let stored = Stored {
            places: places.into(),
            segments: Arc::clone(segments),
            slices: OnceLock::new(),
        };
        Some(Self {
            slices: Slices::Stored(Arc::new(stored)),
            length,
            joined,
        })
    }

    /// Whether all of it is in memory.
    pub(crate) fn is_here(&self) -> bool {
        match &self.slices {
            Slices::Here(_) => true,
            Slices::Stored(stored) => stored.slices.get().is_some(),
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether the body has no bytes.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The slices in order; none is empty.
    pub fn slices(&self) -> &[Bytes] {
        match &self.slices {
            Slices::Here(slices) => slices,
            Slices::Stored(stored) => stored.slices(),
        }
    }

    /// The whole body, if it is one slice or was joined by [`join`](Self::join).
    pub fn whole(&self) -> Option<&Bytes> {
        match self.slices() {
            [only] => Some(only),
            _ => self.joined.as_ref()?.get(),
        }
    }

    /// Joins the slices in this store, once, unless the body is longer than `most` or has few
    /// slices. One slice takes far fewer system calls than thousands, at the cost of a second copy
    /// of the text.
    pub fn join(&self, store: &dyn Store, most: u64) {
        if let Some(joined) = self
            .joined
            .as_ref()
            .filter(|_| self.length <= most && self.slices().len() > FEW)
        {
            joined.get_or_init(|| {
                let slices: Vec<&[u8]> = self.slices().iter().map(AsRef::as_ref).collect();
                store.keep(&slices)
            });
        }
    }

    /// Moves a body of one slice into this store. A slice with other owners stays where it is.
    pub(crate) fn kept_in(self, store: &dyn Store) -> Self {
        match self.slices() {
            [only] => {
                let only = only.clone();
                drop(self);
                if only.is_unique() {
                    store.keep(&[&only]).into()
                } else {
                    only.into()
                }
            }
            _ => self,
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
        Self::rope([bytes])
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
    use crate::store::Heap;

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
