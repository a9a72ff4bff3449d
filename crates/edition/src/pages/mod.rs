//! Every page in both forms, from the same data: HTML through the theme, Markdown as its twin.
//!
//! `page_data` has the types of a page, and `shared` what all pages have in common. `components` are
//! what a page shows beside its text and its lists; `html` and `twin` write the two forms of a
//! `PageData`. `all_pages` determines the pages and the parts of each. No source text is read again:
//! both forms are written from the parsed document.

mod all_pages;
mod all_series;
mod archive;
pub(crate) mod article_cover;
mod authored;
mod builtin;
mod components;
mod errors;
mod guide;
mod guide_pages;
mod html;
mod json_ld;
mod key;
mod languages;
mod link;
mod lists;
mod neighbours;
mod outline;
mod page;
mod page_data;
mod pager;
pub(crate) mod search;
mod search_page;
mod sections;
mod shared;
mod sheets;
mod sidebar;
pub(crate) mod site_values;
mod tags;
mod twin;
mod whole;

use std::sync::Arc;

use diglot_content::document::Purpose;
use diglot_content::memo::Memo;
use diglot_content::steps::Step;
use diglot_content::{Article, BaseUrl, Library, Problem, Site, parallel};
use jiff::Timestamp;
use rustc_hash::FxHashSet;

use crate::byte_store::ByteStore;
use crate::card::Cards;
use crate::errors::Errors;
use crate::search::SearchPage;
use crate::theme::{Asset, Theme};

use key::Keys;
use neighbours::Neighbours;
pub use page::Page;
use page_data::PageData;
pub use page_data::PartFeed;
use shared::Shared;

/// The root-relative URL of a theme file.
pub(crate) fn address(base: &BaseUrl, asset: &Asset) -> String {
    base.rooted(&asset.path())
}

/// The inputs of pages.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The settings.
    pub site: &'a Site,
    /// All articles and pages.
    pub library: &'a Library,
    /// The theme.
    pub theme: &'a Theme,
    /// The cards of the site and of articles without their own picture.
    pub(crate) cards: &'a Cards,
    /// The instant of the edition.
    pub now: Timestamp,
    /// The store of the pages' bytes.
    pub store: &'a dyn ByteStore,
}

impl Context<'_> {
    /// What markup pages may have.
    const fn purpose(&self) -> Purpose {
        match (self.site.sanitize, self.site.author_scripts) {
            (true, _) => Purpose::SanitizedPage,
            (false, true) => Purpose::TrustedPage,
            (false, false) => Purpose::Page,
        }
    }
}

/// Every page of an edition, and the error bodies.
#[derive(Debug)]
pub struct Pages<'a> {
    /// In a fixed order: articles, further pages, home, lists, built-in pages. Paths are unique.
    pub pages: Vec<Arc<Page>>,
    /// The source article of each page, if any.
    pub articles: Vec<Option<&'a Article>>,
    /// The bodies of error responses.
    pub errors: Errors,
    /// What answers to queries are written into, if the site has a search.
    pub search: Option<SearchPage>,
    /// The pages that are left out, because an author's text or file has their address.
    pub problems: Vec<Problem>,
}

/// The caches that one edition passes to the next.
#[derive(Debug, Default)]
pub struct Memos {
    pages: Memo<Page>,
    neighbours: Memo<Neighbours>,
}

impl Memos {
    /// Ends an edition: drops the entries that it did not use.
    pub fn next(&mut self) {
        self.pages.next();
        self.neighbours.next();
    }
}

/// Renders every page; `memo` caches those of the previous edition.
///
/// # Errors
/// The errors in the theme's templates, each once.
pub fn render<'a>(context: &'a Context<'a>, memo: &Memos) -> Result<Pages<'a>, Vec<Problem>> {
    let shared = Shared::new(context, &memo.neighbours);
    let keys = Keys::new(&shared);
    let texts = texts(context.library);
    let page = |mut data: PageData<'a>| {
        let key = keys.for_page(&data);
        let page = memo.pages.try_get(key, || {
            data.set_aside();
            page::page(&shared, &data, key)
        })?;
        let page = match page.is_dated(&data) {
            true => page,
            false => Arc::new(page.dated(&shared, &data)),
        };
        Ok((page, data.article))
    };
    // The data of a text's page is made when it is rendered: that of all texts takes as much memory
    // as the pages.
    let of_text = |(at, text): &(usize, &'a Arc<Article>)| {
        context.library.steps.done(Step::Rendered, texts.len());
        let data = authored::page(&shared, text, Some(*at));
        (&*text.stem, page(data))
    };
    let generated = || {
        let made = all_pages::made_pages(&shared);
        made.map(|(made, left_out)| {
            let stems = made.iter().map(|data| Arc::clone(&data.stem));
            let taken: FxHashSet<Arc<str>> = stems.collect();
            (taken, parallel::map_owned(made, page), left_out)
        })
    };
    // The data of all lists is made by one thread, meanwhile the others render texts.
    let (generated, of_texts) = rayon::join(generated, || parallel::map(&texts, of_text));
    let (taken, generated, left_out) = generated?;
    // A text at the address of a generated page is a part of that page.
    let of_texts = of_texts.into_iter();
    let own = of_texts.filter_map(|(stem, page)| (!taken.contains(stem)).then_some(page));
    let rendered = own.chain(generated).collect();
    let (pages, mut problems) = divided(rendered);
    let (pages, articles) = pages.into_iter().unzip();
    let errors = errors::draw(&shared).map_err(|problem| problems.push(problem));
    let search = search_page::draw(&shared).map_err(|problem| problems.push(problem));
    problems.sort();
    problems.dedup();
    match (errors, search) {
        (Ok(errors), Ok(search)) if problems.is_empty() => Ok(Pages {
            pages,
            articles,
            errors,
            search,
            problems: left_out,
        }),
        _ => Err(problems),
    }
}

/// The texts that may have pages, each with its index: articles, then further pages.
fn texts(library: &Library) -> Vec<(usize, &Arc<Article>)> {
    let texts = library.articles.iter().chain(&library.pages);
    texts.enumerate().collect()
}

/// The pages, and the problems of those that could not be written.
fn divided<T>(rendered: Vec<Result<T, Problem>>) -> (Vec<T>, Vec<Problem>) {
    let mut pages = Vec::with_capacity(rendered.len());
    let mut problems = Vec::new();
    for page in rendered {
        match page {
            Ok(page) => pages.push(page),
            Err(problem) => problems.push(problem),
        }
    }
    (pages, problems)
}

#[cfg(test)]
mod tests;
