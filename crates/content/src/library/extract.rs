//! The title and summary of a document, extracted as soon as it is parsed.

use std::sync::Arc;

use super::{explained::Explained, fields};
use crate::model::{
    document::Document,
    text::{shorten, without_templates},
};
use crate::syntax::front::Front;

/// What is extracted from a document.
#[derive(Clone, Debug)]
pub struct Extract {
    /// The title, if front matter or the document gives one.
    pub title: Option<Explained<Arc<str>>>,
    /// The heading that it opens with, still part of the document.
    pub opening: Option<Arc<str>>,
    /// Its first heading, if it has no title.
    pub heading: Option<Arc<str>>,
    pub summary: Explained<Arc<str>>,
    /// Whether Diglot adds words to it.
    pub needs_words: bool,
}

impl Extract {
    /// Scans a document and removes its title, unless the title is known and already removed.
    pub fn take(
        front: &Front,
        document: &mut Document,
        known_title: Option<Explained<Arc<str>>>,
    ) -> Self {
        let title = known_title.or_else(|| take_title(front, document));
        let (opening, heading) = if title.is_none() {
            let opening = document.opening_heading();
            (filled(opening.as_deref()), first_heading(document))
        } else {
            (None, None)
        };
        Self {
            title,
            opening,
            heading,
            summary: summary(front, document),
            needs_words: document.has_default_titles(),
        }
    }
}

fn take_title(front: &Front, document: &mut Document) -> Option<Explained<Arc<str>>> {
    if let Some(title) = fields::title(front) {
        document.take_title(Some(&title));
        return Some(Explained::new(title, "the key `title`"));
    }
    let title = filled(document.take_title(None).as_deref())?;
    Some(Explained::new(title, "the first heading of level 1"))
}

/// A heading on one line, without what would be a template tag outside code, if words are left.
fn filled(heading: Option<&str>) -> Option<Arc<str>> {
    let text = without_templates(heading?);
    (!text.is_empty()).then(|| text.into())
}

fn first_heading(document: &Document) -> Option<Arc<str>> {
    let headings = document.headings();
    headings
        .iter()
        .find_map(|heading| filled(Some(&heading.text)))
}

/// Rule 41: the author's summary, else the first prose. Of a text without prose there is none.
fn summary(front: &Front, document: &Document) -> Explained<Arc<str>> {
    if let Some(text) = fields::summary(front) {
        return Explained::new(shorten(&text, 300), "a key of its front matter");
    }
    match document
        .first_prose(200)
        .map(|prose| without_templates(&prose))
    {
        Some(prose) if !prose.is_empty() => Explained::new(prose, "the first paragraph of prose"),
        _ => Explained::new("", "the text has no paragraph of prose"),
    }
}
