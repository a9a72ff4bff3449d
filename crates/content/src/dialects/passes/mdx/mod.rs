//! MDX: imports, comments and expressions are removed, components become tags of the other kinds,
//! and elements become HTML. Only literals are evaluated.
//!
//! `walk` handles lines, `inline` the content of a line, `component` tags.

mod component;
mod inline;
mod literal;
mod open;
mod tag;
mod walk;

use crate::dialects::passes::lines::Lines;
use crate::syntax::front::Front;

pub use literal::unbraced;
pub use tag::Tag;

/// Rewrites Markdown with JSX; `dollar`: formulas may be between single dollars, and are not read
/// as JSX.
pub fn rewrite(lines: &mut Lines, front: &Front, dollar: bool) {
    let text = &lines.text;
    if text.contains(['<', '{']) || text.contains("import ") || text.contains("export ") {
        walk::walk(lines, front, false, dollar);
    }
}

/// Rewrites Markdown with Vue components: only tags are special.
pub fn rewrite_vue(lines: &mut Lines, front: &Front, dollar: bool) {
    if lines.text.contains('<') {
        walk::walk(lines, front, true, dollar);
    }
}

#[cfg(test)]
mod tests;
