//! HTML into a document: raw HTML in Markdown, and whole pages.

mod attributes;
mod elements;
pub(crate) mod feed;
mod tokens;
