//! One request and its answer, for counters and logs: no address, no full `User-Agent`, no query.

use std::time::Duration;

use diglot_edition::{Coding, Edition, Form, Found, Resource, Route};
use diglot_http::Payload;
use diglot_http::path::{Location, locate};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_LOCATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, Method, Request, Response, StatusCode};

use super::families::Family;

/// What an observer receives.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    /// The method, `OTHER` for an unknown one.
    pub method: &'static str,
    /// The path as sent, without the query.
    pub path: &'a str,
    /// The resource that answered; `None` if it does not exist, is elsewhere, or was unreadable.
    pub resource: Option<&'a Route>,
    /// That resource's path, decoded, below the base URL's.
    pub resource_path: Option<&'a str>,
    /// `html`, `markdown`, or `other`.
    pub form: &'static str,
    /// The status code.
    pub status: u16,
    /// `br`, `zstd`, `gzip`, `identity`.
    pub coding: &'static str,
    /// Bytes of the answer's content, as `Content-Length` says.
    pub bytes: u64,
    /// From the end of the request to the complete head of the answer.
    pub time: Duration,
    /// The family that the client claims.
    pub family: Family,
}

/// Called for every request. It must be quick: the answer waits for it.
pub trait Observer: Send + Sync {
    /// A request was answered.
    fn answered(&self, exchange: &Exchange<'_>);

    /// A connection was opened (1) or closed (-1).
    fn connections(&self, change: i64) {
        let _ = change;
    }
}

impl<'a> Exchange<'a> {
    pub(super) fn new<B>(
        edition: &'a Edition,
        request: &'a Request<B>,
        answer: &Response<Payload>,
        time: Duration,
    ) -> Self {
        let resource = found(edition, request);
        let headers = answer.headers();
        let is_head = request.method() == Method::HEAD;
        Self {
            method: method(request.method()),
            path: request.uri().path(),
            resource: resource.map(|resource| &resource.route),
            resource_path: resource.map(|resource| &*resource.path),
            form: form(resource, headers),
            status: answer.status().as_u16(),
            coding: coding(text(headers, &CONTENT_ENCODING)),
            bytes: if is_head {
                0
            } else {
                text(headers, &CONTENT_LENGTH).parse().unwrap_or(0)
            },
            time,
            family: Family::from_headers(request.headers()),
        }
    }

    /// The kind of the resource: `article`, `rss`, …; `none` without one.
    pub fn kind(&self) -> &'static str {
        self.resource.map_or("none", Route::kind_name)
    }
}

impl Exchange<'static> {
    /// A connection that was refused before its first request.
    pub(super) fn refused(status: StatusCode) -> Self {
        Self {
            method: "-",
            path: "-",
            resource: None,
            resource_path: None,
            form: "other",
            status: status.as_u16(),
            coding: "identity",
            bytes: 0,
            time: Duration::ZERO,
            family: Family::OTHER,
        }
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn found<'e, B>(edition: &'e Edition, request: &Request<B>) -> Option<&'e Resource> {
    let Ok(Location::Site(path)) = locate(request.uri(), edition.site.base.path()) else {
        return None;
    };
    match edition.resolve(path.as_str()) {
        Found::Resource(id) | Found::Alias(id) => Some(edition.resource(id)),
        Found::Moved(_) | Found::Near(_) | Found::Gone | Found::Missing => None,
    }
}

/// The form that was sent; a 304 has no `Content-Type`, but the same `Content-Location` as its 200.
fn form(resource: Option<&Resource>, headers: &HeaderMap) -> &'static str {
    let media_type = text(headers, &CONTENT_TYPE)
        .split(';')
        .next()
        .unwrap_or_default();
    let form = match media_type {
        "text/html" => Some(Form::Html),
        "text/markdown" => Some(Form::Markdown),
        "" if text(headers, &CONTENT_LOCATION).ends_with(".md") => Some(Form::Markdown),
        "" => resource.and_then(|resource| resource.route.form()),
        _ => None,
    };
    match form {
        Some(Form::Html) => "html",
        Some(Form::Markdown) => "markdown",
        None => "other",
    }
}

fn coding(sent: &str) -> &'static str {
    for coding in Coding::ALL {
        if coding.name() == sent {
            return coding.name();
        }
    }
    "identity"
}

/// The methods that are reported by name.
const METHODS: [&str; 6] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"];

fn method(method: &Method) -> &'static str {
    METHODS
        .into_iter()
        .find(|known| *known == method.as_str())
        .unwrap_or("OTHER")
}
