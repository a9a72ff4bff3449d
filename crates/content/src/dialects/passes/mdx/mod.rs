//! MDX: imports, comments and expressions are removed, components become tags of the other kinds,
//! and elements become HTML. Only literals are evaluated.
//!
//! `walk` handles lines, `inline` the content of a line, `component` and `element` tags.

mod component;
mod element;
mod inline;
mod literal;
mod open;
mod tag;
mod walk;

use crate::dialects::lines::Lines;
use crate::syntax::front::Front;

pub use literal::{Braces, unbraced};
pub use tag::{BOUND, Tag};

/// Rewrites Markdown with JSX; `dollar`: formulas may be between single dollars, and are not read
/// as JSX.
pub fn rewrite(lines: &mut Lines, front: &Front, dollar: bool) {
    let text = &lines.text;
    if text.contains(['<', '{']) || text.contains("import ") || text.contains("export ") {
        walk::walk(lines, front, dollar);
    }
}

#[cfg(test)]
mod tests;
