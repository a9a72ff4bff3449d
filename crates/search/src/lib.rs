//! The search: from the words of texts to index files, and from a query to a ranked answer.
//!
//! This crate is pure: texts, files and queries are arguments. It knows no Markdown, template or
//! request.
//!
//! Three readers use the same files: the server, the script of the search page (`search.js` of the
//! theme) and any other program. So everything that decides an order is integer arithmetic over
//! what the files contain, and [`words`], [`reader`] and [`rank`](mod@rank) have a counterpart of the
//! same name in the script.
//!
//! ```text
//! text ─▶ Words ─┐
//! text ─▶ Words ─┼▶ 64 buckets ─▶ chunks ─▶ files   query ─▶ rank ─▶ hits ─▶ snippets
//! text ─▶ Words ─┘                          index.json
//! ```

#![forbid(unsafe_code)]

mod fold;
mod number;
pub mod rank;
pub mod reader;
pub mod snippet;
pub mod text;
pub mod words;
pub mod writer;

pub use rank::{Hit, rank};
pub use reader::{Index, Page};
pub use text::{Section, Text, Words};
pub use writer::{Chunk, WordFile, merge, pack};

/// The most results of an answer.
pub const RESULTS: usize = 20;
/// The longest query in bytes.
pub const LONGEST_QUERY: usize = 200;
