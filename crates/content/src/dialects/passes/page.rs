//! Properties of a text for the steps.

use super::files::Files;
use crate::dialects::kind::Kind;
use crate::syntax::front::Front;

/// A text being translated.
pub struct Page<'a> {
    /// Whether it is HTML, not Markdown.
    pub html: bool,
    /// Whether it is MDX.
    pub jsx: bool,
    /// Whether formulas may be written between single dollars.
    pub dollar: bool,
    pub kind: &'a Kind,
    pub front: &'a Front,
    pub files: &'a Files<'a>,
}
