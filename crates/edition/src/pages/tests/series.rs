//! Series and their parts.

use diglot_content::library::PartOf;

use super::*;

fn part(name: &str, day: &str, number: Option<i64>) -> Article {
    let title = format!("Part {name}");
    let mut article = tagged(
        article(&format!("/articles/{name}"), &title, Some(day), "Words."),
        &["Parsers"],
    );
    let tag = article.tags[0].clone();
    article.series = vec![PartOf { tag, number }];
    article
}

fn series() -> Vec<Article> {
    vec![
        part("one", "2024-05-09", Some(1)),
        part("two", "2024-05-01", Some(2)),
        part("three", "2024-05-05", Some(3)),
        article("/articles/other", "Other", Some("2024-05-10"), "Words."),
        article("/articles/old", "Old", Some("2024-04-10"), "Words."),
    ]
}

#[test]
fn a_part_names_its_series_and_the_parts_in_order() {
    let pages = pages(series());
    let (html, twin) = forms(&pages, "/articles/two");
    has(
        &html,
        "<span><a href=\"#page:series-1\">Part 2 of 3</a></span>",
    );
    has(
        &html,
        "Series – <a href=\"/tags/parsers.html\">Parsers</a></h2>",
    );
    let list = html.split("<ol start=\"1\">").nth(1).unwrap();
    let places = ["one.html", "aria-current", "three.html"].map(|part| list.find(part).unwrap());
    assert!(places.is_sorted(), "{list}");
    has(&html, "<a rel=\"prev\" href=\"/articles/one.html\">");
    has(&html, "<a rel=\"next\" href=\"/articles/three.html\">");
    has(
        &twin,
        "- Previous: [Part one](https://example.org/articles/one.md)\n\
         - Next: [Part three](https://example.org/articles/three.md)\n\
         - Series: [Parsers](https://example.org/tags/parsers.md), Part 2 of 3\n  \
           1. [Part one](https://example.org/articles/one.md)\n  \
           2. Part two\n  \
           3. [Part three](https://example.org/articles/three.md)\n",
    );
}

#[test]
fn the_end_of_a_series_leads_on_to_a_text_outside_it() {
    let pages = pages(series());
    // By date `two` is before `three`, and `three` before `one`.
    let (html, _) = forms(&pages, "/articles/three");
    has(&html, "rel=\"prev\" href=\"/articles/two.html\"");
    assert!(!html.contains("rel=\"next\" href"), "{html}");
    let (html, _) = forms(&pages, "/articles/one");
    assert!(!html.contains("rel=\"prev\" href"), "{html}");
    has(&html, "rel=\"next\" href=\"/articles/two.html\"");
}

#[test]
fn the_list_of_a_series_has_its_parts_in_order() {
    let twin = forms(&pages(series()), "/tags/parsers").1;
    let places = ["one.md", "two.md", "three.md"].map(|part| twin.find(part).unwrap());
    assert!(places.is_sorted(), "{twin}");
}

#[test]
fn a_single_part_is_no_series() {
    let (html, twin) = forms(
        &pages(vec![part("one", "2024-05-01", None)]),
        "/articles/one",
    );
    assert!(
        !html.contains("page:series") && !twin.contains("Series:"),
        "{html}"
    );
}

#[test]
fn a_long_series_is_listed_around_the_part() {
    let parts = (0..120).map(|number| {
        let name = format!("{number:03}");
        part(&name, "2024-05-01", Some(number))
    });
    let pages = pages(parts.collect());
    for (name, start, place) in [("000", 1, 1), ("060", 36, 61), ("119", 71, 120)] {
        let html = forms(&pages, &format!("/articles/{name}")).0;
        has(&html, &format!("<ol start=\"{start}\">"));
        has(&html, &format!("Part {place} of 120"));
        let list = html.split("<ol start").nth(1).unwrap();
        let list = list.split("</ol>").next().unwrap();
        assert_eq!(list.matches("<li").count(), 50);
    }
}
