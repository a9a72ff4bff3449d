//! The addresses that Diglot takes for itself.

use super::paths::is_number;

/// The documents that every site has, whatever is in the folder.
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

/// Whether Diglot itself writes a page with this stem. Which tags and years have one depends on the
/// articles; no article gets such a stem.
pub fn is_reserved(stem: &str) -> bool {
    if let Some(year) = stem.strip_prefix("/years/") {
        return year.len() == 4 && is_number(year);
    }
    if let Some(tag) = stem.strip_prefix("/tags/") {
        return !tag.contains('/');
    }
    matches!(stem, "/articles/index" | "/404") || stem.starts_with("/_/")
}
