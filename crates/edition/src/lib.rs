//! Every public byte of a site, made once: a [`Library`](diglot_content::Library) in, an immutable [`Edition`] out.
//!
//! This crate is pure: no files, no sockets, no clock. Serving and exporting only read what it makes.

pub mod body;
pub mod coding;
pub mod edition;
pub mod resource;
pub mod route;

pub use body::Body;
pub use coding::Coding;
pub use edition::{Edition, Found};
pub use resource::Resource;
pub use route::{Caching, Form, Route};
