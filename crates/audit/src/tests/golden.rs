//! Complete cards as users see them. `UPDATE_GOLDEN=1 cargo test -p diglot-audit golden` rewrites
//! them.

use std::path::Path;

use super::*;

/// Compares a card with the stored one; the number of requests changes with every new check.
fn check(name: &str, card: &Card) {
    let text = card
        .text(false)
        .replace(&format!("; {} requests", card.requests), "; N requests")
        + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, kept, "UPDATE_GOLDEN=1 writes `{name}` anew");
}

/// A host with four pages and nothing else, as a plain web server: media types, dates and weak
/// tags.
struct Bare;

const PAGES: [(&str, &str); 4] = [
    (
        "/",
        "<!doctype html><html lang=en><title>Boats</title><h1>Boats</h1><p>We mend boats. <a href=\"prices.html\">Prices</a> <a href=\"about.html\">About</a> <a href=\"where.html\">Where</a></p></html>",
    ),
    (
        "/about.html",
        "<!doctype html><html lang=en><title>About</title><h1>About</h1><p>Two people and a dog.</p></html>",
    ),
    (
        "/prices.html",
        "<!doctype html><html lang=en><title>Prices</title><h1>Prices</h1><p>By the hour.</p></html>",
    ),
    (
        "/where.html",
        "<!doctype html><html lang=en><title>Where</title><h1>Where</h1><p>At the old harbour.</p></html>",
    ),
];

impl Fetch for Bare {
    fn fetch(&mut self, ask: &Ask, _: &str) -> Answer {
        let path = ask.path.split('?').next().unwrap_or_default();
        let path = if path == "/index.html" { "/" } else { path };
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let base = vec![
            field("server", "nginx"),
            field("date", "Mon, 01 Jul 2024 12:00:00 GMT"),
            field("content-type", "text/html"),
        ];
        let page = PAGES.iter().find(|(own, _)| *own == path);
        let (status, text) = match (ask.method, page) {
            ("GET" | "HEAD", Some((_, text))) => (200, *text),
            ("GET" | "HEAD", None)
                if path.contains("%z") || path.ends_with('%') || path.contains("%00") =>
            {
                (400, "<h1>400 Bad Request</h1>")
            }
            ("GET" | "HEAD", None) => (404, "<h1>404 Not Found</h1>"),
            _ => (405, "<h1>405 Not Allowed</h1>"),
        };
        let mut answer = Answer {
            status,
            fields: base,
            ..Answer::default()
        };
        if status == 200 {
            let tag = format!("\"66829{:x}-{:x}\"", text.len(), text.len());
            answer.fields.extend([
                field("etag", &tag),
                field("last-modified", "Sat, 01 Jun 2024 08:00:00 GMT"),
                field("accept-ranges", "bytes"),
            ]);
            let asks = |name: &str, value: &str| {
                ask.fields
                    .iter()
                    .any(|(own, given)| *own == name && given == value)
            };
            if asks("if-none-match", &tag)
                || asks("if-modified-since", "Sat, 01 Jun 2024 08:00:00 GMT")
            {
                answer.status = 304;
            }
        }
        if ask.method != "HEAD" && answer.status != 304 {
            answer.body = text.as_bytes().to_vec();
        }
        answer
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

#[test]
fn four_pages_on_a_bare_server_score_low_and_the_card_says_why() {
    let card = judge(&gather(
        &mut Bare,
        Address::new("https://boats.example"),
        10,
        now(),
    ));
    check("bare.txt", &card);
    assert!(card.score() < 20, "{}", told(&card));
}

#[test]
fn planted_faults_are_told_with_what_mends_them() {
    let mut evidence = gathered(&mut InProcess(edition()));
    for name in [
        "406 at .md",
        "immutable lost",
        "no nosniff on 405",
        "a page without its direction",
        "the path in a 404",
        "500 on %",
    ] {
        plants::by_name(&mut evidence, name);
    }
    // An export on nginx: its `Server` field, and tags in its form.
    for answer in evidence.answers.values_mut() {
        answer
            .fields
            .push(("server".to_owned(), "nginx".to_owned()));
        for (_, value) in answer.fields.iter_mut().filter(|(name, _)| name == "etag") {
            *value = format!("\"{}{}\"", &value[1..9], &value[33..value.len() - 1]);
        }
    }
    check("faults.txt", &judge(&evidence));
}
