//! The two forms of a page.

use super::*;

const TEXT: &str = "First *words* with a [link](other.md) and a picture ![alt](pic.png).\n\n## Part one\n\nText.\n\n```rust\nfn main() {}\n```\n\n### Deeper\n\nMore.\n";

fn two() -> Vec<Arc<Page>> {
    pages(vec![
        tagged(
            article(
                "/articles/a b/ünï",
                "A \"title\": # 1 <b>",
                Some("2024-05-01"),
                TEXT,
            ),
            &["Rust", "Web"],
        ),
        tagged(
            article(
                "/articles/other",
                "Other",
                Some("2023-04-01"),
                "Words of the other.",
            ),
            &["Rust"],
        ),
    ])
}

#[test]
fn twin_opens_with_front_matter_then_one_h1_and_ends_with_the_sitemap() {
    let (_, twin) = forms(&two(), "/articles/a b/ünï");
    let expected = "---\ntitle: \"A \\\"title\\\": # 1 <b>\"\n\
        description: \"First words with a link and a picture .\"\n\
        canonical_url: \"https://example.org/articles/a%20b/%C3%BCn%C3%AF.html\"\n\
        llms_txt: \"https://example.org/llms.txt\"\n\
        date: \"2024-05-01T10:00:00Z\"\n\
        last_updated: \"2024-05-01T12:00:00Z\"\n\
        author: \"A. Author\"\n\
        tags: [\"Rust\", \"Web\"]\n\
        language: \"en\"\n---\n\n# A \"title\": ";
    let (front, rest) = twin.split_at(twin.find("\n\nFirst").unwrap());
    assert!(
        front.starts_with(&expected.replace("a picture .", "a picture."))
            || front.starts_with(expected),
        "{front}"
    );
    assert_eq!(rest.matches("\n# ").count(), 0);
    assert!(
        twin.ends_with("\n\n## Sitemap\n\n- [All pages](https://example.org/sitemap.md)\n- [Index of the content](https://example.org/llms.txt)\n"),
        "{twin}"
    );
}

#[test]
fn rule_61_the_title_has_every_id_of_its_heading() {
    let mut written = article("/articles/a", "Über", None, "Words.");
    let mut document = markdown::parse("Words.", &markdown::Options::default());
    document.title_id = Some("über".to_owned());
    document.title_anchors = vec!["uber".to_owned(), "a\"b".to_owned()];
    written.document = document.into();
    let (html, _) = forms(&pages(vec![written]), "/articles/a");
    has(
        &html,
        "<h1 id=\"über\"><span id=\"uber\"></span><span id=\"a&quot;b\"></span>Über</h1>",
    );
}

#[test]
fn addresses_of_the_twin_are_absolute_and_articles_go_to_their_md() {
    let (_, twin) = forms(&two(), "/articles/a b/ünï");
    has(&twin, "[link](https://example.org/articles/other.md)");
    has(&twin, "![alt](https://example.org/pic.png)");
}

#[test]
fn merged_is_the_text_after_the_h1_and_before_the_tail() {
    let pages = two();
    let page = pages.iter().find(|page| &*page.title == "Other").unwrap();
    assert_eq!(&page.rest[page.merged.clone()], b"Words of the other.");
}

#[test]
fn html_has_its_head() {
    let (html, _) = forms(&two(), "/articles/a b/ünï");
    for part in [
        "<!doctype html>\n<html lang=\"en\" dir=\"ltr\">",
        "<title>A &quot;title&quot;: # 1 &lt;b&gt; – Notes &amp; Queries</title>",
        "<link rel=\"canonical\" href=\"https://example.org/articles/a%20b/%C3%BCn%C3%AF.html\">",
        "<link rel=\"alternate\" type=\"text/markdown\" href=\"https://example.org/articles/a%20b/%C3%BCn%C3%AF.md\">",
        "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Notes &amp; Queries\" href=\"https://example.org/rss.xml\">",
        "<link rel=\"describedby\" type=\"text/plain\" href=\"https://example.org/llms.txt\">",
        "<meta property=\"og:type\" content=\"article\">",
        "<meta property=\"og:url\" content=\"https://example.org/articles/a%20b/%C3%BCn%C3%AF.html\">",
        "<time datetime=\"2024-05-01T10:00:00Z\">1 May 2024</time>",
        "<a href=\"/articles/a%20b/%C3%BCn%C3%AF.md\" type=\"text/markdown\">",
        "<a href=\"/llms.txt\">",
    ] {
        has(&html, part);
    }
    for (tag, count) in [("<main", 1), ("<article", 1), ("<h1", 1)] {
        assert_eq!(html.matches(tag).count(), count, "{tag}");
    }
    has_not(&html, "source-path");
}

#[test]
fn html_is_below_the_path_of_the_base_url() {
    let library = library(vec![article(
        "/articles/x",
        "X",
        Some("2024-05-01"),
        "Words [x](other.md).",
    )]);
    let (html, twin) = forms(
        &rendered(&library, &site_at("https://example.org/blog"), &[]).unwrap(),
        "/articles/x",
    );
    for part in [
        "href=\"/blog/_/main.",
        "href=\"/blog/articles/other.html\"",
        "href=\"/blog/articles/x.md\"",
        "<header class=\"mast\"><a href=\"/blog/\">",
    ] {
        has(&html, part);
    }
    has(&twin, "(https://example.org/blog/articles/other.md)");
    for start in ["href=\"/", "src=\"/"] {
        assert!(
            html.match_indices(start)
                .all(|(at, _)| html[at + start.len()..].starts_with("blog/")),
            "{html}"
        );
    }
}

#[test]
fn json_ld_parses_and_cannot_end_its_script() {
    let (html, _) = forms(
        &pages(vec![article(
            "/articles/x",
            "</script><b>",
            Some("2024-05-01"),
            "Words.",
        )]),
        "/articles/x",
    );
    let data = html
        .split_once("<script type=\"application/ld+json\">")
        .unwrap()
        .1
        .split_once("</script>")
        .unwrap()
        .0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let nodes = data["@graph"].as_array().unwrap();
    let posting = nodes
        .iter()
        .find(|node| node["@type"] == "BlogPosting")
        .unwrap();
    assert_eq!(posting["headline"], "</script><b>");
    for key in [
        "datePublished",
        "dateModified",
        "inLanguage",
        "url",
        "author",
    ] {
        assert!(!posting[key].is_null(), "{key}");
    }
    assert_eq!(
        nodes
            .iter()
            .find(|node| node["@type"] == "BreadcrumbList")
            .unwrap()["itemListElement"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn both_forms_agree() {
    for page in two() {
        assert!(page.parity.is_whole(), "{}: {:?}", page.title, page.parity);
    }
}

/// Texts and URLs of the links to articles and lists within `main`.
fn links_of_html(html: &str) -> Vec<(String, String)> {
    let main = html
        .split_once("<main")
        .unwrap()
        .1
        .split_once("</main>")
        .unwrap()
        .0;
    let links = main.split("<a ").skip(1).map(|link| {
        let address = link
            .split_once("href=\"")
            .unwrap()
            .1
            .split('"')
            .next()
            .unwrap();
        let words = link
            .split_once('>')
            .unwrap()
            .1
            .split_once("</a>")
            .unwrap()
            .0;
        (
            unescaped(words),
            address.trim_end_matches(".html").to_owned(),
        )
    });
    links
        .filter(|(_, address)| !address.ends_with(".md"))
        .collect()
}

/// The same for a twin: `[words](address)`, with escapes in the words.
fn links_of_markdown(twin: &str) -> Vec<(String, String)> {
    let body = twin
        .split_once("\n---\n")
        .unwrap()
        .1
        .split_once("\n## Sitemap")
        .unwrap()
        .0;
    let (mut links, mut words, mut escaped) = (Vec::new(), None::<String>, false);
    for (at, character) in body.char_indices() {
        let target = body[at..].strip_prefix("](").filter(|_| !escaped);
        match (&mut words, target) {
            (Some(title), Some(target)) => {
                let address = target.split(')').next().unwrap().trim_matches(['<', '>']);
                links.push((
                    unescaped(title),
                    address
                        .replace("https://example.org", "")
                        .trim_end_matches(".md")
                        .to_owned(),
                ));
                words = None;
            }
            _ if character == '[' && !escaped => words = Some(String::new()),
            (Some(title), None) if !escapes(&body[at..]) || escaped => title.push(character),
            _ => {}
        }
        escaped = escapes(&body[at..]) && !escaped;
    }
    links
}

/// Whether the text starts with a backslash escape.
fn escapes(text: &str) -> bool {
    text.strip_prefix('\\')
        .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_punctuation()))
}

/// Decodes character references.
fn unescaped(text: &str) -> String {
    let named = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (reference, behind) = rest.split_once(';').unwrap_or((rest, ""));
        let number = reference
            .strip_prefix("&#")
            .and_then(|number| number.parse().ok())
            .and_then(char::from_u32)
            .map(String::from);
        let name = named
            .iter()
            .find(|(name, _)| rest.starts_with(name))
            .map(|(_, own)| (*own).to_owned());
        // An ampersand alone is not a reference.
        let (own, behind) = number
            .or(name)
            .map_or(("&".to_owned(), &rest[1..]), |own| (own, behind));
        plain.push_str(&own);
        rest = behind;
    }
    plain + rest
}

/// End-to-end: both forms of a list have the same titles and URLs, those of its articles.
#[test]
fn lists_agree_whatever_signs_their_titles_hold() {
    let titles = [
        "C++ (and C)",
        "[a](b) *c* `d`",
        "<e> & \"f\" 'g'",
        "\\ _h_ #1 | ~i~ ![j]",
        "हिन्दी: एक",
    ];
    let written = titles.iter().enumerate().map(|(number, title)| {
        let mut article = tagged(
            article(
                &format!("/articles/{number}"),
                title,
                Some("2024-05-01"),
                "Text.",
            ),
            &[title],
        );
        article.tags[0].slug = format!("tag-{number}").into();
        article
    });
    let pages = pages(written.collect());
    for (number, title) in titles.iter().enumerate() {
        let (html, twin) = forms(&pages, &format!("/tags/tag-{number}"));
        let expected = ((*title).to_owned(), format!("/articles/{number}"));
        let mut printed = expected.clone();
        printed.0 = printed.0.replace("\"f\" 'g'", "“f” ‘g’");
        assert!(
            links_of_html(&html).contains(&printed),
            "{expected:?} is not in {:?}",
            links_of_html(&html)
        );
        assert!(
            links_of_markdown(&twin).contains(&expected),
            "{expected:?} is not in {:?}",
            links_of_markdown(&twin)
        );
    }
    let all: Vec<(String, String)> = titles
        .iter()
        .enumerate()
        .map(|(number, title)| ((*title).to_owned(), format!("/articles/{number}")))
        .collect();
    for stem in ["/articles/index", "/years/2024", "/index"] {
        let (html, twin) = forms(&pages, stem);
        let printed = |(title, address): (String, String)| {
            let quotes = ["“", "”", "‘", "’"].iter().zip(["\"", "\"", "'", "'"]);
            let written = quotes.fold(title, |title, (mark, plain)| title.replace(mark, plain));
            (written, address)
        };
        let of_html = links_of_html(&html).into_iter().map(printed).collect();
        for mut found in [of_html, links_of_markdown(&twin)] {
            found.retain(|(_, address)| {
                address.starts_with("/articles/") && !address.ends_with("/index")
            });
            assert_eq!(found, all, "{stem}");
        }
    }
}

/// The same in other languages.
#[test]
fn lists_of_other_languages_agree() {
    let mut spanish = article("/articles/es", "Uno", Some("2024-05-01"), "Texto.");
    spanish.language = "es-PR".into();
    let mut hindi = article("/articles/hi", "एक", Some("2024-05-02"), "Text.");
    hindi.language = "hi".into();
    let pages = pages(vec![spanish, hindi]);
    for (stem, title, address) in [
        ("/articles/index", "Uno", "/articles/es"),
        ("/languages/hi", "एक", "/articles/hi"),
    ] {
        let (html, twin) = forms(&pages, stem);
        for found in [links_of_html(&html), links_of_markdown(&twin)] {
            assert!(
                found.contains(&(title.to_owned(), address.to_owned())),
                "{found:?}"
            );
        }
    }
}

/// Parity end-to-end: the parsed twin has the same headings, links, images and code as the HTML.
#[test]
fn a_twin_parsed_again_is_the_page() {
    for page in two() {
        let twin = String::from_utf8(page.rest.to_vec()).unwrap();
        let again = markdown::parse(&twin[page.merged.clone()], &markdown::Options::default());
        let html = String::from_utf8(page.html.to_vec()).unwrap();
        let article = html
            .split_once("<article>")
            .unwrap()
            .1
            .split_once("</article>")
            .unwrap()
            .0;
        let content = article.split_once("</header>").unwrap().1;
        for heading in again.headings() {
            has(
                &content.replace("</a></h", "</h"),
                &format!("{}</h{}>", heading.text, heading.level),
            );
        }
        let count = |tag: &str| content.matches(tag).count();
        assert_eq!(
            again.headings().len(),
            count("<h2") + count("<h3"),
            "{}",
            page.title
        );
        let images = again
            .references
            .iter()
            .filter(|reference| reference.kind == diglot_content::document::ReferenceKind::Media)
            .count();
        assert_eq!(images, count("<img "), "{}", page.title);
        let boilerplate = count("rel=\"tag\"") + count("\"page:link ");
        assert_eq!(
            again.references.len() - images,
            count("<a ") - boilerplate,
            "{}",
            page.title
        );
    }
}

#[test]
fn translations_are_named_in_the_head_and_on_the_page() {
    let mut german = article("/articles/de/x", "Titel", None, "Worte.");
    german.language = "de".into();
    german.translations = vec![("en".into(), "/articles/x".into())];
    let mut english = article("/articles/x", "Title", None, "Words.");
    english.translations = vec![("de".into(), "/articles/de/x".into())];
    let pages = pages(vec![german, english]);
    let (html, _) = forms(&pages, "/articles/de/x");
    has(&html, "<html lang=\"de\" dir=\"ltr\">");
    has(
        &html,
        "<link rel=\"alternate\" hreflang=\"de\" href=\"https://example.org/articles/de/x.html\">",
    );
    has(
        &html,
        "<link rel=\"alternate\" hreflang=\"en\" href=\"https://example.org/articles/x.html\">",
    );
    has(
        &html,
        "<a href=\"/articles/x.html\" hreflang=\"en\" lang=\"en\">English</a>",
    );
    has(&html, ">Zum Text springen</a>");
    let (home, _) = forms(&pages, "/index");
    has_not(&home, "Titel");
}

#[test]
fn many_translations_are_a_closed_list() {
    let languages = ["de", "es", "fr", "it", "nl", "pl", "pt", "sv", "tr", "uk"];
    let check = |count: usize, is_closed: bool| {
        let mut english = article("/articles/x", "Title", None, "Words.");
        let others = languages[..count].iter();
        let others = others.map(|language| {
            let stem = format!("/articles/{language}/x");
            (language.to_string(), stem.as_str().into())
        });
        english.translations = others.collect();
        let (html, _) = forms(&pages(vec![english]), "/articles/x");
        let summary = format!("<summary>Languages ({})</summary>", count + 1);
        assert_eq!(html.contains(&summary), is_closed, "{count}");
        has(&html, "hreflang=\"sv\" lang=\"sv\">Svenska</a>");
    };
    check(8, false);
    check(9, true);
    check(10, true);
}

#[test]
fn a_page_from_right_to_left_says_so() {
    let mut arabic = article("/articles/ar", "مرحبا", Some("2024-05-01"), "كلمات.");
    arabic.language = "ar".into();
    arabic.rtl = true;
    let pages = pages(vec![arabic]);
    has(
        &forms(&pages, "/articles/ar").0,
        "<html lang=\"ar\" dir=\"rtl\">",
    );
    has(
        &forms(&pages, "/articles/index").0,
        "<li lang=\"ar\">\n<a href=\"/articles/ar.html\" hreflang=\"ar\" dir=\"rtl\">",
    );
}

#[test]
fn long_articles_have_a_contents_list() {
    let long = format!("## One\n\n{}\n\n## Two\n\n### Three\n", "word ".repeat(900));
    let short = "## One\n\nword\n\n## Two\n\n### Three\n";
    let pages = pages(vec![
        article("/articles/long", "Long", None, &long),
        article("/articles/short", "Short", None, short),
    ]);
    let (html, _) = forms(&pages, "/articles/long");
    has(&html, "<nav class=\"contents\"");
    has(&html, "<li class=\"l3\"><a href=\"#three\">Three</a>\n");
    has(&html, "<span>5 min read</span>");
    has_not(
        &forms(&pages, "/articles/short").0,
        "<nav class=\"contents\"",
    );
}

#[test]
fn neighbours_are_the_next_in_time_and_those_of_the_same_tag() {
    let one = |name: &str, year: u16, tags: &[&str]| {
        tagged(
            article(
                &format!("/articles/{name}"),
                name,
                Some(&format!("{year}-01-01")),
                "Words.",
            ),
            tags,
        )
    };
    let mut hidden = one("hidden", 2022, &["rare"]);
    hidden.listed = false;
    let pages = pages(vec![
        one("far", 2019, &["common"]),
        one("old", 2020, &["rare"]),
        one("mid", 2021, &["common"]),
        hidden,
        one("new", 2023, &["rare", "common"]),
        one("other", 2024, &["common"]),
    ]);
    let (html, _) = forms(&pages, "/articles/new");
    has(
        &html,
        "<a rel=\"prev\" href=\"/articles/mid.html\"><span>Previous</span> mid</a>",
    );
    has(
        &html,
        "<a rel=\"next\" href=\"/articles/other.html\"><span>Next</span> other</a>",
    );
    let related = html.split_once("Related</h2>").unwrap().1;
    let place = |name: &str| related.find(&format!(">{name}</a>")).unwrap();
    assert!(place("old") < place("far"), "a rare tag counts more");
    has_not(related, ">mid<");
    has_not(related, ">other<");
    has_not(&html, "/hidden");
    let (list, _) = forms(&pages, "/articles/index");
    has_not(&list, "/hidden");
    forms(&pages, "/articles/hidden");
}

#[test]
fn a_site_that_says_nothing_of_itself_still_describes_its_home_page() {
    let mut bare = site();
    bare.description = String::new();
    let written = vec![article(
        "/articles/one",
        "One",
        Some("2024-05-01"),
        "Words.",
    )];
    let (html, _) = forms(&rendered(&library(written), &bare, &[]).unwrap(), "/index");
    has(
        &html,
        "<meta name=\"description\" property=\"og:description\" content=\"Latest articles – Notes &amp; Queries\">",
    );
}

#[test]
fn rendering_twice_gives_the_same_bytes() {
    let bytes = |pages: Vec<Arc<Page>>| {
        pages
            .into_iter()
            .flat_map(|page| [page.html.clone(), page.markdown()])
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(two()), bytes(two()));
}

#[test]
fn a_site_may_sanitise_the_raw_html_of_its_pages() {
    let text = "<div class=\"box\" lang=\"de\" data-x=\"1\">\n\nWords.\n\n</div>\n\n<iframe src=\"https://player.example/1\" title=\"A film\"></iframe>\n";
    let with = |sanitize| {
        let site = Site { sanitize, ..site() };
        let pages = rendered(
            &library(vec![article(
                "/articles/raw",
                "Raw",
                Some("2024-05-01"),
                text,
            )]),
            &site,
            &[],
        )
        .unwrap();
        assert!(pages.iter().all(|page| page.parity.is_whole()));
        forms(&pages, "/articles/raw")
    };
    let (kept, twin) = with(false);
    ["<iframe src=\"https://player.example/1\"", "class=\"box\""]
        .iter()
        .for_each(|part| has(&kept, part));
    let (sanitised, same) = with(true);
    ["<iframe", "class=\"box\"", "data-x"]
        .iter()
        .for_each(|part| has_not(&sanitised, part));
    [
        "<div lang=\"de\">",
        "<a href=\"https://player.example/1\">A film</a>",
        "Words.",
    ]
    .iter()
    .for_each(|part| has(&sanitised, part));
    assert_eq!(twin, same, "a twin has no raw HTML to sanitise");
}
