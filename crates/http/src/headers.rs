//! The only place that writes header fields. All decisions are made before. Fields that do not depend
//! on the request are written once per edition ([`SiteFields`](diglot_edition::site_fields::SiteFields)) and copied.
//!
//! hyper adds `Date` and the connection fields.

use diglot_edition::{
    Edition, ErrorForm, Form, Resource, Route, cdn,
    policy::{self, CacheRow},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::date;
use crate::select::{Delivery, Selected};

/// The media types of pages.
const HTML: &str = Form::Html.media_type();
const MARKDOWN: &str = Form::Markdown.media_type();

/// The header fields of a 200, 206 or 304.
pub(crate) fn representation(
    edition: &Edition,
    mut selected: Selected<'_>,
    delivery: &Delivery,
) -> HeaderMap {
    let (resource, whole) = (selected.resource, selected.length());
    // A 304 omits the fields that describe content (RFC 9110 section 15.4.5).
    let has_content = *delivery != Delivery::NotModified;
    let mut fields = Fields::for_row(edition, selected.row);
    if has_content {
        fields.media_type(&resource.route);
        fields.length(if let Delivery::Part(part) = delivery {
            part.end - part.start
        } else {
            whole
        });
    }
    fields.text(header::ETAG, std::mem::take(&mut selected.tag));
    if selected.row.dated() {
        fields.value(header::LAST_MODIFIED, date::write(resource.modified));
    }
    if selected.elsewhere {
        fields.text(
            header::CONTENT_LOCATION,
            edition.site.base.rooted(&resource.path),
        );
    }
    if has_content {
        fields.value(header::LINK, resource.link.clone());
    }
    fields.security(edition, &resource.route);
    fields.tags(edition, Ok(resource));
    if has_content {
        fields.content(&selected, delivery);
    }
    fields.0
}

/// The header fields of an answer to a query: of the search page in the selected form, with a body of
/// this length.
pub(crate) fn search(
    edition: &Edition,
    selected: &Selected<'_>,
    query: Option<&str>,
    length: usize,
) -> HeaderMap {
    let route = &selected.resource.route;
    let mut fields = Fields::for_row(edition, CacheRow::Search);
    fields.media_type(route);
    fields.length(length as u64);
    if selected.elsewhere {
        let path = edition.site.base.rooted(&selected.resource.path);
        // A query that is not a valid field value is left out.
        fields.text(
            header::CONTENT_LOCATION,
            format!(
                "{path}?{}",
                query.filter(|query| query.is_ascii()).unwrap_or_default()
            ),
        );
    }
    fields.security(edition, route);
    if let Some(disposition) = policy::content_disposition(route) {
        fields.fixed(header::CONTENT_DISPOSITION, disposition);
    }
    fields.0
}

/// The header fields of a 301 or 308.
pub(crate) fn redirect(edition: &Edition, location: String) -> HeaderMap {
    let mut fields = Fields::for_row(edition, CacheRow::Redirect);
    fields.tags(edition, Err(CacheRow::Redirect));
    fields.text(header::LOCATION, location);
    fields.length(0);
    fields.0
}

/// The header fields of a 204 to OPTIONS, including CORS preflights (RFC 9110 section 9.3.7, Fetch
/// section 3.3.3). It has no length and is never cached.
pub(crate) fn options(edition: &Edition) -> HeaderMap {
    let mut fields = Fields(edition.site_fields.everywhere().clone());
    fields.fixed(header::ALLOW, policy::ALLOW);
    fields.fixed(header::ACCESS_CONTROL_ALLOW_METHODS, policy::ALLOW_METHODS);
    fields.fixed(header::ACCESS_CONTROL_ALLOW_HEADERS, policy::ALLOW_HEADERS);
    fields.fixed(header::ACCESS_CONTROL_MAX_AGE, policy::PREFLIGHT_MAX_AGE);
    fields.0
}

/// The header fields of an error with a body of this form and length. `complete` is the length that
/// a 416 reports.
pub(crate) fn error(
    edition: &Edition,
    status: StatusCode,
    form: ErrorForm,
    length: usize,
    complete: Option<u64>,
) -> HeaderMap {
    let row = row_of_error(status, form);
    let mut fields = Fields::for_row(edition, row);
    if row == CacheRow::AbsentHtml {
        fields.tags(edition, Err(row));
    }
    fields.fixed(header::CONTENT_TYPE, form.media_type());
    if form == ErrorForm::Markdown {
        fields.fixed(
            header::CONTENT_DISPOSITION,
            policy::CONTENT_DISPOSITION_MARKDOWN,
        );
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

fn row_of_error(status: StatusCode, form: ErrorForm) -> CacheRow {
    match (status, form) {
        (StatusCode::NOT_FOUND | StatusCode::GONE, ErrorForm::Html) => CacheRow::AbsentHtml,
        (StatusCode::NOT_FOUND | StatusCode::GONE, ErrorForm::Markdown | ErrorForm::Problem) => {
            CacheRow::Absent
        }
        _ => CacheRow::Refused,
    }
}

/// A header section under construction.
struct Fields(HeaderMap);

impl Fields {
    /// How the content is coded, shown and divided.
    fn content(&mut self, selected: &Selected<'_>, delivery: &Delivery) {
        if let Some(coding) = selected.coding {
            self.fixed(header::CONTENT_ENCODING, coding.name());
        }
        if let Some(disposition) = policy::content_disposition(&selected.resource.route) {
            self.fixed(header::CONTENT_DISPOSITION, disposition);
        }
        let bytes = const { HeaderValue::from_static("bytes") };
        self.value(header::ACCEPT_RANGES, Some(bytes));
        if let Delivery::Part(part) = delivery {
            // RFC 9110 section 14.4.
            self.text(
                header::CONTENT_RANGE,
                format!(
                    "bytes {}-{}/{}",
                    part.start,
                    part.end - 1,
                    selected.length()
                ),
            );
        }
    }

    /// The fields of every response of this row.
    fn for_row(edition: &Edition, row: CacheRow) -> Self {
        Self(edition.site_fields.for_row(row).clone())
    }

    /// Replaces the policy of pages where a resource has its own.
    fn security(&mut self, edition: &Edition, route: &Route) {
        let policy = match route {
            Route::Search(Form::Html) => edition.site_fields.search_policy.clone(),
            _ => {
                policy::content_security_policy(route, &edition.site).map(HeaderValue::from_static)
            }
        };
        self.value(header::CONTENT_SECURITY_POLICY, policy);
    }

    /// Adds the tags by which shared caches can purge a response, if settings ask for them.
    fn tags(&mut self, edition: &Edition, found: Result<&Resource, CacheRow>) {
        if let Some(field) = edition.site.shared.tags {
            let tags = cdn::tags(edition, found, field);
            self.text(HeaderName::from_static(cdn::field(field)), tags);
        }
    }

    /// `Content-Type`.
    fn media_type(&mut self, route: &Route) {
        // The compiler checks those of pages, and not each answer.
        let value = match route.media_type() {
            HTML => const { HeaderValue::from_static(HTML) },
            MARKDOWN => const { HeaderValue::from_static(MARKDOWN) },
            other => HeaderValue::from_static(other),
        };
        self.value(header::CONTENT_TYPE, Some(value));
    }

    fn length(&mut self, length: u64) {
        self.0.insert(header::CONTENT_LENGTH, length.into());
    }

    fn fixed(&mut self, name: HeaderName, value: &'static str) {
        self.0.insert(name, HeaderValue::from_static(value));
    }

    fn text(&mut self, name: HeaderName, value: String) {
        self.value(name, HeaderValue::try_from(value).ok());
    }

    /// Adds a field. Omits it if its value is invalid (a control character in a setting or media
    /// type, a five-digit year), so that the response is still sent.
    fn value(&mut self, name: HeaderName, value: Option<HeaderValue>) {
        if let Some(value) = value {
            self.0.insert(name, value);
        }
    }
}
