//! All articles and pages of a folder, in one order, with their addresses, links and visibility decided.

mod addresses;
mod build;
mod classify;
mod dates;
mod describe;
mod explain;
mod folder;
pub(crate) mod generated;
mod linking;
mod links;
mod memory;
mod names;
mod parse;
mod permalink;
mod publication;
mod readme;
mod tags;
mod transclude;
pub mod visibility;
mod work;

pub use crate::model::format::is_markdown;
pub use explain::{Explanation, Step, explain};
pub use memory::Memory;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::address::{Destination, OldAddress};
use crate::model::date::Moment;
use crate::model::document::{Content, Target};
use crate::model::problem::{Place, Problem};
use crate::model::site::Site;
use crate::model::sources::Sources;

/// Article or page: which part of the address space it lives in.
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

/// A tag: its name as shown and its address part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Tag {
    /// As shown.
    pub name: Arc<str>,
    /// The last segment of `/tags/{slug}.html`, by the slug rules.
    pub slug: Arc<str>,
}

/// One published article or page, parsed once. Both forms come from its document.
#[derive(Clone, Debug)]
pub struct Article {
    /// Article or page.
    pub kind: Kind,
    /// The source file. Never in any answer.
    pub source: Arc<str>,
    /// The path without suffix, decoded: `/articles/2024/x`, `/about`. Unique in the library.
    pub stem: Arc<str>,
    /// Plain text, one line.
    pub title: Arc<str>,
    /// Plain text, one line, at most some 200 characters: the author's, else the first paragraph of prose; may be empty.
    pub summary: Arc<str>,
    /// When it was published.
    pub date: Option<Moment>,
    /// When its content last changed: front matter, else git, else remembered, else the file's time; never after `now`.
    pub updated: Moment,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its tags, without repeats.
    pub tags: Vec<Tag>,
    /// BCP 47.
    pub language: String,
    /// Whether `language` is written from right to left.
    pub rtl: bool,
    /// The same content in other languages: language and stem.
    pub translations: Vec<(String, Arc<str>)>,
    /// A picture that stands for the article.
    pub image: Option<Target>,
    /// An author-given feed id; `None`: the permalink is the id.
    pub guid: Option<String>,
    /// `weight`, `order`, `sidebar_position`, or the order of `SUMMARY.md`; smaller first.
    pub weight: Option<i64>,
    /// Its place in llms.txt.
    pub llms: LlmsPlace,
    /// Whether lists name it (an unlisted page exists, and no list names it).
    pub listed: bool,
    /// The content, without the title.
    pub document: Content,
    /// One target for each of the document's references.
    pub targets: Arc<[Target]>,
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

/// How many of some references there are, and how many of them do not do what they should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All of them.
    pub total: usize,
    /// Those that lead nowhere.
    pub broken: usize,
}

impl Tally {
    fn add(&mut self, broken: bool) {
        self.total += 1;
        self.broken += usize::from(broken);
    }
}

/// What published articles and pages refer to in their own folder. What leads to other sites is not counted, since nobody asked them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// Links to articles, pages and files.
    pub links: Tally,
    /// Images, films and notes that are shown.
    pub images: Tally,
    /// `#places` on pages that were found.
    pub fragments: Tally,
}

impl fmt::Display for References {
    /// `340 links (3 lead nowhere), 12 images, 40 fragments (1 misses)`; what there is none of is left out, `no links` is the last word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            ("link", self.links, "leads nowhere", "lead nowhere"),
            ("image", self.images, "is missing", "are missing"),
            ("fragment", self.fragments, "misses", "miss"),
        ];
        let said = all.into_iter().filter(|(_, tally, ..)| tally.total > 0).map(|(noun, tally, one, many)| {
            let broken = match tally.broken {
                0 => String::new(),
                1 => format!(" (1 {one})"),
                count => format!(" ({count} {many})"),
            };
            format!("{} {noun}{}{broken}", tally.total, if tally.total == 1 { "" } else { "s" })
        });
        let said: Vec<String> = said.collect();
        f.write_str(if said.is_empty() { "no links" } else { "" })?;
        f.write_str(&said.join(", "))
    }
}

/// What became of every file found: published + set aside + skipped = found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// All files found.
    pub found: usize,
    /// Articles, pages and files published.
    pub published: usize,
    /// Files set aside as problems: source and reason.
    pub set_aside: Vec<(String, String)>,
    /// Files skipped: reason and sources.
    pub skipped: BTreeMap<String, Vec<String>>,
    /// The kind of folder and what says so.
    pub dialect: Option<(String, String)>,
    /// The articles folder and why it was chosen.
    pub articles_folder: (String, String),
    /// The configuration of another generator, and what was taken from it, by its key.
    pub configuration: Option<(String, Vec<(String, String)>)>,
    /// Template tags dropped, by name, with their count.
    pub unknown_tags: BTreeMap<String, usize>,
    /// What leads somewhere inside the folder, and what does not.
    pub references: References,
}

/// Where an old address leads, and who says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redirect {
    /// Where it leads.
    pub to: Destination,
    /// Where the author wrote it; `None` where it follows from the habits of another generator.
    pub place: Option<Place>,
}

impl fmt::Display for Redirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.fmt(f)
    }
}

/// All articles and pages, and everything else a folder publishes. An article that was made before, and for which nothing has changed, is one and the same value
/// in both libraries.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Articles visible now: date newest first (undated last), then slug. Shared as a whole: to share them one by one is to look at each.
    pub articles: Arc<Vec<Arc<Article>>>,
    /// Pages visible now, by path.
    pub pages: Vec<Arc<Article>>,
    /// Files published unchanged, by path.
    pub files: Vec<PublishedFile>,
    /// Old addresses (with or without a closing slash, which does not matter when they are looked up) and where they lead now.
    pub redirects: BTreeMap<OldAddress, Redirect>,
    /// Stems of expired articles: 410.
    pub expired: BTreeSet<String>,
    /// The next instant at which something appears or expires.
    pub next_change: Option<Timestamp>,
    /// Everything the author should fix, in order of place.
    pub problems: Vec<Problem>,
    /// What became of every file.
    pub report: Report,
    /// Whether making it again would come to the same: no text took so long that it was given up.
    pub certain: bool,
}

impl Library {
    /// Makes the library of a folder as it is at `now`. It never fails: what is broken is published as well as it can be, or set aside and said.
    pub fn build(sources: &Sources, site: &Site, now: Timestamp) -> Self {
        Self::build_with(sources, site, now, &mut Memory::default())
    }

    /// As [`build`](Self::build), and the same library. What the memory holds of the libraries before is not made again; then it holds what this one needed.
    pub fn build_with(sources: &Sources, site: &Site, now: Timestamp, memory: &mut Memory) -> Self {
        let library = build::build(sources, site, now, memory);
        memory.next();
        library
    }

    /// To be called once everything is made of it: documents that can be made again from their sources are let go of.
    pub fn rest(&self) {
        self.articles.iter().chain(&self.pages).for_each(|article| article.document.release());
    }
}

#[cfg(test)]
mod tests;
