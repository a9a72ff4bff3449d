//! Includes: a file of the folder takes the place of its name, in every spelling that people use,
//! in code as well where its kind does so. No file outside of the folder is ever read, nor one that
//! readers may not see. Depth, count and size are bounded; a file that includes itself is reported.
//!
//! `find` asks for the includes of a text, each spelling in a file of its own; `expand` puts the
//! files in their places, `part` chooses what of them.

mod docfx;
mod expand;
mod find;
mod finder;
mod hashes;
mod liquid;
mod mdx;
mod part;
mod paths;
mod scissors;
mod shortcodes;
mod site;
mod vitepress;

pub use expand::rewrite;
pub use find::SIGNS;

#[cfg(test)]
mod tests;
