//! Every request gets an answer, and it is one that the contract knows.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use diglot_content::library::Rank;
use diglot_content::{Destination, OldAddress};
use diglot_edition::redirects::Moved;
use diglot_edition::{Edition, Parts, Resource, Route};
use diglot_http::respond;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use http_body::Body;
use jiff::Timestamp;
use proptest::prelude::*;

use crate::{field, site};

const NAMES: [&str; 9] = [
    "accept",
    "accept-encoding",
    "range",
    "if-range",
    "if-match",
    "if-none-match",
    "if-modified-since",
    "if-unmodified-since",
    "access-control-request-method",
];

fn targets() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "/",
        "/articles/first.html",
        "/articles/first.md",
        "/llms-full.txt",
        "/empty.txt",
        "*",
        "http://example.org/index.html",
    ]);
    prop_oneof![
        known.prop_map(str::to_owned),
        "/(articles|%2F|%5c|%00|\\.\\.|/|first|%c3%a9|html|[a-z]|\\.md|\\?|é){0,12}",
        "/[ -~]{0,40}"
    ]
}

/// Values that are nearly valid, and arbitrary bytes.
fn values() -> impl Strategy<Value = Vec<u8>> {
    let nearly = "(text/markdown|text/html|\\*/\\*|\\*|;q=0\\.5|;q=0|, ?|br|gzip|identity|\
        \"[a-f0-9]{0,4}\"|W/|bytes=|-|[0-9]{1,25}|Mon, 06 May 2024 07:08:09 GMT){0,8}";
    let bytes = prop::collection::vec(prop_oneof![Just(b'\t'), 32u8..127, 128u8..=255], 0..40);
    prop_oneof![nearly.prop_map(String::into_bytes), bytes]
}

static EDITION: LazyLock<Edition> = LazyLock::new(|| site::edition("https://example.org"));

proptest! {
    #[test]
    fn respond_never_panics_and_every_answer_is_complete(
        method in "(GET|HEAD|OPTIONS|POST|[A-Z]{1,9})",
        target in targets(),
        fields in prop::collection::vec((prop::sample::select(NAMES.to_vec()), values()), 0..6),
    ) {
        let Ok(uri) = target.parse::<Uri>() else { return Ok(()) };
        let mut request = Request::new(());
        *request.uri_mut() = uri;
        *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap();
        for (name, value) in fields {
            request.headers_mut().append(HeaderName::from_static(name), HeaderValue::from_bytes(&value).unwrap());
        }
        let response = respond(&EDITION, &request);
        let status = response.status().as_u16();
        prop_assert!([200, 204, 206, 301, 304, 308, 400, 404, 405, 410, 412, 414, 416].contains(&status), "{status}");
        for name in ["access-control-allow-origin", "content-signal", "content-usage", "content-security-policy", "x-content-type-options"] {
            prop_assert!(!field(&response, name).is_empty(), "{status} without {name}");
        }
        prop_assert_eq!(field(&response, "cache-control").is_empty(), status == 204);
        let length = response.body().size_hint().exact();
        prop_assert_eq!(length, Some(response.body().to_bytes().len() as u64));
        match (status, method.as_str()) {
            (204 | 304, _) => prop_assert!(field(&response, "content-length").is_empty() && length == Some(0)),
            (_, "HEAD") => prop_assert_eq!(length, Some(0)),
            _ => prop_assert_eq!(field(&response, "content-length"), length.unwrap().to_string()),
        }
        let location = field(&response, "location");
        prop_assert!(location.is_empty() || location.starts_with('/') && !location.starts_with("//"), "{}", location);
    }

    #[test]
    fn no_text_of_an_author_adds_a_field(text in "(?s).{0,40}|[ -~\\r\\n\\t]{0,60}", path in "[a-z\\r\\n: ]{1,12}") {
        let base = "https://example.org";
        let routes = [Route::Rss, Route::Robots, Route::File(path.as_str().into())];
        let link = format!("<{base}/{text}>; rel=\"alternate\"");
        let resource = |route: Route| Arc::new(Resource::new(route, "x".to_owned(), Timestamp::UNIX_EPOCH).linked(link.clone()));
        let redirect = |to: String| Some((OldAddress::new(format!("/old/{text}")).ok()?, Moved { to: Destination::parse(&to).ok()?, rank: Rank::Written }));
        let plain = site::edition(base);
        let mut parts = Parts::new(plain.site.clone(), plain.errors.clone());
        parts.resources = routes.into_iter().map(resource).collect();
        parts.redirects = redirect(format!("https://example.net/{text}")).into_iter().collect::<std::collections::BTreeMap<_, _>>().into();
        let edition = Edition::assemble(parts);
        let known = fields_of(&plain);
        let old = format!("/old/{}", diglot_content::encoding::encode_path(&text));
        for target in ["/rss.xml", "/robots.txt", "/none", &old, &diglot_content::encoding::encode_path(&format!("/{path}"))] {
            let Ok(uri) = target.parse::<Uri>() else { continue };
            let mut request = Request::new(());
            *request.uri_mut() = uri;
            let response = respond(&edition, &request);
            for (name, value) in response.headers() {
                prop_assert!(known.contains(name.as_str()), "{name}: {value:?}");
                prop_assert!(value.as_bytes().iter().all(|byte| *byte >= b' ' && *byte != 0x7f || *byte == b'\t'), "{name}: {value:?}");
            }
        }
    }
}

/// The names of all fields that the answers of an edition have.
fn fields_of(edition: &Edition) -> BTreeSet<String> {
    let mut names = BTreeSet::from(["location".to_owned()]);
    for target in [
        "/",
        "/articles/first.md",
        "/articles/first.html.md",
        "/none",
        "/2019/first/",
    ] {
        let mut request = Request::new(());
        *request.uri_mut() = target.parse().unwrap();
        names.extend(
            respond(edition, &request)
                .headers()
                .keys()
                .map(ToString::to_string),
        );
    }
    names
}
