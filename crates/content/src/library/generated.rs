//! The paths of the documents that Diglot writes itself.

/// The documents that every site has, whatever is in the folder.
pub(crate) const GENERATED: [&str; 9] = [
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
pub(crate) fn is_generated(path: &str) -> bool {
    let part = path
        .strip_prefix("/sitemap-")
        .and_then(|rest| rest.strip_suffix(".xml"))
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    GENERATED.contains(&path) || path == "/404.html" || part || path.starts_with("/_/") || path.starts_with("/llms/") && path.ends_with(".txt")
}
