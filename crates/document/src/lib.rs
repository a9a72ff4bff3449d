//! A parsed document: front matter, Markdown and HTML in, HTML and Markdown out.
//!
//! This crate is pure: it reads no file, no clock, no environment. It knows no generator and no
//! folder; `diglot-content` does.
//!
//! Two modules, of which the second depends on the first: [`model`] (documents and their writers,
//! dates, problems) and [`syntax`] (front matter, Markdown, HTML, settings). [`testing`] is for the
//! tests of this crate and of those above it.

#![forbid(unsafe_code)]

pub mod model;
pub mod syntax;
pub mod testing;
