//! Whether a page of a theme's own templates shows the text that it was given.

use diglot_content::Problem;
use minijinja::{Value, context};

use super::page_data::{PageData, PageKind};
use super::shared::Shared;
use crate::theme::context::PageContext;
use crate::theme::{safe, value};

/// Placeholder for the content: a noncharacter (Unicode 23.7), which no text contains.
const CONTENT: &str = "\u{fdd4}";

/// The problem of an article or page without its text, its heading or its `<main>`. It does not name
/// the page, so that all pages of a template report it once.
pub(super) fn problem(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    page: PageContext,
    (content, written): (&str, &[u8]),
) -> Option<Problem> {
    let theme = shared.context.theme;
    let is_text = matches!(data.kind, PageKind::Article | PageKind::Page);
    if !is_text || !theme.has_own_templates() {
        return None;
    }
    let template = data.kind.template();
    let problem = |what: &str, hint: &str| {
        let message = format!("the template writes a page without {what}");
        let place = theme.own_place(template, shared.folder());
        Some(Problem::error(message).at(place, 0, 0).hint(hint))
    };
    let body = body(std::str::from_utf8(written).unwrap_or_default());
    if !shows(shared, data, page, (content.trim(), body)) {
        return problem(
            "the text of the article",
            "print it with `{{ page.content }}`, inside a block that the template extends",
        );
    }
    if !has_element(body, "main") {
        return problem("`<main>`", "write one around the text, as `base.html` does");
    }
    if !has_element(body, "h1") {
        return problem("`<h1>`", "write one: `<h1>{{ page.heading }}</h1>`");
    }
    None
}

/// Whether the content is in the body, unchanged or as the template changes it.
fn shows(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    page: PageContext,
    (content, written): (&str, &str),
) -> bool {
    if content.is_empty() || written.contains(content) {
        return true;
    }
    let page = PageContext {
        content: safe(CONTENT),
        ..page
    };
    let [site, words, once]: [Value; 3] = shared.given(&data.language);
    let context = context! { site, words, once, page => value(page) };
    let theme = shared.context.theme;
    let drawn = theme.render(data.kind.template(), context, shared.folder());
    // A template that needs the true content does something with it.
    drawn.map_or(true, |drawn| body(&drawn).contains(CONTENT))
}

/// What is behind the head of a page.
fn body(page: &str) -> &str {
    page.find("<body").map_or(page, |at| &page[at..])
}

/// Whether a page has an element of this name.
fn has_element(page: &str, name: &str) -> bool {
    page.split('<').skip(1).any(|tag| {
        let (own, rest) = tag.split_at_checked(name.len()).unwrap_or((tag, ""));
        own.eq_ignore_ascii_case(name)
            && rest.starts_with(|next: char| next == '>' || next.is_ascii_whitespace())
    })
}
