//! Every header value that does not depend on the request. `serve` and the host configuration share
//! this module, so they cannot disagree.

use std::borrow::Cow;

use diglot_content::date::Moment;
use diglot_content::{Site, site::Lifetimes};
use jiff::Timestamp;

use crate::route::{Caching, Form, Route};

/// A row of the contract's cache table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheRow {
    /// HTML at a `.html` path (and at `/`).
    Html,
    /// Markdown at a `.html` path: never cached, because caches that ignore `Vary` would send it to
    /// browsers.
    NegotiatedMarkdown,
    /// Markdown at its `.md` path, and every other document and file.
    Document,
    /// `/status.json`.
    Status,
    /// Content-hashed assets.
    Immutable,
    /// 404 and 410 in HTML on any path.
    AbsentHtml,
    /// 404 and 410 in any other form.
    Absent,
    /// The answer to a query of the search.
    Search,
    /// 301 and 308.
    Redirect,
    /// 400, 405, 412, 414, 416, 429, 431 and 5xx.
    Refused,
}

impl CacheRow {
    /// Every row, in the order of their numbers.
    pub(crate) const ALL: [Self; 10] = [
        Self::Html,
        Self::NegotiatedMarkdown,
        Self::Document,
        Self::Status,
        Self::Immutable,
        Self::AbsentHtml,
        Self::Absent,
        Self::Search,
        Self::Redirect,
        Self::Refused,
    ];

    /// The row of a 200 for a resource at its own path, in its own form.
    pub fn for_route(route: &Route) -> Self {
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
            Self::Search => Cow::Borrowed("private, no-store"),
            Self::Redirect => Cow::Borrowed("public, max-age=300"),
            Self::Refused => Cow::Borrowed("no-store"),
        }
    }

    /// The value of `CDN-Cache-Control`, which only shared caches read (RFC 9213), if a setting asks for
    /// it: for what is public and has the site's lifetimes. It makes nothing storable that the row
    /// keeps from caches.
    pub(crate) fn cdn_cache_control(self, site: &Site) -> Option<String> {
        let max_age = site.shared.max_age?;
        let stale = site.lifetimes.stale_while_revalidate;
        match self {
            Self::Html | Self::Document => Some(format!(
                "public, max-age={max_age}, stale-while-revalidate={stale}"
            )),
            Self::NegotiatedMarkdown
            | Self::Status
            | Self::Immutable
            | Self::AbsentHtml
            | Self::Absent
            | Self::Search
            | Self::Redirect
            | Self::Refused => None,
        }
    }

    /// The value of `Vary` (RFC 9110 section 12.5.5), if any.
    pub const fn vary(self) -> Option<&'static str> {
        match self {
            Self::Html
            | Self::NegotiatedMarkdown
            | Self::AbsentHtml
            | Self::Absent
            | Self::Search => Some(VARY_NEGOTIATED),
            Self::Document | Self::Status | Self::Immutable => Some(VARY_CODING),
            Self::Redirect | Self::Refused => None,
        }
    }

    /// Whether the response has `Last-Modified`. Markdown at `.html` must not, because there one
    /// URL has two forms with the same date.
    pub const fn dated(self) -> bool {
        match self {
            Self::Html | Self::Document | Self::Status | Self::Immutable => true,
            Self::NegotiatedMarkdown
            | Self::AbsentHtml
            | Self::Absent
            | Self::Search
            | Self::Redirect
            | Self::Refused => false,
        }
    }
}

fn public(lifetimes: Lifetimes) -> Cow<'static, str> {
    if lifetimes == Lifetimes::default() {
        return Cow::Borrowed("public, max-age=300, stale-while-revalidate=3600");
    }
    Cow::Owned(format!(
        "public, max-age={}, stale-while-revalidate={}",
        lifetimes.max_age, lifetimes.stale_while_revalidate
    ))
}

/// The date on which Diglot's own text last changed, in seconds since 1970: 2026-11-25. That is the
/// text of the built-in pages (terms, API page, "not found"), and of the documents generated from
/// the route table alone (API description, API catalog, robots.txt). A change of that text must
/// update it.
///
/// It is their `Last-Modified`: the text is Diglot's, so neither the newest article nor the build
/// dates it.
const WORDS: i64 = 1_795_564_800;

/// The date of Diglot's own text, never after `now`.
pub fn words_date(now: Timestamp) -> Moment {
    let at = Timestamp::from_second(WORDS).unwrap_or(Timestamp::UNIX_EPOCH);
    Moment::of_day(at).clamped(now)
}

/// `Cache-Control` of a 200 for a resource at its own path, in its own form.
pub fn cache_control(route: &Route, site: &Site) -> Cow<'static, str> {
    CacheRow::for_route(route).cache_control(site)
}

/// `Vary` of a 200 for a resource at its own path.
pub fn vary(route: &Route) -> &'static str {
    if route.negotiated() {
        VARY_NEGOTIATED
    } else {
        VARY_CODING
    }
}

/// `Vary` if `Accept` selects the form.
pub const VARY_NEGOTIATED: &str = "Accept, Accept-Encoding";
/// `Vary` otherwise: only the content-coding is negotiated.
pub const VARY_CODING: &str = "Accept-Encoding";

/// `Allow` (RFC 9110 section 10.2.1): the methods of every resource.
pub const ALLOW: &str = "GET, HEAD, OPTIONS";

/// `Content-Security-Policy` of everything except authors' files, up to the sources of scripts.
/// Pages need no inline style. Pictures, audio and video may be loaded from any https origin,
/// because articles embed them. `connect-src 'self'` lets tools inside the page read robots.txt.
const BEFORE_SCRIPTS: &str = "default-src 'self'; script-src ";
const BEHIND_SCRIPTS: &str = "; worker-src 'none'; style-src 'self'; img-src 'self' https: data:; media-src 'self' https: data:; font-src 'self' data:; \
     frame-src 'self' https:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self' https:; frame-ancestors 'self'";

/// `Content-Security-Policy` of an author's file with active content: an opaque origin and no
/// scripts (CSP level 3, section 6.3.2).
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'self'; img-src 'self' https: data:; media-src 'self' https: data:; font-src 'self' data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The scripts that may run with the site's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// None: the theme has no scripts.
    None,
    /// The theme's scripts, below `/_/`.
    Theme,
    /// The scripts of the theme and of authors' files, enabled by a setting.
    Authors,
}

impl Scripts {
    /// The value for these settings and theme files.
    pub fn new<'r>(site: &Site, mut routes: impl Iterator<Item = &'r Route>) -> Self {
        if site.author_scripts {
            return Self::Authors;
        }
        let is_script = |route: &Route| {
            matches!(route, Route::Asset(_)) && route.media_type().starts_with("text/javascript")
        };
        if routes.any(is_script) {
            Self::Theme
        } else {
            Self::None
        }
    }

    /// `Content-Security-Policy` of pages, documents and errors.
    ///
    /// Two policies restrict the theme's scripts, and a script must satisfy both: a path on any
    /// host, and the site's own origin. A single source with a path would have to name the host,
    /// but a preview or copy of the site has another one.
    pub fn policy(self, site: &Site) -> String {
        let (sources, second) = match self {
            Self::None => ("'none'".to_owned(), ""),
            Self::Theme => (source(site, "/_/"), OF_THIS_SITE),
            Self::Authors => ("'self'".to_owned(), ""),
        };
        [BEFORE_SCRIPTS, &sources, BEHIND_SCRIPTS, second].concat()
    }
}

/// The second policy, where the first has a path.
const OF_THIS_SITE: &str = ", script-src 'self'";

/// The source of scripts at a path, or below one that ends in `/`, on any host. It must not contain
/// `,` (CSP level 3, section 2.3.1).
fn source(site: &Site, path: &str) -> String {
    format!("*:*{}", site.base.rooted(path).replace(',', "%2C"))
}

/// `Content-Security-Policy` of the search page of a site without other scripts: it may run this file
/// below `/_/` and no other.
pub fn search_policy(site: &Site, script: &str) -> String {
    let script = source(site, &["/_/", script].concat());
    [BEFORE_SCRIPTS, &script, BEHIND_SCRIPTS, OF_THIS_SITE].concat()
}

/// Whether a browser renders this media type as a document that can run scripts: HTML, SVG and
/// other XML.
fn is_active(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim_end();
    essence == "text/html" || essence.ends_with("/xml") || essence.ends_with("+xml")
}

/// `Content-Security-Policy` of a resource, if it differs from that of pages.
pub fn content_security_policy(route: &Route, site: &Site) -> Option<&'static str> {
    (matches!(route, Route::File(_)) && !site.author_scripts && is_active(route.media_type()))
        .then_some(SANDBOX)
}

/// `Referrer-Policy`: other sites see the origin, never the page.
pub const REFERRER_POLICY: &str = "strict-origin-when-cross-origin";

/// `X-Content-Type-Options`.
pub const CONTENT_TYPE_OPTIONS: &str = "nosniff";

/// `Content-Disposition` of Markdown: displayed, not downloaded (RFC 6266).
pub const CONTENT_DISPOSITION_MARKDOWN: &str = "inline";

/// `Access-Control-Allow-Origin`: the content is public.
pub const ALLOW_ORIGIN: &str = "*";
/// `Access-Control-Allow-Methods` of a preflight response.
pub const ALLOW_METHODS: &str = ALLOW;
/// `Access-Control-Allow-Headers` of a preflight response: every field allowed without credentials.
pub const ALLOW_HEADERS: &str = "*";
/// `Access-Control-Expose-Headers`: fields that scripts may read in addition to the safelisted
/// ones.
pub const EXPOSE_HEADERS: &str = "*";
/// `Access-Control-Max-Age` of a preflight response, in seconds.
pub const PREFLIGHT_MAX_AGE: &str = "86400";

/// The fields of a preflight's 204 in addition to `Allow` (Fetch standard, CORS protocol). Host
/// configuration sets them too.
pub const PREFLIGHT: [(&str, &str); 3] = [
    ("Access-Control-Allow-Methods", ALLOW_METHODS),
    ("Access-Control-Allow-Headers", ALLOW_HEADERS),
    ("Access-Control-Max-Age", PREFLIGHT_MAX_AGE),
];

/// The value of `Content-Signal`, on every response.
pub fn content_signal(site: &Site) -> String {
    site.signals.content_signal()
}

/// The value of the AIPREF field `Content-Usage`, on every response.
pub fn content_usage(site: &Site) -> String {
    site.signals.content_usage()
}

/// The header fields of every response, of any status and form. Host configuration sets them once
/// for the whole site.
pub fn everywhere(site: &Site, page_policy: &str) -> Vec<(&'static str, String)> {
    vec![
        ("Access-Control-Allow-Origin", ALLOW_ORIGIN.to_owned()),
        ("Access-Control-Expose-Headers", EXPOSE_HEADERS.to_owned()),
        ("Content-Security-Policy", page_policy.to_owned()),
        ("Content-Signal", content_signal(site)),
        ("Content-Usage", content_usage(site)),
        ("Referrer-Policy", REFERRER_POLICY.to_owned()),
        ("X-Content-Type-Options", CONTENT_TYPE_OPTIONS.to_owned()),
    ]
}

/// `Content-Disposition` of a 200 for a resource, if any.
pub fn content_disposition(route: &Route) -> Option<&'static str> {
    route
        .media_type()
        .starts_with("text/markdown")
        .then_some(CONTENT_DISPOSITION_MARKDOWN)
}

/// The names of the fields of a 200 that depend on the kind of resource, in addition to its type,
/// caching and `Link`. Host configuration sets them by resource. A resource's value replaces the
/// one in [`everywhere`].
pub const KIND_FIELDS: [&str; 2] = ["Content-Disposition", "Content-Security-Policy"];

/// The values of [`KIND_FIELDS`], in its order.
pub type KindFields = [Option<Cow<'static, str>>; KIND_FIELDS.len()];

#[cfg(test)]
mod tests {
    use super::*;
    use diglot_content::BaseUrl;

    use crate::testing::site;

    fn check(row: CacheRow, cache_control: &str, vary: Option<&str>) {
        assert_eq!(
            (row.cache_control(&site()).as_ref(), row.vary()),
            (cache_control, vary),
            "{row:?}"
        );
    }

    #[test]
    fn contract_2_the_cache_table() {
        let default = "public, max-age=300, stale-while-revalidate=3600";
        check(CacheRow::Html, default, Some("Accept, Accept-Encoding"));
        check(
            CacheRow::NegotiatedMarkdown,
            "private, no-cache",
            Some("Accept, Accept-Encoding"),
        );
        check(CacheRow::Document, default, Some("Accept-Encoding"));
        check(CacheRow::Status, "no-cache", Some("Accept-Encoding"));
        check(
            CacheRow::Immutable,
            "public, max-age=31536000, immutable",
            Some("Accept-Encoding"),
        );
        check(
            CacheRow::AbsentHtml,
            "public, max-age=60",
            Some("Accept, Accept-Encoding"),
        );
        check(
            CacheRow::Absent,
            "private, no-cache",
            Some("Accept, Accept-Encoding"),
        );
        check(
            CacheRow::Search,
            "private, no-store",
            Some("Accept, Accept-Encoding"),
        );
        check(CacheRow::Redirect, "public, max-age=300", None);
        check(CacheRow::Refused, "no-store", None);
    }

    #[test]
    fn the_lifetimes_of_pages_and_documents_are_settable() {
        let mut site = site();
        site.lifetimes = Lifetimes {
            max_age: 60,
            stale_while_revalidate: 0,
        };
        assert_eq!(
            cache_control(&Route::Rss, &site),
            "public, max-age=60, stale-while-revalidate=0"
        );
        assert_eq!(cache_control(&Route::Status, &site), "no-cache");
    }

    #[test]
    fn routes_fall_into_their_rows() {
        let rows = [
            (Route::Home(Form::Html), CacheRow::Html),
            (Route::Home(Form::Markdown), CacheRow::Document),
            (Route::Rss, CacheRow::Document),
            (Route::Status, CacheRow::Status),
            (Route::Asset("a.1.css".into()), CacheRow::Immutable),
            (Route::File("a.png".into()), CacheRow::Document),
        ];
        for (route, row) in rows {
            assert_eq!(CacheRow::for_route(&route), row, "{route:?}");
            assert_eq!(Some(vary(&route)), row.vary());
        }
    }

    #[test]
    fn built_in_words_have_a_day_and_never_one_to_come() {
        assert_eq!(words_date(Timestamp::MAX).iso(), "2026-11-25");
        let early = Timestamp::UNIX_EPOCH;
        assert_eq!(words_date(early).at, early);
    }

    #[test]
    fn contract_3_no_policy_has_unsafe_inline() {
        for scripts in [Scripts::None, Scripts::Theme, Scripts::Authors] {
            let policy = scripts.policy(&site());
            assert!(
                !policy.contains("unsafe")
                    && policy.contains("connect-src 'self'")
                    && policy.contains("worker-src 'none'"),
                "{policy}"
            );
        }
        assert!(
            !SANDBOX.contains("unsafe")
                && !SANDBOX.contains("script-src")
                && !SANDBOX.contains("allow-")
        );
    }

    #[test]
    fn contract_3_scripts_come_from_the_theme_at_most() {
        let scripts = |routes: &[Route]| Scripts::new(&site(), routes.iter());
        let policy = |scripts: Scripts, base: &str| {
            scripts.policy(&Site {
                base: BaseUrl::parse(base).unwrap(),
                ..site()
            })
        };
        assert_eq!(
            scripts(&[
                Route::Asset("main.1.css".into()),
                Route::File("x.js".into())
            ]),
            Scripts::None
        );
        assert_eq!(scripts(&[Route::Asset("x.1.mjs".into())]), Scripts::Theme);
        assert!(policy(Scripts::None, "https://a.example").contains("script-src 'none';"));
        let theme = policy(Scripts::Theme, "https://a.example/b,c d");
        assert!(
            theme.contains("script-src *:*/b%2Cc%20d/_/;")
                && theme.ends_with(", script-src 'self'"),
            "{theme}"
        );
        let open = Site {
            author_scripts: true,
            ..site()
        };
        assert_eq!(Scripts::new(&open, std::iter::empty()), Scripts::Authors);
        assert_eq!(
            content_security_policy(&Route::File("x.svg".into()), &open),
            None
        );
    }

    #[test]
    fn contract_3_active_files_of_authors_are_sandboxed() {
        for path in [
            "x.svg",
            "a/X.SVG",
            "x.xml",
            "x.html",
            "x.htm",
            "x.xhtml",
            "x.xsl",
            "feed.rss",
            "feed.atom",
            "x.kml",
            "x.gpx",
        ] {
            assert_eq!(
                content_security_policy(&Route::File(path.into()), &site()),
                Some(SANDBOX),
                "{path}"
            );
        }
        for route in [
            Route::File("x.png".into()),
            Route::File("x.js".into()),
            Route::File("x.pdf".into()),
            Route::File("x".into()),
            Route::Rss,
        ] {
            assert_eq!(content_security_policy(&route, &site()), None, "{route:?}");
        }
        assert_eq!(
            content_security_policy(&Route::Asset("icon.1.svg".into()), &site()),
            None,
            "the theme is the owner's"
        );
    }
}
