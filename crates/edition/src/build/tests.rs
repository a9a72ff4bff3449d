use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use diglot_content::library::{Kind, PublishedFile, Rank, Redirect};
use diglot_content::site::Pictures;
use diglot_content::{Article, Destination, OldAddress, Severity, SourceLocation};

use super::*;
use crate::resolve::Found;
use crate::testing::{article, now, site, site_at, text};
use crate::theme::ThemeFile;

fn library(mut articles: Vec<Article>, pages: Vec<Article>) -> Library {
    articles.sort_by(|one, other| {
        other
            .date
            .cmp(&one.date)
            .then_with(|| one.stem.cmp(&other.stem))
    });
    let shared = |articles: Vec<Article>| articles.into_iter().map(Arc::new).collect::<Vec<_>>();
    Library {
        articles: shared(articles).into(),
        pages: shared(pages),
        ..Library::default()
    }
}

fn page(stem: &str) -> Article {
    Article {
        kind: Kind::Page,
        stem: stem.into(),
        date: None,
        ..article("page", None, "Some words of a page.")
    }
}

fn file(path: &str) -> PublishedFile {
    PublishedFile {
        path: path.into(),
        source: format!("static{path}").into(),
        bytes: Bytes::from_static(b"bytes"),
        changed: "2030-01-01T00:00:00Z".parse().unwrap(),
    }
}

fn small() -> Library {
    let one = article(
        "one",
        Some("2024-05-01"),
        "First words, and [a link](https://other.example/).",
    );
    let nested = article("2023/größe (x)", Some("2023-05-01"), "Second words.");
    let hidden = Article {
        listed: false,
        ..article("hidden", Some("2026-05-01"), "Words for those who know.")
    };
    let mut library = library(vec![one, nested, hidden], vec![page("/about")]);
    library.files = vec![file("/img/a.png")];
    library
}

fn build(library: &Library) -> Edition {
    Edition::build(library, Arc::new(site()), &Theme::new(&[]).unwrap(), now()).unwrap()
}

fn body(edition: &Edition, path: &str) -> String {
    text(
        &edition
            .get(path)
            .unwrap_or_else(|| panic!("nothing at {path}"))
            .body,
    )
}

#[test]
fn contract_1_every_resource_of_the_table_is_there() {
    let edition = build(&small());
    for path in [
        "/rss.xml",
        "/sitemap.xml",
        "/sitemap.md",
        "/llms.txt",
        "/llms-full.txt",
        "/",
        "/index.html",
        "/index.md",
        "/articles/one.html",
        "/articles/one.md",
        "/articles/2023/größe (x).html",
        "/articles/index.html",
        "/tags/ships.md",
        "/years/2024.html",
        "/status.json",
        "/openapi.json",
        "/.well-known/api-catalog",
        "/api.html",
        "/api.md",
        "/terms.html",
        "/terms.md",
        "/robots.txt",
        "/about.html",
        "/about.md",
        "/img/a.png",
        "/404.html",
        "/404.md",
    ] {
        assert!(
            edition
                .get(path)
                .is_some_and(|resource| !resource.body.is_empty()),
            "{path}"
        );
    }
    assert_eq!(edition.articles, 3);
}

#[test]
fn contract_3_no_resource_is_from_the_future() {
    for library in [small(), Library::default()] {
        for resource in &build(&library).resources {
            assert!(
                resource.modified <= now() && resource.modified > Timestamp::UNIX_EPOCH,
                "{} of {}",
                resource.path,
                resource.modified
            );
        }
    }
}

#[test]
fn contract_4_the_status_names_the_edition() {
    let edition = build(&small());
    let status: serde_json::Value = serde_json::from_str(&body(&edition, "/status.json")).unwrap();
    assert_eq!(status["releaseId"], edition.id.to_string());
    assert_eq!(status["articles"], 2, "the unlisted one is not told");
    assert_eq!(status["status"], "pass");
}

#[test]
fn design_5_the_same_library_gives_the_same_bytes() {
    let digests = |edition: &Edition| {
        edition
            .resources
            .iter()
            .map(|resource| (resource.path.clone(), resource.digest))
            .collect::<BTreeMap<_, _>>()
    };
    let (one, other) = (build(&small()), build(&small()));
    assert_eq!(digests(&one), digests(&other));
    let alone = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap()
        .install(|| build(&small()));
    assert_eq!(
        (digests(&one), one.id),
        (digests(&alone), alone.id),
        "whatever the number of threads"
    );
}

#[test]
fn contract_6_no_document_names_an_unlisted_article() {
    let edition = build(&small());
    assert!(matches!(
        edition.resolve("/articles/hidden.html"),
        Found::Resource(_)
    ));
    for resource in &edition.resources {
        let own = resource.path.starts_with("/articles/hidden.");
        assert!(
            own || !text(&resource.body).contains("articles/hidden"),
            "{} names it",
            resource.path
        );
    }
    assert!(
        edition
            .nearest("/articles/hiddem.html")
            .iter()
            .all(|page| *page.stem != *"/articles/hidden")
    );
}

#[test]
fn contract_6_no_answer_names_a_source() {
    let edition = build(&small());
    for resource in &edition.resources {
        assert!(
            !text(&resource.body).contains("secret-folder"),
            "{}",
            resource.path
        );
    }
}

#[test]
fn contract_1_a_file_on_a_documents_path_is_set_aside_and_named() {
    let mut library = small();
    library.files = vec![
        file("/robots.txt"),
        file("/status.json"),
        file("/sitemap.md"),
        file("/a//b"),
        file("/../x"),
        file("/fine.txt"),
    ];
    library.pages.push(page("/sitemap").into());
    let edition = build(&library);
    let named: Vec<String> = edition.problems.iter().map(ToString::to_string).collect();
    for path in [
        "/robots.txt",
        "/status.json",
        "/sitemap.md",
        "/a//b",
        "/../x",
    ] {
        assert!(
            named.iter().any(
                |problem| problem.contains(&format!("static{path}: `{path}` is not published"))
            ),
            "{path} in {named:#?}"
        );
    }
    assert!(
        edition.get("/fine.txt").is_some()
            && edition.get("/a//b").is_none()
            && edition.get("/sitemap.html").is_none()
    );
    assert!(body(&edition, "/robots.txt").contains("User-agent"));
    assert!(body(&edition, "/status.json").contains("\"warn\""));
    assert!(body(&edition, "/sitemap.md").starts_with("# Sitemap of"));
}

#[test]
fn contract_1_old_and_expired_addresses_are_carried_over() {
    let mut library = small();
    let to = |old: &str, to: &str| {
        let place = SourceLocation {
            path: "posts/one.md".into(),
            line: 3,
            column: 1,
        };
        (
            OldAddress::new(old.to_owned()).unwrap(),
            Redirect {
                to: Destination::parse(to).unwrap(),
                written: None,
                place: Some(place),
                rank: Rank::Written,
            },
        )
    };
    library.redirects = Arc::new(BTreeMap::from([
        to("/old/", "/articles/one"),
        to("/rss.xml/", "/articles/one"),
    ]));
    let (old, redirect) = to("/part", "/articles/one");
    let page = Destination::place("/articles/one".to_owned(), "das Ende");
    let redirect = Redirect {
        to: page,
        ..redirect
    };
    Arc::make_mut(&mut library.redirects).insert(old, redirect);
    library.expired = BTreeSet::from(["/articles/past".to_owned()]);
    let edition = build(&library);
    assert_eq!(
        edition.resolve("/part"),
        Found::Moved("/articles/one.html#das%20Ende".into())
    );
    assert_eq!(
        edition.resolve("/old/"),
        Found::Moved("/articles/one.html".into())
    );
    assert_eq!(edition.resolve("/articles/past.md"), Found::Gone);
    let (feeds, others): (Vec<_>, Vec<_>) =
        edition.redirects().partition(|(_, url)| url == "/rss.xml");
    let part = "/articles/one.html#das%20Ende".to_owned();
    let old = ("/old/", "/articles/one.html".to_owned());
    assert_eq!(others, [old, ("/part", part)]);
    let feeds: Vec<&str> = feeds.into_iter().map(|(old, _)| old).collect();
    assert_eq!(
        feeds,
        [
            "/atom.xml",
            "/blog/feed.xml",
            "/feed",
            "/feed.xml",
            "/feed/feed.xml",
            "/index.xml",
            "/rss"
        ],
        "rule 46: the usual addresses of feeds lead to the feed"
    );
    assert_eq!(edition.resolve("/feed/"), Found::Moved("/rss.xml".into()));
    assert_eq!(edition.expired().collect::<Vec<_>>(), ["/articles/past"]);
    assert_eq!(
        edition.resolve("/rss.xml/"),
        Found::Near("/rss.xml".into()),
        "what takes a resource's place is no old address"
    );
    let problems: Vec<_> = edition
        .problems
        .iter()
        .filter_map(|problem| Some((problem.place.as_ref()?.to_string(), problem.severity)))
        .collect();
    assert_eq!(problems, [("posts/one.md:3:1".to_owned(), Severity::Error)]);
}

#[test]
fn contract_3_every_page_has_a_link_field_and_a_twin() {
    let edition = build(&small());
    for (id, resource) in (0..).zip(&edition.resources) {
        if resource.route.form().is_some() {
            assert!(edition.twin(id).is_some(), "{}", resource.path);
            assert!(
                resource
                    .link_text()
                    .is_some_and(|link| matches!(resource.route, Route::NotFound(_))
                        || link.contains("rel=\"alternate\"")),
                "{}",
                resource.path
            );
        }
    }
}

#[test]
fn contract_5_merged_articles_are_slices_of_the_twins() {
    let edition = build(&small());
    let twin = edition.get("/articles/one.md").unwrap().body.to_bytes();
    let merged = &edition.get("/llms-full.txt").unwrap().body;
    let within = |slice: &Bytes| twin.as_ptr_range().contains(&slice.as_ptr());
    assert!(
        merged.slices().iter().any(within),
        "the merged text shares the twin's bytes"
    );
    let whole = text(merged);
    assert!(whole.contains(
        "# About one\n\nURL: <https://example.org/articles/one.html>\nDate: 2024-05-01\n"
    ));
    assert!(
        !whole.contains("canonical_url") && !whole.contains("## Sitemap"),
        "{whole}"
    );
}

#[test]
fn labels_of_footnotes_are_unique_in_the_merged_articles() {
    let text = "Words[^1] and[^n] `[^1]` \\[^2].\n\n[^1]: One[^n].\n[^n]: Two.\n";
    let long = "x".repeat(90);
    let slugs = ["one", "one-1", "2023/größe (x)", "Two", long.as_str()];
    let articles = slugs
        .map(|slug| article(slug, Some("2024-05-01"), text))
        .to_vec();
    let pages = vec![Article {
        document: article("x", None, text).document.clone(),
        ..page("/one")
    }];
    let edition = build(&library(articles, pages));
    let merged = body(&edition, "/llms-full.txt");
    let notes: Vec<&str> = merged
        .lines()
        .filter_map(|line| line.strip_prefix("[^")?.split_once("]: "))
        .map(|(label, _)| label)
        .collect();
    let unique: BTreeSet<&str> = notes.iter().copied().collect();
    assert_eq!(
        (notes.len(), unique.len()),
        (2 * slugs.len(), 2 * slugs.len()),
        "{merged}"
    );
    for label in &notes {
        assert!(
            merged.matches(&format!("[^{label}]")).count() > 1,
            "`{label}` has no mark: {merged}"
        );
        assert!(
            label.bytes().all(|byte| byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || b"-./_".contains(&byte)),
            "{label}"
        );
    }
    assert!(
        merged.contains("Words[^one-1] and[^one-2] `[^1]` \\[^2].\n\n[^one-1]: One[^one-2].\n"),
        "{merged}"
    );
    assert!(
        merged.contains("Words[^one-1-1]"),
        "the slug is told from the number by the last hyphen: {merged}"
    );
    assert!(
        body(&edition, "/articles/one.md").contains("Words[^1] and[^2]"),
        "a twin keeps its own"
    );
}

#[test]
fn contract_3_nothing_but_the_theme_is_below_its_folder() {
    let mut library = small();
    library.files = vec![file("/_"), file("/_/x.js"), file("/__/x.js")];
    let edition = build(&library);
    assert!(
        edition.get("/_").is_none()
            && edition.get("/_/x.js").is_none()
            && edition.get("/__/x.js").is_some()
    );
    let told = edition
        .problems
        .iter()
        .filter(|problem| problem.message.contains("only the theme has files there"))
        .count();
    assert_eq!(told, 2, "{:?}", edition.problems);
}

#[test]
fn contract_3_a_theme_without_scripts_allows_none() {
    let with = |files: &[ThemeFile]| {
        Edition::build(
            &small(),
            Arc::new(site()),
            &Theme::new(files).unwrap(),
            now(),
        )
        .unwrap()
        .page_policy
    };
    assert!(with(&[]).contains("script-src 'none';"));
    let script = ThemeFile {
        path: "site.js".to_owned(),
        bytes: Bytes::from_static(b"x"),
    };
    assert!(with(&[script]).contains("script-src *:*/_/;"));
}

#[test]
fn an_empty_folder_gives_a_whole_site() {
    let edition = build(&Library::default());
    assert_eq!(edition.articles, 0);
    assert!(body(&edition, "/llms.txt").contains("\n## Pages\n"));
    assert!(body(&edition, "/sitemap.xml").contains("https://example.org/terms.html"));
}

#[test]
fn a_base_with_a_path_is_in_every_absolute_url() {
    let edition = Edition::build(
        &small(),
        Arc::new(site_at("https://example.org/blog")),
        &Theme::new(&[]).unwrap(),
        now(),
    )
    .unwrap();
    for path in [
        "/rss.xml",
        "/sitemap.xml",
        "/sitemap.md",
        "/llms.txt",
        "/llms-full.txt",
        "/status.json",
        "/robots.txt",
        "/.well-known/api-catalog",
    ] {
        let text = body(&edition, path).replace("https://example.org/blog", "");
        assert!(!text.contains("https://example.org"), "{path}: {text}");
    }
}

#[test]
fn every_page_without_a_picture_of_its_own_has_that_of_the_site() {
    let edition = build(&small());
    let page = body(&edition, "/articles/one.html");
    let path = page
        .split("/_/card.")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .map(|rest| format!("/_/card.{rest}"))
        .unwrap();
    assert!(
        page.contains("<meta property=\"og:image:width\" content=\"1200\">"),
        "{page}"
    );
    let picture = edition
        .get(&path)
        .unwrap_or_else(|| panic!("nothing at {path}"));
    assert!(picture.body.len() <= 30_000 && picture.body.to_bytes().starts_with(b"\x89PNG"));
    let own = crate::theme::ThemeFile {
        path: "card.png".into(),
        bytes: Bytes::from_static(b"a picture of the theme's"),
    };
    let edition = Edition::build(
        &small(),
        Arc::new(site()),
        &Theme::new(&[own]).unwrap(),
        now(),
    )
    .unwrap();
    let cards: Vec<&str> = edition
        .resources
        .iter()
        .map(|resource| &*resource.path)
        .filter(|path| path.starts_with("/_/card."))
        .collect();
    assert_eq!(
        cards.len(),
        1,
        "a theme's own picture replaces the drawn one"
    );
    assert!(body(&edition, "/articles/one.html").contains(cards[0]));
}

/// The path of a page's card, if any.
fn picture_of(edition: &Edition, page: &str) -> Option<String> {
    let page = body(edition, page);
    let rest = page
        .split("property=\"og:image\" content=\"https://example.org")
        .nth(1)?;
    rest.split('"').next().map(str::to_owned)
}

fn with_pictures(library: &Library, pictures: Pictures, known: &CardCache) -> Edition {
    let mut known = Known {
        card_cache: known.clone(),
        ..Known::default()
    };
    Edition::build_again(
        library,
        Arc::new(Site { pictures, ..site() }),
        &Theme::new(&[]).unwrap(),
        now(),
        &mut known,
    )
    .unwrap()
}

#[test]
fn articles_have_pictures_of_their_own_when_the_settings_say_so() {
    let title = |slug: &str, title: &str| Article {
        title: title.into(),
        ..article(slug, Some("2024-05-01"), "Words.")
    };
    let articles = vec![
        title("one", "One title"),
        title("same", "One title"),
        title("other", "Another"),
        title("far", "日本語の見出し"),
    ];
    let library = self::library(articles, Vec::new());
    let edition = with_pictures(&library, Pictures::Articles, &CardCache::default());
    let picture = |page: &str| picture_of(&edition, page).unwrap();
    let site = picture("/index.html");
    assert_eq!(
        picture("/articles/one.html"),
        picture("/articles/same.html"),
        "the same words are one picture"
    );
    assert_ne!(
        picture("/articles/one.html"),
        picture("/articles/other.html")
    );
    assert_ne!(picture("/articles/one.html"), site);
    assert_eq!(
        picture("/articles/far.html"),
        site,
        "what cannot be drawn has the site's"
    );
    assert_eq!(edition.card_cache.len(), 3);
    let drawn = edition
        .get(&picture("/articles/other.html"))
        .unwrap()
        .body
        .to_bytes();
    assert!(drawn.len() <= 30_000 && drawn.starts_with(b"\x89PNG"));

    let edition = with_pictures(&library, Pictures::None, &CardCache::default());
    assert_eq!(
        (
            picture_of(&edition, "/articles/one.html"),
            edition.card_cache.len()
        ),
        (None, 0)
    );
    assert!(
        body(&edition, "/articles/one.html")
            .contains("<meta name=\"twitter:card\" content=\"summary\">")
    );
}

#[test]
fn design_9_a_picture_that_is_known_is_not_drawn_again() {
    let library = small();
    let first = with_pictures(&library, Pictures::Articles, &CardCache::default());
    assert_eq!(
        with_pictures(&library, Pictures::Articles, &first.card_cache).id,
        first.id,
        "the same bytes"
    );
    // Cards with other words under these digests: they are used as they are, which proves that
    // nothing was drawn.
    let mut planted = CardCache::default();
    let other = crate::card::draw(&crate::card::CardText {
        title: "planted",
        text: "",
        foot: "",
    })
    .unwrap();
    assert!(
        first
            .card_cache
            .iter()
            .all(|(words, _)| planted.insert(words, other.clone()))
    );
    let second = with_pictures(&library, Pictures::Articles, &planted);
    assert_eq!(
        second
            .get(&picture_of(&second, "/articles/one.html").unwrap())
            .unwrap()
            .body
            .to_bytes(),
        other
    );
}

mod changes;
mod memory;

/// Two languages, one tag, and 25 articles.
fn of_two_languages() -> Library {
    let one = |number: usize| {
        let date = format!("2024-05-{:02}", number + 1);
        let language = if number < 3 { "de" } else { "en" };
        Article {
            language: language.into(),
            ..article(&format!("a{number:02}"), Some(&date), "Some *words*.")
        }
    };
    library((0..25).map(one).collect(), Vec::new())
}

#[test]
fn contract_7_a_tag_and_a_language_have_a_feed_of_whole_articles() {
    let edition = build(&of_two_languages());
    let feed = body(&edition, "/tags/ships.rss");
    assert_eq!(feed.matches("<item>").count(), 20, "in the site's language");
    for part in [
        "<title>Notes &amp; Queries – Articles on Ships &amp; Compilers</title>",
        "<link>https://example.org/tags/ships.html</link>",
        "<atom:link href=\"https://example.org/tags/ships.rss\" rel=\"self\"",
        "&lt;em&gt;words&lt;/em&gt;",
        "<language>en</language>",
    ] {
        assert!(feed.contains(part), "no {part} in {feed}");
    }
    let german = body(&edition, "/languages/de.rss");
    let places = ["a02", "a01", "a00"].map(|slug| german.find(slug).unwrap());
    assert!(places.is_sorted(), "the newest first: {german}");
    assert_eq!(german.matches("<item xml:lang=\"de\">").count(), 3);
    assert!(german.contains("<language>de</language>"), "{german}");
    assert!(german.contains("Alle") || german.contains("Startseite"));
    assert!(
        edition.get("/languages/en.rss").is_none(),
        "it is the site's"
    );
    let whole = edition.get("/tags/ships.rss").unwrap();
    assert_eq!(whole.route.media_type(), "application/xml; charset=utf-8");
}

#[test]
fn contract_7_a_section_of_a_journal_has_a_feed_of_its_articles() {
    let articles = ["life/a", "life/b", "tech/a", "tech/b", "c"]
        .map(|slug| article(slug, Some("2024-05-01"), "Some words."));
    let edition = build(&library(articles.into(), Vec::new()));
    let feed = body(&edition, "/sections/tech.rss");
    assert_eq!(feed.matches("<item>").count(), 2);
    for part in [
        "<title>Notes &amp; Queries – Tech</title>",
        "<link>https://example.org/sections/tech.html</link>",
        "<atom:link href=\"https://example.org/sections/tech.rss\" rel=\"self\"",
        "<link>https://example.org/articles/tech/a.html</link>",
    ] {
        assert!(feed.contains(part), "no {part} in {feed}");
    }
}

#[test]
fn contract_7_browsers_find_the_search_unless_an_author_has_the_address() {
    let edition = build(&of_two_languages());
    let link = "<link rel=\"search\" type=\"application/opensearchdescription+xml\"";
    assert!(body(&edition, "/index.html").contains(link));
    let description = edition.get("/opensearch.xml").unwrap();
    assert_eq!(description.route, Route::OpenSearch);
    for path in ["/openapi.json", "/.well-known/api-catalog"] {
        assert!(body(&edition, path).contains("/opensearch.xml"), "{path}");
    }
    let mut library = of_two_languages();
    library.files = vec![file("/opensearch.xml")];
    let edition = build(&library);
    assert_eq!(body(&edition, "/opensearch.xml"), "bytes");
    library.files = vec![file("/search.html")];
    let edition = build(&library);
    assert!(edition.get("/opensearch.xml").is_none());
    assert!(!body(&edition, "/index.html").contains(link));
    assert!(!body(&edition, "/openapi.json").contains("/opensearch.xml"));
}

#[test]
fn contract_7_a_feed_of_a_part_is_the_same_written_again() {
    let (library, site) = (of_two_languages(), Arc::new(site()));
    let theme = Theme::new(&[]).unwrap();
    let mut known = Known::default();
    let first =
        Edition::build_again(&library, Arc::clone(&site), &theme, now(), &mut known).unwrap();
    let again = Edition::build_again(&library, site, &theme, now(), &mut known).unwrap();
    for path in ["/tags/ships.rss", "/languages/de.rss", "/rss.xml"] {
        let [one, other] = [&first, &again].map(|edition| edition.get(path).unwrap());
        assert_eq!(one.digest, other.digest, "{path}");
        assert_eq!(one.body.to_bytes(), other.body.to_bytes(), "{path}");
    }
}

#[test]
fn contract_7_an_authors_file_keeps_the_address_of_a_feed() {
    let mut library = of_two_languages();
    library.files = vec![file("/tags/ships.rss"), file("/languages/de.html")];
    let edition = build(&library);
    assert_eq!(body(&edition, "/tags/ships.rss"), "bytes");
    assert_eq!(body(&edition, "/languages/de.html"), "bytes");
    let list = body(&edition, "/languages/de-list.html");
    assert!(list.contains("href=\"https://example.org/languages/de.rss\""));
    assert!(edition.get("/languages/de.md").is_none());
    let said: Vec<String> = edition.problems.iter().map(ToString::to_string).collect();
    let left_out = |problem: &&String| problem.contains("`/tags/ships.rss` is left out");
    assert_eq!(said.iter().filter(left_out).count(), 1, "{said:?}");
    let page = body(&edition, "/tags/ships.html");
    assert!(page.contains("https://example.org/rss.xml"), "{page}");
}

#[test]
fn contract_7_sitemaps_have_the_first_page_of_a_list_and_all_its_articles() {
    let articles = (0..60).map(|number| article(&format!("a{number:02}"), Some("2024-05-01"), ""));
    let edition = build(&library(articles.collect(), Vec::new()));
    let (sitemap, markdown) = (
        body(&edition, "/sitemap.xml"),
        body(&edition, "/sitemap.md"),
    );
    for path in ["/articles/index", "/tags/ships", "/years/2024"] {
        let url = format!("https://example.org{path}.html");
        assert!(sitemap.contains(&format!("<loc>{url}</loc>")), "{path}");
        assert!(markdown.contains(&format!("({url}) `{path}.md`")), "{path}");
    }
    assert!(!sitemap.contains("/page-2") && !markdown.contains("/page-2"));
    let articles = body(&edition, "/sitemap.md").matches("/articles/a").count();
    assert_eq!(articles, 2 * 60, "`/sitemap.md` is whole");
}

#[test]
fn contract_7_a_skill_of_the_authors_replaces_the_generated_one() {
    let index = "/.well-known/agent-skills/index.json";
    let own = "/.well-known/agent-skills/own/SKILL.md";
    let mut library = small();
    let edition = build(&library);
    assert!(body(&edition, index).contains("/.well-known/agent-skills/read-example-org/SKILL.md"));
    assert!(body(&edition, "/.well-known/api-catalog").contains(index));
    library.files = vec![file(index), file(own)];
    let edition = build(&library);
    assert_eq!(body(&edition, index), "bytes");
    assert_eq!(body(&edition, own), "bytes");
    let generated = edition.resources.iter();
    let generated = generated.filter(|it| matches!(it.route, Route::Skill(_) | Route::Skills));
    assert_eq!(generated.count(), 0);
    assert!(!body(&edition, "/openapi.json").contains("{skill}"));
}
