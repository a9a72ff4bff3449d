//! Where the code of a text is, asked for rising places.

use std::ops::Range;

use crate::syntax::markdown::literal::Literals;

/// Code that has not been passed yet.
pub struct Code<'l>(&'l [Range<usize>]);

impl<'l> Code<'l> {
    pub fn of(literals: &'l Literals) -> Self {
        Self(&literals.code)
    }

    /// The code that holds this place.
    pub fn at(&mut self, at: usize) -> Option<&'l Range<usize>> {
        while let [first, rest @ ..] = self.0 {
            if at < first.end {
                return (first.start <= at).then_some(first);
            }
            self.0 = rest;
        }
        None
    }
}
