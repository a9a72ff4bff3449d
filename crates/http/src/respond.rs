//! The response to a request.

use diglot_edition::{Edition, Found, Route};
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};

use crate::conditions::{self, Outcome};
use crate::errors::{self, Failure, response};
use crate::headers;
use crate::path::{self, Location, Refused, SitePath};
use crate::payload::Payload;
use crate::query;
use crate::range::{self, Requested};
use crate::select::{Delivery, Selected};

/// The response to a request: a function of the edition, its codings so far, and the request's
/// method, target and header fields. The request body is ignored.
///
/// The edition's bytes are shared, not copied. hyper adds `Date`.
pub fn respond<B>(edition: &Edition, request: &Request<B>) -> Response<Payload> {
    let answer = match *request.method() {
        Method::GET | Method::HEAD => find(edition, request),
        Method::OPTIONS => Ok(response(
            StatusCode::NO_CONTENT,
            headers::options(edition),
            Payload::empty(),
        )),
        _ => Err(StatusCode::METHOD_NOT_ALLOWED.into()),
    };
    answer.unwrap_or_else(|failure| errors::answer(edition, request, failure))
}

/// A 308 to this URL, with the header fields of the contract.
pub fn redirect(edition: &Edition, location: String) -> Response<Payload> {
    response(
        StatusCode::PERMANENT_REDIRECT,
        headers::redirect(edition, location),
        Payload::empty(),
    )
}

/// The response to a GET or HEAD.
fn find<B>(edition: &Edition, request: &Request<B>) -> Result<Response<Payload>, Failure> {
    let target = located(edition, request)?;
    let redirect = |status, location| {
        Ok(response(
            status,
            headers::redirect(edition, location),
            Payload::empty(),
        ))
    };
    let (id, alias) = match edition.resolve(target.as_str()) {
        Found::Resource(id) => (id, target.slash_escaped),
        Found::Alias(id) => (id, true),
        Found::Moved(location) => return redirect(StatusCode::MOVED_PERMANENTLY, location),
        Found::Near(location) => {
            return redirect(
                StatusCode::PERMANENT_REDIRECT,
                with_query(location, request.uri()),
            );
        }
        Found::Gone => return Err(StatusCode::GONE.into()),
        Found::Missing => return Err(StatusCode::NOT_FOUND.into()),
    };
    let selected = Selected::new(edition, id, request.headers(), alias);
    if let Some(found) = search(edition, request, &selected)? {
        return Ok(found);
    }
    let delivery = delivery(&selected, request.method(), request.headers())?;
    Ok(delivered(edition, request, selected, &delivery))
}

fn located<'r, B>(edition: &Edition, request: &'r Request<B>) -> Result<SitePath<'r>, Failure> {
    match path::locate(request.uri(), edition.site.base.path()) {
        Ok(Location::Site(path)) => Ok(path),
        Ok(Location::Elsewhere(_)) => Err(StatusCode::NOT_FOUND.into()),
        Err(Refused::Malformed) => Err(StatusCode::BAD_REQUEST.into()),
        Err(Refused::TooLong) => Err(StatusCode::URI_TOO_LONG.into()),
    }
}

fn delivered<B>(
    edition: &Edition,
    request: &Request<B>,
    selected: Selected<'_>,
    delivery: &Delivery,
) -> Response<Payload> {
    let (status, part) = match delivery {
        Delivery::Whole => (StatusCode::OK, 0..selected.length()),
        Delivery::Part(part) => (StatusCode::PARTIAL_CONTENT, part.clone()),
        Delivery::NotModified => (StatusCode::NOT_MODIFIED, 0..0),
    };
    let payload = if request.method() == Method::HEAD {
        Payload::empty()
    } else {
        Payload::part(selected.body, part)
    };
    response(
        status,
        headers::representation(edition, selected, delivery),
        payload,
    )
}

/// The answer to a query, if this is one. It has no validators, so preconditions and ranges do not
/// apply.
fn search<B>(
    edition: &Edition,
    request: &Request<B>,
    selected: &Selected<'_>,
) -> Result<Option<Response<Payload>>, Failure> {
    let (Route::Search(form), Some(query)) = (&selected.resource.route, request.uri().query())
    else {
        return Ok(None);
    };
    let query = query::searched(query).map_err(|_| StatusCode::BAD_REQUEST)?;
    let Some(body) = query.and_then(|query| edition.answer(*form, &query)) else {
        return Ok(None);
    };
    let fields = headers::search(edition, selected, request.uri().query(), body.len());
    let payload = if request.method() == Method::HEAD {
        Payload::empty()
    } else {
        Payload::from(body)
    };
    Ok(Some(response(StatusCode::OK, fields, payload)))
}

/// Evaluates preconditions, then the range (RFC 9110 section 13.2.2), which only GET defines
/// (section 14.2).
fn delivery(
    selected: &Selected<'_>,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Delivery, Failure> {
    match conditions::evaluate(headers, selected.validators()) {
        Outcome::Proceed => {}
        Outcome::NotModified => return Ok(Delivery::NotModified),
        Outcome::Failed => return Err(StatusCode::PRECONDITION_FAILED.into()),
    }
    if method != Method::GET || !conditions::if_range(headers, selected.validators()) {
        return Ok(Delivery::Whole);
    }
    match range::requested(headers, selected.length()) {
        Requested::Whole => Ok(Delivery::Whole),
        Requested::Part(part) => Ok(Delivery::Part(part)),
        Requested::Unsatisfiable => Err(Failure {
            status: StatusCode::RANGE_NOT_SATISFIABLE,
            complete: Some(selected.length()),
        }),
    }
}

/// Appends the request's query, which a redirect to a canonical path keeps.
fn with_query(location: String, target: &Uri) -> String {
    match target.query() {
        // Header fields are ASCII. Diglot ignores queries, so a non-ASCII one is dropped.
        Some(query) if query.is_ascii() => format!("{location}?{query}"),
        _ => location,
    }
}
