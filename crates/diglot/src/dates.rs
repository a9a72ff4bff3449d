//! The seam through which the reader learns when a file last changed.
//!
//! Sources are asked in order of their honesty: the folder's git history, what Diglot remembers from earlier runs, and at last the file's own
//! modification time, which every copy and checkout changes.

use diglot_content::sources::FileDates;
use jiff::Timestamp;

/// BLAKE3 of a file's bytes, its first 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Self(short)
    }

    /// Reads 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 16];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl std::fmt::Display for ContentHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// What is known of a file when its dates are asked for.
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
    /// The dates of this file, or nothing when this source does not know.
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates>;
}
