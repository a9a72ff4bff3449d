use super::*;
use crate::document::{Purpose, Rendering, Target, write_html, write_markdown};
use crate::site::BaseUrl;

fn targets(document: &Document) -> Vec<Target> {
    document
        .references
        .iter()
        .map(|reference| match reference.raw.as_str() {
            raw if raw.starts_with('#') => Target::Here(raw[1..].to_owned()),
            "missing" => Target::Unresolved,
            raw => Target::Url(raw.to_owned()),
        })
        .collect()
}

/// Both forms of a text, after checking that their outlines agree and that the twin says the same when it is parsed again.
fn both(text: &str) -> (String, String) {
    let document = parse(text, &Options::default());
    let base = BaseUrl::parse("https://example.org").unwrap();
    let targets = targets(&document);
    let rendering = |purpose| Rendering { base: &base, stem: "/x", targets: &targets, purpose };
    let (html, markdown) = (write_html(&document, &rendering(Purpose::Page)), write_markdown(&document, &rendering(Purpose::Twin)));
    assert_eq!(html.outline, markdown.outline, "{text}");
    (html.text, markdown.text)
}

#[test]
fn smoke() {
    let (html, markdown) = both(
        "# Title\n\nHello *world* and **bold**, [link](https://a.b/c_(d)) https://x.y/__init__.py `code`.\n\n- a\n- b\n  - c\n\n1. x\n\n   ```js {1}\n   y\n   ```\n\n| a | b |\n|---|:-:|\n| 1 | `x\\|y` |\n\n> [!NOTE]\n> text[^1]\n\n[^1]: Note *here*.\n\n<div class=\"x\" onclick=\"y\">\n\ninner **md**\n\n</div>\n\n<p align=\"center\"><img src=\"a.png\" width=10></p>\n",
    );
    println!("{html}\n=====\n{markdown}");
}
