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

use diglot_content::{AT_ONCE, BaseUrl, Library, Problem, Site};
use jiff::Timestamp;
use rayon::prelude::*;

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
pub struct Pages {
    /// In a fixed order: home, articles, further pages, lists, built-in pages. No two share a path.
    pub pages: Vec<Arc<Page>>,
    /// The bodies of error answers.
    pub errors: Errors,
    /// The same pages for the next edition.
    pub rendered: Rendered,
}

/// Renders every page; one that was rendered before from the same is taken over.
///
/// # Errors
/// The mistakes of the theme's templates, each once.
pub fn render(context: &Context<'_>, known: &Rendered) -> Result<Pages, Vec<Problem>> {
    let shared = Shared::new(context, &known.beside);
    let known = known.on(rendered::ground(&shared));
    let drafts = plan::plan(&shared)?;
    let leaf = |draft: Draft<'_>| {
        let inputs = Inputs::of(&shared, &draft);
        let stem = Arc::clone(&draft.stem);
        let leaf = match known.find(&stem, &inputs) {
            Some(leaf) if leaf.inputs.updated == inputs.updated => leaf.clone(),
            // A list is as new as the newest article in it: an edit dates many lists anew, and changes nothing else of them.
            Some(leaf) => Leaf { page: Arc::new(page::dated(&shared, &draft, &leaf.page)), inputs },
            None => Leaf { page: Arc::new(page::page(&shared, &draft.aside())?), inputs },
        };
        Ok((stem, leaf))
    };
    // From behind: there are the long lists, and whoever begins one last is waited for.
    let mut results: Vec<Result<(Arc<str>, Leaf), Problem>> = drafts.into_par_iter().rev().with_max_len(AT_ONCE).map(leaf).collect();
    results.reverse();
    let mut problems: Vec<Problem> = results.iter().filter_map(|result| result.as_ref().err().cloned()).collect();
    let errors = Errors::new(&shared).map_err(|problem| problems.push(problem));
    problems.sort();
    problems.dedup();
    let (Ok(errors), []) = (errors, &*problems) else { return Err(problems) };
    let leaves: Vec<(Arc<str>, Leaf)> = results.into_iter().flatten().map(|(stem, leaf)| (stem, leaf.moved())).collect();
    let pages = leaves.iter().map(|(_, leaf)| Arc::clone(&leaf.page)).collect();
    let rendered = known.with(&shared.neighbours, leaves.into_iter());
    Ok(Pages { pages, errors, rendered })
}

#[cfg(test)]
mod tests;
