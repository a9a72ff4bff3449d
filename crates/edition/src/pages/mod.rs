//! Every page in both forms, from one set of data: HTML through the theme, Markdown as its twin.
//!
//! The way of a page: `plan` decides which pages there are and from which parts each is made; `html` and `twin` write the two forms
//! of one `Draft`. Nothing here reads a source file's text again: both forms come from the parsed document.

mod archive;
mod builtin;
mod draft;
mod errors;
mod front;
mod html;
mod json_ld;
mod key;
mod link;
mod neighbours;
mod page;
mod plan;
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

use draft::Draft;
use key::Keys;
use neighbours::Neighbours;
pub use page::Page;
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
    /// The pictures that stand for the site, and for its articles, where they have none of their own.
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
    let drafts = drafts(&shared)?;
    let articles = drafts.iter().map(|draft| draft.article).collect();
    let page = |mut draft: Draft<'_>| {
        let page = memo.pages.try_get(keys.of(&draft), || {
            draft.set_aside();
            page::page(&shared, &draft)
        })?;
        Ok(if page.is_dated(&draft) { page } else { Arc::new(page.dated(&shared, &draft)) })
    };
    let some = at_once(drafts.len());
    // From behind: the long lists are there, and the thread that begins one last is waited for.
    let mut rendered: Vec<Result<Arc<Page>, Problem>> = drafts.into_par_iter().rev().with_max_len(some).map(page).collect();
    rendered.reverse();
    let (pages, failed): (Vec<_>, Vec<_>) = rendered.into_iter().partition(Result::is_ok);
    let mut problems: Vec<Problem> = failed.into_iter().filter_map(Result::err).collect();
    let errors = errors::draw(&shared).map_err(|problem| problems.push(problem));
    problems.sort();
    problems.dedup();
    match errors {
        Ok(errors) if problems.is_empty() => Ok(Pages { pages: pages.into_iter().flatten().collect(), articles, errors }),
        _ => Err(problems),
    }
}

/// Every page before it is written: articles, further pages, then those of Diglot's own, which take the place of an author's page at the same path and show its
/// text.
fn drafts<'a>(shared: &Shared<'a>) -> Result<Vec<Draft<'a>>, Vec<Problem>> {
    let library = shared.context.library;
    let made = plan::made_pages(shared)?;
    let taken: FxHashSet<&str> = made.iter().map(|draft| &*draft.stem).collect();
    let is_free = |article: &Article| !taken.contains(&*article.stem);
    let articles = library.articles.iter().enumerate().filter(|(_, article)| is_free(article));
    let pages = library.pages.iter().filter(|page| is_free(page));
    let mut drafts: Vec<Draft<'a>> = articles.map(|(position, article)| plan::written(article, Some(position))).collect();
    drafts.extend(pages.map(|page| plan::written(page, None)));
    drafts.extend(made);
    Ok(drafts)
}

#[cfg(test)]
mod tests;
