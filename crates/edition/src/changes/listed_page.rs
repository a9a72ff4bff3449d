//! A listed page in one line.

use std::ops::Range;
use std::sync::Arc;

use diglot_content::encoding::encode_path;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::{SECTION_ID, SECTIONS, hexadecimal};
use crate::resource::Digest;

/// A listed page: what a client needs to know in order to decide whether its copy is up to date.
#[derive(Debug, PartialEq, Eq)]
pub struct ListedPage {
    /// The decoded path of the Markdown form.
    pub path: Arc<str>,
    /// The digest of the Markdown form, as in its entity tag.
    pub digest: Digest,
    /// The row as it is published: a JSON object.
    pub json: bytes::Bytes,
    /// The digest of `json`.
    pub json_digest: Digest,
}

/// The rows of an edition, in the order of its pages.
pub type ListedPages = Arc<[Arc<ListedPage>]>;

/// A row as it is published: a page with its sections.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEntry {
    /// The path of its Markdown form.
    pub path: String,
    /// Its title.
    pub title: String,
    /// The digest of its Markdown form.
    pub digest: String,
    /// Its sections, in order.
    pub sections: Vec<ListedSection>,
}

/// A section: its id, which is "" before the first heading, and its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSection {
    /// The id of its heading.
    pub id: Arc<str>,
    /// The first 64 bits of a BLAKE3.
    #[serde(with = "hexadecimal")]
    pub digest: u64,
}

impl ListedPage {
    /// A row of this text, which [`json_of`](Self::json_of) or [`dated`](Self::dated) wrote.
    pub fn new(path: Arc<str>, digest: Digest, json: bytes::Bytes) -> Self {
        Self {
            path,
            digest,
            json_digest: Digest::hash(&json),
            json,
        }
    }

    /// The text of a row with this title and these sections.
    pub fn json_of(
        path: &str,
        digest: Digest,
        title: &str,
        sections: Vec<ListedSection>,
    ) -> String {
        let entry = PageEntry {
            digest: digest.to_string(),
            path: encode_path(path),
            title: title.to_owned(),
            sections,
        };
        serde_json::to_string(&entry).unwrap_or_default()
    }

    /// The same row with another digest of the Markdown form.
    #[must_use]
    pub fn dated(&self, digest: Digest) -> Self {
        let entry = self.entry().map(|entry| PageEntry {
            digest: digest.to_string(),
            ..entry
        });
        let json = entry.and_then(|entry| serde_json::to_string(&entry).ok());
        Self::new(
            Arc::clone(&self.path),
            digest,
            json.unwrap_or_default().into(),
        )
    }

    /// The row, read again; `None` if its bytes cannot be read.
    pub fn entry(&self) -> Option<PageEntry> {
        serde_json::from_slice(&self.json).ok()
    }
}

/// A digest over all rows: two lists with the same have the same pages with the same texts.
pub fn listing(rows: &[Arc<ListedPage>]) -> Digest {
    Digest::hash_parts(rows.iter().map(|row| row.json_digest))
}

/// The sections of a text: what is before the first heading, under the id "", and one from each
/// heading to the next. `headings` are their offsets in the text and their ids.
pub(crate) fn sections(
    text: &str,
    content: Range<usize>,
    headings: &[(usize, String)],
) -> Vec<ListedSection> {
    let found = starts(&content, headings);
    let ends = found.iter().skip(1).map(|(_, at)| *at);
    let ends: Vec<usize> = ends.chain([content.end]).collect();
    let section = |((id, start), end): ((&str, usize), usize)| ListedSection {
        id: id.into(),
        digest: short(text.get(start..end).unwrap_or_default().trim_end()),
    };
    found.into_iter().zip(ends).map(section).collect()
}

/// The sections that have a digest, and where they begin: first the text before all headings.
fn starts<'h>(content: &Range<usize>, headings: &'h [(usize, String)]) -> Vec<(&'h str, usize)> {
    let mut known = FxHashSet::default();
    let mut found: Vec<(&str, usize)> = vec![("", content.start)];
    for (at, id) in headings {
        let is_own = !id.is_empty() && id.len() <= SECTION_ID && content.contains(at);
        if is_own && found.len() < SECTIONS && known.insert(id.as_str()) {
            found.push((id, *at));
        }
    }
    found
}

/// The first 64 bits of the BLAKE3 of a section.
fn short(text: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
    u64::from_be_bytes(bytes)
}
