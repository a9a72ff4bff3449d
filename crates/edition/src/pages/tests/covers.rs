//! Covers in lists and above texts.

use super::*;

fn picture(path: &str) -> Target {
    Target::File {
        path: path.into(),
        suffix: String::new(),
        size: Some((640, 480)),
    }
}

fn covered(name: &str, text: &str) -> Article {
    Article {
        image: Some(picture("/pictures/a hill.png")),
        cover: Some("A <hill>".into()),
        ..article(&format!("/articles/{name}"), name, Some("2024-05-01"), text)
    }
}

const THUMB: &str =
    "<img src=\"/pictures/a%20hill.png\" alt=\"\" width=\"160\" height=\"120\" loading=\"lazy\"";
const COVER: &str =
    "<img src=\"/pictures/a%20hill.png\" alt=\"A &lt;hill&gt;\" width=\"640\" height=\"480\"";

#[test]
fn a_cover_is_in_lists_and_above_the_text_in_both_forms() {
    let pages = pages(vec![covered("one", "Words."), covered("two", "Words.")]);
    for list in ["/index", "/articles/index", "/years/2024"] {
        let (html, twin) = forms(&pages, list);
        assert_eq!(html.matches(THUMB).count(), 2, "{list}: {html}");
        assert!(!twin.contains("!["), "{twin}");
    }
    let (html, twin) = forms(&pages, "/articles/one");
    has(&html, COVER);
    has(
        &html,
        "og:image\" content=\"https://example.org/pictures/a%20hill.png\"",
    );
    has(
        &twin,
        "# one\n\n![A &lt;hill>](https://example.org/pictures/a%20hill.png)\n\nWords.\n",
    );
    for page in &pages {
        assert!(page.parity.is_whole(), "{:?}", page.parity);
    }
}

#[test]
fn a_cover_that_the_text_begins_with_is_shown_once() {
    let text = "![Hill](<pictures/a hill.png>)\n\nWords.";
    let (html, twin) = forms(&pages(vec![covered("one", text)]), "/articles/one");
    assert_eq!(html.matches("<img").count(), 1, "{html}");
    assert_eq!(twin.matches("![").count(), 1, "{twin}");
    let (html, _) = forms(
        &pages(vec![covered("one", "![Other](b.png)\n\nWords.")]),
        "/articles/one",
    );
    assert_eq!(html.matches("<img").count(), 2, "{html}");
}

#[test]
fn a_picture_that_is_only_for_those_who_share_a_text_is_not_shown() {
    let shared = Article {
        cover: None,
        ..covered("one", "Words.")
    };
    let pages = pages(vec![shared]);
    for stem in ["/articles/one", "/index"] {
        let (html, twin) = forms(&pages, stem);
        assert!(!html.contains("<img") && !twin.contains("!["), "{html}");
    }
    has(&forms(&pages, "/articles/one").0, "og:image");
}

#[test]
fn a_picture_of_another_site_is_shown_if_pages_may_load_it() {
    let of = |url: &str| Article {
        image: Some(Target::Url(url.into())),
        ..covered("one", "Words.")
    };
    let (html, _) = forms(&pages(vec![of("https://else.net/a.png")]), "/articles/one");
    has(
        &html,
        "<figure class=\"cover boxed\"><img src=\"https://else.net/a.png\"",
    );
    let (html, _) = forms(&pages(vec![of("http://else.net/a.png")]), "/articles/one");
    assert!(!html.contains("<img"), "{html}");
}

#[test]
fn a_picture_below_a_cover_is_loaded_when_it_is_near() {
    let text = "Words.\n\n![Other](b.png)";
    let (html, _) = forms(&pages(vec![covered("one", text)]), "/articles/one");
    has(
        &html,
        "alt=\"Other\" width=\"640\" height=\"480\" loading=\"lazy\"",
    );
    let (_, cover) = html.split_once(COVER).unwrap();
    assert!(!cover.split('>').next().unwrap().contains("lazy"), "{html}");
    let plain = article("/articles/one", "One", Some("2024-05-01"), text);
    let (html, _) = forms(&pages(vec![plain]), "/articles/one");
    has_not(&html, "loading=\"lazy\"");
}
