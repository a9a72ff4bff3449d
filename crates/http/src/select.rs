//! Selects the representation of a resource for a request (RFC 9110 section 12.1): its form and
//! content-coding.

use std::ops::Range;

use diglot_edition::{Body, Coding, Edition, Form, Resource, ResourceId, policy::CacheRow};
use http::HeaderMap;

use crate::accept::Accept;
use crate::accept_encoding::AcceptEncoding;
use crate::conditions::Validators;

/// A selected representation.
pub(crate) struct Selected<'e> {
    /// The resource that provides the bytes. For a negotiated page this may be its Markdown twin.
    pub resource: &'e Resource,
    /// The row of the contract's cache table.
    pub row: CacheRow,
    /// Whether the resource's URL differs from the requested one, so that `Content-Location` is
    /// needed.
    pub elsewhere: bool,
    /// The content-coding; `None` is the identity.
    pub coding: Option<Coding>,
    /// The coded bytes.
    pub body: &'e Body,
    /// Its strong entity tag, with its quotes.
    pub tag: String,
}

/// The part of a representation that is sent.
#[derive(PartialEq, Eq)]
pub(crate) enum Delivery {
    /// 200.
    Whole,
    /// 206: these bytes.
    Part(Range<u64>),
    /// 304: no content, the client has it cached.
    NotModified,
}

impl<'e> Selected<'e> {
    /// Selects a representation by these request fields. `alias`: the request path is an alias of
    /// the canonical one.
    pub fn new(edition: &'e Edition, id: ResourceId, headers: &HeaderMap, alias: bool) -> Self {
        let asked = edition.resource(id);
        let (resource, row, elsewhere) = match markdown_twin(edition, id, headers) {
            Some(twin) => (edition.resource(twin), CacheRow::NegotiatedMarkdown, true),
            None => (asked, CacheRow::for_route(&asked.route), alias),
        };
        // A coding that is not built yet is not offered; one that is built stays available.
        let coding =
            AcceptEncoding::from_headers(headers).choose(|coding| resource.coded(coding).is_some());
        let body = coding
            .and_then(|coding| resource.codings.body(coding))
            .unwrap_or(&resource.body);
        Self {
            resource,
            row,
            elsewhere,
            coding,
            body,
            tag: resource.etag(coding),
        }
    }

    /// The validators for preconditions.
    pub fn validators(&self) -> Validators<'_> {
        Validators {
            tag: self.tag.as_bytes(),
            modified: self.row.dated().then_some(self.resource.modified),
        }
    }

    /// The coded length in bytes.
    pub fn length(&self) -> u64 {
        self.body.len()
    }
}

/// The Markdown twin, if the form is negotiated and Markdown wins.
fn markdown_twin(edition: &Edition, id: ResourceId, headers: &HeaderMap) -> Option<ResourceId> {
    if !edition.resource(id).route.negotiated() {
        return None;
    }
    match Accept::form_of(headers) {
        Form::Markdown => edition.twin(id),
        Form::Html => None,
    }
}
