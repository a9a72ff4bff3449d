//! Error answers: short, in the form that was asked for, saying what may help.

use diglot_edition::{Edition, ErrorForm};
use http::{Method, Request, Response, StatusCode};

use crate::accept::Accept;
use crate::headers;
use crate::path::{self, Location};
use crate::payload::Payload;

/// What went wrong.
pub(crate) struct Failure {
    pub status: StatusCode,
    /// The length of the representation whose range cannot be satisfied: a 416 reports it.
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

/// The answer to a request that the server itself refuses (400, 408, 413, 414, 429, 431, 503 ...):
/// all header fields of the contract, and a body in the form that was asked for. What the request
/// said is only needed for that form; a request that could not be read is `Request::new(())`.
pub fn refuse<B>(edition: &Edition, request: &Request<B>, status: StatusCode) -> Response<Payload> {
    answer(edition, request, status.into())
}

pub(crate) fn answer<B>(
    edition: &Edition,
    request: &Request<B>,
    failure: Failure,
) -> Response<Payload> {
    let requested = requested_path(edition, request);
    let form = Accept::of(request.headers()).error_form(suggested_form(&requested));
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

/// Puts an answer together.
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

/// The path as far as it can be read: decoded and below the base URL, else as it was sent.
fn requested_path<B>(edition: &Edition, request: &Request<B>) -> String {
    match path::locate(request.uri(), edition.site.base.path()) {
        Ok(Location::Site(path)) => path.as_str().to_owned(),
        Ok(Location::Elsewhere(path)) => path,
        Err(_) => shortened(request.uri().path()),
    }
}

/// A refused path may be very long, and its beginning is enough.
fn shortened(path: &str) -> String {
    const SHOWN: usize = 200;
    match path.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

/// The form that suits a path when `Accept` names none: its own.
fn suggested_form(path: &str) -> ErrorForm {
    if path.ends_with(".md") {
        ErrorForm::Markdown
    } else if path.ends_with(".json") {
        ErrorForm::Problem
    } else {
        ErrorForm::Html
    }
}
