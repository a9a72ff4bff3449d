//! What one text says about itself: the data that describing it gives, and that publishing and
//! linking read.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use jiff::Timestamp;

use super::{
    anchors::Anchors,
    article::{Kind, LlmsPlace},
    dates::Dates,
    explained::Explained,
    fields::RedirectTo,
    parse::Parsed,
    visibility::Visibility,
};
use crate::model::{
    document::Content,
    fingerprint::{Digest, Fingerprint},
    problem::Problem,
};
use crate::syntax::front::Entry;

/// One article or page, before its links are known and before it is known whether its address is
/// free.
pub struct Candidate {
    /// The number of its file.
    pub file: usize,
    /// The path of its file.
    pub path: Arc<str>,
    pub parsed: Arc<Parsed>,
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
        let Dates {
            window, clamped, ..
        } = &self.metadata.dates;
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
        let Self {
            kind,
            stem,
            title,
            summary,
            dates,
            authors,
            tags,
            language,
            guid,
            weight,
            llms,
            needs_words,
            ..
        } = self;
        let texts = (
            &stem.value,
            &title.value,
            &summary.value,
            authors,
            tags,
            &language.value,
        );
        let dates = (dates.date.value, dates.updated.value);
        Fingerprint::of(&(
            document,
            kind,
            texts,
            dates,
            guid,
            weight,
            llms,
            self.is_listed(),
            needs_words,
        ))
    }

    /// Whether lists name it.
    pub fn is_listed(&self) -> bool {
        self.visibility == Visibility::Published
    }
}
