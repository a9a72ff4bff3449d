//! Byte offsets to lines and columns, in one pass.

/// Finds the line and column of byte offsets in a text. Asked in roughly rising order, the whole costs one walk over the text.
#[derive(Clone, Debug)]
pub(crate) struct Places<'t> {
    text: &'t str,
    offset: usize,
    line: u32,
    column: u32,
}

impl<'t> Places<'t> {
    /// `first_line` is the number of the text's first line in its file.
    pub(crate) fn new(text: &'t str, first_line: u32) -> Self {
        Self { text, offset: 0, line: first_line.max(1), column: 1 }
    }

    /// The line and the column in characters, both from 1, of the character at `offset`.
    pub(crate) fn locate(&mut self, offset: usize) -> (u32, u32) {
        let bytes = self.text.as_bytes();
        let offset = offset.min(bytes.len());
        if offset < self.offset {
            self.back_to(offset);
        } else {
            self.forward(&bytes[self.offset..offset]);
        }
        self.offset = offset;
        (self.line, self.column)
    }

    fn forward(&mut self, between: &[u8]) {
        let newlines = memchr::memchr_iter(b'\n', between).count();
        let rest = if newlines == 0 {
            between
        } else {
            self.line = self.line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
            self.column = 1;
            let start = memchr::memrchr(b'\n', between).map_or(0, |at| at + 1);
            &between[start..]
        };
        self.column = self.column.saturating_add(characters(rest));
    }

    /// A short way back stays on the line; a longer one counts its line anew.
    fn back_to(&mut self, offset: usize) {
        let between = &self.text.as_bytes()[offset..self.offset];
        let newlines = memchr::memchr_iter(b'\n', between).count();
        if newlines == 0 {
            self.column = self.column.saturating_sub(characters(between)).max(1);
        } else {
            self.line = self.line.saturating_sub(u32::try_from(newlines).unwrap_or(u32::MAX)).max(1);
            let before = &self.text.as_bytes()[..offset];
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            self.column = characters(&before[start..]).saturating_add(1);
        }
    }
}

/// How many characters begin in these bytes.
fn characters(bytes: &[u8]) -> u32 {
    let begins = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    u32::try_from(bytes.iter().filter(begins).count()).unwrap_or(u32::MAX)
}

/// Which byte of the source each part of a text put together from pieces came from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// Where each begins in the text and in the source.
    starts: Vec<(usize, usize)>,
    /// Where characters stand in the text before which the source has a backslash.
    escapes: Vec<usize>,
}

impl Pieces {
    /// From `position` on, the text comes from `source`.
    pub(crate) fn push(&mut self, position: usize, source: usize) {
        self.starts.push((position, source));
    }

    /// At `position` a character follows that the source escapes.
    pub(crate) fn push_escape(&mut self, position: usize) {
        self.escapes.push(position);
    }

    /// The source offset of a position.
    pub(crate) fn source(&self, position: usize) -> usize {
        let index = self.starts.partition_point(|&(start, _)| start <= position);
        let (start, source) = if index == 0 { (0, 0) } else { self.starts[index - 1] };
        source + position.saturating_sub(start)
    }

    /// Whether a character inside this range of the text, behind its first, is escaped in the source.
    pub(crate) fn has_escape(&self, range: &std::ops::Range<usize>) -> bool {
        let behind = self.escapes.partition_point(|&at| at <= range.start);
        self.escapes.get(behind).is_some_and(|&at| at < range.end)
    }

    /// The text was cut to this length.
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
        let mut places = Places::new(text, 10);
        assert_eq!(places.locate(0), (10, 1));
        assert_eq!(places.locate(3), (10, 3));
        assert_eq!(places.locate(5), (11, 1));
        assert_eq!(places.locate(text.len() - 1), (13, 1));
        assert_eq!(places.locate(3), (10, 3), "back over lines");
        assert_eq!(places.locate(1), (10, 2), "back on the line");
        assert_eq!(places.locate(999), (13, 2), "past the end");
    }

    #[test]
    fn pieces_find_their_source() {
        let mut pieces = Pieces::default();
        pieces.push(0, 100);
        pieces.push(5, 200);
        assert_eq!(pieces.source(4), 104);
        assert_eq!(pieces.source(5), 200);
        assert_eq!(pieces.source(9), 204);
    }
}
