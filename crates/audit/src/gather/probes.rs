//! The paths, fields and methods that are asked for, and those that no site can have.

/// The documents of the contract, beside the pages.
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
/// Documents that are asked for in every coding and by their validators.
pub const CODED: [&str; 3] = ["/rss.xml", "/llms.txt", "/sitemap.xml"];
/// The content-codings that the web has.
pub const CODINGS: [&str; 3] = ["br", "zstd", "gzip"];
/// Values of `Accept` that fit neither Markdown nor any document.
pub const OTHER: [&str; 2] = ["text/html", "application/json"];
/// A browser that says who it is, and a program that does: what they get must not differ.
pub const USER_AGENTS: [&str; 2] = [
    concat!(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 diglot-audit/",
        env!("CARGO_PKG_VERSION")
    ),
    concat!("curl/8.5.0 (diglot-audit/", env!("CARGO_PKG_VERSION"), ")"),
];
/// Paths that are no paths: percent-encodings that are cut or no hexadecimal digits, no UTF-8, and
/// NUL.
pub const MALFORMED: [&str; 6] = [
    "/%",
    "/%zz",
    "/articles/%E0%A4%A.html",
    "/articles/x%00.html",
    "/articles/%C0%AF.md",
    "/articles/%FF%FE.html",
];
/// How many bytes the longest path has that is asked for.
pub const LONGEST: usize = 9_000;
/// What a 404 must not show as it is: an element, and an attribute behind a quotation mark.
pub const INJECTED: [&str; 2] = ["<diglot-audit>", "\" data-diglot-audit=\""];
/// The path that holds them.
pub const INJECTION: &str = "/articles/x%3Cdiglot-audit%3E%22%20data-diglot-audit=%22y.html";
/// A method that nobody knows.
pub const MADE_UP: &str = "DIGLOTAUDIT";
/// A tag that no resource has.
pub const STRANGE_TAG: &str = "\"diglot-audit-knows-no-such-tag\"";
/// A path that no site has.
pub const NOWHERE: &str = "/articles/diglot-audit-asks-for-nothing-here";

/// Whether a path is one that was asked for because nothing can be there.
pub fn is_probe(path: &str) -> bool {
    path.starts_with(NOWHERE)
        || path == INJECTION
        || path.len() > LONGEST
        || MALFORMED.contains(&path)
}

/// A query that a redirect has to keep.
pub const QUERY: &str = "utm_source=diglot&x=1";

/// A path that is longer than any address of a page.
pub fn long_path() -> String {
    format!("/articles/{}.html", "long-".repeat(LONGEST / 5))
}
