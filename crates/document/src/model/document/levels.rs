//! The heading levels in both representations.
//!
//! The page's title is its only heading of level 1, and accessible pages never skip a level. So a
//! heading is one level deeper than the nearest earlier heading with a higher rank in the source,
//! and the first ones have level 2. `# a`, `## b` become 2 and 3, and so do `### a`, `##### b`.

/// Assigns a level to each heading of a document, in order.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// The source levels of the potential parents of the next heading, ascending.
    above: Vec<u8>,
}

impl Levels {
    /// The output level of a heading with the source level `level`.
    pub fn next(&mut self, level: u8) -> u8 {
        while self.above.last().is_some_and(|&last| last >= level) {
            self.above.pop();
        }
        self.above.push(level);
        u8::try_from(self.above.len() + 1).unwrap_or(6).min(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &[u8], expected: &[u8]) {
        let mut levels = Levels::default();
        assert_eq!(
            given
                .iter()
                .map(|&level| levels.next(level))
                .collect::<Vec<_>>(),
            expected,
            "{given:?}"
        );
    }

    #[test]
    fn levels_start_at_two_and_leave_no_gap() {
        check(&[2, 3, 3, 2], &[2, 3, 3, 2]);
        check(&[1, 2, 1, 2, 3], &[2, 3, 2, 3, 4]);
        check(&[3, 5, 4, 3], &[2, 3, 3, 2]);
        check(&[4, 2, 3], &[2, 2, 3]);
        check(&[1, 2, 3, 4, 5, 6], &[2, 3, 4, 5, 6, 6]);
    }
}
