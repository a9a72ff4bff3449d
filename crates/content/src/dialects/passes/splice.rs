//! Rewrites a text with some of its ranges replaced, and tracks source lines.

use std::ops::Range;

/// A partly written text.
pub struct Splice<'t> {
    text: &'t str,
    out: String,
    /// How far the source is written.
    done: usize,
    /// The line number at `done`.
    line: usize,
    /// The source line of each written line.
    sources: Vec<usize>,
}

impl<'t> Splice<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            out: String::with_capacity(text.len()),
            done: 0,
            line: 0,
            sources: vec![0],
        }
    }

    /// The output so far.
    pub fn written(&self) -> &str {
        &self.out
    }

    /// How far the source is written.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Copies the text up to a position. A position that is already written changes nothing.
    pub fn copy_to(&mut self, end: usize) {
        if end < self.done {
            return;
        }
        let copied = &self.text[self.done..end];
        self.out.push_str(copied);
        for _ in copied.matches('\n') {
            self.line += 1;
            self.sources.push(self.line);
        }
        self.done = end;
    }

    /// Replaces a range: every written line maps to the first line of the range.
    /// Of a range that begins in an earlier one, the rest is replaced.
    pub fn put(&mut self, range: Range<usize>, replacement: &str) {
        let range = self.rest_of(range);
        self.copy_to(range.start);
        self.out.push_str(replacement);
        for _ in replacement.matches('\n') {
            self.sources.push(self.line);
        }
        self.line += self.text[range.start..range.end].matches('\n').count();
        self.done = range.end;
    }

    /// Replaces a range line by line: the result has at least as many lines as the range.
    /// Of a range that begins in an earlier one, the rest is replaced.
    pub fn put_lines(&mut self, range: Range<usize>, replacement: &str) {
        let range = self.rest_of(range);
        self.copy_to(range.start);
        let mut left = self.text[range.start..range.end].matches('\n').count();
        self.out.push_str(replacement);
        for _ in replacement.matches('\n') {
            if left > 0 {
                left -= 1;
                self.line += 1;
            }
            self.sources.push(self.line);
        }
        for _ in 0..left {
            self.out.push('\n');
            self.line += 1;
            self.sources.push(self.line);
        }
        self.done = range.end;
    }

    /// The part of a range that is not written. What a page holds decides whether ranges overlap, so
    /// this cannot be an error: the build would stop.
    fn rest_of(&self, range: Range<usize>) -> Range<usize> {
        range.start.max(self.done)..range.end.max(self.done)
    }

    /// The whole output, and the source line of each of its lines.
    pub fn finish(mut self) -> (String, Vec<usize>) {
        self.copy_to(self.text.len());
        (self.out, self.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted() {
        let mut splice = Splice::new("a\nb\nc\nd");
        splice.put(0..3, "x\ny");
        splice.put(4..5, "");
        assert_eq!(splice.finish(), ("x\ny\n\nd".to_owned(), vec![0, 0, 2, 3]));
        let mut splice = Splice::new("a\nb\nc\nd");
        splice.put_lines(0..5, "x");
        splice.put_lines(6..7, "y\nz");
        assert_eq!(
            splice.finish(),
            ("x\n\n\ny\nz".to_owned(), vec![0, 1, 2, 3, 3])
        );
    }

    #[test]
    fn of_a_range_that_overlaps_an_earlier_one_the_rest_is_replaced() {
        let mut splice = Splice::new("a\nb\nc\nd");
        splice.put(0..3, "x");
        splice.put(2..5, "y");
        splice.put(0..1, "");
        splice.put_lines(4..7, "z");
        splice.copy_to(1);
        assert_eq!(splice.finish(), ("xyz\n".to_owned(), vec![0, 3]));
    }
}
