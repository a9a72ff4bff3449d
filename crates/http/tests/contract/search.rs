//! The search: what is asked with `q`, and what is not.

use std::sync::Arc;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources};
use diglot_edition::{Edition, Theme, ThemeFile};
use diglot_http::Payload;
use http::{Method, Response, StatusCode};
use proptest::prelude::*;

use crate::{ask, field, get};

const FILES: [(&str, &str); 8] = [
    (
        "articles/engines.md",
        "# Steam engines\n\nA boiler makes steam.\n\n## The gauge\n\nRed & <hot>.\n",
    ),
    (
        "articles/ships.md",
        "# Ships\n\nSome ships have steam engines, most have sails.\n",
    ),
    (
        "articles/crème.md",
        "# Crème brûlée\n\nSugar, cream, 砂糖とクリーム.\n",
    ),
    (
        "articles/draft.md",
        "---\ndraft: true\n---\n# Steam drafts\n\nsteam\n",
    ),
    (
        "articles/later.md",
        "---\ndate: 2099-01-01\n---\n# Steam later\n\nsteam\n",
    ),
    (
        "articles/quiet.md",
        "---\nunlisted: true\n---\n# Steam unlisted\n\nsteam\n",
    ),
    (
        "articles/unsearched.md",
        "---\nsearch: {exclude: true}\n---\n# Steam unsearched\n\nsteam\n",
    ),
    ("about.md", "# About\n\nEverything about steam.\n"),
];

fn edition_of(files: &[(&str, &str)], settings: &str, theme: &[ThemeFile]) -> Edition {
    let dates = FileDates {
        created: None,
        changed: "2024-05-06T07:08:09Z".parse().unwrap(),
        origin: ChangeOrigin::Git,
    };
    let sources = Sources {
        name: "notes".into(),
        files: files
            .iter()
            .map(|(path, text)| SourceFile {
                path: (*path).into(),
                bytes: text.to_string().into(),
                dates,
            })
            .collect(),
        ..Sources::default()
    };
    let base = BaseUrl::parse("https://example.org/a blog").unwrap();
    let (read, _) = Settings::parse(settings, "diglot.toml");
    let site = Arc::new(read.into_site("Notes", base).unwrap());
    let now = "2027-01-02T03:04:05Z".parse().unwrap();
    let library = Library::build(&sources, &site, now);
    Edition::build(&library, site, &Theme::new(theme).unwrap(), now).unwrap()
}

fn edition() -> Edition {
    edition_of(&FILES, "", &[])
}

fn found(edition: &Edition, query: &str) -> Response<Payload> {
    get(edition, &format!("/a%20blog/search.html?{query}"), &[])
}

fn body(response: Response<Payload>) -> String {
    String::from_utf8(response.into_body().to_bytes().to_vec()).unwrap()
}

/// What follows each `start` up to `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start)
        .skip(1)
        .map(|rest| rest.split(end).next().unwrap())
        .collect()
}

/// The addresses of the results in both forms, without suffix.
fn results(edition: &Edition, query: &str) -> Vec<String> {
    let html = body(found(edition, query));
    let of_html = between(&html, "<li><a href=\"/a%20blog", "\"");
    let plain = |address: &str| address.replacen(".html", "", 1).replacen(".md", "", 1);
    let of_html: Vec<String> = of_html.into_iter().map(plain).collect();
    let markdown = body(get(edition, &format!("/a%20blog/search.md?{query}"), &[]));
    let of_markdown = between(&markdown, ". [", "): ");
    let of_markdown = of_markdown
        .iter()
        .map(|link| plain(link.split("](https://example.org/a%20blog").nth(1).unwrap()));
    assert_eq!(of_markdown.collect::<Vec<_>>(), of_html, "{query}");
    of_html
}

#[test]
fn contract_7_results_are_the_same_in_both_forms_the_most_relevant_first() {
    let edition = edition();
    for (query, expected) in [
        (
            "q=steam+engines",
            &["/articles/engines", "/articles/ships"][..],
        ),
        ("q=gauge", &["/articles/engines#the-gauge"]),
        ("q=CREME%20brulee", &["/articles/cr%C3%A8me"]),
        ("q=%E7%A0%82%E7%B3%96", &["/articles/cr%C3%A8me"]),
        ("q=boil", &["/articles/engines"]),
        ("q=boilers", &["/articles/engines"]),
        ("q=zzz", &[]),
        ("q=...", &[]),
    ] {
        let found = results(&edition, query);
        assert!(found.len() >= expected.len(), "{query}: {found:?}");
        assert_eq!(found[..expected.len()], *expected, "{query}");
    }
    let all = results(&edition, "q=steam");
    assert_eq!(
        all.len(),
        3,
        "no draft, nothing to come, nothing unlisted: {all:?}"
    );
    assert!(body(found(&edition, "q=zzz")).contains("Nothing found."));
}

#[test]
fn contract_7_an_answer_says_its_query_its_number_and_the_languages_of_its_results() {
    let files = [
        ("articles/one.md", "# One\n\nA **wide** gauge.\n"),
        (
            "articles/two.md",
            "---\nlanguage: ar\n---\n# Two\n\nالقياس gauge.\n",
        ),
    ];
    let edition = edition_of(&files, "", &[]);
    let page = body(found(&edition, "q=gauge%20%3Cb%3E%20%26"));
    for part in [
        "<title>gauge &lt;b&gt; &amp; – Search – Notes</title>",
        "href=\"https://example.org/a%20blog/search.md?q=gauge%20%3Cb%3E%20%26\"",
        "href=\"/a%20blog/search.md?q=gauge%20%3Cb%3E%20%26\"",
        "<p id=\"page:count\" role=\"status\">Results: 2</p>",
        "<li lang=\"ar\" dir=\"rtl\"><a href=\"/a%20blog/articles/two.html\">",
        "<li><a href=\"/a%20blog/articles/one.html\">",
        "A wide <mark>gauge</mark>.",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(body(found(&edition, "q=zzz")).contains("role=\"status\"></p>"));
    let plain = body(found(&edition, ""));
    for part in [
        "<title>Search – Notes</title>",
        "search.md\" type=",
        "role=\"status\"></p>",
    ] {
        assert!(plain.contains(part), "no {part} in {plain}");
    }
}

#[test]
fn contract_7_an_answer_is_private_and_has_no_validators() {
    let edition = edition();
    let fields = [
        ("if-none-match", "*"),
        ("if-match", "\"x\""),
        ("range", "bytes=0-1"),
        ("accept-encoding", "gzip, br"),
    ];
    for (target, accept, media) in [
        (
            "/a%20blog/search.html?q=steam",
            "text/html",
            "text/html; charset=utf-8",
        ),
        (
            "/a%20blog/search.html?q=steam",
            "text/markdown",
            "text/markdown; charset=utf-8",
        ),
        (
            "/a%20blog/search.md?q=steam",
            "*/*",
            "text/markdown; charset=utf-8",
        ),
        (
            "/a%20blog/search.html.md?q=steam",
            "*/*",
            "text/markdown; charset=utf-8",
        ),
    ] {
        let fields = [&fields[..], &[("accept", accept)]].concat();
        let answer = get(&edition, target, &fields);
        let head = ask(&edition, &Method::HEAD, target, &fields);
        assert_eq!(
            (answer.status(), answer.headers()),
            (StatusCode::OK, head.headers())
        );
        assert_eq!(field(&answer, "content-type"), media);
        assert_eq!(field(&answer, "cache-control"), "private, no-store");
        for absent in [
            "etag",
            "last-modified",
            "accept-ranges",
            "content-encoding",
            "link",
        ] {
            assert_eq!(field(&answer, absent), "", "{absent}");
        }
        let elsewhere = accept == "text/markdown" || target.contains(".html.md");
        let place = if elsewhere {
            "/a%20blog/search.md?q=steam"
        } else {
            ""
        };
        assert_eq!(
            field(&answer, "content-location"),
            place,
            "{target} {accept}"
        );
        assert_eq!(
            field(&answer, "content-length"),
            answer.body().to_bytes().len().to_string()
        );
        assert_eq!(head.into_body().to_bytes(), "");
    }
    let post = ask(
        &edition,
        &Method::POST,
        "/a%20blog/search.html?q=steam",
        &[],
    );
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
    let near = get(&edition, "/a%20blog/search?q=steam", &[]);
    assert_eq!(field(&near, "location"), "/a%20blog/search.html?q=steam");
}

#[test]
fn contract_7_a_question_that_is_too_long_is_told_so_and_the_form_stays() {
    let edition = edition();
    let long = "%E6%97%A5".repeat(67);
    for (accept, words) in [
        ("text/html", "<input type=\"search\""),
        ("text/markdown", "200 bytes"),
        ("application/json", "200 bytes"),
    ] {
        let target = format!("/a%20blog/search.html?q={long}");
        let answer = get(&edition, &target, &[("accept", accept)]);
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        let body = answer.into_body().to_bytes();
        let body = String::from_utf8_lossy(&body);
        assert!(body.contains("200 bytes") && body.contains(words), "{body}");
    }
}

#[test]
fn contract_7_without_q_the_page_is_one_resource() {
    let edition = edition();
    let plain = found(&edition, "");
    assert!(!field(&plain, "etag").is_empty());
    let page = body(plain);
    assert_eq!(page.matches("<script src").count(), 1);
    assert!(page.contains("data-index=\"/a%20blog/search/index.json\""));
    for query in ["q", "q=", "q=+", "x=1", "q=&q=steam"] {
        let answer = found(&edition, query);
        assert!(!field(&answer, "etag").is_empty(), "{query}");
        assert_eq!(body(answer), page, "{query}");
    }
    for query in [
        format!("q={}", "x".repeat(201)),
        "q=%f".into(),
        "q=%ff".into(),
    ] {
        let answer = found(&edition, &query);
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(field(&answer, "cache-control"), "no-store");
    }
    // On every other page `q` is a part of a query that is ignored.
    let other = get(&edition, "/a%20blog/about.html?q=%ff", &[]);
    assert_eq!(other.status(), StatusCode::OK);
}

#[test]
fn contract_7_one_script_is_allowed_on_the_search_page_alone() {
    let edition = edition();
    for resource in &edition.resources {
        let answer = get(&edition, &crate::target(&edition, &resource.path), &[]);
        let policy = field(&answer, "content-security-policy").to_owned();
        if *resource.path != *"/search.html" {
            assert!(
                policy.contains("script-src 'none'"),
                "{}: {policy}",
                resource.path
            );
            assert!(!body_has_script(&answer), "{}", resource.path);
            continue;
        }
        let page = body(answer);
        let script = between(&page, "<script src=\"", "\"")[0].to_owned();
        assert!(
            policy.contains(&format!("script-src *:*{script};")),
            "{policy}"
        );
        assert!(policy.ends_with(", script-src 'self'") && policy.contains("connect-src 'self'"));
        assert_eq!(get(&edition, &script, &[]).status(), StatusCode::OK);
        assert_eq!(
            field(&found(&edition, "q=steam"), "content-security-policy"),
            policy
        );
    }
    let script = ThemeFile {
        path: "own.js".to_owned(),
        bytes: "x".into(),
    };
    let themed = edition_of(&FILES, "", &[script]);
    let about = get(&themed, "/a%20blog/about.html", &[]);
    assert_eq!(
        field(&found(&themed, "q=steam"), "content-security-policy"),
        field(&about, "content-security-policy"),
        "a theme with scripts has them on the search page as well"
    );
}

fn body_has_script(answer: &Response<Payload>) -> bool {
    String::from_utf8_lossy(&answer.body().to_bytes()).contains("<script src")
}

#[test]
fn contract_7_the_index_names_files_that_are_there() {
    let edition = edition();
    let index = get(&edition, "/a%20blog/search/index.json", &[]);
    assert_eq!(field(&index, "content-type"), "application/json");
    let index = body(index);
    let files = between(&index, "\"/a%20blog/_/", "\"");
    assert!(files.len() >= 2, "{index}");
    for file in files {
        let answer = get(&edition, &format!("/a%20blog/_/{file}"), &[]);
        assert_eq!(answer.status(), StatusCode::OK, "{file}");
        let bytes = answer.into_body().to_bytes();
        for secret in ["draft", "later", "unlisted"] {
            assert!(
                !String::from_utf8_lossy(&bytes).contains(secret),
                "{secret}"
            );
        }
    }
}

#[test]
fn contract_7_an_authors_search_wins_and_a_setting_turns_it_off() {
    let own = [FILES[0], ("search.md", "# My own search\n\nwords\n")];
    let file = [
        FILES[0],
        ("static/search/index.json", "{}"),
        ("search/index.json", "{}"),
    ];
    for (edition, is_told) in [
        (edition_of(&own, "", &[]), true),
        (edition_of(&file, "", &[]), true),
        (edition_of(&FILES, "search = false", &[]), false),
    ] {
        let told = edition
            .problems
            .iter()
            .filter(|problem| problem.message.starts_with("the site has no search"))
            .count();
        assert_eq!(told, usize::from(is_told), "{:?}", edition.problems);
        let scripts = edition
            .resources
            .iter()
            .filter(|resource| resource.path.ends_with(".js"));
        assert_eq!(scripts.count(), 0);
        let articles = body(get(&edition, "/a%20blog/articles/index.html", &[]));
        assert!(!articles.contains("rel=\"search\""));
        let described = body(get(&edition, "/a%20blog/openapi.json", &[]));
        assert!(!described.contains("\"/search"), "no path is described");
    }
    let page = found(&edition_of(&own, "", &[]), "q=%ff");
    assert_eq!(page.status(), StatusCode::OK);
    assert!(body(page).contains("My own search"));
    let off = edition_of(&FILES, "search = false", &[]);
    assert_eq!(found(&off, "q=steam").status(), StatusCode::NOT_FOUND);
}

#[test]
fn design_5_the_index_does_not_depend_on_the_order_of_files() {
    let mut files = FILES;
    let id = edition().id;
    files.reverse();
    assert_eq!(edition_of(&files, "", &[]).id, id);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_query_panics_and_what_is_asked_is_escaped(query in "(steam|<|\"|&amp;|'|[*\\[\\]_]|\\PC){0,12}") {
        thread_local!(static EDITION: Edition = edition());
        EDITION.with(|edition| {
            let encoded: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let answer = found(edition, &format!("q={encoded}"));
            if query.len() > 200 {
                assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
                return;
            }
            assert_eq!(answer.status(), StatusCode::OK);
            let page = body(answer);
            assert_eq!(page.matches("<script src").count(), 1);
            let value = between(&page, "name=\"q\" value=\"", "\" maxlength")[0];
            assert!(!value.contains(['<', '>', '"']), "{value}");
        });
    }
}
