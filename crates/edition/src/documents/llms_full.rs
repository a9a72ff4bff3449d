//! `/llms-full.txt`: every article merged into one Markdown text, each behind its title, address and date.
//!
//! A rope: between small headings stand slices of the twins themselves, so that no size of site makes a copy.

use std::fmt::Write;
use std::ops::Range;

use bytes::Bytes;
use rayon::prelude::*;

use super::rows::{AHEAD, Key};
use super::sections::Index;
use super::text::{count, escape};
use super::{Entry, Material};
use crate::body::Body;
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::store::{Piece, Store};

/// Stands for what is taken from a twin, and how: another number whenever that changes, so that a tag never means other bytes than it did.
const RULE: &[u8] = b"merged 1";

/// What stands before each article, for the next edition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merged {
    /// By article, in their order: which page it is, the digest of what stands before it, and the place of that in the text.
    headings: Vec<(Key, Digest, u32)>,
    text: Body,
}

/// The merged articles, in index order. `before` is what is known of the edition before; what is known of this one goes to `merged`.
pub(crate) fn resource(material: &Material<'_>, index: &Index<'_>, before: &Merged, merged: &mut Merged, store: &dyn Store) -> Resource {
    let articles: Vec<&Entry<'_>> = index.articles().collect();
    let headings = headings(&articles, before, store);
    let own = |bytes: Bytes| (Digest::of(&bytes), bytes);
    let mut parts: Vec<(Digest, Bytes)> = Vec::with_capacity(2 * articles.len() + 2);
    merged.headings.reserve_exact(articles.len());
    parts.push(own(head(material, articles.len()).into()));
    // On one thread: nearly all are slices of one and the same memory, whose owners are counted in one place, and threads would wait for each other at every slice.
    for (article, (digest, heading)) in articles.iter().zip(headings.into_iter().flatten()) {
        if let Ok(at) = u32::try_from(parts.len()) {
            merged.headings.push((article.key, digest, at));
        }
        parts.push((digest, heading));
        if !article.merged.is_empty() {
            // Of the whole Markdown form, which is known: what tells two forms apart tells apart what is taken from them.
            parts.push((article.digest, article.content()));
        }
    }
    parts.push(own(Bytes::from_static(b"\n")));
    let digest = Digest::of_parts(std::iter::once(Digest::of(RULE)).chain(parts.iter().map(|(digest, _)| *digest)));
    let body = Body::rope(parts.into_iter().map(|(_, part)| part));
    merged.text = body.clone();
    Resource::with_digest(Route::LlmsFull, body, digest, material.newest_of(articles).at)
}

/// What stands before each of these articles, with its digest: always something. What was not written before lies in the store as one piece: each by itself is short.
fn headings(articles: &[&Entry<'_>], before: &Merged, store: &dyn Store) -> Vec<Option<(Digest, Bytes)>> {
    let mut headings = before.find(articles);
    let new: Vec<usize> = (0..articles.len()).filter(|at| headings[*at].is_none()).collect();
    let write = |at: &usize| {
        let text = heading(articles[*at]);
        (Digest::of(text.as_bytes()), text)
    };
    let written: Vec<(Digest, String)> = new.par_iter().map(write).collect();
    let mut piece = Piece::with_room(written.len(), written.iter().map(|(_, text)| text.len()).sum());
    let places: Vec<(Digest, Range<usize>)> = written.iter().map(|(digest, text)| (*digest, piece.add(text))).collect();
    let piece = piece.keep(store);
    for (at, (digest, place)) in new.into_iter().zip(places) {
        headings[at] = Some((digest, piece.slice(place)));
    }
    headings
}

impl Merged {
    /// What stood before each of these articles, where its page is the same.
    fn find(&self, articles: &[&Entry<'_>]) -> Vec<Option<(Digest, Bytes)>> {
        let mut next = 0;
        let mut find = |key: Key| {
            let ahead = self.headings.get(next..)?;
            let place = ahead.iter().take(AHEAD).position(|(page, ..)| key.is_some() && *page == key)?;
            next += place + 1;
            let (_, digest, at) = ahead.get(place)?;
            Some((*digest, self.text.slices().get(*at as usize)?.clone()))
        };
        articles.iter().map(|article| find(article.key)).collect()
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

/// What stands before an article. It begins with the line break that ends what came before.
fn heading(entry: &Entry<'_>) -> String {
    let mut text = format!("\n\n# {}\n\nURL: <{}>\n", escape(entry.title), entry.url());
    if let Some(date) = entry.article.and_then(|article| article.date) {
        let _ = writeln!(text, "Date: {}", date.iso());
    }
    let _ = write!(text, "Updated: {}\n\n", entry.modified.iso());
    text
}
