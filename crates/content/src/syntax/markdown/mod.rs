//! Markdown into a document. The only module that knows the Markdown parser.
//!
//! pulldown-cmark gives CommonMark and GFM (tables, task lists, strikethrough, footnotes, alerts)
//! as balanced events with their places; the builder makes the document. Beyond the parser: bare
//! addresses, `==mark==`, `{#id}`, kramdown's attribute lists, raw HTML as elements of the
//! document, and no comment ever. Further dialects (`:emoji:`, `:::note`) belong before the parser,
//! in `dialects`, or in the builder's text rules.

mod convert;
mod depth;
mod html;
pub mod literal;
mod reader;
#[cfg(test)]
mod tests;

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag};

use crate::model::document::Document;
use crate::model::document::build::Builder;

/// Begins a code span that is TeX within a line: a character for private use, which no author has
/// in code.
pub(crate) const TEX: char = '\u{F8F0}';
/// Begins a code span that is TeX by itself.
pub(crate) const TEX_DISPLAY: char = '\u{F8F1}';

/// What is read beyond CommonMark in every text.
const EXTENSIONS: Extensions = Extensions::ENABLE_TABLES
    .union(Extensions::ENABLE_FOOTNOTES)
    .union(Extensions::ENABLE_STRIKETHROUGH)
    .union(Extensions::ENABLE_TASKLISTS)
    .union(Extensions::ENABLE_GFM);

/// How to read a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of the text's first line in its file, from 1: front matter is before it.
    pub first_line: u32,
    /// Whether `[[Note]]` and `![[Note]]` are links by name.
    pub wikilinks: bool,
    /// Whether `$…$` and `$$…$$` are mathematics.
    pub math: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            first_line: 1,
            wikilinks: false,
            math: false,
        }
    }
}

/// Reads a Markdown text, without its front matter. Never fails: what is not markup is text.
pub fn parse(text: &str, options: &Options) -> Document {
    let mut builder = Builder::new();
    builder.attribute_lists = true;
    reader::read(&mut builder, text, options);
    builder.finish()
}

/// Where the labels of footnotes begin, of marks and of notes, in order; those in code and formulas
/// are words.
pub fn footnote_labels(text: &str, math: bool) -> Vec<usize> {
    let mut extensions = EXTENSIONS;
    extensions.set(Extensions::ENABLE_MATH, math);
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, extensions).into_offset_iter() {
        if let Event::FootnoteReference(label) | Event::Start(Tag::FootnoteDefinition(label)) =
            event
            && let Some(before) = text[range.clone()].find("[^")
        {
            let start = range.start + before + 2;
            if text[start..].starts_with(&*label) {
                found.push(start);
            }
        }
    }
    found.sort_unstable();
    found
}
