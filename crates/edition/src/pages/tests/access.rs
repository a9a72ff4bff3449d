//! What pages give to people who do not see them, or do not use a mouse.

use super::guide::guide;
use super::*;

#[test]
fn the_tree_of_a_guide_has_a_link_that_skips_to_it() {
    let (page, _) = forms(&guide(Vec::new()), "/articles/install");
    has(
        &page,
        "<a class=\"skip\" href=\"#page:tree\">Skip to the navigation</a>",
    );
    has(&page, "<nav class=\"tree\" id=\"page:tree\"");
    // The tree may scroll, so keys must reach it.
    has(&page, "<details tabindex=\"0\">");
    let (page, _) = forms(
        &pages(vec![article("/articles/x", "X", None, "x")]),
        "/articles/x",
    );
    assert_eq!(page.matches("class=\"skip\"").count(), 1);
}

#[test]
fn the_link_back_from_a_note_is_named_in_the_language_of_the_page() {
    let text = "One[^a], again[^a].\n\n[^a]: A note.\n";
    for (language, name) in [("en", "Back to reference"), ("de", "Zurück zu Verweis")] {
        let written = Article {
            language: language.into(),
            ..article("/articles/x", "X", None, text)
        };
        let (page, _) = forms(&pages(vec![written]), "/articles/x");
        has(
            &page,
            &format!("role=\"doc-backlink\" aria-label=\"{name} 1\""),
        );
        has(
            &page,
            &format!("role=\"doc-backlink\" aria-label=\"{name} 1-2\""),
        );
    }
}

#[test]
fn the_number_of_a_tag_says_what_it_counts() {
    let written = (1..5).map(|number| {
        let stem = format!("/articles/a{number}");
        tagged(article(&stem, "A", Some("2024-01-02"), "x"), &["ships"])
    });
    let (page, _) = forms(&pages(written.collect()), "/articles/index");
    has(
        &page,
        "<a href=\"/tags/ships.html\" aria-label=\"ships – Articles: 4\">ships</a> <small aria-hidden=\"true\">4</small>",
    );
}

#[test]
fn only_boxes_that_may_scroll_are_stops_of_the_keyboard() {
    let wide = "x".repeat(90);
    let text = format!(
        "```\nnarrow\n```\n\n|a|b|\n|-|-|\n|c|d|\n\n```\n{wide}\n```\n\n|a|\n|-|\n|{wide}|\n"
    );
    let (page, _) = forms(
        &pages(vec![article("/articles/x", "X", None, &text)]),
        "/articles/x",
    );
    has(&page, "<pre><code>narrow");
    has(&page, "<pre tabindex=\"0\"><code>xxx");
    has(&page, "<div class=\"table\">\n");
    has(
        &page,
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">",
    );
}
