//! Builds every public byte of a site once: from a [`Library`](diglot_content::Library) to an
//! immutable [`Edition`].
//!
//! This crate is pure: no files, no sockets, no clock. Serving and exporting only read its results.

#![forbid(unsafe_code)]

pub mod active;
pub mod body;
pub mod build;
pub mod byte_store;
pub mod card;
pub mod cdn;
pub mod changes;
pub mod coding;
pub mod documents;
pub mod earlier;
pub mod edition;
pub mod errors;
pub mod hosts;
pub mod language;
pub mod media;
pub mod nearest;
pub mod pages;
pub mod policy;
pub mod purge;
pub mod redirects;
pub mod resolve;
pub mod resource;
pub mod route;
pub mod search;
pub mod segment;
pub mod site_fields;
pub mod stored;
#[cfg(test)]
mod testing;
pub mod theme;

pub use body::Body;
pub use byte_store::{ByteStore, Heap};
pub use coding::Coding;
pub use edition::{Edition, Parts, holds};
pub use errors::{ErrorBodies, ErrorForm, SuggestedPage};
pub use resolve::Found;
pub use resource::{Digest, Resource, ResourceId};
pub use route::{Caching, Form, Route};
pub use theme::{Asset, Theme, ThemeFile};
