//! Every header field of every answer, written here and nowhere else, from decisions made before.
//!
//! hyper adds `Date` and the fields of the connection. Most of what a 200 says is the same for all answers of one [`Shape`]: such a section is
//! made once for an edition, and of its copy only the values that are the resource's own are written.

use std::borrow::Cow;

use bytes::Bytes;
use diglot_edition::{
    Coding, Edition, ErrorForm, Resource,
    policy::{self, Row},
    values::Values,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::date;
use crate::respond::Delivery;
use crate::select::Selected;

/// The publisher's usage signal in words (contentsignals.org).
const CONTENT_SIGNAL: HeaderName = HeaderName::from_static("content-signal");
/// The same in the vocabulary of the IETF's AI preferences group.
const CONTENT_USAGE: HeaderName = HeaderName::from_static("content-usage");

/// The most fields that an answer has (hyper adds `Date`); a map of this size is allocated once.
const FIELDS: usize = 20;

/// The fields whose value is the resource's own.
const OWN: [HeaderName; 6] =
    [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::ETAG, header::LAST_MODIFIED, header::CONTENT_LOCATION, header::LINK];

/// What decides which fields a 200, 206 or 304 has, and the values that do not depend on the resource.
struct Shape {
    row: Row,
    /// Whether `Content-Location` names another URL.
    elsewhere: bool,
    dated: bool,
    linked: bool,
    coding: Option<Coding>,
    disposition: Option<&'static str>,
    /// Whether it is a 304: nothing that describes content which is not there (RFC 9110 section 15.4.5).
    bare: bool,
}

impl Shape {
    fn of(selected: &Selected<'_>, delivery: &Delivery) -> Self {
        Self {
            row: selected.row,
            elsewhere: selected.elsewhere,
            dated: selected.row.dated(),
            linked: selected.resource.link.is_some(),
            coding: selected.coding(),
            disposition: policy::content_disposition(&selected.resource.route),
            bare: *delivery == Delivery::NotModified,
        }
    }

    /// Its number among all shapes.
    fn number(&self) -> usize {
        let row = match self.row {
            Row::Html => 0,
            Row::NegotiatedMarkdown => 1,
            Row::Document => 2,
            Row::Status => 3,
            Row::Immutable => 4,
            Row::AbsentHtml => 5,
            Row::Absent => 6,
            Row::Redirect => 7,
            Row::Refused => 8,
        };
        let coding = self.coding.map_or(0, |coding| coding as usize + 1);
        let flags = [self.elsewhere, self.linked, self.disposition.is_some(), self.bare];
        flags.into_iter().fold(row * 4 + coding, |number, flag| number * 2 + usize::from(flag))
    }

    /// Which of [`OWN`] it has.
    fn own(&self) -> [bool; 6] {
        let content = !self.bare;
        [content, content, true, self.dated, self.elsewhere, content && self.linked]
    }

    /// The fields; the resource's own are empty, and come first, so that they are found soon.
    fn fields(&self, edition: &Edition) -> HeaderMap {
        let mut fields = Fields(HeaderMap::with_capacity(FIELDS));
        for (name, _) in OWN.into_iter().zip(self.own()).filter(|(_, present)| *present) {
            fields.fixed(name, "");
        }
        fields.every_answer(edition);
        fields.caching(edition, self.row);
        if self.bare {
            return fields.0;
        }
        if let Some(coding) = self.coding {
            fields.fixed(header::CONTENT_ENCODING, coding.name());
        }
        if let Some(disposition) = self.disposition {
            fields.fixed(header::CONTENT_DISPOSITION, disposition);
        }
        fields.fixed(header::ACCEPT_RANGES, "bytes");
        fields.0
    }
}

/// The places of a resource's own values; behind them those of its entity tags and of its lengths: of the identity, and of each coding.
const MODIFIED: usize = 0;
const LOCATION: usize = 1;
const TYPE: usize = 2;
const LINK: usize = 3;
const TAGS: usize = 4;
const LENGTHS: usize = TAGS + 1 + Coding::ALL.len();
const _: () = assert!(LENGTHS + 1 + Coding::ALL.len() <= Values::PLACES, "there is no place for every entity tag and length");

/// The strong entity tag of a resource in this coding.
pub(crate) fn tag(resource: &Resource, coding: Option<Coding>) -> Option<&HeaderValue> {
    let place = TAGS + coding.map_or(0, |coding| coding as usize + 1);
    resource.values.get(place, || text(resource.etag(coding)))
}

/// The header section of a 200, 206 or 304.
pub(crate) fn representation(edition: &Edition, selected: Selected<'_>, delivery: &Delivery) -> HeaderMap {
    let shape = Shape::of(&selected, delivery);
    let mut fields = edition.blocks.get(shape.number(), || shape.fields(edition));
    let whole = selected.length();
    let length = if let Delivery::Part(part) = delivery { part.end - part.start } else { whole };
    let resource = selected.resource;
    let mut lost = Vec::new();
    let values = &resource.values;
    let mut left: usize = shape.own().into_iter().map(usize::from).sum();
    for (name, value) in &mut fields {
        if left == 0 {
            break;
        }
        if !value.is_empty() {
            continue;
        }
        let own = match *name {
            header::ETAG => selected.tag.cloned(),
            header::LAST_MODIFIED => values.get(MODIFIED, || date::write(resource.modified)).cloned(),
            header::CONTENT_LOCATION => values.get(LOCATION, || text(edition.site.base.rooted(&resource.path))).cloned(),
            header::CONTENT_TYPE => values.get(TYPE, || text(resource.route.media_type())).cloned(),
            header::LINK => values.get(LINK, || HeaderValue::from_maybe_shared(resource.link.clone()?).ok()).cloned(),
            header::CONTENT_LENGTH if *delivery == Delivery::Whole => {
                let place = LENGTHS + selected.coding().map_or(0, |coding| coding as usize + 1);
                values.get(place, || Some(length.into())).cloned()
            }
            header::CONTENT_LENGTH => Some(length.into()),
            _ => continue,
        };
        left -= 1;
        match own {
            Some(own) => *value = own,
            // A year of five digits, a control character in a media type: the field is left out rather than the answer lost.
            None => lost.push(name.clone()),
        }
    }
    for name in lost {
        fields.remove(name);
    }
    if let Delivery::Part(part) = delivery {
        // RFC 9110 section 14.4.
        if let Some(range) = text(format!("bytes {}-{}/{whole}", part.start, part.end - 1)) {
            fields.insert(header::CONTENT_RANGE, range);
        }
    }
    fields
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
    /// A section with what every answer has, of whatever status.
    fn of_every_answer(edition: &Edition) -> Self {
        let mut fields = Self(HeaderMap::with_capacity(FIELDS));
        fields.every_answer(edition);
        fields
    }

    fn every_answer(&mut self, edition: &Edition) {
        self.fixed(header::ACCESS_CONTROL_ALLOW_ORIGIN, policy::ALLOW_ORIGIN);
        self.fixed(header::ACCESS_CONTROL_EXPOSE_HEADERS, policy::EXPOSE_HEADERS);
        self.fixed(header::CONTENT_SECURITY_POLICY, policy::CONTENT_SECURITY_POLICY);
        self.fixed(header::REFERRER_POLICY, policy::REFERRER_POLICY);
        self.fixed(header::X_CONTENT_TYPE_OPTIONS, policy::CONTENT_TYPE_OPTIONS);
        self.text(CONTENT_SIGNAL, policy::content_signal(&edition.site));
        self.text(CONTENT_USAGE, policy::content_usage(&edition.site));
    }

    /// A row of the contract's cache table.
    fn caching(&mut self, edition: &Edition, row: Row) {
        self.text(header::CACHE_CONTROL, row.cache_control(&edition.site));
        if let Some(vary) = row.vary() {
            self.fixed(header::VARY, vary);
        }
    }

    fn length(&mut self, length: u64) {
        self.0.insert(header::CONTENT_LENGTH, length.into());
    }

    fn fixed(&mut self, name: HeaderName, value: &'static str) {
        self.0.insert(name, HeaderValue::from_static(value));
    }

    /// A field that cannot be written (a control character in a value made from settings) is left out rather than the answer lost.
    fn text(&mut self, name: HeaderName, value: impl Into<Cow<'static, str>>) {
        if let Some(value) = text(value) {
            self.0.insert(name, value);
        }
    }
}

fn text(value: impl Into<Cow<'static, str>>) -> Option<HeaderValue> {
    let bytes = match value.into() {
        Cow::Borrowed(value) => Bytes::from_static(value.as_bytes()),
        Cow::Owned(value) => Bytes::from(value),
    };
    HeaderValue::from_maybe_shared(bytes).ok()
}
