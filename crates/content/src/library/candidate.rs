//! What one text says about itself: the data that describing it gives, and that publishing and linking read.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use jiff::Timestamp;

use super::{
    anchors::Anchors,
    article::{Kind, LlmsPlace},
    visibility::{Visibility, Window},
};
use crate::model::{
    address::Destination,
    date::Moment,
    document::Content,
    fingerprint::{Digest, Fingerprint},
    problem::Problem,
};
use crate::syntax::front::Entry;

/// A value and the words that say where it comes from.
#[derive(Clone, Debug)]
pub struct Explained<T> {
    pub value: T,
    pub why: &'static str,
}

impl<T> Explained<T> {
    pub fn new(value: impl Into<T>, why: &'static str) -> Self {
        Self { value: value.into(), why }
    }
}

/// One article or page, before its links are known and before it is known whether its address is free.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The number of its file.
    pub file: usize,
    pub described: Arc<Described>,
}

impl Deref for Candidate {
    type Target = Metadata;

    fn deref(&self) -> &Metadata {
        &self.described.metadata
    }
}

/// One article or page by itself.
#[derive(Debug)]
pub struct Described {
    pub metadata: Metadata,
    /// The content, without the title.
    pub document: Content,
    /// The places on it that links may name, found when the first link asks.
    pub anchors: OnceLock<Anchors>,
    /// A digest of all of it that an article is made from.
    pub digest: Digest,
    /// When it was described.
    pub at: Timestamp,
}

impl Described {
    /// Whether it would be described the same now.
    pub fn holds(&self, now: Timestamp) -> bool {
        let Dates { window, clamped, .. } = &self.metadata.dates;
        if now == self.at {
            return true;
        }
        let next_change = window.next_change(self.at);
        !clamped && self.at < now && next_change.is_none_or(|change| now < change)
    }
}

/// What one article or page says about itself.
#[derive(Debug)]
pub struct Metadata {
    pub kind: Kind,
    pub stem: Explained<Arc<str>>,
    pub title: Explained<Arc<str>>,
    pub summary: Explained<Arc<str>>,
    pub dates: Dates,
    pub visibility: Visibility,
    pub authors: Vec<String>,
    pub tags: Vec<String>,
    pub language: Explained<String>,
    /// Equal for translations of each other.
    pub language_group: String,
    pub image: Option<Entry>,
    pub guid: Option<String>,
    pub weight: Option<i64>,
    pub llms: LlmsPlace,
    /// Where it leads, when it is nothing but a redirect.
    pub redirect_to: Option<RedirectTo>,
    /// Names beside that of its file, for wikilinks.
    pub names: Vec<String>,
    /// Whether Diglot adds words to its document that have to be translated from English.
    pub needs_words: bool,
    pub problems: Vec<Problem>,
}

impl Metadata {
    /// A digest of what an article is made from; `document` is that of its document.
    pub fn digest(&self, document: &Digest) -> Digest {
        let Self { kind, stem, title, summary, dates, authors, tags, language, guid, weight, llms, needs_words, .. } = self;
        let texts = (&stem.value, &title.value, &summary.value, authors, tags, &language.value);
        let dates = (dates.date.value, dates.updated.value);
        Fingerprint::of(&(document, kind, texts, dates, guid, weight, llms, self.is_listed(), needs_words))
    }

    /// Whether lists name it.
    pub fn is_listed(&self) -> bool {
        self.visibility == Visibility::Published
    }
}

/// The dates of one article.
#[derive(Clone, Debug)]
pub struct Dates {
    pub date: Explained<Option<Moment>>,
    pub updated: Explained<Moment>,
    /// Whether the date of the last change is that of the file system.
    pub by_file_time: bool,
    pub window: Window,
    /// Whether the last change is said to be in the future, and so is taken to be now, whenever that is.
    pub clamped: bool,
}

/// What a text that is nothing but a redirect says of where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedirectTo {
    /// Where it leads; where that is not an address, why not.
    pub to: Result<Destination, String>,
    pub line: u32,
    pub column: u32,
}
