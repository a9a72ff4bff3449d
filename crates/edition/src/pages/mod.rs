//! Every page in both forms, from one set of data: HTML through the theme, Markdown as its twin.
//!
//! The way of a page: `all_pages` decides which pages there are and from which parts each is made;
//! `html` and `twin` write the two forms of one `PageData`. Nothing here reads a source file's text
//! again: both forms come from the parsed document.

mod all_pages;
mod archive;
mod builtin;
mod errors;
mod front;
mod html;
mod json_ld;
mod key;
mod link;
mod neighbours;
mod page;
mod page_data;
mod shared;
mod twin;
pub mod words;

use std::sync::Arc;

use diglot_content::memo::Memo;
use diglot_content::{Article, BaseUrl, Library, Problem, Site, at_once};
use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::card::Cards;
use crate::errors::Errors;
use crate::store::Store;
use crate::theme::{Asset, Theme};

use key::Keys;
use neighbours::Neighbours;
pub use page::Page;
use page_data::PageData;
use shared::Shared;

/// The root-relative URL of a file of the theme.
pub(crate) fn address(base: &BaseUrl, asset: &Asset) -> String {
    base.rooted(&shared::address(asset))
}

/// What pages are made from.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The settings.
    pub site: &'a Site,
    /// All articles and pages.
    pub library: &'a Library,
    /// The theme.
    pub theme: &'a Theme,
    /// The pictures that stand for the site, and for its articles, where they have none of their
    /// own.
    pub(crate) cards: &'a Cards,
    /// The instant of the edition.
    pub now: Timestamp,
    /// Where the bytes of pages lie.
    pub store: &'a dyn Store,
}

/// Every page of an edition, and what error answers say.
#[derive(Debug)]
pub struct Pages<'a> {
    /// In a fixed order: articles, further pages, home, lists, built-in pages. No two share a path.
    pub pages: Vec<Arc<Page>>,
    /// What an author wrote for each, if anything.
    pub articles: Vec<Option<&'a Article>>,
    /// The bodies of error answers.
    pub errors: Errors,
}

/// What one edition leaves to the pages of the next.
#[derive(Debug, Default)]
pub struct Rendered {
    pages: Memo<Page>,
    neighbours: Memo<Neighbours>,
}

impl Rendered {
    /// Ends an edition.
    pub fn next(&mut self) {
        self.pages.next();
        self.neighbours.next();
    }
}

/// Renders every page; `memo` holds those of the edition before.
///
/// # Errors
/// The mistakes of the theme's templates, each once.
pub fn render<'a>(context: &'a Context<'a>, memo: &Rendered) -> Result<Pages<'a>, Vec<Problem>> {
    let shared = Shared::new(context, &memo.neighbours);
    let keys = Keys::new(&shared);
    let all = page_data(&shared)?;
    let articles = all.iter().map(|data| data.article).collect();
    let page = |mut data: PageData<'_>| {
        let page = memo.pages.try_get(keys.of(&data), || {
            data.set_aside();
            page::page(&shared, &data)
        })?;
        Ok(if page.is_dated(&data) {
            page
        } else {
            Arc::new(page.dated(&shared, &data))
        })
    };
    let at_once = at_once(all.len());
    // From behind: the long lists are there, and the thread that begins one last is waited for.
    let mut rendered: Vec<Result<Arc<Page>, Problem>> = all
        .into_par_iter()
        .rev()
        .with_max_len(at_once)
        .map(page)
        .collect();
    rendered.reverse();
    let mut pages = Vec::with_capacity(rendered.len());
    let mut problems = Vec::new();
    for page in rendered {
        match page {
            Ok(page) => pages.push(page),
            Err(problem) => problems.push(problem),
        }
    }
    let errors = errors::draw(&shared).map_err(|problem| problems.push(problem));
    problems.sort();
    problems.dedup();
    match errors {
        Ok(errors) if problems.is_empty() => Ok(Pages {
            pages,
            articles,
            errors,
        }),
        _ => Err(problems),
    }
}

/// Every page before it is written: articles, further pages, then those of Diglot's own, which take
/// the place of an author's page at the same path and show its text.
fn page_data<'a>(shared: &Shared<'a>) -> Result<Vec<PageData<'a>>, Vec<Problem>> {
    let library = shared.context.library;
    let made = all_pages::made_pages(shared)?;
    let taken: FxHashSet<&str> = made.iter().map(|data| &*data.stem).collect();
    let mut all = Vec::with_capacity(library.articles.len() + library.pages.len() + made.len());
    for (position, article) in library.articles.iter().enumerate() {
        if !taken.contains(&*article.stem) {
            all.push(all_pages::written(article, Some(position)));
        }
    }
    for page in &library.pages {
        if !taken.contains(&*page.stem) {
            all.push(all_pages::written(page, None));
        }
    }
    all.extend(made);
    Ok(all)
}

#[cfg(test)]
mod tests;
