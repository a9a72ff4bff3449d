//! The model of a document, a folder and a site, independent of syntax and generator.

pub mod address;
pub mod bounds;
pub mod cause;
pub mod colour;
pub mod date;
pub mod document;
pub mod edit;
pub mod fingerprint;
pub mod format;
pub mod frame;
pub mod highlight;
pub mod language;
pub mod memo;
pub mod path;
pub mod problem;
pub mod scheme;
pub mod sections;
pub mod site;
pub mod slug;
pub mod sources;
pub mod steps;
pub mod text;
pub mod tree;

/// Documents per unit of parallel work. By default rayon gives each of two threads an eighth of a
/// folder in one piece, so one thread can finish long before the other.
pub const AT_ONCE: usize = 32;

/// Documents per unit of parallel work, out of `all`, where each is expensive: on a small site a
/// few documents are a large part of the whole.
pub fn at_once(all: usize) -> usize {
    (all / 64).clamp(1, AT_ONCE)
}
