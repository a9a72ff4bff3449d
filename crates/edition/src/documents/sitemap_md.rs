//! `/sitemap.md`: every page by title, with both addresses.

use std::fmt::Write;

use diglot_content::memo::Memo;

use super::rows::{self, Chunk};
use super::sections::Index;
use super::text::{count, escape, link};
use super::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The Markdown sitemap; `memo` holds the rows of the edition before.
pub(crate) fn resource(material: &Material<'_>, index: &Index<'_>, memo: &Memo<Chunk>) -> Resource {
    let site = material.site;
    let mut text = format!(
        "# Sitemap of {}\n\n{}, each with the address of its HTML form and the path of its Markdown form. For machines: [sitemap.xml]({}).\n",
        escape(&site.title),
        count(material.entries.len(), "page"),
        site.base.absolute(&Route::Sitemap.path())
    );
    let of = |wanted: fn(&Route) -> bool| material.entries.iter().filter(move |entry| wanted(entry.route)).collect::<Vec<_>>();
    let pages = of(|route| matches!(route, Route::Home(_) | Route::Page(..) | Route::Api(_) | Route::Terms(_)));
    let others: Vec<&Entry<'_>> = index.optional.iter().chain(&index.out).copied().collect();
    let lists = of(|route| matches!(route, Route::ArticleList(_) | Route::Tag(..) | Route::Year(..)));
    let base = site.base.to_string();
    let mut section = |title: &str, entries: &[&Entry<'_>]| {
        if !entries.is_empty() {
            let _ = write!(text, "\n## {}\n\n", escape(title));
            rows::chunks(memo, &base, entries, chunk).iter().for_each(|chunk| text.push_str(&chunk.text));
        }
    };
    section("Pages", &pages);
    for of_articles in &index.sections {
        section(&of_articles.title, &of_articles.entries);
    }
    section("Further articles", &others);
    section("Lists", &lists);
    Resource::new(Route::SitemapMarkdown, text, material.newest.at)
}

/// A row for each of some entries.
fn chunk(entries: &[&Entry<'_>]) -> Chunk {
    let mut text = String::new();
    for entry in entries {
        // A code span: the path is percent-encoded, so it holds no back quote.
        let _ = writeln!(text, "- {} `{}`", link(entry.title, &entry.url()), entry.base.rooted(&entry.markdown_path()));
    }
    Chunk { text, rows: entries.len() }
}
