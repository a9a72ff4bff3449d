//! Marks that are looked for in a text again and again, or many at a time.

/// Where a mark is found next, remembered: asked from rising places, all questions together cost
/// one search through the text.
#[derive(Clone, Copy)]
pub struct Next<'t> {
    text: &'t str,
    mark: &'static str,
    /// From where it was searched.
    from: usize,
    /// What was found there; `usize::MAX`: nothing.
    found: usize,
}

impl<'t> Next<'t> {
    pub const fn of(mark: &'static str, text: &'t str) -> Self {
        Self {
            text,
            mark,
            from: usize::MAX,
            found: 0,
        }
    }

    /// The first one that begins here or behind.
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

/// Marks of two bytes at least that are looked for together: one pass over a text, however many
/// they are (at most 64).
pub struct Marks {
    marks: [&'static str; 64],
    /// For each byte the marks that begin with it, a bit each, and those in which it is the second:
    /// most pairs of bytes begin no mark.
    first: [u64; 256],
    second: [u64; 256],
}

impl Marks {
    /// Fails where it is evaluated, when the program is compiled, on too many marks and on those
    /// that are too short.
    pub const fn of(lists: &[&[&'static str]]) -> Self {
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

    /// Whether one of them is in a text.
    pub fn any(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        for (at, pair) in bytes.windows(2).enumerate() {
            let begun = self.first[usize::from(pair[0])] & self.second[usize::from(pair[1])];
            if begun != 0
                && self
                    .marks
                    .iter()
                    .any(|mark| !mark.is_empty() && bytes[at..].starts_with(mark.as_bytes()))
            {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_it_stands_and_nothing_that_only_begins_like_one() {
        static MARKS: Marks = Marks::of(&[&["{%", "{{<"], &["@include"]]);
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
