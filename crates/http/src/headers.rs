//! Every header field of every answer, written here and nowhere else, from decisions made before.
//!
//! hyper adds `Date` and the fields of the connection. What a 200 says follows from the edition and the representation alone, so that header
//! sections can be prepared once for each representation when that pays, without a change to anyone else.

use std::borrow::Cow;

use bytes::Bytes;
use diglot_edition::{
    Edition, ErrorForm,
    policy::{self, Row},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::date;
use crate::respond::Delivery;
use crate::select::Selected;

/// The publisher's usage signal in words (contentsignals.org).
const CONTENT_SIGNAL: HeaderName = HeaderName::from_static("content-signal");
/// The same in the vocabulary of the IETF's AI preferences group.
const CONTENT_USAGE: HeaderName = HeaderName::from_static("content-usage");

/// The most fields that an answer has; a map of this size is allocated once.
const FIELDS: usize = 20;

/// The header section of a 200, 206 or 304.
pub(crate) fn representation(edition: &Edition, selected: &Selected<'_>, delivery: &Delivery) -> HeaderMap {
    let mut fields = Fields::of_every_answer(edition);
    fields.validators(edition, selected);
    if let Delivery::NotModified = delivery {
        // RFC 9110 section 15.4.5: what guides caches, and nothing that describes content which is not there.
        return fields.0;
    }
    fields.content(selected);
    if let Delivery::Part(part) = delivery {
        // RFC 9110 section 14.4.
        fields.text(header::CONTENT_RANGE, format!("bytes {}-{}/{}", part.start, part.end - 1, selected.length()));
        fields.length(part.end - part.start);
    } else {
        fields.length(selected.length());
    }
    fields.0
}

/// The header section of a 301 or 308.
pub(crate) fn redirect(edition: &Edition, location: String) -> HeaderMap {
    let mut fields = Fields::of_every_answer(edition);
    fields.caching(edition, Row::Redirect);
    fields.text(header::LOCATION, location);
    fields.length(0);
    fields.0
}

/// The header section of a 204 to OPTIONS, CORS preflights among them (RFC 9110 section 9.3.7, Fetch section 3.3.3). It has no length and is
/// never stored.
pub(crate) fn options(edition: &Edition) -> HeaderMap {
    let mut fields = Fields::of_every_answer(edition);
    fields.fixed(header::ALLOW, policy::ALLOW);
    fields.fixed(header::ACCESS_CONTROL_ALLOW_METHODS, policy::ALLOW_METHODS);
    fields.fixed(header::ACCESS_CONTROL_ALLOW_HEADERS, policy::ALLOW_HEADERS);
    fields.fixed(header::ACCESS_CONTROL_MAX_AGE, policy::PREFLIGHT_MAX_AGE);
    fields.0
}

/// The header section of an error with a body of this form and length. `complete` is the length that a 416 reports.
pub(crate) fn error(edition: &Edition, status: StatusCode, form: ErrorForm, length: usize, complete: Option<u64>) -> HeaderMap {
    let mut fields = Fields::of_every_answer(edition);
    fields.caching(edition, row_of_error(status, form));
    fields.fixed(header::CONTENT_TYPE, form.media_type());
    if form == ErrorForm::Markdown {
        fields.fixed(header::CONTENT_DISPOSITION, policy::CONTENT_DISPOSITION_MARKDOWN);
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        // RFC 9110 section 15.5.6.
        fields.fixed(header::ALLOW, policy::ALLOW);
    }
    if let Some(complete) = complete {
        // RFC 9110 section 15.5.17.
        fields.text(header::CONTENT_RANGE, format!("bytes */{complete}"));
    }
    fields.length(length as u64);
    fields.0
}

fn row_of_error(status: StatusCode, form: ErrorForm) -> Row {
    match (status, form) {
        (StatusCode::NOT_FOUND | StatusCode::GONE, ErrorForm::Html) => Row::AbsentHtml,
        (StatusCode::NOT_FOUND | StatusCode::GONE, ErrorForm::Markdown | ErrorForm::Problem) => Row::Absent,
        _ => Row::Refused,
    }
}

/// A header section while it is written.
struct Fields(HeaderMap);

impl Fields {
    /// What every answer has, of whatever status.
    fn of_every_answer(edition: &Edition) -> Self {
        let mut fields = Self(HeaderMap::with_capacity(FIELDS));
        fields.fixed(header::ACCESS_CONTROL_ALLOW_ORIGIN, policy::ALLOW_ORIGIN);
        fields.fixed(header::ACCESS_CONTROL_EXPOSE_HEADERS, policy::EXPOSE_HEADERS);
        fields.fixed(header::CONTENT_SECURITY_POLICY, policy::CONTENT_SECURITY_POLICY);
        fields.fixed(header::REFERRER_POLICY, policy::REFERRER_POLICY);
        fields.fixed(header::X_CONTENT_TYPE_OPTIONS, policy::CONTENT_TYPE_OPTIONS);
        fields.text(CONTENT_SIGNAL, policy::content_signal(&edition.site));
        fields.text(CONTENT_USAGE, policy::content_usage(&edition.site));
        fields
    }

    /// A row of the contract's cache table.
    fn caching(&mut self, edition: &Edition, row: Row) {
        self.text(header::CACHE_CONTROL, row.cache_control(&edition.site));
        if let Some(vary) = row.vary() {
            self.fixed(header::VARY, vary);
        }
    }

    /// What a 304 repeats of its 200 (RFC 9110 section 15.4.5).
    fn validators(&mut self, edition: &Edition, selected: &Selected<'_>) {
        self.caching(edition, selected.row);
        self.text(header::ETAG, selected.tag().to_owned());
        if let Some(date) = selected.validators().modified.and_then(date::write) {
            self.0.insert(header::LAST_MODIFIED, date);
        }
        if selected.elsewhere {
            self.text(header::CONTENT_LOCATION, edition.site.base.rooted(&selected.resource.path));
        }
    }

    /// What describes the content.
    fn content(&mut self, selected: &Selected<'_>) {
        let route = &selected.resource.route;
        self.text(header::CONTENT_TYPE, route.media_type());
        if let Some(coding) = selected.coding() {
            self.fixed(header::CONTENT_ENCODING, coding.name());
        }
        if let Some(disposition) = policy::content_disposition(route) {
            self.fixed(header::CONTENT_DISPOSITION, disposition);
        }
        if let Some(link) = &selected.resource.link {
            self.text(header::LINK, link.to_string());
        }
        self.fixed(header::ACCEPT_RANGES, "bytes");
    }

    fn length(&mut self, length: u64) {
        self.0.insert(header::CONTENT_LENGTH, length.into());
    }

    fn fixed(&mut self, name: HeaderName, value: &'static str) {
        self.0.insert(name, HeaderValue::from_static(value));
    }

    /// A field that cannot be written (a control character in a value made from settings) is left out rather than the answer lost.
    fn text(&mut self, name: HeaderName, value: impl Into<Cow<'static, str>>) {
        let value = match value.into() {
            Cow::Borrowed(value) => HeaderValue::from_maybe_shared(Bytes::from_static(value.as_bytes())),
            Cow::Owned(value) => HeaderValue::from_maybe_shared(Bytes::from(value)),
        };
        if let Ok(value) = value {
            self.0.insert(name, value);
        }
    }
}
