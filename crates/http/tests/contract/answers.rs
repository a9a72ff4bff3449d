//! What holds for every resource, in every coding.

use diglot_edition::{Coding, Edition};
use http::{Method, Response, StatusCode};

use crate::{ask, field, get, site, target};

const BASES: [&str; 2] = ["https://example.org", "https://example.org/a blog"];

/// Every request that selects a representation: path, `Accept`, `Accept-Encoding`.
fn selections(edition: &Edition) -> Vec<(String, [(&'static str, &'static str); 2])> {
    let codings = Coding::ALL
        .iter()
        .map(|coding| coding.name())
        .chain(["identity"]);
    let fields: Vec<_> = codings
        .flat_map(|coding| {
            ["text/html", "text/markdown"]
                .map(|form| [("accept", form), ("accept-encoding", coding)])
        })
        .collect();
    let paths = edition
        .resources
        .iter()
        .map(|resource| &*resource.path)
        .chain(["/"]);
    paths
        .flat_map(|path| {
            fields
                .iter()
                .map(move |&fields| (target(edition, path), fields))
        })
        .collect()
}

fn each(judge: impl Fn(&Edition, &str, &[(&'static str, &'static str)])) {
    for base in BASES {
        let edition = site::edition(base);
        for (target, fields) in selections(&edition) {
            judge(&edition, &target, &fields);
        }
    }
}

#[test]
fn contract_1_every_resource_answers_200_with_its_type() {
    for base in BASES {
        let edition = site::edition(base);
        for resource in &edition.resources {
            let response = get(&edition, &target(&edition, &resource.path), &[]);
            assert_eq!(
                (response.status(), field(&response, "content-type")),
                (StatusCode::OK, resource.route.media_type())
            );
            assert_eq!(response.into_body().to_bytes(), resource.body.to_bytes());
        }
    }
}

#[test]
fn contract_1_two_documents_are_at_the_origins_root_as_well() {
    let edition = site::edition(BASES[1]);
    for path in ["/robots.txt", "/.well-known/api-catalog"] {
        let (there, here) = (
            get(&edition, path, &[]),
            get(&edition, &target(&edition, path), &[]),
        );
        assert_eq!(
            (there.status(), there.headers()),
            (StatusCode::OK, here.headers())
        );
    }
    for path in ["/", "/rss.xml", "/index.html", "/a%20blogger/rss.xml"] {
        assert_eq!(
            get(&edition, path, &[]).status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let bare = get(&edition, "/a%20blog?x", &[]);
    assert_eq!(
        (bare.status(), field(&bare, "location")),
        (StatusCode::PERMANENT_REDIRECT, "/a%20blog/?x")
    );
}

#[test]
fn contract_3_head_is_get_without_its_body() {
    each(|edition, target, fields| {
        let (full, head) = (
            get(edition, target, fields),
            ask(edition, &Method::HEAD, target, fields),
        );
        assert_eq!(
            (full.status(), full.headers()),
            (head.status(), head.headers()),
            "{target}"
        );
        assert_eq!(
            field(&full, "content-length"),
            full.body().to_bytes().len().to_string(),
            "{target}"
        );
        assert_eq!(head.body().to_bytes(), "");
    });
}

#[test]
fn contract_3_a_second_get_with_the_etag_is_304() {
    each(|edition, target, fields| {
        let full = get(edition, target, fields);
        let again = get(
            edition,
            target,
            &[fields, &[("if-none-match", field(&full, "etag"))]].concat(),
        );
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{target}");
        assert_eq!(again.body().to_bytes(), "");
        carries_what_its_200_would(&full, &again, target);
    });
}

fn carries_what_its_200_would<B>(full: &Response<B>, again: &Response<B>, target: &str) {
    for (name, value) in again.headers() {
        assert_eq!(full.headers().get(name), Some(value), "{target}: {name}");
    }
    let left_out = [
        "content-type",
        "content-encoding",
        "content-length",
        "content-disposition",
        "link",
        "accept-ranges",
    ];
    for name in full.headers().keys() {
        assert!(
            again.headers().contains_key(name) != left_out.contains(&name.as_str()),
            "{target}: {name}"
        );
    }
}

#[test]
fn contract_3_equal_tags_mean_equal_bytes() {
    let mut seen = std::collections::BTreeMap::new();
    let edition = site::edition(BASES[0]);
    for (target, fields) in selections(&edition) {
        let response = get(&edition, &target, &fields);
        let tag = field(&response, "etag").to_owned();
        assert!(
            tag.len() > 33 && tag.starts_with('"') && tag.ends_with('"'),
            "{tag}"
        );
        let bytes = response.body().to_bytes();
        assert_eq!(
            seen.entry(tag).or_insert_with(|| bytes.clone()),
            &bytes,
            "{target}"
        );
    }
}

#[test]
fn contract_3_ranges_of_every_resource_make_up_the_whole() {
    each(|edition, target, fields| {
        let whole = get(edition, target, fields).into_body().to_bytes();
        let step = whole.len().div_ceil(7).max(1);
        let mut parts = Vec::new();
        for start in (0..whole.len()).step_by(step) {
            let end = (start + step).min(whole.len());
            let range = format!("bytes={start}-{}", end - 1);
            let part = get(edition, target, &[fields, &[("range", &range)]].concat());
            assert_eq!(
                part.status(),
                StatusCode::PARTIAL_CONTENT,
                "{target} {range}"
            );
            assert_eq!(
                field(&part, "content-range"),
                format!("bytes {start}-{}/{}", end - 1, whole.len())
            );
            assert_eq!(field(&part, "content-length"), (end - start).to_string());
            parts.extend(part.into_body().to_bytes());
        }
        assert_eq!(parts, whole, "{target}");
    });
}

#[test]
fn contract_3_a_coding_not_made_yet_is_not_offered() {
    let edition = site::bare_edition(BASES[0]);
    let ask = || {
        field(
            &get(
                &edition,
                "/articles/first.html",
                &[("accept-encoding", "gzip, br")],
            ),
            "content-encoding",
        )
        .to_owned()
    };
    assert_eq!(ask(), "");
    let resource = edition.get("/articles/first.html").unwrap();
    resource.fill(Coding::Gzip);
    assert_eq!(ask(), "gzip");
    resource.fill(Coding::Br);
    assert_eq!(ask(), "br");
}

#[test]
fn contract_2_the_form_follows_rule_1_at_every_page() {
    let edition = site::edition(BASES[0]);
    for line in include_str!("../vectors/accept.tsv")
        .lines()
        .filter(|line| !line.starts_with("# "))
    {
        let (accept, rest) = line.split_once('\t').unwrap();
        let media = if rest.starts_with("markdown\t") {
            "text/markdown; charset=utf-8"
        } else {
            "text/html; charset=utf-8"
        };
        let fields: &[_] = if accept.is_empty() {
            &[]
        } else {
            &[("accept", accept)]
        };
        for path in ["/", "/index.html", "/articles/first.html", "/404.html"] {
            assert_eq!(
                field(&get(&edition, path, fields), "content-type"),
                media,
                "{path} with Accept: {accept}"
            );
        }
        for path in ["/index.md", "/articles/first.md"] {
            assert_eq!(
                field(&get(&edition, path, fields), "content-type"),
                "text/markdown; charset=utf-8",
                "{path} with Accept: {accept}"
            );
        }
    }
}

#[test]
fn contract_2_overlong_targets_are_414_and_kept_by_nobody() {
    let edition = site::edition(BASES[0]);
    for target in [
        format!("/{}.html", "a".repeat(9000)),
        format!("/{}", "%41".repeat(9000)),
        format!("/?{}", "q".repeat(9000)),
    ] {
        let answer = get(&edition, &target, &[("accept", "text/markdown")]);
        assert_eq!(
            (answer.status(), field(&answer, "cache-control")),
            (StatusCode::URI_TOO_LONG, "no-store")
        );
        assert!(
            answer.body().to_bytes().len() < 1000,
            "the body repeats it all"
        );
    }
}

#[test]
fn contract_3_user_agents_never_matter() {
    let edition = site::edition(BASES[0]);
    for agent in ["ClaudeBot/1.0", "curl/8.0", "Mozilla/5.0"] {
        for form in ["text/html", "text/markdown"] {
            let (with, without) = (
                get(&edition, "/", &[("accept", form), ("user-agent", agent)]),
                get(&edition, "/", &[("accept", form)]),
            );
            assert_eq!(with.headers(), without.headers());
        }
    }
}

#[test]
fn contract_3_what_the_server_refuses_itself_says_all_that_an_answer_says() {
    let edition = site::edition(BASES[0]);
    for status in
        [400, 408, 414, 429, 431, 500, 503].map(|status| StatusCode::from_u16(status).unwrap())
    {
        let answer = diglot_http::refuse(&edition, &http::Request::new(()), status);
        assert_eq!(
            (answer.status(), field(&answer, "cache-control")),
            (status, "no-store")
        );
        for name in [
            "content-signal",
            "content-usage",
            "access-control-allow-origin",
            "x-content-type-options",
            "content-security-policy",
        ] {
            assert!(!field(&answer, name).is_empty(), "{status}: {name}");
        }
        assert!(answer.body().to_bytes().starts_with(b"Html "));
    }
}

#[test]
fn contract_3_authors_files_have_no_origin_and_pages_no_scripts_of_theirs() {
    let edition = site::edition(BASES[0]);
    let policy = |path: &str, fields: &[(&'static str, &str)]| {
        let answer = get(&edition, path, fields);
        assert!(!answer.headers().contains_key("service-worker-allowed"));
        (
            answer.status().as_u16(),
            field(&answer, "content-security-policy").to_owned(),
        )
    };
    let drawing = "/pictures/x.svg";
    let tag = field(&get(&edition, drawing, &[]), "etag").to_owned();
    for (fields, status) in [
        (&[][..], 200),
        (&[("accept-encoding", "br")], 200),
        (&[("if-none-match", tag.as_str())], 304),
        (&[("range", "bytes=0-3")], 206),
        (&[("service-worker", "script")], 200),
    ] {
        let (answered, policy) = policy(drawing, fields);
        assert!(
            answered == status
                && policy.starts_with("sandbox; default-src 'none';")
                && !policy.contains("script-src"),
            "{answered}: {policy}"
        );
    }
    for (path, fields, status) in [
        ("/", &[][..], 200),
        ("/articles/first.html", &[("accept", "text/markdown")], 200),
        ("/rss.xml", &[], 200),
        ("/pictures/a%20b.png", &[], 200),
        ("/none.svg", &[], 404),
        (drawing, &[("if-match", "\"x\"")], 412),
        (drawing, &[("range", "bytes=999999-")], 416),
    ] {
        let (answered, policy) = policy(path, fields);
        assert!(
            answered == status
                && policy.contains("script-src 'none'; worker-src 'none';")
                && !policy.contains("sandbox"),
            "{path}: {answered}: {policy}"
        );
    }
    // A theme's folder cannot be left by an address that is encoded.
    for path in [
        "/_/..%2fpictures/x.svg",
        "/_/%2e%2e/pictures/x.svg",
        "/_/..%2Fpictures%2fx.svg",
        "/_/%2e%2e%2fpictures/x.svg",
    ] {
        assert!(policy(path, &[]).0 >= 300, "{path}");
    }
}
