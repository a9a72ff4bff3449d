//! The search page.

use std::borrow::Cow;

use diglot_content::Problem;
use minijinja::context;

use super::builtin;
use super::languages::BUILT_IN;
use super::page_data::{PageData, PageKind};
use super::shared::Shared;
use super::{html, twin};
use crate::policy;
use crate::route::{Form, Route};
use crate::search::{SearchPage, ShellPart};
use crate::theme::context::SearchContext;
use crate::theme::{safe, value};

/// Placeholders for the query, the results, their number, and the query in an address in the shell:
/// noncharacters (Unicode 23.7), which no text contains.
const QUERY: char = '\u{fdd0}';
const RESULTS: char = '\u{fdd1}';
const COUNT: char = '\u{fdd2}';
const ADDRESS: char = '\u{fdd3}';
const PLACES: [char; 4] = [QUERY, RESULTS, COUNT, ADDRESS];

/// The search page without a query.
pub(super) fn page<'a>(shared: &Shared<'a>) -> Result<PageData<'a>, Problem> {
    let language = shared.context.site.language.as_str();
    let mut part = builtin::search(shared)?;
    let is_own = language.split('-').next() == Some(BUILT_IN);
    part.language = (!is_own).then_some(BUILT_IN);
    let title = shared.word(language, "search").to_owned();
    let description = shared.about(&title);
    let route = Route::Search(Form::Html);
    Ok(PageData {
        description: Cow::Owned(description),
        updated: Some(policy::words_date(shared.context.now)),
        parts: vec![part],
        ..PageData::generated(route, PageKind::Search, title, language)
    })
}

/// What answers to queries are written into; `None` without a search.
///
/// # Errors
/// The errors in the theme's templates.
pub(super) fn draw(shared: &Shared<'_>) -> Result<Option<SearchPage>, Problem> {
    if !shared.has_search {
        return Ok(None);
    }
    let data = page(shared)?;
    let twin = twin::write(shared, &data);
    let markdown = [
        twin.text[..twin.merged.start].to_owned(),
        twin.text[twin.merged.end..].to_owned(),
    ];
    let drawn = drawn(shared, &data)?;
    Ok(Some(SearchPage {
        base: shared.base().clone(),
        html: split(&drawn),
        markdown,
        nothing: shared.word(&data.language, "nothing").to_owned(),
        count: shared.word(&data.language, "results").to_owned(),
        language: data.language.to_string(),
    }))
}

/// The page with marks for the query and the results.
fn drawn(shared: &Shared<'_>, data: &PageData<'_>) -> Result<String, Problem> {
    let search = SearchContext {
        query: QUERY.to_string(),
        results: safe(&RESULTS.to_string()),
        count: COUNT.to_string(),
    };
    let page = html::search_context(shared, data, (search, ADDRESS));
    let [site, words, once] = shared.given(&data.language);
    let context = context! { site, words, once, page => value(page) };
    shared
        .context
        .theme
        .render(data.kind.template(), context, shared.folder())
}

/// Splits the shell at the placeholders.
fn split(drawn: &str) -> Vec<ShellPart> {
    let mut parts = Vec::new();
    for part in drawn.split_inclusive(PLACES) {
        let text = part.trim_end_matches(PLACES);
        parts.push(ShellPart::Text(text.to_owned()));
        match part.chars().next_back() {
            Some(QUERY) => parts.push(ShellPart::Query),
            Some(RESULTS) => parts.push(ShellPart::Results),
            Some(COUNT) => parts.push(ShellPart::Count),
            Some(ADDRESS) => parts.push(ShellPart::Address),
            _ => {}
        }
    }
    parts
}
