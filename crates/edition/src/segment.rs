//! Segments: the concatenated bodies of a stored edition, in pieces of a few megabytes.
//!
//! A segment is sealed when it is full, and named by the digest of its bytes. So it never changes,
//! every reader can verify it, and editions share equal segments. [`Segments`] reads those of one
//! edition, each on first use. It verifies the bytes once, in memory, before it uses any of them.
//! After one mismatch it returns no bytes of any segment.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::byte_store;

/// The size of a segment in bytes; a longer body gets its own segment. A segment is read whole
/// before its first byte is sent, so the size bounds that delay.
pub const LENGTH: usize = 4 << 20;

/// A segment: its name (the hexadecimal digits of its BLAKE3) and length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The name.
    pub name: String,
    /// The length in bytes.
    pub length: u64,
}

impl Segment {
    /// The segment with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            name: blake3::hash(bytes).to_hex().to_string(),
            length: bytes.len() as u64,
        }
    }

    /// Whether its name is valid as a file name: only the digits of a digest.
    pub fn is_named(&self) -> bool {
        blake3::Hash::from_hex(&self.name).is_ok_and(|hash| *hash.to_hex() == *self.name)
    }
}

/// The place of bytes in a stored edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The index of the segment in the manifest.
    #[serde(rename = "s")]
    pub segment: usize,
    /// The offset in the segment.
    #[serde(rename = "o")]
    pub offset: u64,
    /// The length.
    #[serde(rename = "l")]
    pub length: u64,
}

impl Extent {
    fn end(self) -> Option<u64> {
        self.offset.checked_add(self.length)
    }
}

/// Reads a segment's bytes; `None` if there are none of this length.
pub type Fetch = Box<dyn Fn(&Segment) -> Option<Vec<u8>> + Send + Sync>;

/// Reads the segments of a stored edition.
pub struct Segments {
    /// By number; `None`: the number is unused.
    segments: Vec<Option<(Segment, OnceLock<Option<Bytes>>)>>,
    fetch: Fetch,
    store: byte_store::Shared,
    damaged: AtomicBool,
}

impl fmt::Debug for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segments")
            .field("segments", &self.segments.len())
            .finish_non_exhaustive()
    }
}

impl Segments {
    /// These segments, read by `fetch` and kept in this store.
    pub fn new(segments: Vec<Option<Segment>>, fetch: Fetch, store: byte_store::Shared) -> Self {
        let segments = segments
            .into_iter()
            .map(|segment| Some((segment?, OnceLock::new())))
            .collect();
        Self {
            segments,
            fetch,
            store,
            damaged: AtomicBool::new(false),
        }
    }

    /// Takes what `before` has read of the same segments.
    #[must_use]
    pub fn after(self, before: &Self) -> Self {
        let read = before.segments.iter().flatten();
        let read: BTreeMap<&str, &Bytes> = read
            .filter_map(|(segment, bytes)| Some((&*segment.name, bytes.get()?.as_ref()?)))
            .collect();
        for (segment, bytes) in self.segments.iter().flatten() {
            if let Some(known) = read.get(&*segment.name) {
                let _ = bytes.set(Some(Bytes::clone(known)));
            }
        }
        self
    }

    /// Whether the place exists.
    pub fn has(&self, place: Extent) -> bool {
        let Some(Some((segment, _))) = self.segments.get(place.segment) else {
            return false;
        };
        place.end().is_some_and(|end| end <= segment.length)
    }

    /// The verified bytes at a place; `None` if this or another segment is damaged.
    pub fn bytes(&self, place: Extent) -> Option<Bytes> {
        let end = place.end()?;
        let segment = self.segment(place.segment)?;
        let range = usize::try_from(place.offset).ok()?..usize::try_from(end).ok()?;
        (range.end <= segment.len()).then(|| segment.slice(range))
    }

    /// Reads every segment. Returns whether all are intact.
    pub fn read_all(&self) -> bool {
        (0..self.segments.len())
            .all(|number| self.segments[number].is_none() || self.segment(number).is_some())
    }

    /// Whether no damage was found so far.
    pub fn is_sound(&self) -> bool {
        !self.damaged.load(Ordering::Acquire)
    }

    fn segment(&self, number: usize) -> Option<&Bytes> {
        let (segment, bytes) = self.segments.get(number)?.as_ref()?;
        let bytes = bytes.get_or_init(|| self.fetched(segment)).as_ref();
        if bytes.is_none() {
            self.damaged.store(true, Ordering::Release);
        }
        bytes
    }

    /// Hashes the bytes in memory, not those in the file, which another process may have changed
    /// since.
    fn fetched(&self, segment: &Segment) -> Option<Bytes> {
        if !self.is_sound() {
            return None;
        }
        let bytes = (self.fetch)(segment)?;
        (Segment::from_bytes(&bytes) == *segment).then(|| self.store.keep(&[&bytes]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(parts: &[&[u8]], fetched: &'static [&'static [u8]]) -> Segments {
        let segments: Vec<Segment> = parts.iter().map(|part| Segment::from_bytes(part)).collect();
        let by_name = segments.clone();
        let fetch = move |segment: &Segment| {
            let number = by_name.iter().position(|one| one == segment)?;
            fetched.get(number).map(|bytes| bytes.to_vec())
        };
        let numbered = segments.into_iter().map(Some).collect();
        Segments::new(numbered, Box::new(fetch), byte_store::heap())
    }

    fn place(segment: usize, offset: u64, length: u64) -> Extent {
        Extent {
            segment,
            offset,
            length,
        }
    }

    #[test]
    fn places_are_read_and_what_no_segment_has_is_nothing() {
        let segments = segments(&[b"abcdef", b"xyz"], &[b"abcdef", b"xyz"]);
        assert_eq!(segments.bytes(place(0, 2, 3)).unwrap(), "cde");
        assert_eq!(segments.bytes(place(1, 0, 3)).unwrap(), "xyz");
        for (segment, offset, length) in [
            (0, 5, 2),
            (0, 7, 0),
            (2, 0, 1),
            (0, u64::MAX, 1),
            (0, 1, u64::MAX),
        ] {
            let place = place(segment, offset, length);
            assert!(!segments.has(place), "{place:?}");
        }
        assert!(segments.read_all() && segments.is_sound());
    }

    #[test]
    fn nothing_is_taken_once_one_segment_is_damaged() {
        let segments = segments(&[b"abcdef", b"xyz", b"123"], &[b"abcdef", b"xyy", b"123"]);
        assert_eq!(segments.bytes(place(0, 0, 1)).unwrap(), "a");
        assert!(segments.is_sound());
        assert_eq!(segments.bytes(place(1, 0, 1)), None);
        assert!(
            !segments.is_sound()
                && segments.bytes(place(2, 0, 1)).is_none()
                && !segments.read_all()
        );
    }

    #[test]
    fn what_an_older_edition_has_read_is_not_read_again() {
        let before = segments(&[b"abcdef", b"xyz"], &[b"abcdef", b"xyz"]);
        assert!(before.bytes(place(0, 0, 1)).is_some());
        // Nothing can be fetched now: what was read is there, and the rest is not.
        let after = segments(&[b"123", b"abcdef", b"xyz"], &[]).after(&before);
        assert_eq!(after.bytes(place(1, 2, 3)).unwrap(), "cde");
        assert_eq!(after.bytes(place(2, 0, 3)), None);
    }

    #[test]
    fn a_name_is_the_digits_of_a_digest() {
        let mut segment = Segment::from_bytes(b"abc");
        assert!(segment.is_named());
        let (upper, short) = (segment.name.to_uppercase(), segment.name[1..].to_owned());
        for name in ["../edition".to_owned(), String::new(), upper, short] {
            segment.name = name;
            assert!(!segment.is_named(), "{}", segment.name);
        }
    }
}
