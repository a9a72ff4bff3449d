//! `/llms-full.txt`: every article merged into one Markdown text, each behind its title, address and date.
//!
//! A rope: between small headings stand slices of the twins themselves, so that no size of site makes a copy.

use std::fmt::Write;

use bytes::Bytes;
use diglot_content::memo::Memo;

use super::rows;
use super::sections::Index;
use super::text::{count, escape};
use super::{Entry, Material};
use crate::body::Body;
use crate::resource::{Digest, Resource};
use crate::route::Route;
use crate::store::Store;

/// Stands for what is taken from a twin, and how: another number whenever that changes, so that a tag never means other bytes than it did.
const RULE: &[u8] = b"merged 2";

/// The merged articles, in index order; `memo` holds what stood before them in the edition before.
pub(crate) fn resource(material: &Material<'_>, index: &Index<'_>, memo: &Memo<Vec<(Digest, Bytes)>>, store: &dyn Store) -> Resource {
    let articles: Vec<&Entry<'_>> = index.articles().collect();
    let headings = rows::chunks(memo, &material.site.base.to_string(), &articles, |articles| headings(articles, store));
    let headings = headings.iter().flat_map(|chunk| chunk.iter().cloned());
    let own = |bytes: Bytes| (Digest::of(&bytes), bytes);
    // What the text is made of, and the digests of its parts.
    let mut slices: Vec<Bytes> = Vec::with_capacity(2 * articles.len() + 2);
    let mut digests = vec![Digest::of(RULE)];
    let (digest, head) = own(head(material, articles.len()).into());
    digests.push(digest);
    slices.push(head);
    // On one thread: nearly all are slices of one and the same memory, whose owners are counted in one place, and threads would wait for each other at every slice.
    for (article, (digest, heading)) in articles.iter().zip(headings) {
        digests.push(digest);
        slices.push(heading);
        if !article.merged.is_empty() {
            // Of the whole Markdown form, which is known: what tells two forms apart tells apart what is taken from them.
            digests.push(article.digest);
            slices.extend(article.content());
        }
    }
    let (digest, end) = own(Bytes::from_static(b"\n"));
    digests.push(digest);
    slices.push(end);
    let digest = Digest::of_parts(digests);
    Resource::with_digest(Route::LlmsFull, Body::rope(slices), digest, material.newest_of(articles).at)
}

/// What stands before each of these articles, with its digest: never empty. All of them are one piece of the store, since each by itself is short.
fn headings(articles: &[&Entry<'_>], store: &dyn Store) -> Vec<(Digest, Bytes)> {
    let write = |article: &&Entry<'_>| {
        let text = heading(article);
        (Digest::of(text.as_bytes()), text)
    };
    let written: Vec<(Digest, String)> = articles.iter().map(write).collect();
    let texts: Vec<&[u8]> = written.iter().map(|(_, text)| text.as_bytes()).collect();
    let mut piece = store.keep(texts.concat());
    written.iter().map(|(digest, text)| (*digest, piece.split_to(text.len()))).collect()
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
