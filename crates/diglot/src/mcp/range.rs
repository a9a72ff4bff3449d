//! Parts of a page: a section, or some lines.

use std::ops::Range;

use super::MOST_BYTES;

/// The first lines of a range that fit into a result, and the range of their numbers.
pub(crate) fn part(text: &str, lines: Range<usize>) -> (&str, Range<usize>) {
    let (mut start, mut end, mut until) = (None, 0, lines.start);
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number >= lines.end {
            break;
        }
        if number >= lines.start {
            let start = *start.get_or_insert(at);
            if at + line.len() - start > MOST_BYTES && number > lines.start {
                break;
            }
            (end, until) = (at + line.len(), number + 1);
        }
        at += line.len();
    }
    let start = start.unwrap_or(0);
    (shortened(&text[start..end.max(start)]), lines.start..until)
}

/// The beginning of a text that fits into a result: of a single line that does not.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_BYTES)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_counted_from_zero() {
        let text = "a\nb\nc";
        assert_eq!(part(text, 0..9), ("a\nb\nc", 0..3));
        assert_eq!(part(text, 1..2), ("b\n", 1..2));
        assert_eq!(part(text, 2..3), ("c", 2..3));
        assert_eq!(part(text, 5..9), ("", 5..5));
        assert_eq!(part("", 0..9), ("", 0..0));
    }

    #[test]
    fn a_line_that_is_too_long_is_cut() {
        let text = format!("{}\nb\n", "é".repeat(MOST_BYTES));
        let (first, lines) = part(&text, 0..2);
        assert_eq!((first.len(), lines), (MOST_BYTES, 0..1));
        assert_eq!(part(&text, 1..2), ("b\n", 1..2));
    }

    proptest! {
        #[test]
        fn parts_follow_each_other_and_are_the_whole(
            lengths in prop::collection::vec(0..4_000_usize, 0..40),
            last in "[a-z]{0,9}",
        ) {
            let lines = ('a'..='z').cycle().zip(lengths);
            let lines = lines.map(|(letter, length)| letter.to_string().repeat(length) + "\n");
            let text: String = lines.chain([last]).collect();
            let (mut from, mut whole) = (0, String::new());
            let end = text.lines().count();
            while from < end {
                let (part, lines) = part(&text, from..end);
                prop_assert!(part.len() <= MOST_BYTES && lines.end > from);
                whole.push_str(part);
                from = lines.end;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
