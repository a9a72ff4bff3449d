//! Components: what a page shows beside its text and its lists.

pub(super) mod cover;
pub(super) mod series;
