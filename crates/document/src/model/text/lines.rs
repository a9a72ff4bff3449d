//! Lines and columns in a text.

use std::cell::Cell;

/// The start of every line of a text, to convert byte offsets into lines and columns.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// A byte offset and the number of characters before it on its line, cached because the next
    /// query is usually close behind.
    near: Cell<(usize, usize)>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
            .collect();
        Self {
            text,
            starts,
            near: Cell::new((0, 0)),
        }
    }

    /// Line and column (in characters) of a byte offset, both from 1.
    pub fn place(&self, offset: usize) -> (u32, u32) {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let (near, before) = self.near.get();
        let (near, before) = if (start..=offset).contains(&near) {
            (near, before)
        } else {
            (start, 0)
        };
        let column = before + self.text[near..offset].chars().count();
        self.near.set((offset, column));
        (number(line), number(column + 1))
    }
}

/// Converts a count to a line or column number, which fits into `u32` for any text that fits into
/// memory.
pub fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let lines = Lines::new("äb\ncd");
        assert_eq!(
            (
                lines.place(0),
                lines.place(2),
                lines.place(4),
                lines.place(6)
            ),
            ((1, 1), (1, 2), (2, 1), (2, 3))
        );
    }
}
