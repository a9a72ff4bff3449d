//! HTML into a document: raw HTML in Markdown, and whole pages.
//!
//! html5gum makes tags of the text by the WHATWG's rules; what each element is in the document is said in one table; the builder closes what
//! careless authors left open. Scripts, styles and comments never reach the document.

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
pub(crate) mod tokens;
mod tree;

pub use page::{Names, Page, parse_page};
