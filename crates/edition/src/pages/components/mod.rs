//! Components: what a page shows beside its text and its lists.

pub(super) mod contents;
pub(super) mod cover;
pub(super) mod navigation;
pub(super) mod series;
mod tree;
