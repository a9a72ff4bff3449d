//! The values of `Link` (RFC 8288): what clients can discover without reading the page.

use std::fmt::Write as _;

use diglot_content::BaseUrl;

use crate::route::{Form, Route};

/// The usual length of a value, in bytes.
const ROOM: usize = 400;

/// For the HTML form: the twin, the feed, the index; on the home page also the API (RFC 8631, RFC
/// 9727).
pub(super) fn html(base: &BaseUrl, html: &Route, markdown: &Route) -> String {
    let mut value = String::with_capacity(ROOM);
    let _ = write!(
        value,
        "<{}>; rel=\"alternate\"; type=\"text/markdown\"",
        base.absolute(&markdown.path())
    );
    push_common(&mut value, base, html);
    value
}

/// For the Markdown form: the canonical page (its HTML form), then the same links.
pub(super) fn markdown(base: &BaseUrl, html: &Route) -> String {
    let canonical = base.absolute(&html.canonical_path());
    let mut value = String::with_capacity(ROOM);
    let _ = write!(
        value,
        "<{canonical}>; rel=\"canonical\", <{canonical}>; rel=\"alternate\"; type=\"text/html\""
    );
    push_common(&mut value, base, html);
    value
}

fn push_common(value: &mut String, base: &BaseUrl, html: &Route) {
    push(value, base, &Route::Rss, "alternate", "application/rss+xml");
    push(value, base, &Route::Llms, "describedby", "text/plain");
    if matches!(html, Route::Home(_)) {
        push(
            value,
            base,
            &Route::ApiCatalog,
            "api-catalog",
            "application/linkset+json",
        );
        push(
            value,
            base,
            &Route::OpenApi,
            "service-desc",
            "application/json",
        );
        push(
            value,
            base,
            &Route::Api(Form::Html),
            "service-doc",
            "text/html",
        );
    }
}

fn push(value: &mut String, base: &BaseUrl, route: &Route, relation: &str, media: &str) {
    for part in [
        ", <",
        &base.absolute(&route.path()),
        ">; rel=\"",
        relation,
        "\"; type=\"",
        media,
        "\"",
    ] {
        value.push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stem: &str, expected_html: &str, expected_markdown: &str) {
        let base = BaseUrl::parse("https://example.org/blog").unwrap();
        let (page, twin) = (
            Route::of_stem(stem, Form::Html),
            Route::of_stem(stem, Form::Markdown),
        );
        assert_eq!(html(&base, &page, &twin), expected_html);
        assert_eq!(markdown(&base, &page), expected_markdown);
    }

    #[test]
    fn link_names_alternate_feed_index_and_canonical() {
        check(
            "/articles/süß",
            "<https://example.org/blog/articles/s%C3%BC%C3%9F.md>; rel=\"alternate\"; type=\"text/markdown\", \
             <https://example.org/blog/rss.xml>; rel=\"alternate\"; type=\"application/rss+xml\", \
             <https://example.org/blog/llms.txt>; rel=\"describedby\"; type=\"text/plain\"",
            "<https://example.org/blog/articles/s%C3%BC%C3%9F.html>; rel=\"canonical\", \
             <https://example.org/blog/articles/s%C3%BC%C3%9F.html>; rel=\"alternate\"; type=\"text/html\", \
             <https://example.org/blog/rss.xml>; rel=\"alternate\"; type=\"application/rss+xml\", \
             <https://example.org/blog/llms.txt>; rel=\"describedby\"; type=\"text/plain\"",
        );
    }

    #[test]
    fn link_of_the_home_page_names_the_api() {
        let base = BaseUrl::parse("https://example.org").unwrap();
        let value = html(
            &base,
            &Route::Home(Form::Html),
            &Route::Home(Form::Markdown),
        );
        for relation in ["api-catalog", "service-desc", "service-doc"] {
            assert!(value.contains(&format!("rel=\"{relation}\"")), "{value}");
        }
        assert!(
            markdown(&base, &Route::Home(Form::Html))
                .starts_with("<https://example.org/>; rel=\"canonical\"")
        );
    }
}
