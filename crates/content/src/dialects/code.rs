//! Finds the code in a text, for ascending positions.

use std::ops::Range;

use crate::syntax::markdown::literal::Literals;

/// Code that is not passed yet.
pub struct Code<'l>(&'l [Range<usize>]);

impl<'l> Code<'l> {
    pub fn from_literals(literals: &'l Literals) -> Self {
        Self::from_ranges(&literals.code)
    }

    /// Ascending ranges that count as code.
    pub fn from_ranges(ranges: &'l [Range<usize>]) -> Self {
        Self(ranges)
    }

    /// The code at this position.
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
