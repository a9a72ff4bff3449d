//! The contract's resolution, by example and by property.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use proptest::prelude::*;

use super::Found;
use crate::edition::{Edition, Parts};
use crate::resource::Resource;
use crate::route::{Form, Route};
use crate::testing::{PlainErrors, redirects, site_at};

/// An edition of pages with these stems, files at these paths, and some documents.
fn edition_at(base: &str, stems: &[&str], files: &[&str]) -> Edition {
    let resource = |route: Route| {
        Resource::new(
            route.clone(),
            format!("the body of {}", route.path()),
            Timestamp::UNIX_EPOCH,
        )
    };
    let pages = stems
        .iter()
        .flat_map(|stem| [Form::Html, Form::Markdown].map(|form| Route::of_stem(stem, form)));
    let files = files.iter().map(|path| Route::File((*path).into()));
    let documents = [
        Route::Rss,
        Route::SitemapMarkdown,
        Route::Llms,
        Route::ApiCatalog,
    ];
    let resources = pages
        .chain(files)
        .chain(documents)
        .map(resource)
        .map(Arc::new)
        .collect();
    let entries = [
        ("/2019/01/old/", "/articles/new"),
        ("/old.html", "/articles/Größe"),
        ("/elsewhere", "https://other.example/x?y#z"),
        ("/dangling", "/articles/not-there"),
        ("/self", "https://example.org/self"),
        ("/file", "/img/A.png"),
    ];
    Edition::assemble(Parts {
        resources,
        redirects: redirects(&entries).into(),
        expired: BTreeSet::from(["/articles/gone".to_owned()]),
        ..Parts::new(Arc::new(site_at(base)), Arc::new(PlainErrors))
    })
}

const STEMS: &[&str] = &[
    "/index",
    "/articles/index",
    "/articles/new",
    "/articles/Größe",
    "/articles/a/b c",
    "/articles/v1.2",
    "/terms",
    "/docs/index",
    "/about",
    "/tags/x",
];
const FILES: &[&str] = &["img/A.png", "Terms", "articles/raw"];

fn edition() -> Edition {
    edition_at("https://example.org", STEMS, FILES)
}

fn check(edition: &Edition, path: &str, expected: &str) {
    let name = |id: u32| edition.resource(id).path.to_string();
    let found = match edition.resolve(path) {
        Found::Resource(id) => format!("200 {}", name(id)),
        Found::Alias(id) => format!("alias {}", name(id)),
        Found::Moved(url) => format!("301 {url}"),
        Found::Gone => "410".into(),
        Found::Near(url) => format!("308 {url}"),
        Found::Missing => "404".into(),
    };
    assert_eq!(found, expected, "{path}");
}

#[test]
fn contract_1_exact_paths_come_first() {
    let edition = edition();
    check(&edition, "/", "200 /index.html");
    check(&edition, "/index.html", "200 /index.html");
    check(&edition, "/articles/a/b c.md", "200 /articles/a/b c.md");
    check(&edition, "/Terms", "200 /Terms");
    check(
        &edition,
        "/.well-known/api-catalog",
        "200 /.well-known/api-catalog",
    );
}

#[test]
fn contract_1_html_md_is_another_spelling_of_every_twin() {
    let edition = edition();
    check(&edition, "/articles/new.html.md", "alias /articles/new.md");
    check(&edition, "/index.html.md", "alias /index.md");
    check(&edition, "/tags/x.html.md", "alias /tags/x.md");
    check(&edition, "/sitemap.html.md", "404");
    check(&edition, ".html.md", "404");
}

#[test]
fn contract_1_old_addresses_move_for_good() {
    let edition = edition();
    for path in ["/2019/01/old/", "/2019/01/old", "/2019/01/old/index.html"] {
        check(&edition, path, "301 /articles/new.html");
    }
    check(&edition, "/old.html", "301 /articles/Gr%C3%B6%C3%9Fe.html");
    check(&edition, "/elsewhere", "301 https://other.example/x?y#z");
    check(&edition, "/file", "301 /img/A.png");
    for path in ["/dangling", "/self"] {
        check(&edition, path, "404");
    }
    assert_eq!(
        edition.redirects().count(),
        4,
        "what leads nowhere is no redirect"
    );
}

#[test]
fn contract_1_expired_articles_are_gone_in_every_form() {
    let edition = edition();
    for path in [
        "/articles/gone.html",
        "/articles/gone.md",
        "/articles/gone",
        "/articles/gone/",
        "/articles/gone.html.md",
    ] {
        check(&edition, path, "410");
    }
}

#[test]
fn contract_1_a_near_miss_leads_to_the_same_form() {
    let edition = edition();
    check(&edition, "/ARTICLES/New.HTML", "308 /articles/new.html");
    check(&edition, "/articles/NEW.md", "308 /articles/new.md");
    check(&edition, "/articles/new", "308 /articles/new.html");
    check(&edition, "/articles/new/", "308 /articles/new.html");
    check(&edition, "/articles/new.md/", "308 /articles/new.md");
    check(&edition, "/articles/GRÖSSE.html", "404");
    check(
        &edition,
        "/articles/GRÖßE",
        "308 /articles/Gr%C3%B6%C3%9Fe.html",
    );
    check(&edition, "/articles/v1.2", "308 /articles/v1.2.html");
    check(&edition, "/img/a.PNG", "308 /img/A.png");
    check(&edition, "/RSS.xml/", "308 /rss.xml");
    check(&edition, "/INDEX.html", "308 /");
    check(&edition, "/index.md/", "308 /index.md");
    check(&edition, "/articles/", "308 /articles/index.html");
    check(&edition, "/docs", "308 /docs/index.html");
    check(&edition, "/docs.html", "404");
}

#[test]
fn contract_1_only_the_one_near_miss_counts() {
    // `/TERMS` is ambiguous: the page or the file.
    check(&edition(), "/TERMS", "404");
    check(&edition(), "/TERMS.html", "308 /terms.html");
    let twice = edition_at("https://example.org", &["/index", "/a", "/A"], &[]);
    check(&twice, "/A", "404");
    check(&twice, "/A.html", "200 /A.html");
}

#[test]
fn contract_1_only_the_last_suffix_is_the_form() {
    let edition = edition();
    for path in [
        "/articles/new.md.html",
        "/articles/new.md.md",
        "/articles/new.html.html",
        "/articles/.html",
        "/articles/..html",
        "/.html",
        "/.md",
        "/img/A",
    ] {
        check(&edition, path, "404");
    }
}

#[test]
fn the_bare_base_is_the_home_page() {
    let edition = edition_at("https://example.org/blog", STEMS, FILES);
    check(&edition, "", "308 /blog/");
    check(&edition, "/articles/new", "308 /blog/articles/new.html");
    check(
        &edition,
        "/old.html",
        "301 /blog/articles/Gr%C3%B6%C3%9Fe.html",
    );
}

#[test]
fn contract_3_no_redirect_leaves_the_site() {
    for edition in [
        edition(),
        edition_at("https://example.org/blog", STEMS, FILES),
    ] {
        for path in [
            "//evil.example/",
            "//evil.example/terms",
            "/\\evil.example/terms/",
            "/terms//",
            "//terms",
            "//",
            "/terms/..//evil.example/",
            "\\\\evil",
        ] {
            assert_eq!(edition.resolve(path), Found::Missing, "{path}");
        }
    }
}

/// A page's stem below `/articles/`, as authors may write it.
fn slug() -> impl Strategy<Value = String> {
    "[a-zA-Zäß漢é0-9._ %+()-]{1,12}(/[a-zA-Zß0-9._-]{1,6})?".prop_filter(
        "dots alone, and closing suffixes, are no slug",
        |slug| {
            let lower = slug.to_lowercase();
            !slug
                .split('/')
                .any(|part| part.chars().all(|letter| letter == '.'))
                && !lower.ends_with(".md")
                && !lower.ends_with(".html")
                && lower != "index"
        },
    )
}

proptest! {
    #[test]
    fn every_path_is_found_and_every_redirect_ends(slugs in proptest::collection::btree_set(slug(), 1..12), noise in "[/\\\\a-zA-Z.%]{0,16}") {
        let stems: Vec<String> = slugs.iter().map(|slug| format!("/articles/{slug}")).collect();
        let stems: Vec<&str> = stems.iter().map(String::as_str).chain(["/index"]).collect();
        let edition = edition_at("https://example.org", &stems, &[]);
        for (id, resource) in (0..).zip(&edition.resources) {
            prop_assert_eq!(edition.resolve(&resource.path), Found::Resource(id));
            for spelling in [resource.path.to_uppercase(), resource.path.to_lowercase(), format!("{}/", resource.path), format!("{}{noise}", resource.path), noise.clone()] {
                ends(&edition, &spelling)?;
            }
        }
    }

    #[test]
    fn nothing_panics_and_every_redirect_ends(path in "\\PC{0,40}") {
        let edition = edition();
        ends(&edition, &path)?;
        edition.nearest(&path);
    }
}

/// A redirect's target is a resource of this site, without a further redirect.
fn ends(edition: &Edition, path: &str) -> Result<(), TestCaseError> {
    let url = match edition.resolve(path) {
        Found::Moved(url) | Found::Near(url) => url,
        Found::Resource(_) | Found::Alias(_) | Found::Gone | Found::Missing => return Ok(()),
    };
    if url.starts_with("https://other.example/") {
        return Ok(());
    }
    prop_assert!(
        url.starts_with('/') && !url.starts_with("//") && !url.contains('\\'),
        "{} leads to {}",
        path,
        url
    );
    let decoded = edition
        .resources
        .iter()
        .find(|resource| edition.site.base.rooted(&resource.route.canonical_path()) == url);
    prop_assert!(decoded.is_some(), "{} leads to {}", path, url);
    Ok(())
}

#[test]
fn the_path_of_a_folder_leads_to_the_index_of_an_author() {
    let edition = edition_at("https://example.org/b", &["/index"], &["demo/index.html"]);
    let to = Found::Near("/b/demo/index.html".to_owned());
    assert_eq!(edition.resolve("/demo/"), to);
    assert_eq!(edition.resolve("/demo"), to);
    assert_eq!(edition.resolve("/dem"), Found::Missing);
}
