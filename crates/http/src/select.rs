//! Which representation of a resource a request selects (RFC 9110 section 12.1): its form and its
//! content-coding.

use std::ops::Range;

use diglot_edition::{Body, Coding, Edition, Form, Resource, ResourceId, policy::Row};
use http::HeaderMap;

use crate::accept::Accept;
use crate::accept_encoding::AcceptEncoding;
use crate::conditions::Validators;

/// A representation, chosen but not yet sent.
pub(crate) struct Selected<'e> {
    /// The resource whose bytes they are: at a page's `.html`, its Markdown twin when that was
    /// asked for.
    pub resource: &'e Resource,
    /// What the answer is to caches.
    pub row: Row,
    /// Whether the resource has another URL than the one that was asked for, to be named in
    /// `Content-Location`.
    pub elsewhere: bool,
    /// Its content-coding; `None` is the identity.
    pub coding: Option<Coding>,
    /// Its bytes, as coded.
    pub body: Body,
    /// Its strong entity tag, with its quotes.
    pub tag: String,
}

/// How much of a representation is sent.
#[derive(PartialEq, Eq)]
pub(crate) enum Delivery {
    /// 200.
    Whole,
    /// 206: these bytes.
    Part(Range<u64>),
    /// 304: nothing, the client has it.
    NotModified,
}

impl<'e> Selected<'e> {
    /// What these request fields select at a resource. `alias` says that the request spelled its
    /// path in another way.
    pub fn new(edition: &'e Edition, id: ResourceId, headers: &HeaderMap, alias: bool) -> Self {
        let asked = edition.resource(id);
        let (resource, row, elsewhere) = match markdown_twin(edition, id, headers) {
            Some(twin) => (edition.resource(twin), Row::NegotiatedMarkdown, true),
            None => (asked, Row::of(&asked.route), alias),
        };
        // A coding that is not made yet is not offered; one chosen here is there for good.
        let coding = AcceptEncoding::of(headers).choose(|coding| resource.coded(coding).is_some());
        let body = match coding.and_then(|coding| resource.coded(coding)) {
            Some(bytes) => bytes.clone().into(),
            None => resource.body.clone(),
        };
        Self {
            resource,
            row,
            elsewhere,
            coding,
            body,
            tag: resource.etag(coding),
        }
    }

    /// What preconditions are compared with.
    pub fn validators(&self) -> Validators<'_> {
        Validators {
            tag: self.tag.as_bytes(),
            modified: self.row.dated().then_some(self.resource.modified),
        }
    }

    /// Its length in bytes, as coded.
    pub fn length(&self) -> u64 {
        self.body.len()
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
