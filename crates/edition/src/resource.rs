//! A public path with its representations.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use jiff::Timestamp;

use crate::body::Body;
use crate::byte_store::{ByteStore, Heap};
use crate::coding::{self, Coding, Codings};
use crate::route::Route;

/// The index of a [`Resource`] in its edition.
pub type ResourceId = u32;

/// The digest of identity bytes: the part of a strong entity tag before the coding. 32 lower-case
/// hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(as_text(&self.digits()))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Digest {
    /// The first 128 bits of the BLAKE3 of these bytes.
    pub fn hash(bytes: &[u8]) -> Self {
        Self::short(&blake3::hash(bytes))
    }

    /// The digest over the parts' digests in order.
    pub fn hash_parts(parts: impl IntoIterator<Item = Self>) -> Self {
        // Collected first: hashing many small parts one by one costs several times as much.
        let mut all = Vec::new();
        for part in parts {
            all.extend_from_slice(&part.0);
        }
        Self::hash(&all)
    }

    /// The digest of a rope, equal to that of its joined bytes.
    pub fn hash_body(rope: &Body) -> Self {
        let mut hasher = blake3::Hasher::new();
        for slice in rope.slices() {
            hasher.update(slice);
        }
        Self::short(&hasher.finalize())
    }

    /// Parses 32 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digest = Self(u128::from_str_radix(text, 16).ok()?.to_be_bytes());
        (digest.to_string() == text).then_some(digest)
    }

    /// The 32 digits. Avoids the formatting machinery, since every response has an entity tag.
    fn digits(self) -> [u8; 32] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; 32];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
        digits
    }

    pub(crate) fn short(hash: &blake3::Hash) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.as_bytes()[..16]);
        Self(digest)
    }
}

fn as_text(digits: &[u8]) -> &str {
    std::str::from_utf8(digits).unwrap_or_default()
}

/// Truncates to whole seconds: HTTP dates have no fractions (RFC 9110 section 5.6.7).
fn whole(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second()).unwrap_or(moment)
}

/// A public path: body, validators, codings, and the inputs of its header fields.
#[derive(Debug)]
pub struct Resource {
    /// The route.
    pub route: Route,
    /// The public path: that of the route, decoded, relative to the base URL.
    pub path: Arc<str>,
    /// The digest of the path, which is part of every edition's id.
    pub(crate) path_digest: Digest,
    /// The identity bytes.
    pub body: Body,
    /// The digest of the identity bytes. For a merged document: the digest over the known digests
    /// of its parts, in order.
    pub digest: Digest,
    /// The content's date, in whole seconds, never in the future.
    pub modified: Timestamp,
    /// The value of the `Link` field, if any.
    pub link: Option<HeaderValue>,
    /// Codings, filled after the edition is live.
    pub codings: Codings,
}

impl Resource {
    /// A resource with the digest of its bytes. `modified` is truncated to whole seconds.
    pub fn new(route: Route, body: impl Into<Body>, modified: Timestamp) -> Self {
        let body = body.into();
        let digest = Digest::hash_body(&body);
        Self::with_digest(route, body, digest, modified)
    }

    /// A resource with a known digest. `modified` is truncated to whole seconds.
    pub fn with_digest(route: Route, body: Body, digest: Digest, modified: Timestamp) -> Self {
        Self::at(route.path().into(), route, body, digest, modified)
    }

    /// A resource with a known digest and path. `modified` is truncated to whole seconds.
    pub(crate) fn at(
        path: Arc<str>,
        route: Route,
        body: Body,
        digest: Digest,
        modified: Timestamp,
    ) -> Self {
        let path_digest = Digest::hash(path.as_bytes());
        let codings = Codings::default();
        Self {
            route,
            path,
            path_digest,
            body,
            digest,
            modified: whole(modified),
            link: None,
            codings,
        }
    }

    /// Whether its date is this one, truncated to whole seconds.
    pub(crate) fn is_dated(&self, modified: Timestamp) -> bool {
        self.modified == whole(modified)
    }

    /// The same resource with this date, truncated to whole seconds. Codings are shared.
    pub(crate) fn dated(&self, modified: Timestamp) -> Self {
        let Self {
            route,
            path,
            path_digest,
            body,
            digest,
            link,
            codings,
            ..
        } = self;
        let (route, path, path_digest, body, digest, link) = (
            route.clone(),
            Arc::clone(path),
            *path_digest,
            body.clone(),
            *digest,
            link.clone(),
        );
        let own = Codings::default();
        own.adopt(codings);
        Self {
            route,
            path,
            path_digest,
            body,
            digest,
            modified: whole(modified),
            link,
            codings: own,
        }
    }

    /// The same resource with this `Link` value.
    #[must_use]
    pub fn linked(self, link: impl Into<String>) -> Self {
        let link: String = link.into();
        self.linked_as(link.into_boxed_str().into_boxed_bytes().into())
    }

    /// The same resource with these bytes as its `Link` value; without one if they are not valid in a
    /// header field.
    #[must_use]
    pub fn linked_as(self, link: Bytes) -> Self {
        Self {
            link: HeaderValue::from_maybe_shared(link).ok(),
            ..self
        }
    }

    /// The `Link` value as text.
    pub fn link_text(&self) -> Option<&str> {
        self.link
            .as_ref()
            .and_then(|link| std::str::from_utf8(link.as_bytes()).ok())
    }

    /// The strong entity tag (RFC 9110 section 8.8.3) with its quotes: the digest of the identity
    /// bytes and the coding's recipe.
    pub fn etag(&self, coding: Option<Coding>) -> String {
        let recipe = coding.map_or("", Coding::recipe);
        let mut tag = String::with_capacity(32 + 2 + recipe.len() + usize::from(coding.is_some()));
        tag.push('"');
        tag.push_str(as_text(&self.digest.digits()));
        if coding.is_some() {
            tag.push('-');
            tag.push_str(recipe);
        }
        tag.push('"');
        tag
    }

    /// The bytes in this coding, if they are built and smaller than the identity.
    pub fn coded(&self, coding: Coding) -> Option<&Bytes> {
        self.codings.get(coding)
    }

    /// Builds this coding, unless it is built or known not to be smaller. Expensive: for the
    /// background and exports.
    pub fn fill(&self, coding: Coding) {
        self.fill_in(&Heap, coding);
    }

    /// As [`fill`](Self::fill), with the coded bytes in this store.
    pub fn fill_in(&self, store: &dyn ByteStore, coding: Coding) {
        if self.route.compressible() {
            self.codings.fill(coding, &self.body, store, coding::encode);
        }
    }

    /// The same resource with its bytes in this store. A rope of several slices stays where it is,
    /// because most of them belong to other resources.
    #[must_use]
    pub(crate) fn kept_in(mut self, store: &dyn ByteStore) -> Self {
        self.body = self.body.kept_in(store);
        self
    }
}
