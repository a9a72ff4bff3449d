//! Template tags: how they are found and read, and those that several kinds of folder share.

pub(super) mod arguments;
pub(super) mod callout;
pub(super) mod shared;
pub(super) mod token;
