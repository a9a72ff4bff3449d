//! The steps that turn a text of any kind into plain Markdown. `template` has their order; `lines` is the text that each step is given.

mod blocks;
mod classes;
mod contents;
pub(super) mod directives;
mod extensions;
pub(super) mod include;
pub(super) mod lines;
mod math;
pub(super) mod mdx;
pub(super) mod template;
mod vault;
