//! Error responses: short, in the negotiated form, with a hint.

use diglot_edition::{Edition, ErrorForm};
use http::{Method, Request, Response, StatusCode};

use crate::accept::Accept;
use crate::headers;
use crate::path::{self, Location};
use crate::payload::Payload;

/// What went wrong.
pub(crate) struct Failure {
    pub status: StatusCode,
    /// The length of the representation, reported by a 416.
    pub complete: Option<u64>,
}

impl From<StatusCode> for Failure {
    fn from(status: StatusCode) -> Self {
        Self {
            status,
            complete: None,
        }
    }
}

/// The response to a request that the server refuses (400, 408, 413, 414, 429, 431, 503 ...), with
/// all header fields of the contract and a body in the negotiated form. The request only determines
/// that form; pass `Request::new(())` if it could not be parsed.
pub fn refuse<B>(edition: &Edition, request: &Request<B>, status: StatusCode) -> Response<Payload> {
    answer(edition, request, status.into())
}

pub(crate) fn answer<B>(
    edition: &Edition,
    request: &Request<B>,
    failure: Failure,
) -> Response<Payload> {
    let requested = requested_path(edition, request);
    let form = Accept::from_headers(request.headers()).error_form(suggested_form(&requested));
    let nearest = match failure.status {
        StatusCode::NOT_FOUND | StatusCode::GONE => edition.nearest(&requested),
        _ => Vec::new(),
    };
    let body = edition
        .errors
        .body(form, failure.status.as_u16(), &requested, &nearest);
    let headers = headers::error(edition, failure.status, form, body.len(), failure.complete);
    let payload = if request.method() == Method::HEAD {
        Payload::empty()
    } else {
        Payload::from(body)
    };
    response(failure.status, headers, payload)
}

/// Builds the response.
pub(crate) fn response(
    status: StatusCode,
    headers: http::HeaderMap,
    payload: Payload,
) -> Response<Payload> {
    let mut response = Response::new(payload);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// The path decoded and relative to the base URL; as sent if it cannot be decoded.
fn requested_path<B>(edition: &Edition, request: &Request<B>) -> String {
    match path::locate(request.uri(), edition.site.base.path()) {
        Ok(Location::Site(path)) => path.as_str().to_owned(),
        Ok(Location::Elsewhere(path)) => path.into_owned(),
        Err(_) => shortened(request.uri().path()),
    }
}

/// Shortens a refused path, which may be very long.
fn shortened(path: &str) -> String {
    const SHOWN: usize = 200;
    match path.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

/// The form that a path implies if `Accept` lists none.
fn suggested_form(path: &str) -> ErrorForm {
    if path.ends_with(".md") {
        ErrorForm::Markdown
    } else if path.ends_with(".json") {
        ErrorForm::Problem
    } else {
        ErrorForm::Html
    }
}
