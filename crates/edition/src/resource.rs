//! One public path with its representations.

use std::sync::Arc;

use jiff::Timestamp;

use crate::body::Body;
use crate::coding::{self, Coding, Codings};
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
    /// What it is.
    pub route: Route,
    /// The public path: the route's, decoded, below the base URL's path.
    pub path: Arc<str>,
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

impl Resource {
    /// A resource whose digest is that of its bytes. `modified` is cut to whole seconds.
    pub fn new(route: Route, body: impl Into<Body>, modified: Timestamp) -> Self {
        let body = body.into();
        let digest = match body.slices() {
            [] => Digest::of(b""),
            [only] => Digest::of(only),
            parts => Digest::of_parts(parts.iter().map(|part| Digest::of(part))),
        };
        Self::with_digest(route, body, digest, modified)
    }

    /// A resource whose digest is known already. `modified` is cut to whole seconds.
    pub fn with_digest(route: Route, body: Body, digest: Digest, modified: Timestamp) -> Self {
        let path = route.path().into();
        let modified = Timestamp::from_second(modified.as_second()).unwrap_or(modified);
        Self { route, path, body, digest, modified, link: None, twin: None, codings: Codings::default() }
    }

    /// The same resource with the value of its `Link` field.
    #[must_use]
    pub fn linked(mut self, link: impl Into<Box<str>>) -> Self {
        self.link = Some(link.into());
        self
    }

    /// The strong entity tag (RFC 9110 section 8.8.3) with its quotes: the digest of the identity bytes, then the coding's recipe.
    pub fn etag(&self, coding: Option<Coding>) -> String {
        match coding {
            None => format!("\"{}\"", self.digest),
            Some(coding) => format!("\"{}-{}\"", self.digest, coding.recipe()),
        }
    }

    /// The bytes in this coding, when they are made and worth offering.
    pub fn coded(&self, coding: Coding) -> Option<&bytes::Bytes> {
        self.codings.get(coding)
    }

    /// Makes this coding unless it is made already or cannot pay. Costly: for the background, and for exports.
    pub fn fill(&self, coding: Coding) {
        if self.route.compressible() {
            self.codings.fill(coding, &self.body, coding::encode);
        }
    }
}
