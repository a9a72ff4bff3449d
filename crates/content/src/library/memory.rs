//! What making one library of a folder leaves to the next: three memos, each at the seam where its results are made.
//!
//! Whatever follows from all files together (what each is by its path, who is published, where links lead, the order) is made anew each time.

use super::Article;
use super::describe::Described;
use super::parse::Parsed;
use crate::model::memo::Memo;

/// What making one library of a folder leaves to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// Every text by itself, as [`Parser::text`](super::parse::Parser::text) makes it.
    pub(super) parsed: Memo<Parsed>,
    /// What each says about itself, as [`Context::description`](super::describe::Context::description) makes it.
    pub(super) described: Memo<Described>,
    /// The finished articles, as [`build`](super::build) makes them.
    pub(super) articles: Memo<Article>,
}

impl Memory {
    /// Ends a library: what it did not ask for is dropped.
    pub(super) fn next(&mut self) {
        self.parsed.next();
        self.described.next();
        self.articles.next();
    }
}
