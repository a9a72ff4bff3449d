//! The bodies of error responses.

use super::*;
use crate::errors::{ErrorBodies, ErrorForm, Errors, SuggestedPage, reason};

fn errors(written: Vec<Article>) -> Errors {
    let (library, theme) = (library(written), Theme::new(&[]).unwrap());
    let context = Context {
        cards: &Cards::default(),
        site: &site_at("https://example.org/blog"),
        library: &library,
        theme: &theme,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
        store: &crate::byte_store::Heap,
    };
    crate::pages::errors::draw(&Shared::new(&context, &Memo::default())).unwrap()
}

fn body(form: ErrorForm, status: u16, requested: &str) -> String {
    let nearest = [SuggestedPage {
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

#[test]
fn an_address_of_a_language_has_the_authors_404_page_in_it() {
    let german = Article {
        language: "de".into(),
        ..article("/404.de", "Nichts hier", None, "Im *Garten* suchen.")
    };
    let errors = errors(vec![
        article("/404", "Nothing here", None, "Try the garden."),
        german,
    ]);
    let check = |path: &str, expected: &str| {
        for form in [ErrorForm::Html, ErrorForm::Markdown] {
            let body = errors.body(form, 404, path, &[]);
            has(std::str::from_utf8(&body).unwrap(), expected);
        }
    };
    check("/de/x", "Nichts hier");
    check("/articles/x.de.html", "Nichts hier");
    check("/DE/", "Nichts hier");
    check("/x.html", "Nothing here");
    check("/fr/x", "Nothing here");
    check("/articles/de/x", "Nothing here");
    let body = errors.body(ErrorForm::Html, 404, "/x.de", &[]);
    has(std::str::from_utf8(&body).unwrap(), "<html lang=\"de\"");
}

#[test]
fn errors_are_in_the_language_of_the_site_and_a_missing_word_is_in_english() {
    let check = |language: &str, words: &[(&str, &str)], status, expected: &str| {
        let (library, files) = (library(Vec::new()), words.iter().map(words_file));
        let theme = Theme::new(&files.collect::<Vec<_>>()).unwrap();
        let context = Context {
            cards: &Cards::default(),
            site: &diglot_content::Site {
                language: language.into(),
                ..site()
            },
            library: &library,
            theme: &theme,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            store: &crate::byte_store::Heap,
        };
        let shared = Shared::new(&context, &Memo::default());
        let errors = crate::pages::errors::draw(&shared).unwrap();
        let body = errors.body(ErrorForm::Html, status, "/x", &[]);
        let html = String::from_utf8(body.to_vec()).unwrap();
        has(&html, &format!("<html lang=\"{language}\""));
        has(&html, expected);
        html
    };
    check("de", &[], 405, "<h1>Fehler 405 (Method Not Allowed)</h1>");
    check("de", &[], 410, "<p>Diese Seite gab es;");
    check("ja", &[], 503, "<p>サーバーが混み合っています。");
    // Of these statuses the theme has no sentence of its own.
    check("fr", &[], 505, "<p>Le serveur n’a pas pu répondre.");
    check(
        "es",
        &[],
        418,
        "<p>No se pudo responder a la solicitud.</p>",
    );
    let html = check("en", &[], 429, "<h1>429 Too Many Requests</h1>");
    has_not(&html, "<p lang=");
    let own = [("tlh", "error_405 = \"Qobe\"\n")];
    check("tlh", &own, 405, "<p>Qobe</p>");
    check("tlh", &own, 400, "<p lang=\"en\">The request could");
}

fn words_file((language, text): &(&str, &str)) -> crate::theme::ThemeFile {
    crate::theme::ThemeFile {
        path: format!("words/{language}.toml"),
        bytes: text.as_bytes().to_vec().into(),
    }
}
