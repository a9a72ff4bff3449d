//! Section 7 of the contract: pages of a list, lists by language, and feeds, from a folder to the
//! answers.

use std::sync::Arc;

use diglot_content::library::PublishedFile;
use diglot_content::sources::{ChangeOrigin, FileDates};
use diglot_content::{Library, SourceFile, Sources};
use diglot_edition::Theme;
use http::StatusCode;

use super::*;

/// The edition of a folder of these texts, and of these files of the author's.
fn edition(texts: Vec<(String, String)>, files: &[&str]) -> Edition {
    let site = site::edition("https://example.org").site.clone();
    let now = "2027-01-02T03:04:05Z".parse().unwrap();
    let mut sources = Sources::default();
    for (path, text) in texts {
        sources.files.push(SourceFile {
            path: path.into(),
            bytes: text.into(),
            dates: FileDates {
                created: None,
                changed: "2024-06-01T00:00:00Z".parse().unwrap(),
                origin: ChangeOrigin::FileTime,
            },
        });
    }
    let mut library = Library::build(&sources, &site, now);
    library.files.extend(files.iter().map(|path| PublishedFile {
        path: (*path).into(),
        source: (*path).into(),
        bytes: "the author's".into(),
        changed: now,
    }));
    Edition::build(&library, Arc::clone(&site), &Theme::new(&[]).unwrap(), now).unwrap()
}

/// Sixty dated articles in English with one tag, and one in German.
fn journal() -> Vec<(String, String)> {
    let one = |number: usize| {
        let day = format!("2024-{:02}-{:02}", 1 + number / 28, 1 + number % 28);
        let text =
            format!("---\ntitle: Text {number}\ndate: {day}\ntags: [ships]\n---\n\nWords.\n");
        (format!("articles/{number:02}.md"), text)
    };
    let german = "---\ntitle: Eins\nlang: de\ndate: 2023-01-01\n---\n\nWorte.\n";
    let mut texts: Vec<_> = (0..60).map(one).collect();
    texts.push(("articles/eins.md".to_owned(), german.to_owned()));
    texts
}

#[test]
fn contract_7_pages_of_lists_and_lists_of_languages_are_pages() {
    let edition = edition(journal(), &[]);
    for stem in [
        "/articles/index",
        "/articles/page-2",
        "/tags/ships/page-2",
        "/years/2024/page-2",
        "/languages/de",
    ] {
        let (html, twin) = (format!("{stem}.html"), format!("{stem}.md"));
        let page = get(&edition, &html, &[("accept", "text/html")]);
        assert_eq!(page.status(), StatusCode::OK, "{stem}");
        assert_eq!(field(&page, "content-type"), "text/html; charset=utf-8");
        let negotiated = get(&edition, &html, &[("accept", "text/markdown")]);
        assert_eq!(field(&negotiated, "content-location"), twin);
        assert_eq!(
            negotiated.into_body().to_bytes(),
            get(&edition, &twin, &[]).into_body().to_bytes()
        );
        let bare = get(&edition, stem, &[]);
        assert_eq!(
            (bare.status(), field(&bare, "location")),
            (StatusCode::PERMANENT_REDIRECT, &*html)
        );
    }
    let missing = get(&edition, "/articles/page-3.html", &[]);
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[test]
fn contract_7_pages_of_a_list_name_those_beside_them() {
    let edition = edition(journal(), &[]);
    let body = |path: &str| {
        let bytes = get(&edition, path, &[]).into_body().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    };
    let head = |relation: &str, path: &str| {
        format!("<link rel=\"{relation}\" href=\"https://example.org{path}\">")
    };
    assert!(body("/articles/index.html").contains(&head("next", "/articles/page-2.html")));
    let last = body("/articles/page-2.html");
    assert!(last.contains(&head("prev", "/articles/index.html")));
    assert!(!last.contains("rel=\"next\""));
    assert!(body("/articles/page-2.md").contains("https://example.org/articles/index.md"));
    // Static hosts need one rule for all pages.
    let answer = get(&edition, "/articles/page-2.html", &[]);
    assert!(!field(&answer, "link").contains("rel=\"prev\""));
}

#[test]
fn contract_7_feeds_of_parts_are_found_and_served() {
    let edition = edition(journal(), &[]);
    for (page, feed) in [
        ("/tags/ships.html", "/tags/ships.rss"),
        ("/tags/ships/page-2.html", "/tags/ships.rss"),
        ("/languages/de.html", "/languages/de.rss"),
        ("/articles/eins.html", "/languages/de.rss"),
        ("/articles/01.html", "/rss.xml"),
    ] {
        let html = get(&edition, page, &[]).into_body().to_bytes();
        let html = String::from_utf8(html.to_vec()).unwrap();
        let link = "<link rel=\"alternate\" type=\"application/rss+xml\"";
        let href = format!("href=\"https://example.org{feed}\"");
        let mut links = html.lines().filter(|line| line.starts_with(link));
        assert!(links.any(|line| line.contains(&href)), "{page}");
        let answer = get(&edition, feed, &[]);
        assert_eq!(answer.status(), StatusCode::OK, "{feed}");
        let media_type = field(&answer, "content-type");
        assert_eq!(media_type, "application/xml; charset=utf-8");
        let text = String::from_utf8(answer.into_body().to_bytes().to_vec()).unwrap();
        let own = format!("<atom:link href=\"https://example.org{feed}\" rel=\"self\"");
        assert!(
            text.contains(&own) && text.contains("<content:encoded>"),
            "{text}"
        );
    }
}

#[test]
fn contract_7_the_usual_addresses_of_feeds_lead_to_the_feed_unless_the_author_has_them() {
    const USUAL: [&str; 3] = ["/feed.xml", "/index.xml", "/atom.xml"];
    let without = edition(journal(), &[]);
    for path in USUAL {
        let answer = get(&without, path, &[]);
        assert_eq!(
            (answer.status(), field(&answer, "location")),
            (StatusCode::MOVED_PERMANENTLY, "/rss.xml"),
            "{path}"
        );
    }
    let with = edition(journal(), &USUAL);
    for path in USUAL {
        let answer = get(&with, path, &[]);
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(&*answer.into_body().to_bytes(), b"the author's");
    }
}

#[test]
fn contract_7_an_authors_text_keeps_its_address_and_its_twin() {
    let mut texts = journal();
    let text = |title: &str| format!("---\ntitle: {title}\ndate: 2020-01-01\n---\n\nMine.\n");
    texts.push(("articles/page-2.md".to_owned(), text("Page two")));
    let edition = edition(texts, &["/tags/ships/page-2.md"]);
    let body = |path: &str| {
        let answer = get(&edition, path, &[]);
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        String::from_utf8(answer.into_body().to_bytes().to_vec()).unwrap()
    };
    for path in ["/articles/page-2.html", "/articles/page-2.md"] {
        assert!(body(path).contains("Mine."), "{path}");
    }
    assert_eq!(body("/tags/ships/page-2.md"), "the author's");
    let missing = get(&edition, "/tags/ships/page-2.html", &[]);
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    for list in ["/articles/page-2-list", "/tags/ships/page-2-list"] {
        assert!(
            body(&format!("{list}.html")).contains("rel=\"prev\""),
            "{list}"
        );
        assert!(body(&format!("{list}.md")).contains("Previous: "), "{list}");
    }
}

#[test]
fn contract_7_a_files_own_time_is_shown_to_nobody() {
    let edition = edition(
        vec![
            (
                "articles/dated.md".to_owned(),
                "---\ndate: 2024-01-01\n---\n\nOne.\n".to_owned(),
            ),
            (
                "articles/undated.md".to_owned(),
                "# Undated\n\nTwo.\n".to_owned(),
            ),
        ],
        &[],
    );
    for resource in &edition.resources {
        let text = String::from_utf8_lossy(&resource.body.to_bytes()).into_owned();
        let is_sitemap = &*resource.path == "/sitemap.xml";
        let shown = ["2024-06-01", "June 2024", "Jun 2024"]
            .iter()
            .any(|day| text.contains(day));
        let is_document = matches!(&*resource.path, "/status.json");
        assert!(
            !shown || is_sitemap || is_document,
            "{}: {text}",
            resource.path
        );
    }
    let feed = get(&edition, "/rss.xml", &[]).into_body().to_bytes();
    let feed = String::from_utf8(feed.to_vec()).unwrap();
    let items: Vec<&str> = feed.split("<item>").skip(1).collect();
    assert!(!items.is_empty() && !feed.contains("Jun 2024"), "{feed}");
}
