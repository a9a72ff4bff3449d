use diglot_content::{Article, markdown};
use quick_xml::events::Event;

use super::*;
use crate::byte_store::Heap;
use crate::testing::{World, article, day, text};

fn feed(world: &World) -> String {
    written(&world.material())
}

fn written(material: &Material<'_>) -> String {
    let feeds = resources(material, (&Items::default(), &Heap));
    text(&feeds.unwrap()[0].body)
}

/// The texts of all elements with this name, parsed by an XML parser.
fn read(xml: &str, name: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut found, mut inside) = (Vec::new(), false);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) if start.name().as_ref() == name => {
                inside = true;
                found.push(String::new());
            }
            Event::End(_) => inside = false,
            Event::Text(piece) if inside => found.last_mut().unwrap().push_str(&piece),
            Event::GeneralRef(reference) if inside => {
                let letter = match &*reference {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "apos" => '\'',
                    other => panic!("`&{other};` is no XML entity"),
                };
                found.last_mut().unwrap().push(letter);
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn contract_4_the_root_stands_within_512_bytes() {
    let feed = feed(&World::new(vec![article("a", Some("2024-01-01"), "x")]));
    assert!(feed.find("<rss").unwrap() < 512 && feed.contains("<rss version=\"2.0\""));
}

#[test]
fn a_browser_is_given_a_style_sheet_unless_its_address_is_too_long() {
    let world = World::new(vec![article("a", Some("2024-01-01"), "x")]);
    let feed = |style: &str| {
        written(&Material {
            feed_style: Some(style.into()),
            ..world.material()
        })
    };
    let styled = feed("/a&b/_/feed.0f.css");
    assert!(
        styled.contains(
            "?>\n<?xml-stylesheet type=\"text/css\" href=\"/a&amp;b/_/feed.0f.css\"?>\n<rss "
        ),
        "{styled}"
    );
    assert!(
        feed(&format!("/{}", "x".repeat(STYLE - 1)))
            .find("<rss")
            .unwrap()
            < 512
    );
    assert!(!feed(&format!("/{}", "x".repeat(STYLE))).contains("xml-stylesheet"));
    let note = &styled[styled.find("<div").unwrap()..styled.find("</div>").unwrap()];
    assert!(
        note.starts_with("<div xmlns=\"http://www.w3.org/1999/xhtml\">")
            && note.contains("<a href=\"https://example.org/\">Home</a>"),
        "{note}"
    );
}

#[test]
fn contract_4_the_channel_says_what_and_where_it_is() {
    let feed = feed(&World::new(vec![article("a", Some("2024-05-01"), "x")]));
    assert_eq!(read(&feed, "title")[0], "Notes & Queries");
    assert_eq!(read(&feed, "link")[0], "https://example.org/");
    assert_eq!(
        read(&feed, "description")[0],
        "A small publication <for> tests"
    );
    assert_eq!(read(&feed, "language"), ["en"]);
    assert_eq!(
        read(&feed, "lastBuildDate"),
        ["Wed, 01 May 2024 00:00:00 +0000"]
    );
    assert!(feed.contains("<atom:link href=\"https://example.org/rss.xml\" rel=\"self\""));
}

#[test]
fn contract_4_an_item_is_whole() {
    let story = article(
        "größe",
        Some("2024-05-01"),
        "Some *words* with <b onclick=\"x()\">markup</b><script>alert(1)</script> & [a link](https://x.example/?a&b).",
    );
    let feed = feed(&World::new(vec![story]));
    let link = "https://example.org/articles/gr%C3%B6%C3%9Fe.html";
    assert_eq!(read(&feed, "link")[1], link);
    assert_eq!(read(&feed, "guid"), [link]);
    assert_eq!(read(&feed, "title")[1], "About größe");
    assert_eq!(read(&feed, "pubDate"), ["Wed, 01 May 2024 00:00:00 +0000"]);
    assert_eq!(read(&feed, "dc:creator"), ["Grace Hopper"]);
    assert_eq!(read(&feed, "category"), ["Ships & Compilers"]);
    let content = read(&feed, "content:encoded").concat();
    assert!(
        content.contains("<em>words</em>")
            && content.contains("href=\"https://x.example/?a&amp;b\""),
        "{content}"
    );
    assert!(
        !content.contains("script") && !content.contains("onclick"),
        "{content}"
    );
    assert!(feed.find("<description>What").unwrap() < feed.find("<content:encoded>").unwrap());
}

#[test]
fn contract_4_the_twenty_newest_come_first_by_date_then_slug() {
    let mut articles: Vec<Article> = (0..30)
        .map(|number| {
            article(
                &format!("s{number:02}"),
                Some(&format!("2024-01-{:02}", 1 + number / 2)),
                "x",
            )
        })
        .collect();
    articles.push(article("undated", None, "x"));
    let links = read(&feed(&World::new(articles)), "guid");
    assert_eq!(links.len(), 20);
    assert_eq!(
        links[..3],
        [
            "https://example.org/articles/s28.html",
            "https://example.org/articles/s29.html",
            "https://example.org/articles/s26.html"
        ]
    );
}

#[test]
fn contract_4_undated_articles_are_there_when_nothing_is_dated() {
    let newer = Article {
        updated: day("2024-07-01"),
        ..article("z", None, "x")
    };
    let feed = feed(&World::new(vec![article("a", None, "x"), newer]));
    assert_eq!(
        read(&feed, "guid"),
        [
            "https://example.org/articles/z.html",
            "https://example.org/articles/a.html"
        ]
    );
    assert!(read(&feed, "pubDate").is_empty(), "rule 42: {feed}");
}

#[test]
fn contract_4_an_author_given_id_is_no_permalink_and_is_used_once() {
    let with = |slug: &str, date| Article {
        guid: Some("tag:old.example,2009:1".into()),
        ..article(slug, Some(date), "x")
    };
    let feed = feed(&World::new(vec![
        with("a", "2024-02-02"),
        with("b", "2024-01-01"),
    ]));
    assert_eq!(
        read(&feed, "guid"),
        [
            "tag:old.example,2009:1",
            "https://example.org/articles/b.html"
        ]
    );
    assert!(feed.contains("<guid isPermaLink=\"false\">tag:old.example,2009:1</guid>"));
}

#[test]
fn content_8_the_feed_is_in_the_sites_language() {
    let french = Article {
        language: "fr".into(),
        ..article("fr/x", Some("2025-01-01"), "x")
    };
    let british = Article {
        language: "en-GB".into(),
        ..article("gb", Some("2024-01-01"), "x")
    };
    let translation = Article {
        translations: vec![("en-GB".into(), british.stem.clone())],
        ..french.clone()
    };
    assert_eq!(
        read(
            &feed(&World::new(vec![translation, british.clone()])),
            "guid"
        ),
        ["https://example.org/articles/gb.html"]
    );
    assert_eq!(
        read(&feed(&World::new(vec![french, british])), "guid").len(),
        2,
        "what was written in one language only is news for everyone"
    );
}

#[test]
fn contract_1_the_feed_has_the_latest_20_and_of_translations_the_one_in_the_sites_language() {
    // Thirty texts in two languages, the French one always newer, and ten more only in French.
    let pair = |number: usize| {
        let day = |day: usize| format!("2024-{:02}-{day:02}", 1 + number % 12);
        let english = article(&format!("en{number:02}"), Some(&day(1 + number / 12)), "x");
        let french = Article {
            language: "fr".into(),
            ..article(&format!("fr{number:02}"), Some(&day(11 + number / 12)), "x")
        };
        let both = vec![
            ("en".to_owned(), english.stem.clone()),
            ("fr".to_owned(), french.stem.clone()),
        ];
        [
            Article {
                translations: both.clone(),
                ..english
            },
            Article {
                translations: both,
                ..french
            },
        ]
    };
    let alone = (0..10).map(|number| Article {
        language: "fr".into(),
        ..article(&format!("seul{number}"), Some("2023-01-01"), "x")
    });
    let articles: Vec<Article> = (0..15).flat_map(pair).chain(alone).collect();
    let links = read(&feed(&World::new(articles)), "guid");
    let count = |part: &str| links.iter().filter(|link| link.contains(part)).count();
    assert_eq!(
        (links.len(), count("/en"), count("/fr"), count("/seul")),
        (20, 15, 0, 5),
        "{links:?}"
    );
}

#[test]
fn of_translations_one_is_in_the_feed_where_one_may_be() {
    let group = |articles: Vec<Article>| {
        let all: Vec<(String, std::sync::Arc<str>)> = articles
            .iter()
            .map(|article| (article.language.clone(), article.stem.clone()))
            .collect();
        let articles = articles.into_iter().map(|article| {
            let others = all
                .iter()
                .filter(|(_, stem)| *stem != article.stem)
                .cloned()
                .collect();
            Article {
                translations: others,
                ..article
            }
        });
        let mut links = read(&feed(&World::new(articles.collect())), "guid");
        links
            .iter_mut()
            .for_each(|link| *link = link.replace("https://example.org/articles/", ""));
        links.sort();
        links
    };
    let in_language = |language: &str, date| Article {
        language: language.into(),
        ..article(language, date, "x")
    };
    let (one, other) = (Some("2024-01-01"), Some("2024-02-02"));
    assert_eq!(
        group(vec![
            in_language("en-GB", other),
            in_language("en", one),
            in_language("fr", other)
        ]),
        ["en.html"],
        "the site's language itself"
    );
    assert_eq!(
        group(vec![in_language("en-US", other), in_language("en-GB", one)]),
        ["en-GB.html"],
        "one of two that are near it"
    );
    assert_eq!(
        group(vec![in_language("de", other), in_language("fr", one)]),
        ["de.html", "fr.html"],
        "none is the site's own"
    );
    assert_eq!(
        group(vec![in_language("en", None), in_language("fr", one)]),
        ["fr.html"],
        "what is undated is not in the feed, so it takes no place"
    );
}

#[test]
fn content_20_characters_that_xml_forbids_are_removed() {
    let mut story = article("a", Some("2024-01-01"), "x");
    story.title = "Form\u{c}feed \u{0}\u{fffe}and \u{1b}[0m".into();
    story.document = markdown::parse(
        "One\u{b}two\u{8} `co\u{1}de`",
        &markdown::Options::default(),
    )
    .into();
    let feed = feed(&World::new(vec![story]));
    assert!(
        !feed.contains(
            |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{fffe}'
        )
    );
    assert_eq!(read(&feed, "title")[1], "Formfeed and [0m");
}

/// Media RSS 1.5.1; the W3C validator knows `media:content`.
#[test]
fn the_cover_of_an_article_is_in_its_item_and_above_its_text() {
    let picture = |text: &str| {
        let mut covered = article("a", Some("2024-01-01"), text);
        covered.cover = Some("A <hill>".into());
        covered.image = Some(diglot_content::Target::File {
            path: "/pictures/a hill.png".into(),
            suffix: String::new(),
            size: Some((640, 480)),
        });
        covered
    };
    let feed_of = |article: Article| feed(&World::new(vec![article]));
    let whole = feed_of(picture("Words."));
    assert!(
        whole.contains(
            "<media:content url=\"https://example.org/pictures/a%20hill.png\" medium=\"image\" \
             width=\"640\" height=\"480\"/>"
        ),
        "{whole}"
    );
    let content = &read(&whole, "content:encoded")[0];
    assert!(
        content.starts_with("<p><img src=\"https://example.org/pictures/a%20hill.png\""),
        "{content}"
    );
    assert!(content.trim_end().ends_with("<p>Words.</p>"), "{content}");
    let plain = feed_of(article("a", Some("2024-01-01"), "Words."));
    assert!(
        !plain.contains("<media:content") && !plain.contains("<img"),
        "{plain}"
    );
}
