//! Error pages: the theme renders one shell per edition, and each response fills it.

use diglot_content::Problem;
use minijinja::context;

use super::page_data::PageData;
use super::shared::Shared;
use super::{all_pages, html, twin};
use crate::errors::{Errors, Missing, ShellPart};
use crate::theme::context::ErrorContext;
use crate::theme::{safe, value};

/// Placeholders for the status and message in the shell: noncharacters (Unicode 23.7), which no
/// text contains.
const STATUS: char = '\u{fdd0}';
const MESSAGE: char = '\u{fdd1}';

/// Renders the shell and reads the author's text for "not found", if any.
///
/// # Errors
/// The errors in the theme's templates.
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

/// Renders the page around an error and splits it at the placeholders.
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
