//! The parsers of a request, and the answer to a complete one.

use std::sync::LazyLock;

use diglot_content::Library;
use diglot_edition::{Coding, Edition, ErrorForm, Form, Theme};
use diglot_http::accept::Accept;
use diglot_http::accept_encoding::AcceptEncoding;
use diglot_http::conditions::{self as conditional, Outcome, Validators};
use diglot_http::framing::Framing;
use diglot_http::range::{self as ranges, Requested};
use diglot_http::respond;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};
use http_body::Body;

/// A small site with every worthwhile coding built.
pub(crate) static EDITION: LazyLock<Edition> = LazyLock::new(|| {
    let long = format!(
        "# Second\n\n{}\n",
        "the same words again and again ".repeat(80)
    );
    let texts = [
        (
            "articles/first.md",
            "---\ntitle: First\ndate: 2024-05-06\naliases: [/2019/first/]\ntags: [a]\n---\nWords.\n",
        ),
        ("articles/deep/été.md", long.as_str()),
        (
            "articles/over.md",
            "---\nexpires: 2020-01-01\n---\n# Over\n\nGone.\n",
        ),
        ("articles/first.png", "not a picture"),
    ];
    let sources =
        super::folder(texts.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    let site = super::settings_of("base_url = \"https://example.org\"");
    let library = Library::build(&sources, &site, super::now());
    let theme = Theme::new(&[]).expect("the built-in theme");
    let edition = Edition::build(&library, std::sync::Arc::new(site), &theme, super::now())
        .expect("an edition");
    for resource in &edition.resources {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding));
    }
    edition
});

/// A request as lines: method and target, then fields. Every request gets a complete answer that
/// conforms to the contract.
pub fn request(input: &[u8]) {
    let mut lines = input.split(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let (method, target) = first.split_at(first.iter().position(|&byte| byte == b' ').unwrap_or(0));
    let Ok(uri) = Uri::try_from(target.trim_ascii_start()) else {
        return;
    };
    let Ok(method) = Method::from_bytes(method) else {
        return;
    };
    let mut request = Request::new(());
    *request.uri_mut() = uri;
    *request.method_mut() = method.clone();
    for line in lines.take(40) {
        let (name, value) = line.split_at(
            line.iter()
                .position(|&byte| byte == b':')
                .unwrap_or(line.len()),
        );
        let (Ok(name), Ok(value)) = (
            HeaderName::from_bytes(name),
            HeaderValue::from_bytes(value.get(1..).unwrap_or_default().trim_ascii()),
        ) else {
            continue;
        };
        request.headers_mut().append(name, value);
    }
    let response = respond(&EDITION, &request);
    let status = response.status().as_u16();
    assert!(
        [
            200, 204, 206, 301, 304, 308, 400, 404, 405, 410, 412, 414, 416
        ]
        .contains(&status),
        "{status}"
    );
    let field = |name: &str| {
        response.headers().get(name).map_or("", |value| {
            value.to_str().expect("a field of visible characters")
        })
    };
    for name in [
        "access-control-allow-origin",
        "content-signal",
        "content-security-policy",
        "x-content-type-options",
    ] {
        assert!(!field(name).is_empty(), "{status} without {name}");
    }
    let (length, bytes) = (
        response.body().size_hint().exact(),
        response.body().to_bytes(),
    );
    assert_eq!(length, Some(bytes.len() as u64));
    match (status, method.as_str()) {
        (204 | 304, _) => assert!(field("content-length").is_empty() && bytes.is_empty()),
        (_, "HEAD") => assert!(bytes.is_empty()),
        _ => assert_eq!(field("content-length"), bytes.len().to_string()),
    }
    let location = field("location");
    assert!(
        location.is_empty() || location.starts_with('/') && !location.starts_with("//"),
        "{location}"
    );
    let markdown_by_name = request
        .headers()
        .get_all(header::ACCEPT)
        .iter()
        .any(|value| contains(&value.as_bytes().to_ascii_lowercase(), b"text/markdown"));
    if status == 200 && field("content-type").starts_with("text/markdown") && !markdown_by_name {
        assert!(
            !request.uri().path().ends_with(".html"),
            "Markdown at an address of HTML, unasked"
        );
    }
    // No answer, in any form, repeats the client's input unescaped.
    if field("content-type").starts_with("text/html") && status >= 400 {
        assert!(!contains(&bytes, b"<script"), "a script in an error page");
    }
}

/// `Accept` and `Accept-Encoding`, one a line.
pub fn negotiation(input: &[u8]) {
    let lines = || input.split(|&byte| byte == b'\n');
    let accept = Accept::parse(lines());
    let named = lines().any(|line| contains(&line.to_ascii_lowercase(), b"text/markdown"));
    assert!(
        named || accept.form() == Form::Html,
        "Markdown that nobody named"
    );
    for suggested in [ErrorForm::Html, ErrorForm::Markdown, ErrorForm::Problem] {
        let form = accept.error_form(suggested);
        // A client that gets Markdown gets its error in Markdown or JSON, never in HTML.
        assert!(accept.form() == Form::Html || form != ErrorForm::Html);
    }
    // One more field line of noise never changes a choice made without wildcards.
    assert_eq!(
        Accept::parse(lines().chain([&b"image/png, application/x"[..]])),
        accept
    );

    let encoding = AcceptEncoding::parse(lines());
    for mask in 0..8_u8 {
        let offered = |coding| {
            Coding::ALL
                .iter()
                .position(|&known| known == coding)
                .is_some_and(|at| mask & 1 << at != 0)
        };
        if let Some(chosen) = encoding.choose(offered) {
            assert!(offered(chosen), "a coding that was not offered");
            let token = chosen.name().as_bytes();
            assert!(
                lines().any(|line| contains(&line.to_ascii_lowercase(), token)
                    || contains(line, b"*")
                    || contains(&line.to_ascii_lowercase(), b"x-gzip"))
            );
        }
    }
}

/// A `Range` field: the selected bytes are inside the representation, and never empty.
pub fn range(input: &[u8]) {
    let (length, field) = input.split_at(input.len().min(4));
    let length = length
        .iter()
        .fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
    for length in [length, length % 100, 0, u64::MAX] {
        match ranges::parse(field, length) {
            Requested::Part(part) => assert!(
                part.start < part.end && part.end <= length,
                "{part:?} of {length}"
            ),
            Requested::Whole => {}
            Requested::Unsatisfiable => assert!(contains(field, b"-")),
        }
    }
}

/// Preconditions, one field a line by number: without a known validator 304 never occurs, and a
/// repeated request gets the same answer.
pub fn conditions(input: &[u8]) {
    let names = [
        header::IF_MATCH,
        header::IF_NONE_MATCH,
        header::IF_MODIFIED_SINCE,
        header::IF_UNMODIFIED_SINCE,
        header::IF_RANGE,
    ];
    let mut headers = HeaderMap::new();
    for line in input.split(|&byte| byte == b'\n').take(20) {
        let Some((&which, value)) = line.split_first() else {
            continue;
        };
        let Ok(value) = HeaderValue::from_bytes(value) else {
            continue;
        };
        headers.append(names[usize::from(which) % names.len()].clone(), value);
    }
    let modified = jiff::Timestamp::from_second(1_714_979_289).ok();
    let dated = Validators {
        tag: b"\"abc\"",
        modified,
    };
    let outcome = conditional::evaluate(&headers, dated);
    assert_eq!(outcome, conditional::evaluate(&headers, dated));
    if outcome == Outcome::NotModified {
        assert!(
            headers.contains_key(header::IF_NONE_MATCH)
                || headers.contains_key(header::IF_MODIFIED_SINCE)
        );
    }
    // Another representation never matches a tag that was not sent.
    let other = Validators {
        tag: b"\"another\"",
        modified: None,
    };
    let star = |name| {
        headers
            .get_all(name)
            .iter()
            .any(|value: &HeaderValue| value.as_bytes().trim_ascii() == b"*")
    };
    if !contains(input, b"\"another\"")
        && conditional::evaluate(&headers, other) == Outcome::NotModified
    {
        assert!(star(header::IF_NONE_MATCH));
    }
    conditional::if_range(&headers, dated);
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Bytes of a connection: first as they are, then as a program that writes requests of known
/// lengths. However they are split, the scanner finds every head, and the one with an ambiguous
/// length.
pub fn framing(input: &[u8]) {
    let scan = |bytes: &[u8], steps: &[u8]| {
        let (mut framing, mut rest) = (Framing::default(), bytes);
        let mut steps = steps.iter().cycle();
        while !rest.is_empty() {
            let step = usize::from(*steps.next().unwrap_or(&0))
                .max(1)
                .min(rest.len());
            framing.feed(&rest[..step]);
            rest = &rest[step..];
        }
        (framing.heads(), framing.in_head(), framing.ambiguous())
    };
    let whole = |bytes: &[u8]| {
        let mut framing = Framing::default();
        framing.feed(bytes);
        (framing.heads(), framing.in_head(), framing.ambiguous())
    };
    assert_eq!(
        whole(input),
        scan(input, &input[..input.len().min(9)]),
        "pieces matter"
    );
    let (stream, heads, ambiguous) = written(input);
    let found = whole(&stream);
    assert_eq!(
        (found.0, found.2),
        (heads, ambiguous),
        "{}",
        stream.escape_ascii()
    );
    assert_eq!(
        found,
        scan(&stream, &input[..input.len().min(9)]),
        "pieces matter"
    );
}

/// The requests that the bytes encode; the number of heads up to the one after which scanning
/// stops; and the ambiguous head.
fn written(mut program: &[u8]) -> (Vec<u8>, u64, Option<u64>) {
    let (mut stream, mut heads, mut ambiguous, mut open) = (Vec::new(), 0, None, true);
    while let [kind, length, spaces, rest @ ..] = program {
        let body = &rest[..rest.len().min(usize::from(*length))];
        program = &rest[body.len()..];
        let (has_length, is_chunked) = (kind & 1 != 0, kind & 6 == 6);
        let end: &[u8] = if kind & 8 != 0 { b"\n" } else { b"\r\n" };
        let field = format!(
            "content-Length:{}{}",
            " ".repeat(usize::from(*spaces)),
            body.len()
        );
        let mut lines = vec!["POST / HTTP/1.1".to_owned(), "Host: x".to_owned()];
        lines.extend(has_length.then(|| field.clone()));
        lines.extend(is_chunked.then(|| "TRANSFER-encoding: chunked".to_owned()));
        if kind & 16 != 0 {
            lines[1..].reverse();
        }
        for line in lines {
            stream.extend([line.as_bytes(), end].concat());
        }
        stream.extend(end);
        if has_length || is_chunked {
            stream.extend(body);
        }
        heads += u64::from(open);
        // A line is kept up to this length, including its end.
        let cut = field.len() + end.len() - 1 > 64;
        if open && has_length && (is_chunked || cut) {
            ambiguous = Some(heads);
        }
        open &= !is_chunked && ambiguous.is_none();
    }
    (stream, heads, ambiguous)
}
