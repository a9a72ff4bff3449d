//! One public path with its representations.

use jiff::Timestamp;

use crate::body::Body;
use crate::coding::Codings;
use crate::route::Route;

/// The place of a [`Resource`] in its edition.
pub type ResourceId = u32;

/// The digest of identity bytes: the part of a strong entity tag before its coding. 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Digest {
    /// The digest of some bytes: BLAKE3, its first 128 bits.
    pub fn of(bytes: &[u8]) -> Self {
        Self::short(&blake3::hash(bytes))
    }

    /// The digest of a whole made of parts: over the parts' digests in order.
    pub fn of_parts(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&part.0);
        }
        Self::short(&hasher.finalize())
    }

    fn short(hash: &blake3::Hash) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.as_bytes()[..16]);
        Self(digest)
    }
}

/// One public path: body, validators, codings, and what its header fields say.
#[derive(Debug)]
pub struct Resource {
    /// The public path.
    pub route: Route,
    /// The identity bytes.
    pub body: Body,
    /// The digest of the identity bytes (of a merged document: of its parts' digests in order).
    pub digest: Digest,
    /// The content's date, never in the future, whole seconds.
    pub modified: Timestamp,
    /// The value of the `Link` field, where there is one.
    pub link: Option<Box<str>>,
    /// The other form of the same page.
    pub twin: Option<ResourceId>,
    /// Coded forms, filled after the edition is live.
    pub codings: Codings,
}
