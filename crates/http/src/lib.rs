//! HTTP semantics: [`respond`](fn@respond) is a pure function of an edition, its codings so far,
//! and a request. No socket, no async, no clock.
//!
//! Decisions are types and precede the header fields, which are written once, in one place:
//!
//! ```text
//! method ─▶ path ─▶ resolve ─▶ select ─▶ conditions ─▶ range ─▶ headers, payload
//!           400      301 308    form      304           206
//!           414      404 410    coding    412           416
//! ```
//!
//! The parsers of request parts ([`accept`], [`accept_encoding`], [`conditions`],
//! [`range`](mod@range), [`path`]) are functions over bytes that accept any input.

#![forbid(unsafe_code)]

pub mod accept;
pub mod accept_encoding;
pub mod conditions;
pub mod date;
mod errors;
pub mod framing;
mod headers;
pub mod path;
pub mod payload;
pub mod query;
pub mod range;
mod respond;
mod select;
pub mod weight;

pub use errors::refuse;
pub use payload::{Payload, Slices};
pub use respond::{redirect, respond};
