//! One file, read by itself. What is made here depends on the file's bytes, its path and the kind of folder, and on nothing else, so that
//! it can be remembered by a hash of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::classify::Format;
use crate::dialect::{Kind, translate};
use crate::document::Document;
use crate::front::{Front, split};
use crate::markdown;
use crate::problem::Problem;
use crate::text::decode;

/// One file, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub front: Front,
    /// The content, the author's title still in it.
    pub document: Arc<Document>,
    /// Template tags dropped, by name.
    pub unknown_tags: BTreeMap<String, usize>,
    pub problems: Vec<Problem>,
}

/// Reads one file.
pub(crate) fn parse(bytes: &[u8], path: &str, format: Format, kind: &Kind) -> Parsed {
    let (text, mut problems) = decode(bytes, path);
    let split = split(&text, path);
    problems.extend(split.problems);
    let front = split.front;
    let translated = translate(split.body, kind, &front);
    let document = match format {
        Format::Markdown => markdown::parse(
            &translated.text,
            &markdown::Options { first_line: split.first_line, wikilinks: kind.wikilinks, ..markdown::Options::default() },
        ),
        Format::Html => markdown::parse(&translated.text, &markdown::Options { first_line: split.first_line, ..markdown::Options::default() }),
    };
    Parsed { front, document: Arc::new(document), unknown_tags: translated.unknown, problems }
}

impl Parsed {
    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.document.blocks.is_empty() && self.document.footnotes.is_empty()
    }
}
