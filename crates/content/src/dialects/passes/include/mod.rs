//! Includes: a file of the folder replaces the marker that names it, in every common syntax, and in
//! code if its kind allows that. Files outside the folder and files that readers may not see are
//! never read. Depth, count and size are bounded; a file that includes itself is reported.
//!
//! `find` lists the includes of a text, with one module per syntax; `expand` replaces them, `part`
//! selects the requested lines.

mod docfx;
mod docsify;
mod expand;
mod find;
mod finder;
mod hashes;
mod liquid;
mod marker;
mod mdx;
mod part;
mod paths;
mod rebase;
mod scissors;
mod scriban;
mod shortcodes;
mod snippet;
mod stars;
mod vitepress;

pub use expand::{Included, rewrite};
pub use find::SIGNS;

#[cfg(test)]
mod tests;
