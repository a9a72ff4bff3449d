//! The addresses reserved for Diglot.

use super::paths::is_number;

/// The documents of every site, whatever the folder contains.
pub const GENERATED: [&str; 9] = [
    "/rss.xml",
    "/sitemap.xml",
    "/sitemap.md",
    "/llms.txt",
    "/llms-full.txt",
    "/status.json",
    "/openapi.json",
    "/robots.txt",
    "/.well-known/api-catalog",
];

/// The stem of the page for missing addresses. An author may write its text, and nothing else may
/// have it.
pub const NOT_FOUND: &str = "/404";

/// Whether a stem is that of the page for missing addresses in another language: `/404.de`, or
/// `/de/404`.
pub fn is_not_found_in(stem: &str, language: &str) -> bool {
    let tag = stem
        .strip_prefix("/404.")
        .or_else(|| stem.strip_prefix('/')?.strip_suffix(NOT_FOUND));
    tag.is_some_and(|tag| tag.eq_ignore_ascii_case(language))
}

/// Whether a site path belongs to a document that Diglot writes.
pub fn is_generated(path: &str) -> bool {
    let part = path
        .strip_prefix("/sitemap-")
        .and_then(|rest| rest.strip_suffix(".xml"));
    GENERATED.contains(&path)
        || path == "/404.html"
        || part.is_some_and(is_number)
        || path.starts_with("/_/")
        || path.starts_with("/llms/") && path.ends_with(".txt")
}

/// Whether a stem is reserved for pages that Diglot writes. The existing tag and year pages depend
/// on the articles, but no article gets such a stem.
pub fn is_reserved(stem: &str) -> bool {
    if let Some(year) = stem.strip_prefix("/years/") {
        return year.len() == 4 && is_number(year);
    }
    if let Some(tag) = stem.strip_prefix("/tags/") {
        return !tag.contains('/');
    }
    matches!(stem, "/articles/index" | "/404") || stem.starts_with("/_/")
}

/// Whether a path is that of a page that Diglot writes, with or without a text of the author.
pub fn is_generated_page(path: &str) -> bool {
    const OWN: [&str; 4] = ["/index", "/terms", "/api", "/search"];
    let lists = ["/languages/", "/sections/"];
    path.strip_suffix(".html").is_some_and(|stem| {
        is_reserved(stem) || OWN.contains(&stem) || lists.iter().any(|list| stem.starts_with(list))
    })
}

/// Addresses at which other generators have their feed.
pub const FEEDS: [&str; 7] = [
    "/feed.xml",
    "/atom.xml",
    "/index.xml",
    "/feed",
    "/rss",
    "/feed/feed.xml",
    "/blog/feed.xml",
];
