//! The two forms of each page, read by the content library.

use std::collections::BTreeSet;
use std::sync::Arc;

use diglot_content::document::{Outline, Purpose, Rendering, write_markdown};
use diglot_content::{BaseUrl, Document, Target, html};

use super::Evidence;
use crate::address::{decoded, has_scheme, html_path, stem};
use crate::read::html::read as read_html;

/// An outline and the words of one form.
#[derive(Debug)]
pub struct Side {
    /// Headings, links, pictures and code.
    pub outline: Outline,
    /// Its longer words, in lower case.
    pub words: BTreeSet<String>,
}

/// The two forms of a page.
#[derive(Debug)]
pub struct Pair {
    /// Where its HTML form is.
    pub url: String,
    /// Targets of the anchors and frames of the HTML form.
    pub anchors: BTreeSet<String>,
    /// What the HTML form says.
    pub html: Side,
    /// What the Markdown form says.
    pub markdown: Side,
}

/// Reads both forms of every article and of the written pages.
pub(super) fn pairs(evidence: &Evidence) -> Vec<Pair> {
    // Only articles and written pages are compared: lists consist of links, which every theme
    // renders differently.
    evidence
        .articles
        .iter()
        .chain(
            evidence
                .pages
                .iter()
                .filter(|stem| matches!(stem.as_str(), "/terms" | "/api")),
        )
        .filter_map(|stem| pair(evidence, stem))
        .collect()
}

fn pair(evidence: &Evidence, stem: &str) -> Option<Pair> {
    let page = evidence.html(stem)?.text();
    let mut forms = evidence.markdown_forms().iter();
    let twin = &forms.find(|form| form.stem == stem)?.read.content;
    let anchors = read_html(&page)
        .addresses
        .iter()
        .map(|raw| key(&target(evidence, stem, raw)))
        .collect();
    let page = html::parse_page(&page).document;
    Some(Pair {
        url: evidence.url(&html_path(stem)),
        anchors,
        html: side(evidence, stem, page)?,
        markdown: side(evidence, stem, twin.clone())?,
    })
}

fn side(evidence: &Evidence, stem: &str, mut document: Document) -> Option<Side> {
    let base = BaseUrl::parse(&evidence.address.declared).ok()?;
    let targets: Vec<Target> = document
        .references
        .iter()
        .map(|reference| target(evidence, stem, &reference.raw))
        .collect();
    let words = document.plain_text();
    let words = words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3 && !word.chars().all(char::is_numeric));
    let words = words.map(str::to_lowercase).collect();
    document.take_title(None);
    let outline = write_markdown(
        &document,
        &Rendering {
            base: &base,
            stem,
            targets: &targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        },
    )
    .outline;
    Some(Side { outline, words })
}

/// The target of an address, independent of the form.
fn target(evidence: &Evidence, own: &str, raw: &str) -> Target {
    let raw = raw.trim();
    let url = if has_scheme(raw) {
        raw.to_owned()
    } else {
        evidence.address.resolve(raw, &html_path(own))
    };
    let Some(path) = evidence.address.path_of(&url) else {
        return Target::Url(url);
    };
    match stem(path) {
        Some(stem) => Target::Page {
            stem: Arc::from(decoded(stem)),
            fragment: None,
        },
        None => Target::File {
            path: Arc::from(decoded(path)),
            suffix: String::new(),
            size: None,
        },
    }
}

/// A target in its normalised spelling.
fn key(target: &Target) -> String {
    match target {
        Target::Page { stem, .. } => stem.to_string(),
        Target::File { path, .. } => path.to_string(),
        Target::Url(url) => bare(url),
        Target::Here(_) | Target::Unresolved => String::new(),
    }
}

/// An address without its fragment and trailing slash.
pub fn bare(link: &str) -> String {
    link.split('#')
        .next()
        .unwrap_or_default()
        .trim_end_matches('/')
        .to_owned()
}
