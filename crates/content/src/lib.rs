//! What authors wrote: [`Sources`] in, a [`Library`] of parsed articles out.
//!
//! This crate is pure: it reads no file, no clock, no environment. The current time is an argument,
//! and files arrive as bytes.
//!
//! Two modules, of which the second depends on the first: [`dialects`] (the extensions and
//! configuration of each generator) and [`library`] (a whole folder: classified, described, linked,
//! published). The documents themselves are those of `diglot-document`, which this crate passes on:
//! [`model`] and [`syntax`].
//!
//! The path of an article: [`Sources`] → classification ([`library`]) → [`front`] matter →
//! [`dialects`] (template tags, comments) → [`markdown`] or [`html`] into one [`Document`] → links
//! resolved against the whole folder → [`Article`] in a [`Library`].

#![forbid(unsafe_code)]

pub mod dialects;
pub mod library;

pub use diglot_document::{model, syntax};

pub use library::{Article, Library};
pub use model::address::{Destination, OldAddress};
pub use model::bounds::Bounds;

pub use model::date::Moment;
pub use model::document::{Document, Target};
pub use model::problem::{Cause, Problem, Severity, SourceLocation};
pub use model::site::{BaseUrl, Site};
pub use model::sources::{SourceFile, Sources};
pub use model::tree::{Shape, Tree};
pub use model::{
    address, colour, date, document, encoding, fingerprint, frame, language, memo, parallel,
    sections, site, sources, steps, text, tree,
};
pub use syntax::{front, html, markdown, migration, settings};
