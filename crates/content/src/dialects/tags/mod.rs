//! Template tags: finding, parsing, possible replacements, and the tags that several kinds share.

mod arguments;
mod call;
pub mod callout;
pub mod common;
mod pairs;
mod piece;
mod rule;
mod token;

pub use arguments::Arguments;
pub use call::{Call, Form, parts};
pub use pairs::{CODE, Pairs, RAW};
pub use piece::Piece;
pub use rule::{Rule, apply};
pub use token::{Inner, Reading, Token, tokens};
