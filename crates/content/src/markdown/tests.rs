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

#[test]
fn rule_16_a_comment_leaves_one_space() {
    let (html, markdown) = both("a <!-- secret --> b");
    assert_eq!((html.trim(), markdown.trim()), ("<p>a b</p>", "a b"));
}

#[test]
fn rule_16_definition_lists_read_again_as_they_stood() {
    let (html, markdown) = both("Term\n: Definition\n");
    assert!(html.contains("<dt>Term</dt>"), "{html}");
    assert_eq!(markdown.trim(), "- **Term**: Definition");
}

#[test]
fn rule_25_tex_stays_tex_in_both_forms() {
    let mark = crate::markdown::TEX;
    let (html, markdown) = both(&format!("a `{mark}x_1` b"));
    assert_eq!((html.trim(), markdown.trim()), ("<p>a <span class=\"math\">x_1</span> b</p>", "a $x_1$ b"));
}

#[test]
fn rule_11_details_open_in_html_and_are_labelled_in_the_twin() {
    let (html, markdown) = both("> [!details]- More *words*\n>\n> a\n");
    assert!(html.contains("<summary>More <em>words</em></summary>"), "{html}");
    assert!(markdown.starts_with("**More *words*"), "{markdown}");
}
