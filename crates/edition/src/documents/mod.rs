//! The documents for machines, one small module each: a function of the [`Material`] to finished resources.

pub mod api_catalog;
pub mod llms;
pub mod llms_full;
pub mod openapi;
pub mod robots;
pub(crate) mod rows;
pub mod rss;
pub mod sections;
pub mod sitemap;
pub mod sitemap_md;
pub mod status;
mod text;
mod xml;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::{Article, BaseUrl, Library, Moment, Site};
use jiff::Timestamp;

use crate::pages::Page;
use crate::policy;
use crate::resource::{Digest, Resource};
use crate::route::Route;

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
    /// What follows the front matter in the Markdown form. Borrowed: to share it counts an owner, at one place in memory for nearly all pages.
    pub words: &'a Bytes,
    /// The part of it that a merged document holds: no front matter, no H1, no closing pointer, no blank lines around it.
    pub merged: Range<usize>,
    /// The digest of the whole Markdown form.
    pub digest: Digest,
    /// What tells its page from others.
    pub(crate) key: rows::Key,
}

impl Entry<'_> {
    /// Whether it is an article, and not a page or a list.
    pub fn is_article(&self) -> bool {
        matches!(self.route, Route::Article(..))
    }

    /// What a merged document holds of it.
    pub fn content(&self) -> Bytes {
        self.words.slice(self.merged.clone())
    }

    /// The absolute URL of the HTML form: the canonical one.
    pub fn url(&self) -> String {
        self.base.absolute(&self.route.canonical_path())
    }

    /// The path of the Markdown form, decoded.
    pub fn markdown_path(&self) -> String {
        self.route.twin().unwrap_or_else(|| self.route.clone()).path()
    }
}

/// What documents are made from.
#[derive(Clone, Debug)]
pub struct Material<'a> {
    /// The settings.
    pub site: &'a Site,
    /// All listed pages; articles among them in the library's order (date newest first, then slug). Unlisted pages are not here, so that no
    /// document can name one.
    pub entries: Vec<Entry<'a>>,
    /// The newest change of anything listed.
    pub newest: Moment,
    /// The instant of the edition.
    pub now: Timestamp,
    /// The root-relative URL of the feed's style sheet.
    pub feed_style: Option<String>,
}

/// What was written of the long lists, for the next edition. Of pages that it says anything of it says it by where they are, so it holds them.
#[derive(Debug, Default)]
pub struct Written {
    pub(crate) sitemap: Rows,
    pub(crate) sitemap_md: Rows,
    pub(crate) llms: Rows,
    pub(crate) merged: Merged,
    pub(crate) feed: Contents,
    pub(crate) description: Description,
    /// The pages that are meant: no other can come to stand where one of them does.
    pub(crate) pages: Vec<Arc<Page>>,
}

impl Written {
    /// The same, once the documents are where they stay.
    pub(crate) fn settled(self, documents: &[Resource]) -> Self {
        let pieces = rows::pieces(documents);
        let Self { sitemap, sitemap_md, llms, merged, feed, description, pages } = self;
        let (sitemap, sitemap_md, llms) = (sitemap.settled(&pieces), sitemap_md.settled(&pieces), llms.settled(&pieces));
        Self { sitemap, sitemap_md, llms, merged, feed, description, pages }
    }
}

impl<'a> Material<'a> {
    /// The material of these entries.
    pub fn new(site: &'a Site, entries: Vec<Entry<'a>>, now: Timestamp) -> Self {
        let newest = entries.iter().map(|entry| entry.modified).max().unwrap_or_else(|| policy::words_date(now));
        Self { site, entries, newest, now, feed_style: None }
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
        entries.into_iter().map(|entry| entry.modified).max().unwrap_or_else(|| policy::words_date(self.now))
    }
}

/// The articles and pages of a library by their stem.
pub(crate) fn by_stem(library: &Library) -> rustc_hash::FxHashMap<&str, &Article> {
    library.articles.iter().chain(&library.pages).map(|article| (&*article.stem, &**article)).collect()
}

use llms_full::Merged;
use openapi::Description;
use rows::Rows;
use rss::Contents;

#[cfg(test)]
mod tests;
