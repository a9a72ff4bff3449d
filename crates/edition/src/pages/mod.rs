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
mod plan;
mod shared;
mod twin;
pub mod words;

use std::ops::Range;

use bytes::Bytes;
use diglot_content::document::Parity;
use diglot_content::{BaseUrl, Library, Moment, Problem, Site};
use jiff::Timestamp;
use rayon::prelude::*;

use crate::card::Cards;
use crate::route::{Form, Route};
use crate::theme::{Asset, Theme};

pub use errors::{Errors, reason};
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
}

/// One page, finished in both forms.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where the HTML form lives.
    pub html_route: Route,
    /// Where the Markdown form lives.
    pub markdown_route: Route,
    /// The HTML form.
    pub html: Bytes,
    /// The Markdown form.
    pub markdown: Bytes,
    /// The part of `markdown` after its H1 and before its closing `## Sitemap`: what a merged document holds.
    pub merged: Range<usize>,
    /// The value of `Link` for the HTML form.
    pub html_link: String,
    /// The value of `Link` for the Markdown form.
    pub markdown_link: String,
    /// When the content last changed; for a list, its newest member.
    pub modified: Moment,
    /// Plain text.
    pub title: String,
    /// Plain text; may be empty.
    pub summary: String,
    /// Whether lists and sitemaps name it.
    pub listed: bool,
    /// Whether the two forms agree.
    pub parity: Parity,
}

/// Renders every page, in a fixed order: home, articles, further pages, lists, built-in pages. No two share a path.
///
/// # Errors
/// The mistakes of the theme's templates, each once.
pub fn render(context: &Context<'_>) -> Result<Vec<Page>, Vec<Problem>> {
    let shared = Shared::new(context);
    let drafts = plan::plan(&shared)?;
    let results: Vec<Result<Page, Problem>> = drafts.par_iter().map(|draft| page(&shared, draft)).collect();
    let mut problems: Vec<Problem> = results.iter().filter_map(|result| result.as_ref().err().cloned()).collect();
    problems.sort();
    problems.dedup();
    if problems.is_empty() { Ok(results.into_iter().flatten().collect()) } else { Err(problems) }
}

/// Both forms of one page.
fn page(shared: &Shared<'_>, draft: &draft::Draft<'_>) -> Result<Page, Problem> {
    let html_route = Route::of_stem(&draft.stem, Form::Html);
    let markdown_route = Route::of_stem(&draft.stem, Form::Markdown);
    let html = html::write(shared, draft)?;
    let twin = twin::write(shared, draft);
    Ok(Page {
        html_link: link::html(shared.base(), &html_route, &markdown_route),
        markdown_link: link::markdown(shared.base(), &html_route),
        parity: html.outline.parity(&twin.outline),
        html: tight(html.text),
        markdown: tight(twin.text),
        merged: twin.merged,
        modified: draft.updated.unwrap_or(Moment::second(Timestamp::UNIX_EPOCH)),
        title: draft.title.to_string(),
        summary: draft.description.to_string(),
        listed: draft.listed,
        html_route,
        markdown_route,
    })
}

/// A finished text without its room to grow: it stays as long as the edition.
fn tight(mut text: String) -> Bytes {
    text.shrink_to_fit();
    text.into()
}

#[cfg(test)]
mod tests;
