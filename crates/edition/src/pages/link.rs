//! The values of `Link` (RFC 8288): what clients can discover without reading the page.
//!
//! Except for the home page they follow from the path alone, so that static hosts need one rule for
//! all pages. The feed of a tag or language and the pages of a list are named in the pages.

use std::fmt::Write as _;

use diglot_content::BaseUrl;

use super::page_data::PageData;
use crate::route::{Form, Route};

/// The usual length of a value, in bytes.
const ROOM: usize = 400;

/// For the HTML form: the twin, the feed, the index; on the home page also the API (RFC 8631, RFC
/// 9727).
pub(super) fn html(base: &BaseUrl, data: &PageData<'_>, markdown: &Route) -> String {
    let mut value = String::with_capacity(ROOM);
    let _ = write!(
        value,
        "<{}>; rel=\"alternate\"; type=\"text/markdown\"",
        base.absolute(&markdown.path())
    );
    push_common(&mut value, base, data);
    value
}

/// For the Markdown form: the canonical page (its HTML form), then the same links.
pub(super) fn markdown(base: &BaseUrl, data: &PageData<'_>) -> String {
    let canonical = base.absolute(&data.route.canonical_path());
    let mut value = String::with_capacity(ROOM);
    let _ = write!(
        value,
        "<{canonical}>; rel=\"canonical\", <{canonical}>; rel=\"alternate\"; type=\"text/html\""
    );
    push_common(&mut value, base, data);
    value
}

fn push_common(value: &mut String, base: &BaseUrl, data: &PageData<'_>) {
    push(value, base, &Route::Rss, "alternate", "application/rss+xml");
    push(value, base, &Route::Llms, "describedby", "text/plain");
    if matches!(data.route, Route::Home(_)) {
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
    use super::super::page_data::PageKind;
    use super::*;

    fn page(stem: &str) -> PageData<'static> {
        PageData::generated(
            Route::of_stem(stem, Form::Html),
            PageKind::Page,
            String::new(),
            "en",
        )
    }

    fn check(stem: &str, expected_html: &str, expected_markdown: &str) {
        let base = BaseUrl::parse("https://example.org/blog").unwrap();
        let page = page(stem);
        let twin = Route::of_stem(stem, Form::Markdown);
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
        let value = html(&base, &page("/index"), &Route::Home(Form::Markdown));
        for relation in ["api-catalog", "service-desc", "service-doc"] {
            assert!(value.contains(&format!("rel=\"{relation}\"")), "{value}");
        }
        assert!(
            markdown(&base, &page("/index"))
                .starts_with("<https://example.org/>; rel=\"canonical\"")
        );
    }
}
