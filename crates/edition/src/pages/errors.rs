//! Error pages: the theme renders one shell per edition, and each response fills it.

use std::collections::BTreeMap;

use diglot_content::Problem;
use diglot_content::library::is_not_found_in;
use minijinja::context;

use super::languages::BUILT_IN;
use super::page_data::PageData;
use super::shared::Shared;
use super::{all_pages, html, twin};
use crate::errors::{ErrorPage, ErrorWords, Errors, Missing, Sentence, ShellPart, WORDED};
use crate::theme::context::ErrorContext;
use crate::theme::{Words, safe, value};

/// Placeholders for the status and message in the shell: noncharacters (Unicode 23.7), which no
/// text contains.
const STATUS: char = '\u{fdd0}';
const MESSAGE: char = '\u{fdd1}';

/// Renders the shell and reads the author's text for "not found", if any.
///
/// # Errors
/// The errors in the theme's templates.
pub(super) fn draw(shared: &Shared<'_>) -> Result<Errors, Problem> {
    let page = page(shared, &all_pages::not_found(shared)?)?;
    let mut others = Vec::new();
    for article in &shared.context.library.pages {
        if is_not_found_in(&article.stem, &article.language) && article.language != page.language {
            others.push(self::page(
                shared,
                &all_pages::not_found_in(shared, article)?,
            )?);
        }
    }
    Ok(Errors {
        base: shared.base().clone(),
        page,
        others,
    })
}

/// The page in the language of this text.
fn page(shared: &Shared<'_>, missing: &PageData<'_>) -> Result<ErrorPage, Problem> {
    let (html, _) = html::content(shared, missing);
    let shell = shell(shared, missing, &html)?;
    // The links are the last list of the text.
    let (text, links) = html.split_at(html.rfind("<ul>").unwrap_or(html.len()));
    let links = format!("{}{links}", search_form(shared, missing)?);
    let words = shared.context.theme.dictionary().words(&missing.language);
    let asked = words.with("asked", &[("path", &MESSAGE.to_string())]);
    Ok(ErrorPage {
        language: missing.language.to_string(),
        shell,
        missing: Missing {
            title: missing.title.to_string(),
            html: text.to_owned(),
            links,
            markdown: twin::merged(shared, missing),
            asked: asked.split(MESSAGE).map(str::to_owned).collect(),
            near: words.get("near").to_owned(),
        },
        words: error_words(shared, &missing.language, &words),
    })
}

/// The words about other errors. One that the language lacks is in English, and says so.
fn error_words(shared: &Shared<'_>, language: &str, words: &Words) -> ErrorWords {
    let english = shared.context.theme.dictionary().words(BUILT_IN);
    let is_english = language.split('-').next() == Some(BUILT_IN);
    let sentence = |name: &str| Sentence {
        text: words.get(name).to_owned(),
        is_foreign: !is_english && words.get(name) == english.get(name),
    };
    let mut sentences = BTreeMap::new();
    for status in WORDED {
        sentences.insert(status, sentence(&format!("error_{status}")));
    }
    ErrorWords {
        heading: words.get("error").to_owned(),
        sentences,
        other: sentence("error_other"),
    }
}

/// The form of the search, if the site has one.
fn search_form(shared: &Shared<'_>, missing: &PageData<'_>) -> Result<String, Problem> {
    if !shared.has_search {
        return Ok(String::new());
    }
    let page = html::error_context(shared, missing, "", "", "");
    let [site, words, once] = shared.given(&missing.language);
    let context = context! { site, words, once, page => value(page) };
    let theme = shared.context.theme;
    theme.render("find.html", context, shared.folder())
}

/// Renders the page around an error and splits it at the placeholders.
fn shell(
    shared: &Shared<'_>,
    missing: &PageData<'_>,
    text: &str,
) -> Result<Vec<ShellPart>, Problem> {
    let (status, message) = (STATUS.to_string(), MESSAGE.to_string());
    let page = html::error_context(shared, missing, &status, &message, text);
    let error = ErrorContext {
        status,
        message: safe(&message),
    };
    let [site, words, once] = shared.given(&missing.language);
    let context = context! { site, words, once, page => value(page), error => value(error) };
    let drawn = shared
        .context
        .theme
        .render("error.html", context, shared.folder())?;
    Ok(pieces(&drawn))
}

/// A page divided at the marks of status and message.
fn pieces(drawn: &str) -> Vec<ShellPart> {
    let mut pieces = Vec::new();
    for part in drawn.split_inclusive([STATUS, MESSAGE]) {
        let (text, place) = match part.chars().next_back() {
            Some(STATUS) => (
                &part[..part.len() - STATUS.len_utf8()],
                Some(ShellPart::Status),
            ),
            Some(MESSAGE) => (
                &part[..part.len() - MESSAGE.len_utf8()],
                Some(ShellPart::Message),
            ),
            _ => (part, None),
        };
        pieces.push(ShellPart::Text(text.to_owned()));
        pieces.extend(place);
    }
    pieces
}
