//! What building a library of a folder hands to the next build: three memos, each at the step where
//! its results are made.
//!
//! Whatever follows from all files together (what each is by its path, which are published, where
//! links lead, the order) is made anew each time.

use super::{article::Article, candidate::Described, parse::Parsed};
use crate::model::memo::Memo;

/// What building a library of a folder hands to the next build.
#[derive(Debug, Default)]
pub struct Memory {
    /// Every text by itself, as [`Parser::parse`](super::parse::Parser::parse) makes it.
    pub(super) parsed: Memo<Parsed>,
    /// What each says about itself, as
    /// [`Describer::describe`](super::describe::Describer::describe) makes it.
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
