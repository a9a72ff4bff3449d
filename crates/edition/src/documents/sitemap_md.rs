//! `/sitemap.md`: every page by title, with both URLs.

use std::fmt::Write;

use diglot_content::memo::Memo;

use super::sections::Index;
use super::text::{count, escape, link};
use super::{Entry, Material, rows};
use crate::resource::Resource;
use crate::route::Route;

/// The Markdown sitemap. `memo` has chunks of rows of earlier editions.
pub(crate) fn resource(
    material: &Material<'_>,
    index: &Index<'_>,
    memo: &Memo<Box<str>>,
) -> Resource {
    let push_section = |text: &mut String, title: &str, entries: &[&Entry<'_>]| {
        push_section(text, title, entries, memo);
    };
    let site = material.site;
    let mut text = format!(
        "# Sitemap of {}\n\n{}, each with the address of its HTML form and the path of its Markdown form. For machines: [sitemap.xml]({}).\n",
        escape(&site.title),
        count(material.entries.len(), "page"),
        site.base.absolute(&Route::Sitemap.path())
    );
    let (mut pages, mut sections, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for entry in material.entries.iter().filter(|entry| !index.has(entry)) {
        match entry.route {
            Route::Home(_)
            | Route::Page(..)
            | Route::Api(_)
            | Route::Terms(_)
            | Route::Search(_) => pages.push(entry),
            Route::ArticleList(_)
            | Route::Language(..)
            | Route::Tag(..)
            | Route::Year(..)
            | Route::ListPage(..) => lists.push(entry),
            Route::Section(..) => sections.push(entry),
            _ => {}
        }
    }
    push_section(&mut text, "Pages", &pages);
    for section in &index.sections {
        push_section(&mut text, &section.title, &section.entries);
    }
    push_section(
        &mut text,
        "Further articles",
        &[&*index.optional, &*index.out].concat(),
    );
    push_section(&mut text, "Contents of sections", &sections);
    push_section(&mut text, "Lists", &lists);
    Resource::new(Route::SitemapMarkdown, text, material.newest.at)
}

fn push_section(text: &mut String, title: &str, entries: &[&Entry<'_>], memo: &Memo<Box<str>>) {
    if !entries.is_empty() {
        let _ = write!(text, "\n## {}\n\n", escape(title));
        let write = |chunk: &[&Entry<'_>]| {
            let rows: String = chunk.iter().map(|entry| row(entry)).collect();
            rows.into_boxed_str()
        };
        for rows in rows::chunks(entries, memo, write) {
            text.push_str(&rows);
        }
    }
}

fn row(entry: &Entry<'_>) -> String {
    // A code span: the path is percent-encoded, so it contains no backtick.
    format!(
        "- {} `{}`\n",
        link(entry.title, &entry.url()),
        entry.base.rooted(&entry.markdown_path())
    )
}
