//! The tools of the Model Context Protocol (MCP) over one site: list, read, grep and search its
//! pages, and what changed. The protocol itself is the official SDK's, `rmcp`.
//!
//! A [`Source`] gives the site as it is now: a [`Site`] that answers GET requests, from an edition
//! in memory ([`local`]) or over HTTP ([`remote`]). Everything else reads these answers, so that a folder
//! and its published site give the same results. [`Tools`] are the tools, and [`Server`] speaks the
//! protocol.
//!
//! Every result has at most [`MOST_BYTES`], or says how to get the rest.

mod changes;
mod cursor;
mod grep;
pub mod local;
mod pages;
mod range;
pub mod remote;
mod said;
mod server;
mod site;
mod tools;

pub use said::Said;
pub use server::Server;
pub use site::{Reply, Site, Source};
pub use tools::Tools;

/// The most bytes of text in one result: some 8,000 tokens.
pub const MOST_BYTES: usize = 32 << 10;
/// The most pages in one result of `list`, the most rows in one of `changes`, and the most resources in one
/// of `resources/list`.
pub const MOST_LISTED: usize = 200;
/// The most matching lines in one result of `grep`.
pub const MOST_MATCHES: usize = 100;
/// The most bytes of a pattern.
pub const MOST_PATTERN: usize = 1_000;
/// The most bytes that a resource may have. `read` gives parts of a longer one.
pub const MOST_RESOURCE: usize = 1 << 20;
/// The most bytes of the list of pages (`/sitemap.md`): that of some 200,000 pages.
pub const MOST_LIST: usize = 32 << 20;
