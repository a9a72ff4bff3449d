//! Answers one kind of request over and over, for counting instructions: `cargo xtask instructions`
//! runs it under callgrind.
//!
//! `instructions KIND TIMES`, where KIND is `html`, `br`, `markdown`, `304`, `404`, or `constant`:
//! a copy of the answer to `html`, made without looking at the request. That much any service costs
//! that hands hyper such an answer.

use std::hint::black_box;
use std::sync::Arc;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile, Sources};
use diglot_content::{BaseUrl, Library};
use diglot_edition::theme::Theme;
use diglot_edition::{Coding, Edition};
use diglot_http::Payload;
use http::{Request, Response};
use jiff::Timestamp;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_default();
    let times: usize = arguments
        .next()
        .and_then(|times| times.parse().ok())
        .unwrap_or(1);
    let edition = edition();
    let request = request(&kind, &edition);
    if kind == "constant" {
        let known = diglot_http::respond(&edition, &request);
        copy(&known, times);
    } else {
        answer(&edition, &request, times);
    }
}

/// What is counted of a constant answer.
#[inline(never)]
fn copy(known: &Response<Payload>, times: usize) {
    for _ in 0..times {
        let known = black_box(known);
        let mut answer = Response::new(known.body().clone());
        *answer.status_mut() = known.status();
        *answer.headers_mut() = known.headers().clone();
        black_box(answer);
    }
}

/// What is counted.
#[inline(never)]
fn answer(edition: &Edition, request: &Request<()>, times: usize) {
    for _ in 0..times {
        black_box(diglot_http::respond(black_box(edition), black_box(request)));
    }
}

/// As browsers and agents send them.
fn request(kind: &str, edition: &Edition) -> Request<()> {
    let page = "/articles/2024/article-7.html";
    let browser =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
    let (path, accept, coding) = match kind {
        "br" => (page, browser, "gzip, deflate, br, zstd"),
        "markdown" => (page, "text/markdown, text/html;q=0.9", "identity"),
        "404" => ("/articles/2024/article-seven.html", browser, "identity"),
        _ => (page, browser, "identity"),
    };
    let request = Request::builder()
        .uri(path)
        .header("host", "example.org")
        .header(
            "user-agent",
            "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
        )
        .header("accept", accept)
        .header("accept-encoding", coding);
    let tag = edition
        .get(page)
        .map(|page| page.etag(None))
        .unwrap_or_default();
    let request = if kind == "304" {
        request.header("if-none-match", tag)
    } else {
        request
    };
    request.body(()).unwrap_or_default()
}

/// A hundred articles; the codings of one of them are made.
fn edition() -> Edition {
    let now = Timestamp::from_second(1_795_000_000).unwrap_or(Timestamp::UNIX_EPOCH);
    let dates = FileDates {
        created: None,
        changed: now,
        origin: ChangeOrigin::FileTime,
    };
    let file = |number: usize| {
        let text = format!(
            "---\ntitle: Article {number}\ndate: 2024-01-01\ntags: [a, b]\n---\n\n{}",
            "Words of some article, and more of them.\n\n".repeat(70)
        );
        SourceFile {
            path: format!("articles/2024/article-{number}.md").into(),
            bytes: text.into(),
            dates,
        }
    };
    let mut files: Vec<SourceFile> = (0..100).map(file).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let sources = Sources {
        files,
        ..Sources::default()
    };
    let Ok(base) = BaseUrl::parse("https://example.org") else {
        unreachable!("the address is sound")
    };
    let Ok(site) = Settings::default().into_site("Instructions", base) else {
        unreachable!("the defaults are sound")
    };
    let Ok(theme) = Theme::new(&[]) else {
        unreachable!("the built-in theme is sound")
    };
    let library = Library::build(&sources, &site, now);
    let Ok(edition) = Edition::build(&library, Arc::new(site), &theme, now) else {
        unreachable!("the built-in theme is sound")
    };
    edition.prepare();
    if let Some(page) = edition.get("/articles/2024/article-7.html") {
        Coding::ALL.into_iter().for_each(|coding| page.fill(coding));
    }
    edition
}
