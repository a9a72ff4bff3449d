//! The documents for machines, one small module each: a function from the [`Material`] to
//! resources.

pub mod api_catalog;
pub(crate) mod changes;
pub mod llms;
pub mod llms_full;
pub(crate) mod open_search;
pub mod openapi;
pub mod robots;
mod rows;
pub mod rss;
pub(crate) mod search;
pub mod sections;
pub mod sitemap;
pub mod sitemap_md;
pub(crate) mod skills;
pub mod status;
mod text;
mod xml;

use std::ops::Range;

use bytes::Bytes;
use diglot_content::memo::Memo;
use diglot_content::{Article, BaseUrl, Library, Moment, Site, Tree, fingerprint};
use jiff::Timestamp;

use crate::pages::PartFeed;
use crate::policy;
use crate::resource::Digest;
use crate::route::Route;
use crate::theme::Dictionary;

/// The longest slug used in footnote labels, in bytes.
const LONGEST_LABEL: usize = 80;
/// The digits of the digest that replaces a longer slug.
const LABEL_DIGITS: usize = 16;

/// What earlier editions leave to the documents of the next: parts by the digests of all that they
/// are written from.
#[derive(Debug, Default)]
pub struct Memos {
    /// The articles of feeds.
    pub(crate) items: rss::Items,
    /// The API description.
    pub(crate) openapi: Memo<Bytes>,
    /// Parts of the index of the search.
    pub(crate) search: search::Memos,
    /// Lines of `llms.txt` and its parts.
    pub(crate) lines: Memo<Vec<llms::Line>>,
    /// Articles of `llms-full.txt`.
    pub(crate) merged: Memo<llms_full::MergedText>,
    /// Rows of `sitemap.md`.
    pub(crate) map: Memo<Box<str>>,
    /// Rows of `sitemap.xml`.
    pub(crate) sitemap: Memo<Box<[u8]>>,
}

impl Memos {
    /// Ends an edition: drops the parts that it did not use.
    pub fn next(&mut self) {
        let Self {
            items,
            openapi,
            search,
            lines,
            merged,
            map,
            sitemap,
        } = self;
        items.next();
        openapi.next();
        search.next();
        lines.next();
        merged.next();
        map.next();
        sitemap.next();
    }
}

/// A page as documents see it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// A digest of everything that the page is made from, except the date of last change.
    pub key: fingerprint::Digest,
    /// The HTML form's route.
    pub route: &'a Route,
    /// The decoded path without suffix.
    pub stem: &'a str,
    /// The base of its URLs.
    pub base: &'a BaseUrl,
    /// Plain text, one line.
    pub title: &'a str,
    /// Plain text, one line; may be empty.
    pub summary: &'a str,
    /// The last change of the content; for a list, of its newest member.
    pub modified: Moment,
    /// The source article or page, if any.
    pub article: Option<&'a Article>,
    /// The length of the whole Markdown form in bytes.
    pub size: usize,
    /// The Markdown form after its front matter. Borrowed: sharing it would contend for one
    /// reference count, as nearly all pages are in one allocation.
    pub words: &'a Bytes,
    /// The range of it that merged documents include: no front matter, no H1, no closing pointer,
    /// no surrounding blank lines.
    pub merged: Range<usize>,
    /// The offsets of footnote labels in `words`.
    pub labels: &'a [u32],
    /// The digest of the whole Markdown form.
    pub digest: Digest,
    /// The feed of which it is the list.
    pub feed: Option<&'a PartFeed>,
}

impl Entry<'_> {
    /// Whether it is an article, not a page or a list.
    pub fn is_article(&self) -> bool {
        matches!(self.route, Route::Article(..))
    }

    /// The slices that a merged document includes, with a prefix unique to the article before every
    /// footnote label.
    pub fn content(&self) -> Vec<Bytes> {
        let whole = || self.words.slice(self.merged.clone());
        if self.labels.is_empty() {
            return vec![whole()];
        }
        let own = Bytes::from(self.own_label());
        let mut slices = Vec::with_capacity(2 * self.labels.len() + 1);
        let mut from = self.merged.start;
        for label in self
            .labels
            .iter()
            .map(|label| *label as usize)
            .filter(|label| self.merged.contains(label))
        {
            slices.extend([self.words.slice(from..label), own.clone()]);
            from = label;
        }
        slices.push(self.words.slice(from..self.merged.end));
        slices
    }

    /// The prefix of footnote labels in merged documents, unique to the page: the slug if every
    /// parser accepts it in a label, regardless of case; else a digest.
    fn own_label(&self) -> String {
        let stem = self.stem;
        let slug = stem.strip_prefix("/articles/").unwrap_or(stem);
        let plain = slug.bytes().all(|byte| {
            byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || matches!(byte, b'-' | b'_' | b'.' | b'/')
        });
        let is_digest =
            slug.len() == LABEL_DIGITS && slug.bytes().all(|byte| byte.is_ascii_hexdigit());
        if plain && !is_digest && slug.len() <= LONGEST_LABEL {
            return format!("{slug}-");
        }
        let digest = Digest::hash(stem.as_bytes()).to_string();
        format!("{}-", &digest[..LABEL_DIGITS.min(digest.len())])
    }

    /// The absolute URL of the HTML form: the canonical one.
    pub fn url(&self) -> String {
        self.base.absolute(&self.route.canonical_path())
    }

    /// The path of the Markdown form, decoded.
    pub fn markdown_path(&self) -> String {
        self.route
            .twin()
            .unwrap_or_else(|| self.route.clone())
            .path()
    }
}

/// The input of all documents.
#[derive(Clone, Debug)]
pub struct Material<'a> {
    /// The settings.
    pub site: &'a Site,
    /// All listed pages, articles in the library's order (date newest first, then slug). Unlisted
    /// pages are excluded, so that no document can name one.
    pub entries: Vec<Entry<'a>>,
    /// The newest change of a listed page.
    pub newest: Moment,
    /// The instant of the edition.
    pub now: Timestamp,
    /// The root-relative URL of the feed's style sheet.
    pub feed_style: Option<String>,
    /// The author's order of a guide, a tree for each language.
    pub trees: &'a [Tree],
    /// Whether the site has a search.
    pub search: bool,
    /// Whether it describes the search for browsers.
    pub open_search: bool,
    /// Which documents on changes it has.
    pub(crate) changes: changes::ChangesDocuments,
    /// Whether it has the generated skill.
    pub(crate) skills: bool,
    /// The theme's words.
    pub dictionary: Dictionary,
}

impl<'a> Material<'a> {
    /// The material of these entries.
    pub fn new(site: &'a Site, entries: Vec<Entry<'a>>, now: Timestamp) -> Self {
        let newest = entries
            .iter()
            .map(|entry| entry.modified)
            .max()
            .unwrap_or_else(|| policy::words_date(now));
        Self {
            site,
            entries,
            newest,
            now,
            feed_style: None,
            trees: &[],
            search: site.search,
            open_search: site.search,
            changes: changes::ChangesDocuments::default(),
            skills: true,
            dictionary: Dictionary::default(),
        }
    }

    /// The listed articles, in the library's order.
    pub fn articles(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(|entry| entry.is_article())
    }

    /// The newest change among these entries; Diglot's own date if there are none.
    pub fn newest_of<'e>(&self, entries: impl IntoIterator<Item = &'e Entry<'a>>) -> Moment
    where
        'a: 'e,
    {
        entries
            .into_iter()
            .map(|entry| entry.modified)
            .max()
            .unwrap_or_else(|| policy::words_date(self.now))
    }
}

/// A library's articles and pages by stem.
pub(crate) fn by_stem(library: &Library) -> rustc_hash::FxHashMap<&str, &Article> {
    library
        .articles
        .iter()
        .chain(&library.pages)
        .map(|article| (&*article.stem, &**article))
        .collect()
}

#[cfg(test)]
mod tests;
