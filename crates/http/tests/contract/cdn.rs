//! What only shared caches are told: by settings, and never for what they must not keep.

use diglot_content::site::TagField;
use diglot_edition::Edition;
use http::Method;

use crate::{ask, field, get, site};

fn edition(max_age: Option<u32>, tags: Option<TagField>) -> Edition {
    let mut settings = site::settings("https://example.org");
    (settings.shared.max_age, settings.shared.tags) = (max_age, tags);
    site::bare_edition_of(settings)
}

/// The lifetime and the tags at a target; the edition in the tags as `ID`.
fn check(edition: &Edition, target: &str, accept: &str, expected: [&str; 2]) {
    let response = get(edition, target, &[("accept", accept)]);
    let tags = field(&response, "cache-tag").replace(&edition.id.to_string(), "ID");
    let found = [field(&response, "cdn-cache-control"), &tags];
    assert_eq!(found, expected, "{target} {accept}");
    // The same for HEAD, and for a 304.
    let head = ask(edition, &Method::HEAD, target, &[("accept", accept)]);
    assert_eq!(head.headers(), response.headers(), "{target}");
    let tag = field(&response, "etag");
    if !tag.is_empty() {
        let known = get(
            edition,
            target,
            &[("accept", accept), ("if-none-match", tag)],
        );
        assert_eq!(known.status().as_u16(), 304);
        for name in ["cdn-cache-control", "cache-tag"] {
            assert_eq!(field(&known, name), field(&response, name), "{target}");
        }
    }
}

#[test]
fn shared_caches_are_told_how_long_and_by_which_tags_if_a_setting_asks() {
    let edition = edition(Some(86_400), Some(TagField::CacheTag));
    let long = "public, max-age=86400, stale-while-revalidate=3600";
    let page = "/articles/first,kind-article,edition-ID";
    for (target, accept, expected) in [
        ("/articles/first.html", "text/html", [long, page]),
        ("/articles/first.md", "*/*", [long, page]),
        // Never stored: the address belongs to the HTML.
        ("/articles/first.html", "text/markdown", ["", page]),
        ("/", "text/html", [long, "/index,kind-home,edition-ID"]),
        ("/articles/first", "*/*", ["", "kind-redirect,edition-ID"]),
        ("/2019/first/", "*/*", ["", "kind-redirect,edition-ID"]),
        ("/no/such/page", "text/html", ["", "kind-error,edition-ID"]),
        (
            "/articles/over.html",
            "text/html",
            ["", "kind-error,edition-ID"],
        ),
        ("/no/such/page", "application/json", ["", ""]),
        ("/%zz", "text/html", ["", ""]),
    ] {
        check(&edition, target, accept, expected);
    }
    let post = ask(&edition, &Method::POST, "/", &[]);
    assert_eq!(field(&post, "cache-tag"), "");
}

#[test]
fn tags_are_separated_as_their_field_says() {
    let edition = edition(None, Some(TagField::SurrogateKey));
    let response = get(&edition, "/articles/first.md", &[]);
    let expected = format!("/articles/first kind-article edition-{}", edition.id);
    assert_eq!(field(&response, "surrogate-key"), expected);
    assert_eq!(field(&response, "cdn-cache-control"), "");
}

#[test]
fn without_a_setting_shared_caches_are_told_what_everyone_is_told() {
    let edition = site::bare_edition("https://example.org");
    for target in ["/", "/articles/first", "/no/such/page", "/rss.xml"] {
        let response = get(&edition, target, &[("accept", "text/html")]);
        for name in ["cdn-cache-control", "cache-tag", "surrogate-key"] {
            assert_eq!(field(&response, name), "", "{target}");
        }
    }
}
