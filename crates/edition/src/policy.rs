//! Every header value that does not depend on the request: what `serve` sends and what host configuration files say, from one place, so that
//! they can never disagree.

use std::borrow::Cow;

use diglot_content::date::{Moment, Precision};
use diglot_content::{Site, site::Lifetimes};
use jiff::Timestamp;

use crate::route::{Caching, Form, Route};

/// A row of the contract's cache table: what kind of answer it is to a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// HTML at a `.html` path (and at `/`).
    Html,
    /// Markdown at a `.html` path: kept by nobody, because caches that ignore `Vary` would give it to browsers.
    NegotiatedMarkdown,
    /// Markdown at its own `.md` path, every other document and file.
    Document,
    /// `/status.json`.
    Status,
    /// Content-hashed assets.
    Immutable,
    /// 404 and 410 in HTML, on every path.
    AbsentHtml,
    /// 404 and 410 in every other form.
    Absent,
    /// 301 and 308.
    Redirect,
    /// 400, 405, 412, 414, 416, 429, 431 and 5xx.
    Refused,
}

impl Row {
    /// The row of a 200 for a resource under its own path, in its own form.
    pub fn of(route: &Route) -> Self {
        match (route.caching(), route.form()) {
            (Caching::Revalidate, _) => Self::Status,
            (Caching::Immutable, _) => Self::Immutable,
            (Caching::Public, Some(Form::Html)) => Self::Html,
            (Caching::Public, Some(Form::Markdown) | None) => Self::Document,
        }
    }

    /// The value of `Cache-Control` (RFC 9111 section 5.2, RFC 5861).
    pub fn cache_control(self, site: &Site) -> Cow<'static, str> {
        match self {
            Self::Html | Self::Document => public(site.lifetimes),
            Self::NegotiatedMarkdown | Self::Absent => Cow::Borrowed("private, no-cache"),
            Self::Status => Cow::Borrowed("no-cache"),
            Self::Immutable => Cow::Borrowed("public, max-age=31536000, immutable"),
            Self::AbsentHtml => Cow::Borrowed("public, max-age=60"),
            Self::Redirect => Cow::Borrowed("public, max-age=300"),
            Self::Refused => Cow::Borrowed("no-store"),
        }
    }

    /// The value of `Vary` (RFC 9110 section 12.5.5), where there is one.
    pub const fn vary(self) -> Option<&'static str> {
        match self {
            Self::Html | Self::NegotiatedMarkdown | Self::AbsentHtml | Self::Absent => Some(VARY_NEGOTIATED),
            Self::Document | Self::Status | Self::Immutable => Some(VARY_CODING),
            Self::Redirect | Self::Refused => None,
        }
    }

    /// Whether the answer carries `Last-Modified`: Markdown at `.html` must not, since one URL has two forms with one date.
    pub const fn dated(self) -> bool {
        match self {
            Self::Html | Self::Document | Self::Status | Self::Immutable => true,
            Self::NegotiatedMarkdown | Self::AbsentHtml | Self::Absent | Self::Redirect | Self::Refused => false,
        }
    }
}

fn public(lifetimes: Lifetimes) -> Cow<'static, str> {
    if lifetimes == Lifetimes::default() {
        return Cow::Borrowed("public, max-age=300, stale-while-revalidate=3600");
    }
    Cow::Owned(format!("public, max-age={}, stale-while-revalidate={}", lifetimes.max_age, lifetimes.stale_while_revalidate))
}

/// The day on which the words of the built-in pages (terms, API page, "not found") and of the documents that follow from the route table alone
/// (API description, API catalog, robots.txt) were last changed, as seconds since 1970: 2026-11-21. Whoever changes those words changes it.
///
/// It is their honest `Last-Modified`: they are Diglot's words, so neither the newest article nor the build dates them.
const WORDS: i64 = 1_795_219_200;

/// The date of Diglot's own words, never after `now`.
pub fn words_date(now: Timestamp) -> Moment {
    let at = Timestamp::from_second(WORDS).unwrap_or(Timestamp::UNIX_EPOCH);
    Moment { at, precision: Precision::Day }.clamped(now)
}

/// The value of `Cache-Control` of a 200 for a resource under its own path, in its own form.
pub fn cache_control(route: &Route, site: &Site) -> Cow<'static, str> {
    Row::of(route).cache_control(site)
}

/// The value of `Vary` of a 200 for a resource under its own path.
pub fn vary(route: &Route) -> &'static str {
    if route.negotiated() { VARY_NEGOTIATED } else { VARY_CODING }
}

/// `Vary` where `Accept` chooses the form.
pub const VARY_NEGOTIATED: &str = "Accept, Accept-Encoding";
/// `Vary` everywhere else: only the content-coding is chosen.
pub const VARY_CODING: &str = "Accept-Encoding";

/// `Allow` (RFC 9110 section 10.2.1): the methods of every resource.
pub const ALLOW: &str = "GET, HEAD, OPTIONS";

/// `Content-Security-Policy` of every answer. Pages need no script and no inline style; pictures, sound and films may come from anywhere
/// over https, because articles embed them; `connect-src 'self'` lets tools that run inside the page read robots.txt.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; \
     media-src 'self' https: data:; font-src 'self' data:; frame-src https:; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'self' https:; frame-ancestors 'self'";

/// `Referrer-Policy`: other sites learn this one's origin, never which page.
pub const REFERRER_POLICY: &str = "strict-origin-when-cross-origin";

/// `X-Content-Type-Options`.
pub const CONTENT_TYPE_OPTIONS: &str = "nosniff";

/// `Content-Disposition` of Markdown: shown, not downloaded (RFC 6266).
pub const CONTENT_DISPOSITION_MARKDOWN: &str = "inline";

/// `Access-Control-Allow-Origin`: the content is public.
pub const ALLOW_ORIGIN: &str = "*";
/// `Access-Control-Allow-Methods` of a preflight answer.
pub const ALLOW_METHODS: &str = ALLOW;
/// `Access-Control-Allow-Headers` of a preflight answer: every field that a request without credentials may carry.
pub const ALLOW_HEADERS: &str = "*";
/// `Access-Control-Expose-Headers`: what a script may read besides the safelisted fields.
pub const EXPOSE_HEADERS: &str = "*";
/// `Access-Control-Max-Age` of a preflight answer, in seconds.
pub const PREFLIGHT_MAX_AGE: &str = "86400";

/// What the 204 of a preflight carries besides `Allow` (Fetch standard, CORS protocol): host configuration says it too.
pub const PREFLIGHT: [(&str, &str); 3] =
    [("Access-Control-Allow-Methods", ALLOW_METHODS), ("Access-Control-Allow-Headers", ALLOW_HEADERS), ("Access-Control-Max-Age", PREFLIGHT_MAX_AGE)];

/// The value of `Content-Signal`, on every answer.
pub fn content_signal(site: &Site) -> String {
    site.signals.content_signal()
}

/// The value of the AIPREF field `Content-Usage`, on every answer.
pub fn content_usage(site: &Site) -> String {
    site.signals.content_usage()
}

/// The header fields that every answer carries, whatever its status and form: host configuration says them once for the whole site.
pub fn everywhere(site: &Site) -> Vec<(&'static str, String)> {
    vec![
        ("Access-Control-Allow-Origin", ALLOW_ORIGIN.to_owned()),
        ("Access-Control-Expose-Headers", EXPOSE_HEADERS.to_owned()),
        ("Content-Security-Policy", CONTENT_SECURITY_POLICY.to_owned()),
        ("Content-Signal", content_signal(site)),
        ("Content-Usage", content_usage(site)),
        ("Referrer-Policy", REFERRER_POLICY.to_owned()),
        ("X-Content-Type-Options", CONTENT_TYPE_OPTIONS.to_owned()),
    ]
}

/// `Content-Disposition` of a 200 for a resource, where there is one.
pub fn content_disposition(route: &Route) -> Option<&'static str> {
    route.media_type().starts_with("text/markdown").then_some(CONTENT_DISPOSITION_MARKDOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::site;

    fn check(row: Row, cache_control: &str, vary: Option<&str>) {
        assert_eq!((row.cache_control(&site()).as_ref(), row.vary()), (cache_control, vary), "{row:?}");
    }

    #[test]
    fn contract_2_the_cache_table() {
        let default = "public, max-age=300, stale-while-revalidate=3600";
        check(Row::Html, default, Some("Accept, Accept-Encoding"));
        check(Row::NegotiatedMarkdown, "private, no-cache", Some("Accept, Accept-Encoding"));
        check(Row::Document, default, Some("Accept-Encoding"));
        check(Row::Status, "no-cache", Some("Accept-Encoding"));
        check(Row::Immutable, "public, max-age=31536000, immutable", Some("Accept-Encoding"));
        check(Row::AbsentHtml, "public, max-age=60", Some("Accept, Accept-Encoding"));
        check(Row::Absent, "private, no-cache", Some("Accept, Accept-Encoding"));
        check(Row::Redirect, "public, max-age=300", None);
        check(Row::Refused, "no-store", None);
    }

    #[test]
    fn the_lifetimes_of_pages_and_documents_are_settable() {
        let mut site = site();
        site.lifetimes = Lifetimes { max_age: 60, stale_while_revalidate: 0 };
        assert_eq!(cache_control(&Route::Rss, &site), "public, max-age=60, stale-while-revalidate=0");
        assert_eq!(cache_control(&Route::Status, &site), "no-cache");
    }

    #[test]
    fn routes_fall_into_their_rows() {
        let rows = [
            (Route::Home(Form::Html), Row::Html),
            (Route::Home(Form::Markdown), Row::Document),
            (Route::Rss, Row::Document),
            (Route::Status, Row::Status),
            (Route::Asset("a.1.css".into()), Row::Immutable),
            (Route::File("a.png".into()), Row::Document),
        ];
        for (route, row) in rows {
            assert_eq!(Row::of(&route), row, "{route:?}");
            assert_eq!(Some(vary(&route)), row.vary());
        }
    }

    #[test]
    fn built_in_words_have_a_day_and_never_one_to_come() {
        assert_eq!(words_date(Timestamp::MAX).iso(), "2026-11-21");
        let early = Timestamp::UNIX_EPOCH;
        assert_eq!(words_date(early).at, early);
    }

    #[test]
    fn contract_3_the_policy_has_no_unsafe_inline() {
        assert!(!CONTENT_SECURITY_POLICY.contains("unsafe") && CONTENT_SECURITY_POLICY.contains("connect-src 'self'"));
    }
}
