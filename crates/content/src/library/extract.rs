//! The title and summary of a document, extracted as soon as it is parsed.

use std::sync::Arc;

use super::{explained::Explained, fields};
use crate::model::{
    document::Document,
    text::{one_line, plain, shorten},
};
use crate::syntax::front::Front;

/// What is extracted from a document.
#[derive(Clone, Debug)]
pub struct Extract {
    /// The title, if front matter or the document gives one.
    pub title: Option<Explained<Arc<str>>>,
    /// Its first heading, if it has no title.
    pub heading: Option<Arc<str>>,
    pub summary: Explained<Arc<str>>,
    /// Whether Diglot adds words to it.
    pub needs_words: bool,
}

impl Extract {
    /// Scans a document and removes its title, unless the title is known and already removed.
    pub fn of(
        front: &Front,
        document: &mut Document,
        known_title: Option<Explained<Arc<str>>>,
    ) -> Self {
        let title = known_title.or_else(|| take_title(front, document));
        let heading = if title.is_none() {
            first_heading(document)
        } else {
            None
        };
        Self {
            title,
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
    let title = plain(&document.take_title(None)?);
    (!title.is_empty()).then(|| Explained::new(title, "the first heading of level 1"))
}

fn first_heading(document: &Document) -> Option<Arc<str>> {
    for heading in document.headings() {
        let text = one_line(&heading.text);
        if !text.is_empty() {
            return Some(text.into());
        }
    }
    None
}

/// Rule 6: the author's summary, else the first paragraph of prose.
fn summary(front: &Front, document: &Document) -> Explained<Arc<str>> {
    if let Some(text) = fields::summary(front) {
        return Explained::new(shorten(&text, 300), "a key of its front matter");
    }
    if let Some(prose) = document.first_prose(200) {
        return Explained::new(prose, "the first paragraph of prose");
    }
    let words = first_words(document);
    Explained::new(
        shorten(&words, 200),
        "its first words: there is no paragraph of prose",
    )
}

/// The best replacement if there is no prose: code is a summary only as a last resort.
fn first_words(document: &Document) -> String {
    let mut words = one_line(&document.text_outside_code());
    if words.is_empty() {
        words = one_line(&document.plain_text());
    }
    // Braces in code would be a template tag in prose.
    if words.contains("{{") || words.contains("{%") {
        words.clear();
    }
    words
}
