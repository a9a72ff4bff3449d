//! The bodies of error responses.

use super::*;
use crate::errors::{ErrorBodies, ErrorForm, Errors, Nearest, reason};

fn errors(written: Vec<Article>) -> Errors {
    let (library, theme) = (library(written), Theme::new(&[]).unwrap());
    let context = Context {
        cards: &Cards::default(),
        site: &site_at("https://example.org/blog"),
        library: &library,
        theme: &theme,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
        store: &crate::store::Heap,
    };
    crate::pages::errors::draw(&Shared::new(&context, &Memo::default())).unwrap()
}

fn body(form: ErrorForm, status: u16, requested: &str) -> String {
    let nearest = [Nearest {
        title: "A [near] <page>".into(),
        stem: "/articles/näh".into(),
    }];
    let nearest = if status == 404 { &nearest[..] } else { &[] };
    String::from_utf8(
        errors(Vec::new())
            .body(form, status, requested, nearest)
            .to_vec(),
    )
    .unwrap()
}

#[test]
fn a_404_names_the_nearest_pages_and_the_indexes_in_every_form() {
    let html = body(ErrorForm::Html, 404, "/articles/nah.html");
    for part in [
        "<a href=\"/blog/articles/n%C3%A4h.html\">A [near] &lt;page&gt;</a>",
        "href=\"/blog/llms.txt\"",
        "href=\"/blog/sitemap.md\"",
        "<h1>Page not found</h1>",
        "noindex",
    ] {
        has(&html, part);
    }
    has_not(&html, "rel=\"canonical\"");
    let twin = body(ErrorForm::Markdown, 404, "/articles/nah.html");
    assert!(
        twin.starts_with("# Page not found\n\nYou asked for `/articles/nah.html`.\n"),
        "{twin}"
    );
    for part in [
        "- [A \\[near\\] \\<page\\>](https://example.org/blog/articles/n%C3%A4h.md)",
        "https://example.org/blog/llms.txt",
        "https://example.org/blog/sitemap.md",
    ] {
        has(&twin, part);
    }
    let problem: serde_json::Value =
        serde_json::from_str(&body(ErrorForm::Problem, 404, "/articles/nah.html")).unwrap();
    assert_eq!(
        (&problem["title"], &problem["status"]),
        (&"Not Found".into(), &404.into())
    );
    assert_eq!(problem["instance"], "/blog/articles/nah.html");
    assert_eq!(
        problem["nearest"][0]["markdown"],
        "https://example.org/blog/articles/n%C3%A4h.md"
    );
    assert_eq!(problem["index"], "https://example.org/blog/llms.txt");
    assert_eq!(problem["sitemap"], "https://example.org/blog/sitemap.md");
}

#[test]
fn what_was_asked_for_is_escaped() {
    let asked = "/<script>alert(1)</script>`\"'\n# x";
    let html = body(ErrorForm::Html, 404, asked);
    has_not(&html, "<script>alert");
    has(&html, "&lt;script&gt;alert(1)&lt;/script&gt;");
    let twin = body(ErrorForm::Markdown, 404, asked);
    has(&twin, "``/<script>alert(1)</script>`\"' # x``");
    let problem: serde_json::Value =
        serde_json::from_str(&body(ErrorForm::Problem, 404, asked)).unwrap();
    assert!(
        problem["instance"].as_str().unwrap().is_ascii(),
        "{problem}"
    );
}

#[test]
fn every_error_has_a_short_body_in_every_form() {
    for status in [
        400, 404, 405, 408, 410, 412, 413, 414, 416, 418, 429, 431, 500, 501, 503, 505,
    ] {
        for form in [ErrorForm::Html, ErrorForm::Markdown, ErrorForm::Problem] {
            let body = body(form, status, &"/x".repeat(5_000));
            assert!(
                body.len() < 8_000,
                "{status} {form:?}: {} bytes",
                body.len()
            );
            has(
                &body,
                if status == 404 && form != ErrorForm::Problem {
                    "Page not found"
                } else {
                    reason(status)
                },
            );
        }
    }
}

#[test]
fn the_authors_404_page_speaks_first() {
    let errors = errors(vec![article(
        "/404",
        "Nothing here",
        None,
        "Try the *garden*.",
    )]);
    let html = String::from_utf8(errors.body(ErrorForm::Html, 404, "/x", &[]).to_vec()).unwrap();
    has(&html, "<h1>Nothing here</h1>");
    has(&html, "Try the <em>garden</em>.");
    has(&html, "/blog/llms.txt");
}
