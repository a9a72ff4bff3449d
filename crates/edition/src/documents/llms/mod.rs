//! `/llms.txt` (llmstxt.org): the site's contents with summaries, in less than 50,000 characters
//! for any size of site.
//!
//! Above that size summaries are shortened first. Then every section becomes a file below `/llms/`,
//! cut into parts (the module `parts`).

mod lines;
mod names;
mod parts;

use std::sync::Arc;

use diglot_content::memo::Memo;
use diglot_content::{Site, parallel};

use super::sections::Index;
use super::text::{count, escape};
use super::{Entry, Material, rows};
use crate::resource::Resource;
use crate::route::Route;

pub(crate) use lines::Line;
use parts::Split;

/// `/llms.txt` stays below this many characters, which agents read without truncation.
const LIMIT: usize = 50_000;
/// Summaries are cut to these lengths in turn until everything fits in one file.
const SHORTER: [usize; 6] = [usize::MAX, 160, 120, 90, 60, 40];
/// Lists of pages and optional articles stay in `/llms.txt` up to this many characters.
const INLINE: usize = 8_000;

/// The kind of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    Articles,
    Pages,
    Optional,
}

impl ListKind {
    const ALL: [Self; 3] = [Self::Articles, Self::Pages, Self::Optional];

    /// The heading above links to parts.
    const fn heading(self) -> &'static str {
        match self {
            Self::Articles => "Articles",
            Self::Pages => "Pages",
            Self::Optional => "Optional",
        }
    }

    /// The noun for counting entries.
    const fn noun(self) -> &'static str {
        match self {
            Self::Articles => "article",
            Self::Pages => "page",
            Self::Optional => "entry",
        }
    }
}

/// The written entries under one heading.
#[derive(Debug)]
struct List<'a> {
    /// The part of `/llms/{name}.txt`.
    name: String,
    title: String,
    kind: ListKind,
    entries: Vec<&'a Entry<'a>>,
    /// A line for each entry, in chunks.
    chunks: Vec<Arc<Vec<Line>>>,
}

impl<'a> List<'a> {
    fn new(
        (site, memo): (&Site, &Memo<Vec<Line>>),
        name: &str,
        title: &str,
        kind: ListKind,
        entries: Vec<&'a Entry<'a>>,
    ) -> Self {
        let write = |chunk: &[&Entry<'_>]| {
            let line = |entry: &&Entry<'_>| Line::new(site, entry);
            chunk.iter().map(line).collect()
        };
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            kind,
            chunks: rows::chunks(&entries, memo, write),
            entries,
        }
    }

    /// A line for each entry.
    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The length in characters with summaries cut to `shorter`.
    fn characters(&self, shorter: usize) -> usize {
        self.title.chars().count()
            + 6
            + self
                .lines()
                .map(|line| line.characters(shorter))
                .sum::<usize>()
    }

    fn write(&self, out: &mut String, shorter: usize) {
        out.push_str(&format!("\n## {}\n\n", escape(&self.title)));
        for line in self.lines() {
            line.write(out, shorter);
        }
    }
}

/// `/llms.txt` and its parts.
#[derive(Debug)]
pub struct Llms {
    /// The index first, then its parts.
    pub resources: Vec<Resource>,
    /// The number of oldest articles that fit in no part.
    pub dropped: usize,
}

/// `/llms.txt` and its parts, if any. `memo` has chunks of lines of earlier editions.
pub(crate) fn resources(
    material: &Material<'_>,
    index: &Index<'_>,
    memo: &Memo<Vec<Line>>,
) -> Llms {
    let mut text = head(material);
    let lists = lists(material, index, memo);
    let Some(shorter) = fitting(&text, &lists) else {
        return split(material, text, lists);
    };
    for list in &lists {
        list.write(&mut text, shorter);
    }
    Llms {
        resources: vec![Resource::new(Route::Llms, text, material.newest.at)],
        dropped: 0,
    }
}

/// The greatest summary length at which everything fits in one file.
fn fitting(head: &str, lists: &[List<'_>]) -> Option<usize> {
    let least: usize = lists
        .iter()
        .flat_map(|list| list.lines())
        .map(Line::least)
        .sum();
    if least >= LIMIT {
        return None;
    }
    let size = |shorter: usize| {
        head.chars().count()
            + lists
                .iter()
                .map(|list| list.characters(shorter))
                .sum::<usize>()
    };
    SHORTER.into_iter().find(|shorter| size(*shorter) < LIMIT)
}

/// The sections, the pages, and under `Optional` the articles marked so by their authors and the
/// lists by tag, year and section, which repeat the index. Empty ones are omitted.
fn lists<'a>(
    material: &'a Material<'a>,
    index: &Index<'a>,
    memo: &Memo<Vec<Line>>,
) -> Vec<List<'a>> {
    let site = (material.site, memo);
    let mut lists = Vec::new();
    for section in &index.sections {
        lists.push(List::new(
            site,
            &section.name,
            &section.title,
            ListKind::Articles,
            section.entries.clone(),
        ));
    }
    let pages = material
        .entries
        .iter()
        .filter(|entry| is_page(entry.route) && !index.has(entry))
        .collect();
    lists.push(List::new(site, "pages", "Pages", ListKind::Pages, pages));
    let repeating = material.entries.iter().filter(|entry| is_list(entry.route));
    let optional = index.optional.iter().copied().chain(repeating).collect();
    lists.push(List::new(
        site,
        "optional",
        "Optional",
        ListKind::Optional,
        optional,
    ));
    lists.retain(|list| !list.entries.is_empty());
    lists
}

fn is_list(route: &Route) -> bool {
    matches!(
        route,
        Route::Tag(..) | Route::Year(..) | Route::Language(..) | Route::Section(..)
    )
}

/// Whether a page has text of its own.
fn is_page(route: &Route) -> bool {
    match route {
        Route::Home(_)
        | Route::ArticleList(_)
        | Route::Page(..)
        | Route::Api(_)
        | Route::Terms(_)
        | Route::Search(_) => true,
        Route::Article(..) | Route::NotFound(_) => false,
        Route::Tag(..) | Route::Year(..) | Route::Section(..) => false,
        Route::Language(..) | Route::ListPage(..) => false,
        Route::SearchIndex
        | Route::Rss
        | Route::Sitemap
        | Route::SitemapPart(_)
        | Route::SitemapMarkdown
        | Route::Llms
        | Route::LlmsPart(_)
        | Route::LlmsFull => false,
        Route::Status
        | Route::OpenApi
        | Route::ApiCatalog
        | Route::Robots
        | Route::Feed(_)
        | Route::OpenSearch
        | Route::Changes
        | Route::ChangesMarkdown
        | Route::ChangesSince(_)
        | Route::Listing
        | Route::Skills
        | Route::Skill(_)
        | Route::Asset(_)
        | Route::File(_) => false,
    }
}

/// The text before the first H2: title, description, and how to read this site.
fn head(material: &Material<'_>) -> String {
    let site = material.site;
    let base = &site.base;
    let description = if site.description.is_empty() {
        format!("What {} publishes.", site.title)
    } else {
        site.description.clone()
    };
    let changes = match material.changes.json {
        true => {
            let url = base.absolute(&Route::Changes.path());
            format!(" What changed since an earlier edition: <{url}>.")
        }
        false => String::new(),
    };
    format!(
        "# {}\n\n> {}\n\nEvery page of this site is published twice, with the same content: as HTML at an address that ends in `.html`, and as Markdown \
         at the same address with `.md`, where the links below lead. A request for the `.html` address with `Accept: text/markdown` gets the Markdown \
         too. All articles in one file: <{}>. Every page with both addresses: <{}>.{changes} Usage signals: `{}`, in plain words at <{}>.\n",
        escape(&site.title),
        escape(&description),
        base.absolute(&Route::LlmsFull.path()),
        base.absolute(&Route::SitemapMarkdown.path()),
        site.signals.content_signal(),
        base.absolute(&Route::Terms(crate::route::Form::Markdown).path()),
    )
}

/// Moves sections to their own files, all linked directly from `/llms.txt`. Short lists of pages
/// and optional articles stay.
fn split(material: &Material<'_>, head: String, lists: Vec<List<'_>>) -> Llms {
    let (inline, filed): (Vec<_>, Vec<_>) = lists
        .into_iter()
        .partition(|list| list.kind != ListKind::Articles && list.characters(usize::MAX) <= INLINE);
    let fixed = head.chars().count()
        + 300
        + inline
            .iter()
            .map(|list| list.characters(usize::MAX))
            .sum::<usize>();
    let Split { parts, dropped } = parts::split(material, &filed, LIMIT.saturating_sub(fixed));
    let mut text = head;
    if dropped > 0 {
        let map = material.site.base.absolute(&Route::SitemapMarkdown.path());
        text.push_str(&format!(
            "\nThe oldest {} are not listed here: they are in <{map}> alone.\n",
            count(dropped, "article")
        ));
    }
    for kind in ListKind::ALL {
        let mut links = parts.iter().filter(|part| part.kind == kind).peekable();
        if links.peek().is_some() {
            text.push_str(&format!("\n## {}\n\n", kind.heading()));
            links.for_each(|part| text.push_str(&part.link));
        }
        inline
            .iter()
            .filter(|list| list.kind == kind)
            .for_each(|list| list.write(&mut text, usize::MAX));
    }
    let mut resources = vec![Resource::new(Route::Llms, text, material.newest.at)];
    resources.extend(parallel::map_owned(parts, |part| part.write(material)));
    Llms { resources, dropped }
}

#[cfg(test)]
mod tests;
