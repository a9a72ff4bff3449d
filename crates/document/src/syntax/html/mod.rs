//! HTML into a document: raw HTML in Markdown, and whole pages.
//!
//! html5gum tokenizes the text as specified by the WHATWG; `elements` and `blocks` map each element
//! to the document; the builder closes elements that the author left open. Scripts, styles and
//! comments never reach the document.

mod attributes;
mod blocks;
mod boilerplate;
mod callout;
mod elements;
pub(crate) mod feed;
mod formula;
mod normalise;
mod page;
#[cfg(test)]
mod tests;
pub mod tokens;
mod tree;

pub use page::{Names, Page, parse_page};
pub use tree::{ends_before, is_void};
