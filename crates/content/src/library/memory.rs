//! What one build of a folder's library passes to the next: memos, each at the step that computes
//! its results.
//!
//! Whatever depends on all files together (classification, publication, order) is computed again,
//! unless a digest of all that it depends on is the same.

use super::{article::Article, linking, order::Order, publication};
use crate::model::memo::Memo;

/// What one build of a folder's library passes to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// The texts.
    pub(super) texts: publication::Memos,
    /// Their addresses and links.
    pub(super) links: linking::Memos,
    /// The author's order of all texts.
    pub(super) orders: Memo<Order>,
    /// The finished articles, as built by [`build`](super::build).
    pub(super) articles: Memo<Article>,
}

impl Memory {
    /// Ends a build: drops what it did not ask for.
    pub(super) fn next(&mut self) {
        self.texts.next();
        self.links.next();
        self.orders.next();
        self.articles.next();
    }
}
