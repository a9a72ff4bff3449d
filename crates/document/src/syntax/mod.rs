//! Parsers into the model: front matter, Markdown, HTML, the settings file, what a moved site keeps, and the tokens of
//! JavaScript.

pub mod front;
pub mod html;
pub mod markdown;
pub mod migration;
pub mod picture;
pub mod settings;
pub mod tokens;

/// A text on one line, without characters that are invalid in pages.
fn clean_line(text: &str) -> String {
    crate::model::text::one_line(&crate::model::text::clean(text))
}
