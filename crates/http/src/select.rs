//! Which representation of a resource a request selects (RFC 9110 section 12.1): its form and its content-coding.

use std::ops::Range;

use bytes::Bytes;
use diglot_edition::{Coding, Edition, Form, Resource, ResourceId, policy::Row};
use http::HeaderMap;

use crate::accept::Accept;
use crate::accept_encoding::AcceptEncoding;
use crate::conditions::Validators;
use crate::payload::Payload;

/// A representation, chosen but not yet sent.
#[derive(Clone, Debug)]
pub(crate) struct Selected<'e> {
    /// The resource whose bytes they are: at a page's `.html`, its Markdown twin when that was asked for.
    pub resource: &'e Resource,
    /// What the answer is to caches.
    pub row: Row,
    /// Whether the resource has another URL than the one that was asked for, to be named in `Content-Location`.
    pub elsewhere: bool,
    coded: Option<(Coding, &'e Bytes)>,
    /// Its strong entity tag, with its quotes.
    pub tag: String,
}

/// How much of a representation is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// 200.
    Whole,
    /// 206: these bytes.
    Part(Range<u64>),
    /// 304: nothing, the client has it.
    NotModified,
}

impl<'e> Selected<'e> {
    /// What these request fields select at a resource. `alias` says that the request spelled its path in another way.
    pub fn new(edition: &'e Edition, id: ResourceId, headers: &HeaderMap, alias: bool) -> Self {
        let asked = edition.resource(id);
        let (resource, row, elsewhere) = match markdown_twin(edition, id, headers) {
            Some(twin) => (edition.resource(twin), Row::NegotiatedMarkdown, true),
            None => (asked, Row::of(&asked.route), alias),
        };
        // A coding that is not made yet is not offered; one chosen here is there for good.
        let chosen = AcceptEncoding::of(headers).choose(|coding| resource.coded(coding).is_some());
        let coded = chosen.and_then(|coding| Some((coding, resource.coded(coding)?)));
        let tag = resource.etag(coded.map(|(coding, _)| coding));
        Self { resource, row, elsewhere, coded, tag }
    }

    /// Its content-coding; `None` is the identity.
    pub fn coding(&self) -> Option<Coding> {
        self.coded.map(|(coding, _)| coding)
    }

    /// What preconditions are compared with.
    pub fn validators(&self) -> Validators<'_> {
        Validators { tag: self.tag.as_bytes(), modified: self.row.dated().then_some(self.resource.modified) }
    }

    /// Its length in bytes, as coded.
    pub fn length(&self) -> u64 {
        self.coded.map_or(self.resource.body.len(), |(_, bytes)| bytes.len() as u64)
    }

    /// These bytes of it, as coded.
    pub fn payload(&self, part: Range<u64>) -> Payload {
        match self.coded {
            Some((_, bytes)) => Payload::part(&bytes.clone().into(), part),
            None => Payload::part(&self.resource.body, part),
        }
    }
}

/// The Markdown twin, where the form is negotiated and Markdown wins.
fn markdown_twin(edition: &Edition, id: ResourceId, headers: &HeaderMap) -> Option<ResourceId> {
    if !edition.resource(id).route.negotiated() {
        return None;
    }
    match Accept::of(headers).form() {
        Form::Markdown => edition.twin(id),
        Form::Html => None,
    }
}
