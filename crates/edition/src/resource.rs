//! One public path with its representations.

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;

use crate::body::Body;
use crate::coding::{self, Coding, Codings};
use crate::route::Route;
use crate::store::{Heap, Store};

/// The place of a [`Resource`] in its edition.
pub type ResourceId = u32;

/// The digest of identity bytes: the part of a strong entity tag before its coding. 32 lower-case
/// hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut digits = String::with_capacity(32);
        self.push_to(&mut digits);
        f.write_str(&digits)
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
        // Gathered first: hashing many small pieces one by one costs several times as much.
        let parts: Vec<u8> = parts.into_iter().flat_map(|part| part.0).collect();
        Self::of(&parts)
    }

    /// The digest of the bytes of a rope, which is that of the same bytes as one piece.
    pub fn of_rope(rope: &Body) -> Self {
        let mut hasher = blake3::Hasher::new();
        for slice in rope.slices() {
            hasher.update(slice);
        }
        Self::short(&hasher.finalize())
    }

    /// The digest that is written with these 32 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digest = Self(u128::from_str_radix(text, 16).ok()?.to_be_bytes());
        (digest.to_string() == text).then_some(digest)
    }

    /// Appends the 32 digits: for every entity tag of every answer, so without the machinery of
    /// formatting.
    fn push_to(self, text: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |value: u8| char::from(DIGITS[usize::from(value & 15)]);
        for byte in self.0 {
            text.push(digit(byte >> 4));
            text.push(digit(byte));
        }
    }

    pub(crate) fn short(hash: &blake3::Hash) -> Self {
        let mut digest = [0; 16];
        digest.copy_from_slice(&hash.as_bytes()[..16]);
        Self(digest)
    }
}

/// Entity dates have no fractions of seconds (RFC 9110 section 5.6.7).
fn whole(moment: Timestamp) -> Timestamp {
    Timestamp::from_second(moment.as_second()).unwrap_or(moment)
}

/// One public path: body, validators, codings, and what its header fields say.
#[derive(Debug)]
pub struct Resource {
    /// What it is.
    pub route: Route,
    /// The public path: the route's, decoded, below the base URL's path.
    pub path: Arc<str>,
    /// The digest of the path: part of every edition's id.
    pub(crate) path_digest: Digest,
    /// The identity bytes.
    pub body: Body,
    /// The digest of the identity bytes (of a merged document: of the digests of what it is put
    /// together from, in order, since each is known already).
    pub digest: Digest,
    /// The content's date, never in the future, whole seconds.
    pub modified: Timestamp,
    /// The value of the `Link` field, where there is one. It is made a header value, and looked at
    /// for what none may hold, once an answer needs it.
    pub link: Option<Bytes>,
    /// Coded forms, filled after the edition is live.
    pub codings: Codings,
}

impl Resource {
    /// A resource whose digest is that of its bytes. `modified` is cut to whole seconds.
    pub fn new(route: Route, body: impl Into<Body>, modified: Timestamp) -> Self {
        let body = body.into();
        let digest = Digest::of_rope(&body);
        Self::with_digest(route, body, digest, modified)
    }

    /// A resource whose digest is known already. `modified` is cut to whole seconds.
    pub fn with_digest(route: Route, body: Body, digest: Digest, modified: Timestamp) -> Self {
        Self::at(route.path().into(), route, body, digest, modified)
    }

    /// A resource whose digest is known already, and its route's path. `modified` is cut to whole
    /// seconds.
    pub(crate) fn at(
        path: Arc<str>,
        route: Route,
        body: Body,
        digest: Digest,
        modified: Timestamp,
    ) -> Self {
        let path_digest = Digest::of(path.as_bytes());
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

    /// Whether its date is this one, cut to whole seconds.
    pub(crate) fn is_dated(&self, modified: Timestamp) -> bool {
        self.modified == whole(modified)
    }

    /// The same resource with this date, cut to whole seconds. Codings are shared.
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

    /// The same resource with the value of its `Link` field.
    #[must_use]
    pub fn linked(self, link: impl Into<String>) -> Self {
        let link: String = link.into();
        self.linked_as(link.into_boxed_str().into_boxed_bytes().into())
    }

    /// The same resource with these bytes as the value of its `Link` field.
    #[must_use]
    pub fn linked_as(self, link: Bytes) -> Self {
        Self {
            link: Some(link),
            ..self
        }
    }

    /// The value of the `Link` field as text.
    pub fn link_text(&self) -> Option<&str> {
        self.link
            .as_ref()
            .and_then(|link| std::str::from_utf8(link).ok())
    }

    /// The strong entity tag (RFC 9110 section 8.8.3) with its quotes: the digest of the identity
    /// bytes, then the coding's recipe.
    pub fn etag(&self, coding: Option<Coding>) -> String {
        let recipe = coding.map_or("", Coding::recipe);
        let mut tag = String::with_capacity(32 + 2 + recipe.len() + usize::from(coding.is_some()));
        tag.push('"');
        self.digest.push_to(&mut tag);
        if coding.is_some() {
            tag.push('-');
            tag.push_str(recipe);
        }
        tag.push('"');
        tag
    }

    /// The bytes in this coding, when they are made and worth offering.
    pub fn coded(&self, coding: Coding) -> Option<&Bytes> {
        self.codings.get(coding)
    }

    /// Makes this coding unless it is made already or cannot pay. Costly: for the background, and
    /// for exports.
    pub fn fill(&self, coding: Coding) {
        self.fill_in(&Heap, coding);
    }

    /// As [`fill`](Self::fill), the coded bytes in this store.
    pub fn fill_in(&self, store: &dyn Store, coding: Coding) {
        if self.route.compressible() {
            self.codings.fill(coding, &self.body, store, coding::encode);
        }
    }

    /// The same resource, its bytes in this store. Those of a rope of several slices stay where
    /// they are: they are mostly other resources' own.
    #[must_use]
    pub(crate) fn kept_in(mut self, store: &dyn Store) -> Self {
        self.body = self.body.kept_in(store);
        self
    }
}
