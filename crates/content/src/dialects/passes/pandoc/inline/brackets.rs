//! Matches the brackets of a text, each paragraph by itself, in one pass.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// The kinds of brackets, each matched without regard to the others.
const PAIRS: [(u8, u8); 3] = [(b'[', b']'), (b'(', b')'), (b'{', b'}')];

/// The closing bracket of each opening one that has one.
pub struct Brackets(FxHashMap<usize, usize>);

impl Brackets {
    /// Brackets in code and behind a backslash are text.
    pub fn find(text: &str, code: &[Range<usize>]) -> Self {
        let bytes = text.as_bytes();
        let mut closing = FxHashMap::default();
        let mut open: [Vec<usize>; PAIRS.len()] = Default::default();
        let mut code = code.iter().peekable();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            while code.next_if(|range| range.end <= at).is_some() {}
            if let Some(range) = code.next_if(|range| range.contains(&at)) {
                if text[at..range.end].contains("\n\n") {
                    open.iter_mut().for_each(Vec::clear);
                }
                at = range.end;
                continue;
            }
            if *byte == b'\n' && bytes.get(at + 1) == Some(&b'\n') {
                open.iter_mut().for_each(Vec::clear);
            }
            for ((begin, end), open) in PAIRS.iter().zip(&mut open) {
                if byte == begin {
                    open.push(at);
                } else if byte == end
                    && let Some(begun) = open.pop()
                {
                    closing.insert(begun, at);
                }
            }
            at += if *byte == b'\\' { 2 } else { 1 };
        }
        Self(closing)
    }

    /// The bracket that closes the one at a position.
    pub fn closing(&self, at: usize) -> Option<usize> {
        self.0.get(&at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown::literal::literals;

    #[test]
    fn brackets_are_matched_in_their_paragraph_outside_code() {
        let check = |text: &str, at: usize, expected: Option<usize>| {
            let brackets = Brackets::find(text, &literals(text).code);
            assert_eq!(brackets.closing(at), expected, "{text}");
        };
        check("[a [b] c]", 0, Some(8));
        check("[a [b] c]", 3, Some(5));
        check("[a (b] c)", 0, Some(5));
        check("[a `]` b]", 0, Some(8));
        check("[a \\] b]", 0, Some(7));
        check("[a [b]", 0, None);
        check("[a\n\nb]", 0, None);
        check("]] [a]", 3, Some(5));
        check("\\", 0, None);
    }
}
