//! The levels that both forms write.
//!
//! The page's title is its only heading of level 1, and accessible pages never skip a level. So a
//! heading is one deeper than the nearest heading before it that the author put above it, and the
//! first are at level 2: `# a`, `## b` become 2 and 3, and so do `### a`, `##### b`.

/// Gives each heading of a document its level, in order.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// The author's levels of the headings that the next one may be under, rising.
    above: Vec<u8>,
}

impl Levels {
    /// The level to write for a heading to which the author gave `level`.
    pub(crate) fn next(&mut self, level: u8) -> u8 {
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
