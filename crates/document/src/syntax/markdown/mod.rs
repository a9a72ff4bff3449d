//! Markdown into a document. The only module that uses the Markdown parser.
//!
//! pulldown-cmark parses CommonMark and GFM (tables, task lists, strikethrough, footnotes, alerts)
//! into balanced events with source ranges; the builder assembles the document. Extensions beyond
//! the parser: bare addresses, `==mark==`, `{#id}`, kramdown's attribute lists, raw HTML as
//! elements of the document, and the removal of all comments. Further dialects (`:emoji:`,
//! `:::note`) belong before the parser, in `dialects`, or in the builder's text rules.

mod colons;
mod convert;
mod depth;
mod html;
pub mod literal;
mod reader;
#[cfg(test)]
mod tests;

use std::ops::Range;

use pulldown_cmark::{BrokenLink, Event, LinkType, Options as Extensions, Parser, Tag};

use crate::model::document::Document;
use crate::model::document::build::Builder;

/// Starts a code span that is inline TeX: a private-use character that does not occur in authors'
/// code.
pub const TEX: char = '\u{F8F0}';
/// Starts a code span that is display TeX.
pub const TEX_DISPLAY: char = '\u{F8F1}';

/// The extensions of CommonMark that are always enabled.
const EXTENSIONS: Extensions = Extensions::ENABLE_TABLES
    .union(Extensions::ENABLE_FOOTNOTES)
    .union(Extensions::ENABLE_STRIKETHROUGH)
    .union(Extensions::ENABLE_TASKLISTS)
    .union(Extensions::ENABLE_GFM);

/// Parser options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The file's line number of the text's first line, from 1: front matter precedes it.
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

/// Parses a Markdown text without its front matter. Never fails: invalid markup is text.
pub fn parse(text: &str, options: &Options) -> Document {
    let mut builder = Builder::new();
    builder.attribute_lists = true;
    reader::read(&mut builder, text, options);
    builder.finish()
}

/// Reference links without a definition (`[text][label]`), which are text, by offset and label.
/// Indexes of an array (`a[b][c]`) are not references.
pub fn undefined_references(text: &str) -> Vec<(Range<usize>, String)> {
    undefined(text, false)
}

/// As [`undefined_references`], and also those that are their own label: `[label][]`.
pub fn undefined_names(text: &str) -> Vec<(Range<usize>, String)> {
    undefined(text, true)
}

/// Whether brackets between these characters are an index, as in `list[0][1]`.
fn is_index(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ']' | ')' | '_'))
        || matches!(after, Some('[' | '('))
}

fn undefined(text: &str, with_names: bool) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    if !text.contains("][") {
        return found;
    }
    let note = |link: BrokenLink<'_>| {
        let before = text[..link.span.start].chars().next_back();
        let rest = &text[link.span.end..];
        let is_shown = link.link_type != LinkType::Reference;
        let (is_name, rest) = match rest.strip_prefix("[]") {
            Some(rest) if is_shown => (true, rest),
            _ => (link.link_type == LinkType::Collapsed, rest),
        };
        let is_index = is_index(before, rest.chars().next());
        if (!is_shown || with_names && is_name) && !is_index {
            let range = link.span.start..text.len() - rest.len();
            found.push((range, link.reference.to_string()));
        }
        None
    };
    let parser = Parser::new_with_broken_link_callback(text, EXTENSIONS, Some(note));
    parser.for_each(drop);
    found
}

/// The offsets of footnote labels, of mentions and of notes, in order; those in code and formulas
/// are text.
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
