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
    parts.push(own(head(material, articles.len()).into()));
    // On one thread: nearly all are slices of one and the same memory, whose owners are counted in one place, and threads would wait for each other at every slice.
    for (article, heading) in articles.iter().zip(headings) {
        let content = (article.content_digest, article.content());
        parts.extend([heading, content].into_iter().filter(|(_, part)| !part.is_empty()));
    }
    parts.push(own(Bytes::from_static(b"\n")));
    let digest = Digest::of_parts(parts.iter().map(|(digest, _)| *digest));
    let mut place = 1;
    for article in &articles {
        if let (Some((digest, _)), Ok(at)) = (parts.get(place), u32::try_from(place)) {
            merged.headings.push((article.key, *digest, at));
        }
        place += 1 + usize::from(!article.merged.is_empty());
    }
    let body = Body::rope(parts.into_iter().map(|(_, part)| part));
    merged.text = body.clone();
    Resource::with_digest(Route::LlmsFull, body, digest, material.newest_of(articles).at)
}

/// What stands before each of these articles, with its digest. What was not written before lies in the store as one piece: each by itself is short.
fn headings(articles: &[&Entry<'_>], before: &Merged, store: &dyn Store) -> Vec<(Digest, Bytes)> {
    let known = before.find(articles);
    let written: Vec<String> =
        articles.par_iter().zip(&known).map(|(article, known)| if known.is_some() { String::new() } else { heading(article) }).collect();
    let mut piece = Piece::with_room(written.len(), written.iter().map(String::len).sum());
    let places: Vec<Range<usize>> = written.iter().map(|heading| piece.add(heading)).collect();
    let piece = piece.keep(store);
    let own = |place: Range<usize>| (Digest::of(&piece[place.clone()]), piece.slice(place));
    known.into_par_iter().zip(places).map(|(known, place)| known.unwrap_or_else(|| own(place))).collect()
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
