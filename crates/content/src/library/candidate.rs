//! The description of one text, read by publishing and linking.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use jiff::Timestamp;

use super::{
    anchors::Anchors,
    article::{Kind, LlmsPlace},
    cover::Cover,
    dates::Dates,
    explained::Explained,
    fields::{Nav, RedirectTo},
    indexed::Indexed,
    parse::Parsed,
    visibility::{Unpublished, Visibility},
};
use crate::model::{
    document::Content,
    fingerprint::{Digest, Fingerprint},
    problem::Problem,
};

/// One article or page, before its links are resolved and its address is assigned.
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

/// One article or page, independent of the others.
#[derive(Debug)]
pub struct Described {
    pub metadata: Metadata,
    /// The content, without the title.
    pub document: Content,
    /// The anchors on it, collected when the first link asks.
    pub anchors: OnceLock<Box<Anchors>>,
    /// A digest of everything that an article is built from.
    pub digest: Digest,
    /// A digest of everything that the addresses of the folder depend on.
    pub addressed: Digest,
    /// When it was described.
    pub at: Timestamp,
}

impl Described {
    /// Whether describing it now would give the same result.
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

/// The metadata of one article or page.
#[derive(Debug)]
pub struct Metadata {
    pub kind: Kind,
    pub stem: Explained<Arc<str>>,
    pub title: Explained<Arc<str>>,
    pub summary: Explained<Arc<str>>,
    pub dates: Dates,
    pub visibility: Visibility,
    /// Set if a preview shows it although it is not public; then it counts as published.
    pub unpublished: Option<Unpublished>,
    pub authors: Vec<String>,
    pub tags: Vec<String>,
    /// The series that it is a part of, and its number there if it has one.
    pub series: Vec<(String, Option<i64>)>,
    pub language: Explained<String>,
    /// Equal for translations of each other.
    pub language_group: String,
    /// The picture that represents it.
    pub cover: Option<Box<Cover>>,
    pub guid: Option<String>,
    pub weight: Option<i64>,
    /// Its place in menus, if it says anything of it.
    pub nav: Option<Box<Nav>>,
    pub llms: LlmsPlace,
    /// Whether the search and the sitemap know it.
    pub indexed: Indexed,
    /// Its target, if it is only a redirect.
    pub redirect_to: Option<Box<RedirectTo>>,
    /// Names for wikilinks, in addition to the file name.
    pub names: Vec<String>,
    /// Whether Diglot adds words to its document that need translation from English.
    pub needs_words: bool,
    pub problems: Vec<Problem>,
}

impl Metadata {
    /// Its place in menus, as it says itself.
    pub fn nav(&self) -> &Nav {
        self.nav.as_deref().unwrap_or(&Nav::NONE)
    }

    /// A digest of what an article is built from; `document` is that of its document.
    pub fn digest(&self, document: &Digest) -> Digest {
        let Self {
            kind,
            stem,
            title,
            summary,
            dates,
            authors,
            tags,
            series,
            language,
            cover,
            guid,
            weight,
            llms,
            indexed,
            needs_words,
            unpublished,
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
        let cover = cover.as_ref().map(|cover| (&cover.alt, cover.is_shown));
        Fingerprint::hash_one(&(
            document,
            kind,
            texts,
            dates,
            guid,
            weight,
            (llms, indexed),
            self.is_listed(),
            needs_words,
            unpublished,
            (cover, series),
        ))
    }

    /// A digest of what the addresses of the folder, and links to it, depend on. It covers no
    /// words, so that most edits keep it.
    pub fn addressed(&self, parsed: &Parsed) -> Digest {
        let Self {
            kind,
            stem,
            title,
            summary: _,
            dates,
            visibility,
            unpublished,
            authors: _,
            tags: _,
            language,
            language_group,
            cover: _,
            series: _,
            guid: _,
            weight: _,
            nav: _,
            llms: _,
            indexed: _,
            redirect_to,
            names,
            needs_words: _,
            problems: _,
        } = self;
        Fingerprint::hash_one(&(
            (kind, &stem.value, &title.value, dates.date.value),
            (visibility, unpublished),
            (&language.value, language_group, redirect_to),
            (names, &parsed.front, &parsed.canonical),
            parsed.names.is_some(),
        ))
    }

    /// Whether lists contain it.
    pub fn is_listed(&self) -> bool {
        self.visibility == Visibility::Published
    }
}
