//! MDX: imports, comments and expressions are removed, components become tags like those of other
//! kinds, and elements become HTML. Nothing is evaluated but literals.
//!
//! `walk` goes through the lines, `inline` through what is in one, `component` decides what becomes
//! of a tag.

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

/// Rewrites a text of Markdown with JSX; `dollar`: formulas are written between single dollars as
/// well, and are no JSX.
pub fn rewrite(lines: &mut Lines, front: &Front, dollar: bool) {
    let text = &lines.text;
    if text.contains(['<', '{']) || text.contains("import ") || text.contains("export ") {
        walk::walk(lines, front, false, dollar);
    }
}

/// Rewrites a text of Markdown with components of Vue: nothing but its tags is special.
pub fn rewrite_vue(lines: &mut Lines, front: &Front, dollar: bool) {
    if lines.text.contains('<') {
        walk::walk(lines, front, true, dollar);
    }
}

#[cfg(test)]
mod tests;
