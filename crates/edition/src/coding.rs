//! Content-codings (RFC 9110 section 8.4.1) and their recipes.
//!
//! A recipe fixes encoder, version and level. Equal entity tags mean equal bytes, so whoever changes an encoder's version or level
//! must raise the recipe's number; a test holds the bytes of each.

use std::sync::OnceLock;

use bytes::Bytes;

use crate::body::Body;

/// A content-coding, in the order of preference among equal weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coding {
    /// Brotli (RFC 7932).
    Br,
    /// Zstandard (RFC 8878).
    Zstd,
    /// gzip (RFC 1952).
    Gzip,
}

impl Coding {
    /// All codings, most preferred first.
    pub const ALL: [Self; 3] = [Self::Br, Self::Zstd, Self::Gzip];

    /// The name in `Content-Encoding`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Br => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// The file suffix of a pre-compressed export, with its dot.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Br => ".br",
            Self::Zstd => ".zst",
            Self::Gzip => ".gz",
        }
    }

    /// What the entity tag of this coding ends with: name and number of the recipe.
    pub const fn recipe(self) -> &'static str {
        match self {
            Self::Br => "br1",
            Self::Zstd => "zstd1",
            Self::Gzip => "gzip1",
        }
    }
}

/// The write-once slots of a resource's codings: until one is filled it is not offered, and it is never replaced.
#[derive(Debug, Default)]
pub struct Codings {
    slots: [OnceLock<Option<Bytes>>; 3],
}

impl Codings {
    /// The coded bytes, when they are made and smaller than the identity.
    pub fn get(&self, coding: Coding) -> Option<&Bytes> {
        self.slots[coding as usize].get().and_then(Option::as_ref)
    }

    /// Fills the slot once; what is not smaller than the identity is never offered.
    pub fn fill(&self, coding: Coding, body: &Body, encode: impl FnOnce(Coding, &Body) -> Bytes) {
        self.slots[coding as usize].get_or_init(|| {
            let coded = encode(coding, body);
            ((coded.len() as u64) < body.len()).then_some(coded)
        });
    }
}
