//! The contract's sections on negotiation, caching and HTTP, judged on whole answers.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod answers;
mod caches;
mod cdn;
mod hostile;
mod purge;
mod search;
mod site;
mod transcript;
mod ways;

use diglot_edition::Edition;
use diglot_http::{Payload, respond};
use http::{Method, Request, Response};

/// The answer to a request with these field lines.
fn ask(
    edition: &Edition,
    method: &Method,
    target: &str,
    fields: &[(&str, &str)],
) -> Response<Payload> {
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    respond(edition, &request.body(()).unwrap())
}

fn get(edition: &Edition, target: &str, fields: &[(&str, &str)]) -> Response<Payload> {
    ask(edition, &Method::GET, target, fields)
}

/// A field's value; empty when it is not there.
fn field<'a>(response: &'a Response<Payload>, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

/// The URL of a resource, as a request names it.
fn target(edition: &Edition, path: &str) -> String {
    edition.site.base.rooted(path)
}

/// `respond` as a server of bytes, for transcripts.
fn serve(edition: &Edition, request: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(request).unwrap();
    let (line, fields) = text.split_once("\r\n").unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let fields: Vec<_> = fields
        .lines()
        .filter_map(|line| line.split_once(": "))
        .collect();
    let response = ask(edition, &words[0].parse().unwrap(), words[1], &fields);
    let mut answer = format!("HTTP/1.1 {}\r\n", response.status()).into_bytes();
    for (name, value) in response.headers() {
        answer.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    answer.extend(b"\r\n");
    answer.extend(response.into_body().to_bytes());
    answer
}

#[test]
fn transcripts() {
    let edition = site::edition("https://example.org");
    for (file, text) in transcript::FILES {
        transcript::run(file, text, |request| serve(&edition, request));
    }
}
