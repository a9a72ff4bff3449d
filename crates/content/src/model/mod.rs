//! What a text, a folder and a site are, before anything is known of a syntax or a generator.

pub mod address;
pub mod bounds;
pub mod date;
pub mod document;
pub mod fingerprint;
pub mod format;
pub mod highlight;
pub mod language;
pub mod memo;
pub mod problem;
pub mod scheme;
pub mod site;
pub mod slug;
pub mod sources;
pub mod text;

/// How many texts a thread takes at once. By itself rayon gives each of two threads an eighth of a
/// folder in one piece: in the end one of them would wait for the other as long as that takes.
pub const AT_ONCE: usize = 32;

/// How many of `all` texts a thread takes at once where each is long work: at a small site a few
/// texts are a good part of all of it.
pub fn at_once(all: usize) -> usize {
    (all / 64).clamp(1, AT_ONCE)
}
