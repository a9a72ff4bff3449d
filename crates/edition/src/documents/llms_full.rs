//! `/llms-full.txt`: every article merged into one Markdown text, each behind its title, address and date.
//!
//! A rope: between small headings stand slices of the twins themselves, so that no size of site makes a copy.

use std::fmt::Write;

use bytes::Bytes;
use rayon::prelude::*;

use super::sections::Index;
use super::text::{count, escape};
use super::{Entry, Material};
use crate::body::Body;
use crate::resource::{Digest, Resource};
use crate::route::Route;

/// The merged articles, in index order.
pub fn resource(material: &Material<'_>, index: &Index<'_>) -> Resource {
    let articles: Vec<&Entry<'_>> = index.articles().collect();
    let own = |bytes: Bytes| (Digest::of(&bytes), bytes);
    let parts = articles.par_iter().flat_map_iter(|article| {
        let content = (article.content_digest, article.content.clone());
        [own(heading(article).into()), content].into_iter().filter(|(_, part)| !part.is_empty())
    });
    let mut parts: Vec<(Digest, Bytes)> = parts.collect();
    parts.insert(0, own(head(material, articles.len()).into()));
    parts.push(own(Bytes::from_static(b"\n")));
    let digest = Digest::of_parts(parts.iter().map(|(digest, _)| *digest));
    let body = Body::rope(parts.into_iter().map(|(_, part)| part));
    Resource::with_digest(Route::LlmsFull, body, digest, material.newest_of(articles).at)
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
    let mut text = format!("\n\n# {}\n\nURL: <{}>\n", escape(entry.title), entry.url);
    if let Some(date) = entry.article.and_then(|article| article.date) {
        let _ = writeln!(text, "Date: {}", date.iso());
    }
    let _ = write!(text, "Updated: {}\n\n", entry.modified.iso());
    text
}
