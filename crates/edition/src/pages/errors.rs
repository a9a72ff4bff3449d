//! Error pages: the theme draws one shell when the edition is made, and each answer fills it.

use diglot_content::Problem;
use minijinja::context;

use super::page_data::PageData;
use super::shared::Shared;
use super::{all_pages, html, twin};
use crate::errors::{Errors, Missing, ShellPart};
use crate::theme::context::ErrorContext;
use crate::theme::{safe, value};

/// Stand for the status and the message while the shell is drawn: noncharacters (Unicode 23.7),
/// which no text holds.
const STATUS: char = '\u{fdd0}';
const MESSAGE: char = '\u{fdd1}';

/// Draws the shell and reads the author's words for "not found", if there are any.
///
/// # Errors
/// The mistakes of the theme's templates.
pub(super) fn draw(shared: &Shared<'_>) -> Result<Errors, Problem> {
    let missing = all_pages::not_found(shared)?;
    let shell = shell(shared, &missing)?;
    let (mut html, _) = html::content(shared, &missing);
    html.shrink_to_fit();
    let markdown = twin::merged(shared, &missing);
    Ok(Errors {
        base: shared.base().clone(),
        shell,
        missing: Missing {
            title: missing.title.to_string(),
            html,
            markdown,
        },
    })
}

/// Draws the page around an error and cuts it at the places to fill.
fn shell(shared: &Shared<'_>, missing: &PageData<'_>) -> Result<Vec<ShellPart>, Problem> {
    let (status, message) = (STATUS.to_string(), MESSAGE.to_string());
    let page = html::error_context(missing, &status, &message);
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
    Ok(pieces)
}
