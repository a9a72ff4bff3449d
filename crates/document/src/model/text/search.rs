//! Repeated searches for one string, and searches for many strings at once.

/// The next occurrence of a string, cached: queries at ascending offsets cost one pass over the
/// text in total.
#[derive(Clone, Copy)]
pub struct Next<'t> {
    text: &'t str,
    mark: &'static str,
    /// The start of the last search.
    from: usize,
    /// Its result; `usize::MAX`: not found.
    found: usize,
}

impl<'t> Next<'t> {
    /// Nothing has been searched yet.
    pub const fn new(mark: &'static str, text: &'t str) -> Self {
        Self {
            text,
            mark,
            from: usize::MAX,
            found: 0,
        }
    }

    /// The first occurrence at or after this offset.
    pub fn from(&mut self, at: usize) -> Option<usize> {
        if !(self.from <= at && at <= self.found) {
            self.from = at;
            let found = self
                .text
                .get(at..)
                .and_then(|rest| memchr::memmem::find(rest.as_bytes(), self.mark.as_bytes()));
            self.found = found.map_or(usize::MAX, |length| at + length);
        }
        (self.found != usize::MAX).then_some(self.found)
    }
}

/// Strings of at least two bytes that are searched in a single pass (at most 64 of them).
pub struct Marks {
    marks: [&'static str; 64],
    /// Bit sets, by byte: the strings that start with it, and those with it in second place. Most
    /// pairs of bytes start no string.
    first: [u64; 256],
    second: [u64; 256],
}

impl Marks {
    /// Panics, at compile time in a constant, if there are too many strings or one is too short.
    pub const fn new(lists: &[&[&'static str]]) -> Self {
        let mut all = Self {
            marks: [""; 64],
            first: [0; 256],
            second: [0; 256],
        };
        let (mut list, mut number) = (0, 0);
        while list < lists.len() {
            let mut at = 0;
            while at < lists[list].len() {
                let mark = lists[list][at];
                all.marks[number] = mark;
                all.first[mark.as_bytes()[0] as usize] |= 1 << number;
                all.second[mark.as_bytes()[1] as usize] |= 1 << number;
                (at, number) = (at + 1, number + 1);
            }
            list += 1;
        }
        all
    }

    /// Whether any of them occurs in a text.
    pub fn any(&self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        // Most bytes start none of them.
        let starts = |byte: &u8| self.first[usize::from(*byte)] != 0;
        while let Some(at) = rest.iter().position(starts) {
            rest = &rest[at..];
            if self.starts(rest) {
                return true;
            }
            rest = &rest[1..];
        }
        false
    }

    /// Whether one of them is at the start of a text.
    fn starts(&self, text: &[u8]) -> bool {
        let [first, second, ..] = text else {
            return false;
        };
        let mut begun = self.first[usize::from(*first)] & self.second[usize::from(*second)];
        while begun != 0 {
            let mark = self.marks[begun.trailing_zeros() as usize];
            if text.starts_with(mark.as_bytes()) {
                return true;
            }
            begun &= begun - 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_it_stands_and_nothing_that_only_begins_like_one() {
        static MARKS: Marks = Marks::new(&[&["{%", "{{<"], &["@include"]]);
        for mark in ["{%", "{{<", "@include"] {
            for before in 0..40 {
                for behind in 0..40 {
                    let text = format!("{}{mark}{}", "@{".repeat(before), "é".repeat(behind));
                    assert!(MARKS.any(&text), "{text}");
                    let cut = format!(
                        "{}{}",
                        &text[..before * 2 + mark.len() - 1],
                        "é".repeat(behind)
                    );
                    assert!(!MARKS.any(&cut), "{cut}");
                }
            }
        }
        assert!(!MARKS.any(""));
    }
}
