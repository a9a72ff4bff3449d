//! Template tags: how they are found and read, what they can become, and those that several kinds of folder share.

pub mod arguments;
pub mod call;
pub mod callout;
pub mod common;
pub mod pairs;
pub mod piece;
pub mod rule;
pub mod token;
