//! Lists in pages, and lists by language.

use diglot_content::library::PublishedFile;

use super::*;
use crate::route::Route;

/// Articles `000` to the last, newest first, one a day, the first on 31 December 2024.
fn many(count: i64) -> Vec<Article> {
    let newest: jiff::civil::Date = "2024-12-31".parse().unwrap();
    let one = |number: i64| {
        let day = newest.checked_sub(jiff::Span::new().days(number)).unwrap();
        tagged(
            article(
                &format!("/articles/{number:03}"),
                &format!("Title {number}"),
                Some(&day.to_string()),
                "Some words.",
            ),
            &["Rust"],
        )
    };
    (0..count).map(one).collect()
}

fn in_language(language: &str, name: &str, day: &str) -> Article {
    let mut article = article(&format!("/articles/{name}"), name, Some(day), "Words.");
    article.language = language.into();
    article.rtl = diglot_content::language::is_rtl(language);
    article
}

fn built(library: &Library) -> (Vec<Arc<Page>>, Vec<Problem>) {
    let (site, theme) = (site(), Theme::new(&[]).unwrap());
    let context = Context {
        site: &site,
        library,
        theme: &theme,
        cards: &Cards::default(),
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
        store: &crate::byte_store::Heap,
    };
    let pages = render(&context, &Memos::default()).unwrap();
    (pages.pages, pages.problems)
}

/// The slugs of the articles that a list has, in order.
fn slugs(twin: &str) -> Vec<&str> {
    let rows = twin.split("- [Title ").skip(1);
    rows.filter_map(|row| {
        let (_, rest) = row.split_once("/articles/")?;
        rest.split_once(".md").map(|(slug, _)| slug)
    })
    .collect()
}

#[test]
fn contract_7_a_list_has_50_articles_on_a_page() {
    let pages = pages(many(101));
    for (list, first) in [
        ("/articles", "/articles/index"),
        ("/tags/rust", "/tags/rust"),
        ("/years/2024", "/years/2024"),
    ] {
        let stems = [
            first.to_owned(),
            format!("{list}/page-2"),
            format!("{list}/page-3"),
        ];
        let mut found = Vec::new();
        for (at, stem) in stems.iter().enumerate() {
            let (html, twin) = forms(&pages, stem);
            let own = slugs(&twin);
            assert_eq!(own.len(), [50, 50, 1][at], "{stem}");
            found.extend(own.into_iter().map(str::to_owned));
            let address = format!("https://example.org{stem}.html");
            has(
                &html,
                &format!("<link rel=\"canonical\" href=\"{address}\">"),
            );
            let beside = |at: Option<&String>, relation: &str, name: &str| {
                let in_head = format!("<link rel=\"{relation}\" href=\"https://example.org");
                let Some(stem) = at else {
                    has_not(&html, &in_head);
                    return;
                };
                has(&html, &format!("{in_head}{stem}.html\">"));
                has(
                    &html,
                    &format!("<a rel=\"{relation}\" href=\"{stem}.html\">"),
                );
                let number = stems.iter().position(|other| other == stem).unwrap() + 1;
                let line = format!("\n- {name}: [Page {number}](https://example.org{stem}.md)\n");
                has(&twin, &line);
            };
            let before = at.checked_sub(1).and_then(|at| stems.get(at));
            beside(before, "prev", "Previous");
            beside(stems.get(at + 1), "next", "Next");
        }
        let all: Vec<String> = (0..101).map(|number| format!("{number:03}")).collect();
        assert_eq!(found, all, "{list}: each article once, newest first");
    }
    for page in &pages {
        assert!(page.parity.differences.is_empty(), "{:?}", page.html_route);
    }
    let titles: std::collections::BTreeSet<&str> = pages.iter().map(|page| &*page.title).collect();
    assert_eq!(titles.len(), pages.len(), "each page has its own title");
}

#[test]
fn contract_7_50_articles_need_one_page() {
    let pages = pages(many(50));
    let (html, _) = forms(&pages, "/articles/index");
    has_not(&html, "class=\"pager\"");
    let is_second = |page: &&Arc<Page>| matches!(page.html_route, Route::ListPage(..));
    assert_eq!(pages.iter().filter(is_second).count(), 0);
}

#[test]
fn a_year_that_goes_on_has_its_heading_on_each_page_and_years_are_linked_first() {
    let mut articles = many(60);
    articles.push(article(
        "/articles/old",
        "Old",
        Some("2023-05-01"),
        "Words.",
    ));
    let pages = pages(articles);
    let headings = |stem: &str| {
        let (_, twin) = forms(&pages, stem);
        let lines = twin.lines().filter(|line| line.starts_with("## ["));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let year = |year: u16| format!("## [{year}](https://example.org/years/{year}.md)");
    assert_eq!(headings("/articles/index"), [year(2024)]);
    assert_eq!(headings("/articles/page-2"), [year(2024), year(2023)]);
    let (html, twin) = forms(&pages, "/articles/index");
    let links = "- [2024](https://example.org/years/2024.md) (60)\n- [2023](https://example.org/years/2023.md) (1)\n";
    assert!(twin.find(links).unwrap() < twin.find("## [2024]").unwrap());
    has(&html, "<ul class=\"links\" aria-label=\"Years\">");
    let (html, twin) = forms(&pages, "/articles/page-2");
    has_not(&html, "aria-label=\"Years\"");
    has_not(&twin, "(60)");
}

#[test]
fn contract_7_an_authors_text_or_file_keeps_the_address_of_a_page() {
    let mut articles = many(101);
    articles.push(article("/articles/page-2", "Mine", None, "My words."));
    let mut library = library(articles);
    let file = |path: &str| PublishedFile {
        path: path.into(),
        source: path.into(),
        bytes: Bytes::from_static(b"bytes"),
        changed: "2024-01-01T00:00:00Z".parse().unwrap(),
    };
    library.files = vec![
        file("/tags/rust/page-2.html"),
        file("/years/2024/page-2.md"),
        file("/years/2024/page-2-list.html"),
    ];
    let (pages, problems) = built(&library);
    has(&forms(&pages, "/articles/page-2").1, "My words.");
    let (html, _) = forms(&pages, "/articles/page-2-list");
    has(&html, "<a rel=\"next\" href=\"/articles/page-3.html\">");
    has(
        &forms(&pages, "/articles/index").0,
        "<a rel=\"next\" href=\"/articles/page-2-list.html\">",
    );
    has(
        &forms(&pages, "/tags/rust").0,
        "<a rel=\"next\" href=\"/tags/rust/page-2-list.html\">",
    );
    let stems: Vec<String> = pages
        .iter()
        .filter_map(|page| page.html_route.stem())
        .collect();
    assert!(
        !stems
            .iter()
            .any(|stem| stem.starts_with("/years/2024/page-2"))
    );
    let (html, _) = forms(&pages, "/years/2024");
    has(&html, "<a rel=\"next\" href=\"/years/2024/page-3.html\">");
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("`/years/2024/page-2.html`"), "{said:?}");
}

#[test]
fn contract_7_each_language_has_its_own_list() {
    let pages = pages(vec![
        in_language("en", "one", "2024-05-04"),
        in_language("en-GB", "kin", "2024-05-03"),
        in_language("de", "eins", "2024-05-02"),
        in_language("fa", "yek", "2024-05-01"),
    ]);
    let (html, twin) = forms(&pages, "/articles/index");
    for own in ["one", "kin"] {
        has(&twin, &format!("/articles/{own}.md"));
    }
    for other in ["eins", "yek"] {
        has_not(&twin, &format!("/articles/{other}.md"));
    }
    has(&html, "<ul class=\"links\" aria-label=\"Languages\">");
    has(
        &html,
        "<li><a href=\"/languages/fa.html\" hreflang=\"fa\" lang=\"fa\">فارسی</a>",
    );
    has(&twin, "- [Deutsch](https://example.org/languages/de.md)\n");
    let (html, twin) = forms(&pages, "/languages/de");
    has(&html, "<html lang=\"de\" dir=\"ltr\">");
    has(&html, "<h1>Artikel – Deutsch</h1>");
    has(&html, ">Zum Text springen</a>");
    has(
        &html,
        "<time datetime=\"2024-05-02T10:00:00Z\">2. Mai 2024</time>",
    );
    has(
        &twin,
        "- [English](https://example.org/articles/index.md)\n",
    );
    has_not(&twin, "languages/de.md)");
    let (html, _) = forms(&pages, "/languages/fa");
    has(&html, "<html lang=\"fa\" dir=\"rtl\">");
    has(&html, "۱ مهٔ ۲۰۲۴");
}

#[test]
fn contract_7_where_nothing_is_in_the_sites_language_the_list_of_all_is_in_that_of_most() {
    let pages = pages(vec![
        in_language("de", "eins", "2024-05-02"),
        in_language("fr", "un", "2024-05-01"),
        in_language("fr", "deux", "2024-05-01"),
    ]);
    let (_, twin) = forms(&pages, "/articles/index");
    has(&twin, "/articles/un.md");
    has(&twin, "/languages/de.md");
    has_not(&twin, "/articles/eins.md");
    let (_, twin) = forms(&pages, "/languages/de");
    has(
        &twin,
        "- [Français](https://example.org/articles/index.md)\n",
    );
}

#[test]
fn a_tag_in_several_languages_has_a_list_for_each() {
    let tagged = |language, name, day| tagged(in_language(language, name, day), &["Rust"]);
    let pages = pages(vec![
        tagged("de", "eins", "2024-05-03"),
        tagged("en", "one", "2024-05-02"),
        tagged("fa", "yek", "2024-05-01"),
    ]);
    let (html, twin) = forms(&pages, "/tags/rust");
    let place = |text: &str| {
        twin.find(text)
            .unwrap_or_else(|| panic!("{text} in {twin}"))
    };
    assert!(place("one.md") < place("## Deutsch"));
    assert!(place("## Deutsch") < place("eins.md"));
    assert!(place("eins.md") < place("## فارسی"));
    has(&html, "<h2 lang=\"fa\">فارسی</h2>");
}

#[test]
fn contract_7_pages_and_texts_of_a_part_name_its_feed() {
    let mut german = tagged(in_language("de", "eins", "2024-05-02"), &["Rust"]);
    german.listed = true;
    let pages = pages(vec![german, in_language("en", "one", "2024-05-01")]);
    let feed_of = |stem: &str, title: &str, feed: &str| {
        let (html, _) = forms(&pages, stem);
        let link = format!(
            "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"{title}\" href=\"https://example.org{feed}\">"
        );
        has(&html, &link);
        let feeds = html.matches("application/rss+xml\" title").count();
        assert_eq!(feeds, if feed == "/rss.xml" { 1 } else { 2 });
        // The header is the same for all pages, so that hosts need one rule.
        let page = pages
            .iter()
            .find(|page| page.html_route.stem().as_deref() == Some(stem))
            .unwrap();
        for resource in &page.resources {
            has(
                resource.link_text().unwrap(),
                "<https://example.org/rss.xml>; rel=\"alternate\"; type=\"application/rss+xml\"",
            );
        }
    };
    feed_of("/articles/index", "Notes &amp; Queries", "/rss.xml");
    feed_of("/articles/one", "Notes &amp; Queries", "/rss.xml");
    let tag = "Notes &amp; Queries – Articles on Rust";
    feed_of("/tags/rust", tag, "/tags/rust.rss");
    let german = "Notes &amp; Queries – Deutsch";
    feed_of("/languages/de", german, "/languages/de.rss");
    feed_of("/articles/eins", german, "/languages/de.rss");
}

/// The list of all articles has tags beside it, and each page of a tag has others.
#[test]
fn contract_7_no_list_is_longer_than_150_kb() {
    let name = |number: usize| format!("a tag with quite a long name and the number {number}");
    let articles = many(300).into_iter().enumerate().map(|(at, article)| {
        let tags: Vec<String> = (0..20).map(|more| name(20 * at + more)).collect();
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let mut article = tagged(article, &tags);
        article.summary = "ö & ".repeat(50).into();
        article
    });
    for page in pages(articles.collect()) {
        let length = page.html.len();
        assert!(length < 150_000, "{length} bytes: {:?}", page.html_route);
    }
}

#[test]
fn words_of_a_theme_folder_are_on_the_pages_of_their_language() {
    let words = ThemeFile {
        path: "words/sw.toml".into(),
        bytes: Bytes::from_static(b"skip = \"Ruka hadi maandishi\""),
    };
    let library = library(vec![in_language("sw", "moja", "2024-05-01")]);
    let pages = rendered(&library, &site(), &[words]).unwrap();
    let (html, _) = forms(&pages, "/articles/moja");
    has(&html, ">Ruka hadi maandishi</a>");
    has(&html, ">1 Mei 2024</time>");
    has_not(&html, "sw.toml");
}

#[test]
fn contract_7_a_folder_of_a_journal_is_a_section_with_a_feed() {
    let of = |folder: &str, number: i64| {
        let stem = format!("/articles/{folder}/{number:03}");
        article(
            &stem,
            &format!("Title {number}"),
            Some("2024-05-01"),
            "Words.",
        )
    };
    let mut articles: Vec<Article> = (0..51).map(|number| of("field-notes", number)).collect();
    articles.extend((0..2).map(|number| of("tools", number)));
    let index = article(
        "/articles/tools",
        "All the tools",
        Some("2024-05-01"),
        "Words.",
    );
    articles.push(index);
    let pages = pages(articles);
    let (html, twin) = forms(&pages, "/sections/tools");
    has(&html, "<h1>All the tools</h1>");
    has(
        &html,
        "title=\"Notes &amp; Queries – All the tools\" href=\"https://example.org/sections/tools.rss\"",
    );
    assert_eq!(slugs(&twin), ["tools/000", "tools/001"]);
    let (html, twin) = forms(&pages, "/sections/field-notes/page-2");
    has(&html, "<h1>Field notes – Page 2</h1>");
    assert_eq!(slugs(&twin), ["field-notes/050"]);
    let (html, twin) = forms(&pages, "/articles/index");
    has(&html, "<ul class=\"links\" aria-label=\"Sections\">");
    has(
        &twin,
        "[Field notes](https://example.org/sections/field-notes.md) (51)",
    );
}

#[test]
fn contract_7_an_authors_page_keeps_the_address_of_a_section() {
    let of = |stem: &str| article(stem, "A title", Some("2024-05-01"), "Words.");
    let articles = [
        "/articles/a/1",
        "/articles/a/2",
        "/articles/b/1",
        "/articles/b/2",
    ]
    .map(of);
    let library = Library {
        articles: Arc::new(articles.into_iter().map(Arc::new).collect()),
        pages: vec![Arc::new(Article {
            kind: Kind::Page,
            ..of("/sections/a")
        })],
        ..Library::default()
    };
    let (pages, problems) = built(&library);
    let stems: Vec<String> = pages
        .iter()
        .filter_map(|page| page.html_route.stem())
        .collect();
    for stem in ["/sections/a", "/sections/a-list", "/sections/b"] {
        assert_eq!(
            stems.iter().filter(|other| *other == stem).count(),
            1,
            "{stem}"
        );
    }
    assert_eq!(problems, []);
}
