//! `/llms-full.txt`: every article merged into one Markdown text, each after its title, URL and
//! date.
//!
//! The body is a rope: slices of the twins between short headings, so that no copy is needed at any
//! size.

use std::fmt::Write;

use bytes::Bytes;
use diglot_content::memo::Memo;

use super::sections::Index;
use super::text::{count, escape};
use super::{Entry, Material, rows};
use crate::body::Body;
use crate::byte_store::ByteStore;
use crate::resource::{Digest, Resource};
use crate::route::Route;

/// The version of the rule that extracts text from a twin. It changes with the rule, so that an
/// entity tag never denotes other bytes.
const RULE: &[u8] = b"merged 2";

/// The merged articles, in index order. `memo` has chunks of articles of earlier editions.
pub(crate) fn resource(
    material: &Material<'_>,
    index: &Index<'_>,
    (memo, store): (&Memo<MergedText>, &dyn ByteStore),
) -> Resource {
    let articles: Vec<&Entry<'_>> = index.articles().collect();
    let mut text = MergedText {
        slices: Vec::with_capacity(2 * articles.len() + 2),
        digests: vec![Digest::hash(RULE)],
    };
    text.push(head(material, articles.len()).into());
    for chunk in rows::chunks(&articles, memo, |chunk| {
        MergedText::from_articles(chunk, store)
    }) {
        text.slices.extend_from_slice(&chunk.slices);
        text.digests.extend_from_slice(&chunk.digests);
    }
    text.push(Bytes::from_static(b"\n"));
    let digest = Digest::hash_parts(text.digests);
    Resource::with_digest(
        Route::LlmsFull,
        Body::rope(text.slices),
        digest,
        material.newest_of(articles).at,
    )
}

/// The slices of a text, and the digests of its parts.
#[derive(Debug, Default)]
pub(crate) struct MergedText {
    slices: Vec<Bytes>,
    digests: Vec<Digest>,
}

impl MergedText {
    /// Some articles, each after its heading.
    fn from_articles(articles: &[&Entry<'_>], store: &dyn ByteStore) -> Self {
        // Each heading is short, so those of a chunk share one slice of the store.
        let headings: Vec<String> = articles.iter().map(|article| heading(article)).collect();
        let mut kept = store.keep(&[headings.concat().as_bytes()]);
        let mut text = Self::default();
        for (article, heading) in articles.iter().zip(headings) {
            text.push(kept.split_to(heading.len()));
            if !article.merged.is_empty() {
                // The digest of the whole Markdown form is known, and it changes whenever the
                // extracted part does.
                text.digests.push(article.digest);
                text.slices.extend(article.content());
            }
        }
        text
    }

    fn push(&mut self, slice: Bytes) {
        self.digests.push(Digest::hash(&slice));
        self.slices.push(slice);
    }
}

fn head(material: &Material<'_>, articles: usize) -> String {
    let site = material.site;
    let mut text = format!("# {}\n", escape(&site.title));
    if !site.description.is_empty() {
        let _ = write!(text, "\n> {}\n", escape(&site.description));
    }
    let _ = write!(
        text,
        "\n{} in one file, each behind its title, address and date. The index with summaries: <{}>.",
        count(articles, "article"),
        site.base.absolute(&Route::Llms.path())
    );
    text
}

/// The heading of an article. It starts with the line break that ends the previous one.
fn heading(entry: &Entry<'_>) -> String {
    let mut text = format!("\n\n# {}\n\nURL: <{}>\n", escape(entry.title), entry.url());
    if let Some(date) = entry.article.and_then(|article| article.date) {
        let _ = writeln!(text, "Date: {}", date.iso());
    }
    if entry.modified.is_known() {
        let _ = writeln!(text, "Updated: {}", entry.modified.iso());
    }
    text.push('\n');
    text
}
