//! Rules of the contract for pages, one test each.

use std::sync::Arc;

use diglot_content::fingerprint::Fingerprint;
use diglot_content::library::{Indexed, Kind, LlmsPlace, Tag};
use diglot_content::{Article, Library, Moment, Target, markdown};

use bytes::Bytes;

use super::*;
use crate::testing::{site, site_at};
use crate::theme::ThemeFile;

mod access;
mod budget;
mod covers;
mod errors;
mod forms;
mod guide;
mod lists;
mod merging;
mod series;
mod terms;

/// An article from Markdown; `stem` determines its kind.
fn article(stem: &str, title: &str, date: Option<&str>, text: &str) -> Article {
    let document = markdown::parse(text, &markdown::Options::default());
    let targets = document
        .references
        .iter()
        .map(|reference| target(&reference.raw))
        .collect();
    let summary = document.first_prose(200).unwrap_or_default();
    Article {
        kind: if stem.starts_with("/articles/") {
            Kind::Article
        } else {
            Kind::Page
        },
        source: "source-path.md".into(),
        stem: stem.into(),
        title: title.into(),
        summary: summary.into(),
        date: date.map(|day| Moment::second(format!("{day}T10:00:00Z").parse().unwrap())),
        updated: Moment::second(
            format!("{}T12:00:00Z", date.unwrap_or("2024-06-01"))
                .parse()
                .unwrap(),
        ),
        authors: vec!["A. Author".into()],
        tags: Vec::new(),
        language: "en".into(),
        rtl: false,
        translations: Vec::new(),
        image: None,
        cover: None,
        series: Vec::new(),
        guid: None,
        weight: None,
        llms: LlmsPlace::Listed,
        listed: true,
        indexed: Indexed::default(),
        document: document.into(),
        targets,
        digest: Fingerprint::hash_one(&(stem, title, date, text)),
    }
}

fn target(raw: &str) -> Target {
    match raw.strip_suffix(".md") {
        Some(name) => Target::Page {
            stem: format!("/articles/{name}").into(),
            fragment: None,
        },
        None if raw.starts_with('#') => Target::Here(raw[1..].into()),
        None if raw.contains("://") => Target::Url(raw.into()),
        None => Target::File {
            path: format!("/{raw}").into(),
            suffix: String::new(),
            size: Some((640, 480)),
        },
    }
}

fn tagged(mut article: Article, tags: &[&str]) -> Article {
    article.tags = tags
        .iter()
        .map(|tag| Tag {
            name: (*tag).into(),
            slug: tag.to_lowercase().into(),
        })
        .collect();
    article
}

/// A library in the library's order: newest first, undated last.
fn library(mut written: Vec<Article>) -> Library {
    written.sort_by(|one, other| (other.date, &one.stem).cmp(&(one.date, &other.stem)));
    let (articles, pages): (Vec<_>, Vec<_>) = written
        .into_iter()
        .map(Arc::new)
        .partition(|article| article.kind == Kind::Article);
    Library {
        articles: articles.into(),
        pages,
        ..Library::default()
    }
}

fn rendered(
    library: &Library,
    site: &Site,
    files: &[ThemeFile],
) -> Result<Vec<Arc<Page>>, Vec<Problem>> {
    let theme = Theme::new(files)?;
    let context = Context {
        site,
        library,
        theme: &theme,
        cards: &Cards::default(),
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
        store: &crate::byte_store::Heap,
    };
    render(&context, &Memos::default()).map(|rendered| rendered.pages)
}

fn pages(written: Vec<Article>) -> Vec<Arc<Page>> {
    rendered(&library(written), &site(), &[]).unwrap()
}

/// Both forms of the page with this stem.
fn forms(pages: &[Arc<Page>], stem: &str) -> (String, String) {
    let found: Vec<&Arc<Page>> = pages
        .iter()
        .filter(|page| page.html_route.stem().as_deref() == Some(stem))
        .collect();
    assert_eq!(found.len(), 1, "one page at {stem}");
    let text = |bytes: &Bytes| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&found[0].html), text(&found[0].markdown()))
}

#[track_caller]
fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in:\n{text}");
}

#[track_caller]
fn has_not(text: &str, part: &str) {
    assert!(!text.contains(part), "`{part}` in:\n{text}");
}
