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
mod link;
mod neighbours;
mod page;
mod plan;
mod rendered;
mod shared;
mod twin;
pub mod words;

use std::sync::Arc;

use diglot_content::{AT_ONCE, Article, BaseUrl, Library, Problem, Site, at_once};
use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::card::Cards;
use crate::store::Store;
use crate::theme::{Asset, Theme};

use draft::Draft;
pub use errors::{Errors, reason};
pub use page::Page;
pub use rendered::Rendered;
use rendered::{Inputs, Leaf};
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

/// Every page of an edition, what error answers say, and what is remembered of both.
#[derive(Debug)]
pub struct Pages<'a> {
    /// In a fixed order: articles, further pages, home, lists, built-in pages. No two share a path.
    pub pages: Vec<Arc<Page>>,
    /// What an author wrote for each, if anything.
    pub articles: Vec<Option<&'a Article>>,
    /// The bodies of error answers.
    pub errors: Errors,
    /// The same pages for the next edition.
    pub rendered: Rendered,
}

/// A page, or why there is none.
type Outcome = Result<Made, Box<Problem>>;

/// A page that was rendered before, or now.
enum Made {
    Before(Arc<Leaf>),
    Now(Box<Leaf>),
}

impl Made {
    /// For the next edition.
    fn kept(self) -> Arc<Leaf> {
        match self {
            Self::Before(leaf) => leaf,
            Self::Now(leaf) => Arc::new(leaf.moved()),
        }
    }
}

/// Renders every page; one that was rendered before from the same is taken over.
///
/// # Errors
/// The mistakes of the theme's templates, each once.
pub fn render<'a>(context: &'a Context<'a>, known: &Rendered) -> Result<Pages<'a>, Vec<Problem>> {
    let shared = Shared::new(context, &known.beside);
    let known = known.on(rendered::ground(&shared));
    let found = known.found();
    let leaf = |draft: Draft<'_>| {
        let inputs = Inputs::of(&shared, &draft);
        let (stem, may_meet) = (Arc::clone(&draft.stem), draft.article.is_none_or(shared::may_meet));
        Ok(match found.find(&stem, draft.position, &inputs) {
            Some(leaf) if leaf.inputs.updated == inputs.updated => Made::Before(Arc::clone(leaf)),
            // A list is as new as the newest article in it: an edit dates many lists anew, and changes nothing else of them.
            Some(leaf) => Made::Now(Leaf { page: Arc::new(page::dated(&shared, &draft, &leaf.page)), inputs, may_meet, stem }.into()),
            None => Made::Now(Leaf { page: Arc::new(page::page(&shared, &draft.aside())?), inputs, may_meet, stem }.into()),
        })
    };
    let before = |position: usize| found.same(&shared.neighbours, position);
    let written = |article: &Article, position: Option<usize>| match position.and_then(before) {
        Some(leaf) => Ok(Made::Before(Arc::clone(leaf))),
        None => leaf(plan::written(article, position)),
    };
    let library = context.library;
    let some = at_once(library.articles.len());
    let others = || {
        let made = plan::made_pages(&shared)?;
        let taken: FxHashSet<Arc<str>> = made.iter().map(|draft| Arc::clone(&draft.stem)).collect();
        let of: Vec<Option<&Article>> = made.iter().map(|draft| draft.article).collect();
        // From behind: there are the long lists, and whoever begins one last is waited for.
        let mut made: Vec<Outcome> = made.into_par_iter().rev().with_max_len(some).map(leaf).collect();
        made.reverse();
        Ok((taken, of, made))
    };
    // Most articles are where no page of Diglot's can be, and wait for none of them.
    let article = |(position, article): (usize, &Arc<Article>)| match before(position) {
        // Not even looked at: where articles are many, that is most of the work.
        Some(leaf) if !leaf.may_meet => Some(Ok(Made::Before(Arc::clone(leaf)))),
        _ => (!shared::may_meet(article)).then(|| leaf(plan::written(article, Some(position)))),
    };
    let articles = || library.articles.par_iter().with_max_len(some).enumerate().map(article).collect();
    let (others, mut articles): (Result<_, Vec<Problem>>, Vec<Option<Outcome>>) = rayon::join(others, articles);
    let (taken, of_made, made) = others?;
    let is_free = |article: &Article| !shared::may_meet(article) || !taken.contains(&*article.stem);
    let late = articles.par_iter_mut().zip(&**library.articles).enumerate().filter(|(_, (made, article))| made.is_none() && is_free(article));
    late.for_each(|(position, (made, article))| *made = Some(written(article, Some(position))));
    let pages: Vec<&Article> = library.pages.iter().map(|page| &**page).filter(|page| is_free(page)).collect();
    let free = library.articles.iter().zip(&articles).filter(|(_, made)| made.is_some());
    let mut of: Vec<Option<&Article>> = free.map(|(article, _)| Some(&**article)).collect();
    of.extend(pages.iter().copied().map(Some).chain(of_made));
    let mut others: Vec<Outcome> = pages.into_par_iter().with_max_len(some).map(|page| written(page, None)).collect();
    others.extend(made);
    let failed = articles.iter().flatten().chain(&others).filter_map(|made| made.as_ref().err());
    let mut problems: Vec<Problem> = failed.map(|problem| Problem::clone(problem)).collect();
    let errors = Errors::new(&shared).map_err(|problem| problems.push(problem));
    problems.sort();
    problems.dedup();
    let (Ok(errors), []) = (errors, &*problems) else { return Err(problems) };
    let kept = articles.into_par_iter().with_max_len(AT_ONCE).map(|made| Some(made?.ok()?.kept()));
    let articles: Vec<Option<Arc<Leaf>>> = kept.collect();
    let others: Vec<Arc<Leaf>> = others.into_iter().flatten().map(Made::kept).collect();
    let leaves: Vec<&Arc<Leaf>> = articles.iter().flatten().chain(&others).collect();
    let pages = leaves.par_iter().with_max_len(AT_ONCE).map(|leaf| Arc::clone(&leaf.page)).collect();
    let rendered = known.with(&shared.neighbours, articles, others.into_iter());
    Ok(Pages { pages, articles: of, errors, rendered })
}

#[cfg(test)]
mod tests;
