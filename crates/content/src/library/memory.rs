//! What one build of a folder's library passes to the next: four memos, each at the step that
//! computes its results.
//!
//! Whatever depends on all files together (classification, publication, link targets, order) is
//! computed anew each time.

use super::{article::Article, candidate::Described, parse::Parsed};
use crate::dialects::order::Outline;
use crate::model::memo::Memo;

/// What one build of a folder's library passes to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// The author's order as it was written.
    pub(super) outlines: Memo<Outline>,
    /// Every parsed text, as returned by [`Parser::parse`](super::parse::Parser::parse).
    pub(super) parsed: Memo<Parsed>,
    /// Every description, as returned by
    /// [`Describer::describe`](super::describe::Describer::describe).
    pub(super) described: Memo<Described>,
    /// The finished articles, as built by [`build`](super::build).
    pub(super) articles: Memo<Article>,
}

impl Memory {
    /// Ends a build: drops what it did not ask for.
    pub(super) fn next(&mut self) {
        self.outlines.next();
        self.parsed.next();
        self.described.next();
        self.articles.next();
    }
}
