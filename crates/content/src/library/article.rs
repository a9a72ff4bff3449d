//! What a library publishes: articles and pages, files, redirects.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::indexed::Indexed;
use crate::model::{
    address::Destination,
    date::Moment,
    document::{Content, Target},
    fingerprint::Digest,
    problem::SourceLocation,
};

/// Article or page. Decides the part of the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// At `/articles/{slug}`; in lists, in the feed.
    Article,
    /// At `/{path}`.
    Page,
}

/// How llms.txt treats an article.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LlmsPlace {
    /// Listed in its section.
    #[default]
    Listed,
    /// Listed under `## Optional`.
    Optional,
    /// Left out.
    Out,
}

/// A tag: its displayed name and its address segment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Tag {
    /// As shown.
    pub name: Arc<str>,
    /// The last segment of `/tags/{slug}.html`, by the slug rules.
    pub slug: Arc<str>,
}

/// A series that an article is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartOf {
    /// Its name, and the tag whose list has its parts.
    pub tag: Tag,
    /// The number that the author gave the part.
    pub number: Option<i64>,
}

/// One published article or page, parsed once. Both representations are rendered from its document.
#[derive(Clone, Debug)]
pub struct Article {
    /// Article or page.
    pub kind: Kind,
    /// The source file. Never part of a response.
    pub source: Arc<str>,
    /// The path without suffix, decoded: `/articles/2024/x`, `/about`. Unique in the library.
    pub stem: Arc<str>,
    /// Plain text, one line.
    pub title: Arc<str>,
    /// Plain text, one line, at most about 200 characters: the author's summary, else the first
    /// paragraph of prose; may be empty.
    pub summary: Arc<str>,
    /// When it was published.
    pub date: Option<Moment>,
    /// When its content last changed: from front matter, else git, else remembered, else the file's
    /// time; never after `now`.
    pub updated: Moment,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its tags, without duplicates.
    pub tags: Vec<Tag>,
    /// BCP 47.
    pub language: String,
    /// Whether `language` is written from right to left.
    pub rtl: bool,
    /// The same content in other languages: language and stem.
    pub translations: Vec<(String, Arc<str>)>,
    /// The picture that represents the article.
    pub image: Option<Target>,
    /// The picture's alternative text, which may be empty, if lists and the page show it.
    pub cover: Option<Arc<str>>,
    /// The series that it is a part of.
    pub series: Vec<PartOf>,
    /// A feed id set by the author; `None`: the permalink is the id.
    pub guid: Option<String>,
    /// `weight`, `order`, `sidebar_position`, or the position in `SUMMARY.md`; smaller first.
    pub weight: Option<i64>,
    /// Its place in llms.txt.
    pub llms: LlmsPlace,
    /// Whether lists contain it. An unlisted page exists but is in no list.
    pub listed: bool,
    /// Whether the search and the sitemap know it.
    pub indexed: Indexed,
    /// The content, without the title.
    pub document: Content,
    /// One target for each of the document's references.
    pub targets: Arc<[Target]>,
    /// A digest of everything that it was built from.
    pub digest: Digest,
}

/// A file published unchanged.
#[derive(Clone, Debug)]
pub struct PublishedFile {
    /// The decoded site path, beginning with `/`.
    pub path: Arc<str>,
    /// The source file.
    pub source: Arc<str>,
    /// The bytes.
    pub bytes: Bytes,
    /// When the bytes last changed.
    pub changed: Timestamp,
}

/// The target of a former address, and its origin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redirect {
    /// The target.
    pub to: Destination,
    /// The target as the author wrote it, if that is known.
    pub written: Option<Arc<str>>,
    /// Where the author wrote it; `None`: it follows from the conventions of another generator.
    pub place: Option<SourceLocation>,
    /// Its value where a host has no room for all.
    pub rank: Rank,
}

/// The value of an old address; smaller is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// The author wrote it.
    Written,
    /// The address of a text in its own generator, at most one for each text.
    Own,
    /// Another that follows from conventions.
    Other,
}

impl fmt::Display for Redirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.fmt(f)
    }
}
