mod hostile;

use std::sync::Arc;

use bytes::Bytes;
use diglot_content::BaseUrl;
use jiff::Timestamp;

use super::*;
use crate::errors::{ErrorBodies, ErrorForm, SuggestedPage};
use crate::testing::{redirects, site_at};
use crate::{Form, Parts, Resource, Route};

#[derive(Debug)]
struct Silent;

impl ErrorBodies for Silent {
    fn body(&self, _: ErrorForm, status: u16, _: &str, _: &[SuggestedPage]) -> Bytes {
        status.to_string().into()
    }
}

fn link(base: &BaseUrl, route: &Route) -> String {
    let (html, markdown) = match route.form() {
        Some(Form::Html) => (route.clone(), route.twin().unwrap()),
        _ => (route.twin().unwrap(), route.clone()),
    };
    let canonical = base.absolute(&html.canonical_path());
    let own = match route.form() {
        Some(Form::Html) => format!(
            "<{}>; rel=\"alternate\"; type=\"text/markdown\"",
            base.absolute(&markdown.path())
        ),
        _ => format!(
            "<{canonical}>; rel=\"canonical\", <{canonical}>; rel=\"alternate\"; type=\"text/html\""
        ),
    };
    let common = format!(
        "{own}, <{}>; rel=\"describedby\"",
        base.absolute("/llms.txt")
    );
    if html == Route::Home(Form::Html) {
        format!(
            "{common}, <{}>; rel=\"service-desc\"",
            base.absolute("/openapi.json")
        )
    } else {
        common
    }
}

/// An edition with every kind of resource, unusual names, a redirect and an expired article.
fn edition(base: &str) -> Edition {
    let site = Arc::new(site_at(base));
    let when = Timestamp::from_second(1_700_000_000).unwrap();
    let mut parts = Parts::new(site.clone(), Arc::new(Silent));
    let stems = [
        "/index",
        "/articles/index",
        "/articles/first",
        "/articles/2024/größe",
        "/articles/c++ & more",
        "/articles/a%b$c'd",
        "/articles/x.gz",
        "/about",
        "/terms",
        "/api",
        "/404",
    ];
    for stem in stems {
        for form in [Form::Html, Form::Markdown] {
            let route = Route::of_stem(stem, form);
            let link = link(&site.base, &route);
            parts.resources.push(
                Resource::new(
                    route,
                    Bytes::from(format!("{stem} {form:?}").repeat(20)),
                    when,
                )
                .linked(link)
                .into(),
            );
        }
    }
    let asset = Route::Asset("main.0123456789abcdef.css".into());
    let files = [
        "img/a.png",
        "img/b.svg",
        "print.css",
        "raw/page.html",
        "data.json",
        "LICENSE",
    ]
    .map(|path| Route::File(path.into()));
    let documents = [
        Route::Rss,
        Route::Sitemap,
        Route::SitemapMarkdown,
        Route::Llms,
        Route::LlmsFull,
        Route::Status,
        Route::OpenApi,
        Route::Robots,
        asset,
    ];
    for route in documents.into_iter().chain(files) {
        parts
            .resources
            .push(Resource::new(route.clone(), Bytes::from(route.path().repeat(20)), when).into());
    }
    let catalog = Resource::new(Route::ApiCatalog, Bytes::from_static(b"{}"), when);
    parts.resources.push(
        catalog
            .linked(format!(
                "<{}>; rel=\"api-catalog\"",
                site.base.absolute("/.well-known/api-catalog")
            ))
            .into(),
    );
    parts.redirects = redirects(&[
        ("/2019/first/", "/articles/first"),
        ("/Articles/First.html", "/articles/first"),
        ("/old page", "/about"),
    ])
    .into();
    parts.expired = ["/articles/over".to_owned()].into();
    Edition::assemble(parts)
}

fn text<'a>(files: &'a [HostFile], path: &str) -> &'a str {
    &files.iter().find(|file| file.path == path).unwrap().text
}

/// Cloudflare's response for an encoded path: every matching rule in order. A second value for a
/// field is appended, unless the rule removed the first.
fn cloudflare(headers: &str, path: &str) -> Vec<(String, String)> {
    let (mut fields, mut matched): (Vec<(String, String)>, Option<String>) = (Vec::new(), None);
    for line in headers
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if !line.starts_with(' ') {
            matched = match line.split_once('*') {
                None => (line == path).then(String::new),
                Some((before, after)) => path
                    .strip_prefix(before)
                    .and_then(|rest| rest.strip_suffix(after))
                    .map(str::to_owned),
            };
            continue;
        }
        let Some(splat) = &matched else { continue };
        if let Some(field) = line.trim().strip_prefix("! ") {
            fields.retain(|(name, _)| name != field);
            continue;
        }
        let (name, value) = line.trim().split_once(": ").unwrap();
        let value = value.replace(":splat", splat);
        match fields.iter_mut().find(|(other, _)| other == name) {
            Some((_, before)) => *before = format!("{before}, {value}"),
            None => fields.push((name.to_owned(), value)),
        }
    }
    fields
}

#[test]
fn contract_cloudflare_says_of_every_resource_what_the_server_says() {
    for base in ["https://example.org", "https://example.org/blog"] {
        let edition = edition(base);
        let (files, problems) = files(&edition);
        assert_eq!(problems, []);
        let headers = text(&files, ".diglot-hosts/cloudflare/_headers");
        for resource in &edition.resources {
            let path = edition.site.base.rooted(&resource.path);
            let fields = cloudflare(headers, &path);
            let field = |name: &str| {
                fields
                    .iter()
                    .find(|(other, _)| other == name)
                    .map(|(_, value)| value.as_str())
            };
            let route = &resource.route;
            assert_eq!(
                field("Cache-Control"),
                Some(&*crate::policy::cache_control(route, &edition.site)),
                "{path}"
            );
            assert_eq!(field("Vary"), Some(crate::policy::vary(route)), "{path}");
            assert_eq!(field("Link"), resource.link_text(), "{path}");
            assert_eq!(
                field("Content-Disposition"),
                crate::policy::content_disposition(route),
                "{path}"
            );
            let policy = crate::policy::content_security_policy(route, &edition.site);
            assert_eq!(
                field("Content-Security-Policy"),
                Some(policy.unwrap_or(&edition.page_policy)),
                "{path}"
            );
            assert_eq!(
                field("Content-Signal"),
                Some("search=yes, ai-input=yes, ai-train=no"),
                "{path}"
            );
            if let Some(media_type) = field("Content-Type") {
                assert_eq!(media_type, route.media_type(), "{path}");
            }
        }
    }
}

/// `cargo xtask hosts` tests the effect on the hosts themselves.
#[test]
fn contract_3_every_host_sandboxes_active_files_of_authors() {
    let edition = edition("https://example.org");
    let (files, _) = files(&edition);
    for path in ["img/b.svg", "raw/page.html"] {
        let policy =
            crate::policy::content_security_policy(&Route::File(path.into()), &edition.site)
                .unwrap();
        assert!(
            policy.starts_with("sandbox;") && !policy.contains("script-src"),
            "{policy}"
        );
        for host in ["nginx-http.conf", "Caddyfile", "cloudflare/_headers"] {
            assert!(
                text(&files, &format!(".diglot-hosts/{host}")).contains(policy),
                "{path} on {host}"
            );
        }
        for host in ["_headers", ".htaccess"] {
            assert!(text(&files, host).contains(policy), "{path} on {host}");
        }
    }
}

#[test]
fn a_file_for_both_hosts_captures_nothing() {
    let (files, _) = files(&edition("https://example.org"));
    assert!(!text(&files, "_headers").contains(":splat"));
    assert!(text(&files, "_headers").contains(
        "\n/index.html\n  ! Link\n  Link: <https://example.org/index.md>; rel=\"alternate\""
    ));
}

#[test]
fn redirects_that_would_turn_in_a_circle_stay_out() {
    let (files, _) = files(&edition("https://example.org"));
    let redirects = text(&files, "_redirects");
    assert!(
        redirects.contains("\n/2019/first/ /articles/first.html 301\n")
            && redirects.contains("\n/old%20page /about.html 301\n")
    );
    assert!(
        !redirects.contains("/Articles/First.html"),
        "it differs from its target by case alone"
    );
    assert!(text(&files, ".diglot-hosts/nginx-server.conf").contains(
        "location = \"/Articles/First.html\" {\n    return 301 \"/articles/first.html\";\n}"
    ));
}

#[test]
fn expired_articles_are_gone_where_the_host_can_say_so() {
    let (files, _) = files(&edition("https://example.org/blog"));
    assert!(
        text(&files, ".diglot-hosts/nginx-server.conf")
            .contains("location = \"/blog/articles/over.html\" {\n    return 410;\n}")
    );
    assert!(text(&files, ".htaccess").contains("RewriteRule \"^articles/over\\.md$\" - [G]"));
}

/// The first problem of an edition changed to exceed a limit.
fn limit(change: impl FnOnce(&mut Parts), expected: &str) {
    let edition = edition("https://example.org");
    let mut parts = Parts::new(edition.site.clone(), edition.errors.clone());
    parts.resources = edition.resources;
    change(&mut parts);
    let (_, problems) = files(&Edition::assemble(parts));
    let messages: Vec<&str> = problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(messages, [expected]);
}

#[test]
fn what_passes_a_limit_is_a_problem_that_names_it() {
    let old: Vec<String> = (0..2_000).map(|number| format!("/old/{number}")).collect();
    let old: Vec<(&str, &str)> = old.iter().map(|old| (old.as_str(), "/about")).collect();
    limit(
        |parts| parts.redirects = redirects(&old).into(),
        "`_redirects` has no room for all old addresses (Cloudflare static assets take 2000): 1 left out, of which 1 have a stub page",
    );
    let big = |parts: &mut Parts| {
        let body = Bytes::from(vec![0; 25 * 1024 * 1024 + 1]);
        parts.resources.push(
            Resource::new(Route::File("film.mp4".into()), body, Timestamp::UNIX_EPOCH).into(),
        );
    };
    limit(
        big,
        "`/film.mp4` has 26214401 bytes, over the limit of 25 MiB a file on Cloudflare static assets",
    );
    let kinds = |parts: &mut Parts| {
        let file = |number| {
            Resource::new(
                Route::File(format!("kinds/file.k{number}").into()),
                Bytes::new(),
                Timestamp::UNIX_EPOCH,
            )
        };
        parts
            .resources
            .extend((0..100).map(file).map(std::sync::Arc::new));
    };
    limit(
        kinds,
        "`_headers` needs 119 rules, over the limit of 100 on Cloudflare static assets",
    );
    let name = "x".repeat(999);
    limit(
        |parts| parts.redirects = redirects(&[(&format!("/{name}"), "/about")]).into(),
        &format!(
            "the redirect of `/{}…` is over the limit of 1000 characters on Cloudflare static assets",
            &name[..79]
        ),
    );
    let pattern = |parts: &mut Parts| parts.redirects = redirects(&[("/a*b", "/about")]).into();
    limit(
        pattern,
        "the old address `/a*b` is not in `_redirects`: Netlify and Cloudflare read `*` and `:` as patterns",
    );
}

#[test]
fn rule_46_regular_old_addresses_are_patterns_on_every_host() {
    let whole = edition("https://example.org/b");
    let mut parts = Parts::new(whole.site.clone(), whole.errors.clone());
    parts.resources = whole.resources;
    let mut old = redirects(&[("/posts/odd", "/about")]);
    for at in 0..20 {
        let stem = format!("/articles/p{at}");
        for form in [Form::Html, Form::Markdown] {
            let route = Route::of_stem(&stem, form);
            let page = Resource::new(route, Bytes::new(), Timestamp::UNIX_EPOCH);
            parts.resources.push(page.into());
        }
        old.extend(redirects(&[(&format!("/posts/p{at}/"), &stem)]));
    }
    parts.redirects = old.into();
    let (files, problems) = files(&Edition::assemble(parts));
    assert_eq!(problems, []);
    let check = |file: &str, expected: &[&str]| {
        let text = text(&files, file);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| line.contains("/posts") || line.contains("posts/"))
            .collect();
        assert_eq!(lines, expected, "{file}");
    };
    check(
        "_redirects",
        &[
            "/b/posts/odd /b/about.html 301",
            "/b/posts/:a/ /b/articles/:a.html 301",
        ],
    );
    check(
        ".diglot-hosts/nginx-server.conf",
        &[
            "location ~ \"^/b/posts/([A-Za-z0-9._~-]+)/$\" {",
            "location = \"/b/posts/odd\" {",
        ],
    );
    assert!(
        text(&files, ".diglot-hosts/nginx-server.conf")
            .contains("return 301 \"/b/articles/$1.html\";")
    );
    check(
        ".diglot-hosts/Caddyfile",
        &[
            "\"/b/posts/odd\" \"/b/about.html\"",
            "`~^/b/posts/([A-Za-z0-9._~-]+)/$` \"/b/articles/$1.html\"",
        ],
    );
    check(
        ".htaccess",
        &[
            "RewriteRule \"^posts/odd$\" \"/b/about.html\" [R=301,L,NE,QSD]",
            "RewriteRule \"^posts/([A-Za-z0-9._~-]+)/$\" \"/b/articles/$1.html\" [R=301,L,NE,QSD]",
        ],
    );
}

#[test]
fn below_a_path_the_folder_above_is_published() {
    let (deep, _) = files(&edition("https://example.org/a/b"));
    assert!(text(&deep, ".diglot-wrangler.jsonc").contains("\"directory\": \"../..\""));
    assert!(text(&deep, "_headers").contains(
        "\n# Publish the folder that holds this one as `/a/b`, and copy both files there.\n"
    ));
    let (flat, _) = files(&edition("https://example.org"));
    assert!(
        text(&flat, ".diglot-wrangler.jsonc").contains("\"directory\": \".\"")
            && !text(&flat, "_redirects").contains("folder that holds")
    );
}

#[test]
fn every_host_says_what_is_lost_on_it() {
    let (files, _) = files(&edition("https://example.org"));
    for (path, host) in [
        (".diglot-hosts/nginx-server.conf", losses::Host::Nginx),
        (".diglot-hosts/Caddyfile", losses::Host::Caddy),
        (".htaccess", losses::Host::Apache),
        ("_headers", losses::Host::Netlify),
        (
            ".diglot-hosts/cloudflare/_headers",
            losses::Host::Cloudflare,
        ),
        (".diglot-wrangler.jsonc", losses::Host::Cloudflare),
    ] {
        assert!(text(&files, path).contains(&losses::lost(host)), "{path}");
    }
}
