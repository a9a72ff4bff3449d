//! Times of the parts: `cargo bench --profile dist -p diglot-http`.

#![allow(clippy::unwrap_used, missing_docs, reason = "benchmarks")]

use std::sync::Arc;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile, Sources};
use diglot_content::{BaseUrl, Library, Site};
use diglot_edition::theme::Theme;
use diglot_edition::{Coding, Edition};
use diglot_http::respond;
use divan::{Bencher, black_box};
use http::Request;
use jiff::Timestamp;

fn main() {
    divan::main();
}

const PAGE: &str = "/articles/article-7.html";
const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// A text with what articles have: prose, links, a list, a table, code.
const TEXT: &str = "Some *words* of an article, with a [link](article-3.md), `code` and https://example.com/.\n\n- one\n- two\n\n\
    | a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\nAnd a longer paragraph of prose, such as people write, without any sign in it at all.\n\n";

fn now() -> Timestamp {
    Timestamp::from_second(1_795_000_000).unwrap()
}

fn sources(articles: usize) -> Sources {
    let dates = FileDates {
        created: None,
        changed: now(),
        origin: ChangeOrigin::FileTime,
    };
    let file = |number: usize| {
        let text = format!(
            "---\ntitle: Article {number}\ndate: 2024-01-01\ntags: [a, b]\n---\n\n{}",
            TEXT.repeat(8)
        );
        SourceFile {
            path: format!("articles/article-{number}.md").into(),
            bytes: text.into(),
            dates,
        }
    };
    let mut files: Vec<SourceFile> = (0..articles).map(file).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Sources {
        files,
        ..Sources::default()
    }
}

fn site() -> Arc<Site> {
    Arc::new(
        Settings::default()
            .into_site("Benchmarks", BaseUrl::parse("https://example.org").unwrap())
            .unwrap(),
    )
}

fn edition() -> Edition {
    let library = Library::build(&sources(100), &site(), now());
    let edition = Edition::build(&library, site(), &Theme::new(&[]).unwrap(), now()).unwrap();
    edition.prepare();
    Coding::ALL
        .into_iter()
        .for_each(|coding| edition.get(PAGE).unwrap().fill(coding));
    edition
}

fn request(path: &str, fields: &[(&str, &str)]) -> Request<()> {
    fields
        .iter()
        .fold(Request::builder().uri(path), |request, (name, value)| {
            request.header(*name, *value)
        })
        .body(())
        .unwrap()
}

/// An answer to each kind of request.
#[divan::bench(args = ["html", "br", "markdown", "304", "404"])]
fn answer(bencher: Bencher<'_, '_>, kind: &str) {
    let edition = edition();
    let tag = edition.get(PAGE).unwrap().etag(None);
    let request = match kind {
        "br" => request(
            PAGE,
            &[
                ("accept", BROWSER),
                ("accept-encoding", "gzip, deflate, br, zstd"),
            ],
        ),
        "markdown" => request(PAGE, &[("accept", "text/markdown, text/html;q=0.9")]),
        "304" => request(PAGE, &[("accept", BROWSER), ("if-none-match", &tag)]),
        "404" => request("/articles/article-seven.html", &[("accept", BROWSER)]),
        _ => request(PAGE, &[("accept", BROWSER)]),
    };
    bencher.bench(|| respond(black_box(&edition), black_box(&request)));
}

/// The choice between the two forms.
#[divan::bench(args = [BROWSER, "text/markdown, text/html;q=0.9", "*/*"])]
fn negotiation(bencher: Bencher<'_, '_>, accept: &str) {
    let request = request(PAGE, &[("accept", accept)]);
    bencher
        .bench(|| diglot_http::accept::Accept::from_headers(black_box(request.headers())).form());
}

/// From files to a library: most of it is parsing.
#[divan::bench(args = [1, 100])]
fn parsing(bencher: Bencher<'_, '_>, articles: usize) {
    let (sources, site) = (sources(articles), site());
    bencher.bench(|| Library::build(black_box(&sources), &site, now()));
}

/// From a library to an edition: both forms of every page, and all documents.
#[divan::bench(args = [1, 100])]
fn rendering(bencher: Bencher<'_, '_>, articles: usize) {
    let site = site();
    let library = Library::build(&sources(articles), &site, now());
    let theme = Theme::new(&[]).unwrap();
    bencher.bench(|| Edition::build(black_box(&library), Arc::clone(&site), &theme, now()));
}
