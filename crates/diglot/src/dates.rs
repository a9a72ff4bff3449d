//! The interface through which the reader learns when a file last changed.
//!
//! Sources are asked in order of reliability: the folder's git history, what Diglot remembers from
//! earlier runs, and last the file's own modification time, which every copy and checkout changes.

use std::fmt;

use diglot_content::fingerprint::of_bytes;
use diglot_content::sources::FileDates;
use jiff::Timestamp;

/// The first 128 bits of the BLAKE3 hash of a file's bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn hash(bytes: &[u8]) -> Self {
        Self(of_bytes(bytes))
    }

    /// Reads 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        // An integer parser would accept a leading `+`.
        if text.len() != 32 || text.starts_with('+') {
            return None;
        }
        u128::from_str_radix(text, 16)
            .ok()
            .map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is known about a file when its dates are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Relative to the folder, `/` between segments.
    pub path: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The hash of the bytes.
    pub hash: ContentHash,
    /// The file system's modification time, whole seconds, never after now.
    pub modified: Timestamp,
}

/// Something that may know when a file changed.
pub trait DateSource {
    /// The dates of this file; `None` if unknown.
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates>;
}
