//! The kinds of folder that people have.
//!
//! `kinds` has one file for each: what recognises its folders, where their content is, what its
//! configuration is called, and what its template tags become. `tags` reads template tags and knows
//! those that several kinds share. `passes` rewrites a text step by step into plain Markdown.

mod code;
mod config;
mod dialect;
mod evidence;
mod kind;
mod kinds;
mod markup;
mod passes;
mod tags;

pub use dialect::Dialect;
pub use evidence::Evidence;
pub use kind::{Kind, settings, site_address};
pub use kinds::is_reported;
pub use passes::files::{Files, Named, Remark};
pub use passes::{Translated, translate};
