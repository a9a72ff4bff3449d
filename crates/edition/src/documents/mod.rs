//! The documents for machines, one small module each: a function of the [`Material`] to finished
//! resources.

pub mod api_catalog;
pub mod llms;
pub mod llms_full;
pub mod openapi;
pub mod robots;
pub mod rss;
pub mod sections;
pub mod sitemap;
pub mod sitemap_md;
pub mod status;
mod text;
mod xml;

use std::ops::Range;

use bytes::Bytes;
use diglot_content::{Article, BaseUrl, Library, Moment, Site};
use jiff::Timestamp;

use crate::policy;
use crate::resource::Digest;
use crate::route::Route;

/// The longest slug that stands in the labels of footnotes, in bytes.
const LONGEST_LABEL: usize = 80;
/// How many digits of a digest stand there in its place.
const LABEL_DIGITS: usize = 16;

/// A page as the documents see it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The HTML form's route.
    pub route: &'a Route,
    /// Below which addresses are.
    pub base: &'a BaseUrl,
    /// Plain text, one line.
    pub title: &'a str,
    /// Plain text, one line; may be empty.
    pub summary: &'a str,
    /// When the content last changed; for a list, its newest member.
    pub modified: Moment,
    /// The article or page that the author wrote, for pages that have one.
    pub article: Option<&'a Article>,
    /// The whole Markdown form's length in bytes.
    pub size: usize,
    /// What follows the front matter in the Markdown form. Borrowed: to share it counts an owner,
    /// at one place in memory for nearly all pages.
    pub words: &'a Bytes,
    /// The part of it that a merged document holds: no front matter, no H1, no closing pointer, no
    /// blank lines around it.
    pub merged: Range<usize>,
    /// Where in `words` the labels of footnotes begin.
    pub labels: &'a [u32],
    /// The digest of the whole Markdown form.
    pub digest: Digest,
}

impl Entry<'_> {
    /// Whether it is an article, and not a page or a list.
    pub fn is_article(&self) -> bool {
        matches!(self.route, Route::Article(..))
    }

    /// What a merged document holds of it, in slices: before the label of every footnote is put
    /// what makes it the article's own.
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

    /// What stands before the number of a footnote where several articles are one text: no other
    /// page has it. It is the slug, where every program reads that as part of a label, whatever its
    /// case; else a digest.
    fn own_label(&self) -> String {
        let stem = self.route.stem().unwrap_or_default();
        let slug = stem.strip_prefix("/articles/").unwrap_or(&stem);
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
        let digest = Digest::of(stem.as_bytes()).to_string();
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

/// What documents are made from.
#[derive(Clone, Debug)]
pub struct Material<'a> {
    /// The settings.
    pub site: &'a Site,
    /// All listed pages; articles among them in the library's order (date newest first, then slug).
    /// Unlisted pages are not here, so that no document can name one.
    pub entries: Vec<Entry<'a>>,
    /// The newest change of anything listed.
    pub newest: Moment,
    /// The instant of the edition.
    pub now: Timestamp,
    /// The root-relative URL of the feed's style sheet.
    pub feed_style: Option<String>,
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
        }
    }

    /// The listed articles, in the library's order.
    pub fn articles(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(|entry| entry.is_article())
    }

    /// The newest change among some entries, or Diglot's own date where there is none.
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

/// The articles and pages of a library by their stem.
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
