//! What authors wrote: [`Sources`] in, a [`Library`] of parsed articles out.
//!
//! This crate is pure: it reads no file, no clock, no environment. "Now" is an argument, files arrive as bytes.
//!
//! The way of an article: [`Sources`] → classification ([`library`]) → [`front`] matter → [`dialect`] (template tags, comments) →
//! [`markdown`] or [`html`] into one [`Document`] → links resolved against the whole folder → [`Article`] in a [`Library`].

pub mod address;
pub mod bounds;
mod config;
pub mod date;
pub mod dialect;
pub mod document;
mod format;
pub mod front;
mod generated;
pub mod highlight;
pub mod html;
pub mod language;
pub mod library;
mod links;
pub mod markdown;
pub mod memo;
mod picture;
pub mod problem;
mod scheme;
pub mod scratch;
pub mod settings;
pub mod site;
pub mod slug;
pub mod sources;
pub mod sum;
pub mod text;
pub mod visibility;

pub use address::{Destination, OldAddress, WebUrl};
pub use bounds::Bounds;
pub use date::Moment;
pub use document::{Document, Target};
pub use library::{Article, Library};
pub use problem::{Place, Problem, Severity};
pub use site::{BaseUrl, Site};
pub use sources::{SourceFile, Sources};

/// How many texts a thread takes at once. By itself rayon gives each of two threads an eighth of a folder in one piece: in the end one of them would wait for the
/// other as long as that takes.
pub const AT_ONCE: usize = 32;

/// How many of `all` texts a thread takes at once where each is long work: at a small site a few texts are a good part of all of it.
pub fn at_once(all: usize) -> usize {
    (all / 64).clamp(1, AT_ONCE)
}
