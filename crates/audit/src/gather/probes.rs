//! Requested paths, fields and methods, including paths that no site can have.

/// The documents of the contract, apart from the pages.
pub const DOCUMENTS: [&str; 9] = [
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap.md",
    "/rss.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/status.json",
    "/openapi.json",
    "/.well-known/api-catalog",
];
/// What each edition changed.
pub const CHANGES: &str = "/changes.json";
/// Every page with its digest.
pub const LISTING: &str = "/changes/all.json";
/// The id of an edition that no site has had.
pub const NO_EDITION: &str = "00000000000000000000000000000000";

/// The path of what changed since an edition.
pub fn since_path(edition: &str) -> String {
    format!("/changes/{edition}.json")
}

/// Documents requested in every coding and with their validators.
pub const CODED: [&str; 3] = ["/rss.xml", "/llms.txt", "/sitemap.xml"];
/// The content-codings in use on the web.
pub const CODINGS: [&str; 3] = ["br", "zstd", "gzip"];
/// Values of `Accept` that match neither Markdown nor any document.
pub const OTHER: [&str; 2] = ["text/html", "application/json"];
/// A browser's and a program's `User-Agent`: both must get the same.
pub const USER_AGENTS: [&str; 2] = [
    concat!(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 diglot-audit/",
        env!("CARGO_PKG_VERSION")
    ),
    concat!("curl/8.5.0 (diglot-audit/", env!("CARGO_PKG_VERSION"), ")"),
];
/// Malformed paths: truncated or non-hexadecimal percent-encodings, invalid UTF-8, and NUL.
pub const MALFORMED: [&str; 6] = [
    "/%",
    "/%zz",
    "/articles/%E0%A4%A.html",
    "/articles/x%00.html",
    "/articles/%C0%AF.md",
    "/articles/%FF%FE.html",
];
/// The length in bytes of the longest requested path.
pub const LONGEST: usize = 9_000;
/// Text that a 404 must escape: an element, and an attribute after a quotation mark.
pub const INJECTED: [&str; 2] = ["<diglot-audit>", "\" data-diglot-audit=\""];
/// The path that contains them.
pub const INJECTION: &str = "/articles/x%3Cdiglot-audit%3E%22%20data-diglot-audit=%22y.html";
/// An unknown method.
pub const MADE_UP: &str = "DIGLOTAUDIT";
/// A tag that no resource has.
pub const STRANGE_TAG: &str = "\"diglot-audit-knows-no-such-tag\"";
/// A path that no site has.
pub const NOWHERE: &str = "/articles/diglot-audit-asks-for-nothing-here";

/// Whether a path was requested because nothing can be there.
pub fn is_probe(path: &str) -> bool {
    path.starts_with(NOWHERE)
        || path == INJECTION
        || path.len() > LONGEST
        || MALFORMED.contains(&path)
}

/// A query that a redirect must keep.
pub const QUERY: &str = "utm_source=diglot&x=1";

/// A path longer than any page's.
pub fn long_path() -> String {
    format!("/articles/{}.html", "long-".repeat(LONGEST / 5))
}
