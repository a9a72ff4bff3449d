//! Maps offsets in assembled text to the source.

use crate::model::text::Lines;

/// Lines and columns of byte offsets in a part of a file.
#[derive(Clone, Debug)]
pub(crate) struct Positions<'t> {
    text: &'t str,
    lines: Lines<'t>,
    /// The number of lines of the file before the text.
    before: u32,
}

impl<'t> Positions<'t> {
    /// `first_line` is the file's line number of the text's first line.
    pub(crate) fn new(text: &'t str, first_line: u32) -> Self {
        Self {
            text,
            lines: Lines::new(text),
            before: first_line.saturating_sub(1),
        }
    }

    /// The line and the column in characters, both from 1, of the first character that begins at or
    /// after `offset`.
    pub(crate) fn locate(&self, offset: usize) -> (u32, u32) {
        let (line, column) = self.lines.place(self.text.ceil_char_boundary(offset));
        (line.saturating_add(self.before), column)
    }
}

/// Maps each part of an assembled text to its source offset.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// The start of each part, in the text and in the source.
    starts: Vec<(usize, usize)>,
    /// Positions of characters that are escaped with a backslash in the source.
    escapes: Vec<usize>,
}

impl SourceMap {
    /// From `position` on, the text is from `source`.
    pub(crate) fn push(&mut self, position: usize, source: usize) {
        self.starts.push((position, source));
    }

    /// The character at `position` is escaped in the source.
    pub(crate) fn push_escape(&mut self, position: usize) {
        self.escapes.push(position);
    }

    /// The source offset of a position.
    pub(crate) fn source(&self, position: usize) -> usize {
        let index = self.starts.partition_point(|&(start, _)| start <= position);
        let (start, source) = if index == 0 {
            (0, 0)
        } else {
            self.starts[index - 1]
        };
        source + position.saturating_sub(start)
    }

    /// Whether the character at this position is encoded in the source: `&#123;` for `{`.
    pub(crate) fn is_encoded(&self, position: usize) -> bool {
        self.source(position + 1) != self.source(position) + 1
    }

    /// Whether a character in this range of the text, except its first, is escaped in the source.
    pub(crate) fn has_escape(&self, range: &std::ops::Range<usize>) -> bool {
        let behind = self.escapes.partition_point(|&at| at <= range.start);
        self.escapes.get(behind).is_some_and(|&at| at < range.end)
    }

    /// Adjusts to the truncation of the text.
    pub(crate) fn cut(&mut self, length: usize) {
        self.starts.retain(|&(start, _)| start < length);
        self.escapes.retain(|&at| at < length);
    }

    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.escapes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "añb\ncd\n\nx";
        let positions = Positions::new(text, 10);
        assert_eq!(positions.locate(0), (10, 1));
        assert_eq!(positions.locate(3), (10, 3));
        assert_eq!(positions.locate(5), (11, 1));
        assert_eq!(positions.locate(text.len() - 1), (13, 1));
        assert_eq!(positions.locate(3), (10, 3), "back over lines");
        assert_eq!(positions.locate(1), (10, 2), "back on the line");
        assert_eq!(positions.locate(999), (13, 2), "past the end");
    }

    #[test]
    fn positions_have_their_source() {
        let mut map = SourceMap::default();
        map.push(0, 100);
        map.push(5, 200);
        assert_eq!(map.source(4), 104);
        assert_eq!(map.source(5), 200);
        assert_eq!(map.source(9), 204);
    }
}
