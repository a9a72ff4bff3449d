//! MyST, the Markdown of Sphinx: directives, roles, and labels that links lead to.
//!
//! `hidden` removes what readers do not see, `directives` writes the others as plain Markdown (`form`
//! names them, `block` writes one), `substitutions` writes values, and `inline` does the same for roles
//! and links.

mod block;
mod data;
mod directives;
mod form;
mod hidden;
mod included;
mod inline;
mod lists;
mod place;
mod restructured;
mod roles;
mod substitutions;
mod table;

#[cfg(test)]
mod tests;

use super::page::Page;
use crate::dialects::lines::Lines;

/// Rewrites a text of MyST as plain Markdown.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let Some(myst) = page.kind.config.myst.as_ref().filter(|_| !page.html) else {
        return;
    };
    hidden::rewrite(lines, !myst.titles);
    directives::rewrite(lines, page);
    // A value may have directives of its own.
    if substitutions::rewrite(lines, page) {
        directives::rewrite(lines, page);
    }
    inline::rewrite(lines, page);
}
