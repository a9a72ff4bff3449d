//! Limits the nesting of quotes and lists before parsing: for each line, the parser iterates over
//! all open ones.

use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of quote and list markers at the beginning of a line.
const MOST: usize = 128;
/// Maximum width of these markers, in bytes.
const WIDEST: usize = 512;

/// Removes the markers beyond these limits: their content belongs to the innermost remaining block.
pub fn bounded(text: &str) -> Cow<'_, str> {
    replaced(text, "")
}

/// As [`bounded`], but replaces each removed byte, so that all others keep their offsets.
pub fn masked(text: &str) -> Cow<'_, str> {
    replaced(text, ".")
}

fn replaced<'t>(text: &'t str, sign: &str) -> Cow<'t, str> {
    let (mut out, mut done, mut start) = (String::new(), 0, 0);
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        // Most lines are too short to exceed the limits.
        if end - start > MOST
            && let Some(range) = excess(&text.as_bytes()[start..end])
        {
            out.push_str(&text[done..start + range.start]);
            out.extend(std::iter::repeat_n(sign, range.len()));
            done = start + range.end;
        }
        start = end + 1;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// The excess markers at the beginning of a line.
fn excess(line: &[u8]) -> Option<Range<usize>> {
    let (mut at, mut marks, mut from) = (0, 0, None);
    loop {
        at += line[at..].iter().take_while(|byte| is_blank(byte)).count();
        let length = mark(&line[at..]);
        if length == 0 {
            break;
        }
        marks += 1;
        if from.is_none() && (marks > MOST || at > WIDEST) {
            from = Some(at);
        }
        at += length;
    }
    let is_rule = at == line.len() && is_of_one_sign(line);
    from.filter(|_| !is_rule).map(|from| from..at)
}

/// The length of the marker that a text begins with, `>`, `-`, `*`, `+`, `12.` or `12)`; 0 if there
/// is none.
fn mark(text: &[u8]) -> usize {
    let digits = text
        .iter()
        .take(10)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let is_end = text.get(digits + 1).is_none_or(is_blank);
    match (digits, text.get(digits)) {
        (0, Some(b'>')) => 1,
        (0, Some(b'-' | b'*' | b'+')) | (1..=9, Some(b'.' | b')')) if is_end => digits + 1,
        _ => 0,
    }
}

/// Whether a line of markers is a thematic break or a heading's underline.
fn is_of_one_sign(line: &[u8]) -> bool {
    let mut signs = line.iter().filter(|byte| !is_blank(byte));
    let first = signs.next();
    matches!(first, Some(b'-' | b'*')) && signs.all(|sign| Some(sign) == first)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_beyond_the_bound_go_and_the_words_stay() {
        for unit in [">", "> ", "- ", "* - ", "1. ", "12) > "] {
            let text = format!("a\n{}x\nb", unit.repeat(1_000));
            let (bounded, masked) = (bounded(&text), masked(&text));
            assert!(bounded.len() < 1_000 && bounded.ends_with("x\nb"), "{unit}");
            assert!(
                masked.len() == text.len() && masked.ends_with(".x\nb"),
                "{unit}"
            );
        }
        // No rule has this sign (CommonMark 4.1), so it is a list in a list.
        assert!(bounded(&"+ ".repeat(1_000)).len() < 1_000);
        let text = format!("{}- x", " ".repeat(600));
        assert_eq!(bounded(&text), format!("{}x", " ".repeat(600)));
    }

    #[test]
    fn rules_underlines_and_what_is_written_stay() {
        for text in [
            "-".repeat(500),
            "- ".repeat(500),
            "*".repeat(500),
            " ".repeat(900) + "x",
            "> ".repeat(128) + "x",
            "1".repeat(900),
        ] {
            assert!(matches!(bounded(&text), Cow::Borrowed(_)), "{text}");
        }
    }
}
