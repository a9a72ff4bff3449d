//! Every page in both forms, from the same data: HTML through the theme, Markdown as its twin.
//!
//! `all_pages` determines the pages and the parts of each; `html` and `twin` write the two forms of
//! a `PageData`. No source text is read again: both forms come from the parsed document.

mod all_pages;
mod archive;
mod builtin;
mod contents;
pub(crate) mod cover;
mod errors;
mod frame_links;
mod front;
mod guide;
mod guide_pages;
mod html;
mod json_ld;
mod key;
mod languages;
mod link;
mod lists;
mod neighbours;
mod page;
mod page_data;
pub(crate) mod search;
mod sections;
mod series;
mod shared;
mod sheets;
mod sidebar;
pub(crate) mod site_values;
mod twin;

use std::sync::Arc;

use diglot_content::memo::Memo;
use diglot_content::steps::Step;
use diglot_content::{Article, BaseUrl, Library, Problem, Site, parallel};
use jiff::Timestamp;
use rustc_hash::FxHashSet;

use crate::card::Cards;
use crate::errors::Errors;
use crate::search::SearchPage;
use crate::store::Store;
use crate::theme::{Asset, Theme};

use key::Keys;
use neighbours::Neighbours;
pub use page::Page;
use page_data::PageData;
pub use page_data::PartFeed;
use shared::Shared;

/// The root-relative URL of a theme file.
pub(crate) fn address(base: &BaseUrl, asset: &Asset) -> String {
    base.rooted(&shared::address(asset))
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
    pub store: &'a dyn Store,
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
pub struct Rendered {
    pages: Memo<Page>,
    neighbours: Memo<Neighbours>,
}

impl Rendered {
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
pub fn render<'a>(context: &'a Context<'a>, memo: &Rendered) -> Result<Pages<'a>, Vec<Problem>> {
    let shared = Shared::new(context, &memo.neighbours);
    let keys = Keys::new(&shared);
    let (all, left_out) = page_data(&shared)?;
    let articles = all.iter().map(|data| data.article).collect();
    let (steps, total) = (context.library.steps, all.len());
    let page = |mut data: PageData<'_>| {
        steps.done(Step::Rendered, total);
        let key = keys.of(&data);
        let page = memo.pages.try_get(key, || {
            data.set_aside();
            page::page(&shared, &data, key)
        })?;
        Ok(if page.is_dated(&data) {
            page
        } else {
            Arc::new(page.dated(&shared, &data))
        })
    };
    // In reverse: the long lists are last, and one started late would delay the result.
    let mut rendered = parallel::map_owned(all.into_iter().rev(), page);
    rendered.reverse();
    let (pages, mut problems) = divided(rendered);
    let errors = errors::draw(&shared).map_err(|problem| problems.push(problem));
    let search = search::draw(&shared).map_err(|problem| problems.push(problem));
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

/// The pages, and the problems of those that could not be written.
fn divided(rendered: Vec<Result<Arc<Page>, Problem>>) -> (Vec<Arc<Page>>, Vec<Problem>) {
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

/// The data of every page: articles, further pages, then generated ones. A generated page replaces
/// an author's page at the same path and contains its text.
fn page_data<'a>(shared: &Shared<'a>) -> Result<(Vec<PageData<'a>>, Vec<Problem>), Vec<Problem>> {
    let library = shared.context.library;
    let texts: Vec<&'a Arc<Article>> = library.articles.iter().chain(&library.pages).collect();
    let written = || {
        let written = |at: usize| all_pages::written(shared, texts[at], Some(at));
        parallel::map_numbers(texts.len(), written)
    };
    let (made, mut all) = rayon::join(|| all_pages::made_pages(shared), written);
    let (made, left_out) = made?;
    let taken: FxHashSet<&str> = made.iter().map(|data| &*data.stem).collect();
    all.retain(|data| !taken.contains(&*data.stem));
    all.extend(made);
    Ok((all, left_out))
}

#[cfg(test)]
mod tests;
