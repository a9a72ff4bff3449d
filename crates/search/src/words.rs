//! The words of a text, as they are indexed and asked for.
//!
//! A word is a run of letters, digits and marks. Scripts without spaces between words (Chinese,
//! Japanese, Thai, Lao, Burmese, Khmer) give every pair of adjacent characters instead. Words are
//! folded, and English plurals lose their ending.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::fold::fold;

/// Longer words are not words: data, hashes, addresses. In characters.
pub const LONGEST_WORD: usize = 40;

/// How a script separates words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Spaced,
    Unspaced,
}

/// The script of a character that can be part of a word.
fn script(letter: char) -> Option<Script> {
    if !letter.is_alphanumeric() && !is_combining_mark(letter) {
        return None;
    }
    Some(if is_unspaced(letter) {
        Script::Unspaced
    } else {
        Script::Spaced
    })
}

/// Thai, Lao; Burmese; Khmer; kana; Han; halfwidth kana.
fn is_unspaced(letter: char) -> bool {
    matches!(
        letter,
        '\u{e00}'..='\u{eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// Calls `found` with every word of a text: its place, and its folded form.
pub fn each(text: &str, mut found: impl FnMut(Range<usize>, &str)) {
    // Folding all ASCII letters at once is faster than folding each word.
    let text = &text.to_ascii_lowercase();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at = ascii_end(bytes, start);
        match bytes.get(at) {
            Some(next) if !next.is_ascii() => at = other_end(text, start, at, &mut found),
            // Most words are ASCII, and all of it.
            _ if at > start => ascii(&text[start..at], start..at, &mut found),
            _ => at += 1,
        }
    }
}

/// The end of the ASCII letters and digits from this offset on.
fn ascii_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let length = rest.iter().position(|byte| !IS_WORD[usize::from(*byte)]);
    at + length.unwrap_or(rest.len())
}

/// Whether a byte is a letter or a digit of ASCII.
static IS_WORD: [bool; 256] = {
    let (mut table, mut byte) = ([false; 256], 0_u8);
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// Finds the words of a run of characters that has others than ASCII, at `at` for the first time.
/// Returns where it ends.
fn other_end(
    text: &str,
    start: usize,
    at: usize,
    found: &mut impl FnMut(Range<usize>, &str),
) -> usize {
    let next = text[at..].chars().next().unwrap_or_default();
    let run = match at > start {
        true => Some(Script::Spaced),
        false => script(next),
    };
    let end = run.map_or(at + next.len_utf8(), |run| run_end(text, at, run));
    match run {
        Some(Script::Spaced) => spaced(text, start..end, found),
        Some(Script::Unspaced) => pairs(text, start..end, found),
        None => {}
    }
    end
}

/// The end of the characters of this script from this offset on.
fn run_end(text: &str, at: usize, run: Script) -> usize {
    let rest = &text[at..];
    at + rest
        .find(|letter| script(letter) != Some(run))
        .unwrap_or(rest.len())
}

/// The folded words of a text.
pub fn all(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, |_, word| words.push(word.to_owned()));
    words
}

/// A word of lower-case ASCII letters and digits.
fn ascii(word: &str, place: Range<usize>, found: &mut impl FnMut(Range<usize>, &str)) {
    let word = stem(word);
    if word.len() <= LONGEST_WORD {
        found(place, &word);
    }
}

/// A word of a script with spaces. Folded, it may be several: `½` is `1` and `2`.
fn spaced(text: &str, place: Range<usize>, found: &mut impl FnMut(Range<usize>, &str)) {
    let folded = fold(&text[place.clone()]);
    let words = folded.split(|letter| script(letter).is_none());
    for word in words.filter(|word| !word.is_empty()) {
        if word.is_ascii() {
            ascii(word, place.clone(), found);
        } else if word.chars().count() <= LONGEST_WORD {
            found(place.clone(), word);
        }
    }
}

/// Finds each two characters of a text without spaces.
fn pairs(text: &str, place: Range<usize>, found: &mut impl FnMut(Range<usize>, &str)) {
    let piece = &text[place.clone()];
    let starts = || piece.char_indices().map(|(at, _)| place.start + at);
    let mut ends = starts().skip(2).chain([place.end]).peekable();
    for start in starts() {
        let Some(end) = ends.next() else { break };
        found(start..end, &fold(&text[start..end]));
    }
}

/// The word without the ending of an English plural.
fn stem(word: &str) -> Cow<'_, str> {
    let length = word.len();
    let without = |ending: usize| &word[..length - ending];
    match word.as_bytes() {
        [.., b'i', b'e', b's'] if length >= 5 => Cow::Owned(without(3).to_owned() + "y"),
        [.., b's', b's', b'e', b's']
        | [.., b'x', b'e', b's']
        | [.., b'c' | b's', b'h', b'e', b's']
            if length >= 5 =>
        {
            Cow::Borrowed(without(2))
        }
        [.., b's' | b'u' | b'i', b's'] => Cow::Borrowed(word),
        [.., b's'] if length >= 4 => Cow::Borrowed(without(1)),
        _ => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, words: &[&str]) {
        assert_eq!(all(text), words, "{text}");
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        check(
            "Don't use base_url, v1.2!",
            &["don", "t", "use", "base", "url", "v1", "2"],
        );
        check("L’Été à Paris", &["l", "ete", "a", "paris"]);
        check("한국어 검색", &["한국어", "검색"]);
        check(&"x".repeat(LONGEST_WORD + 1), &[]);
        check("", &[]);
        check("queries’ boxes入門x", &["query", "box", "入門", "x"]);
        check("x字", &["x", "字"]);
    }

    #[test]
    fn a_letter_that_is_folded_to_several_words_is_several_words() {
        check("coŀlegi", &["col", "legi"]);
        check("col·legi", &["col", "legi"]);
        check("½ ﷺ", &["1", "2", "صلي", "الله", "عليه", "وسلم"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("全文検索", &["全文", "文検", "検索"]);
        check("字", &["字"]);
        check("Rust入門 2", &["rust", "入門", "2"]);
        check("ไทย", &["ไท", "ทย"]);
    }

    #[test]
    fn english_plurals_lose_their_ending() {
        check(
            "queries classes boxes tags status class this is dies axes ices",
            &[
                "query", "class", "box", "tag", "status", "class", "this", "is", "die", "axe",
                "ice",
            ],
        );
        check("cafés", &["cafe"]);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_places_are_in_order(text in "\\PC{0,60}") {
            let mut before = 0;
            each(&text, |place, word| {
                assert!(before <= place.start && place.start < place.end && !text[place.clone()].is_empty());
                assert!(word.chars().count() <= LONGEST_WORD);
                assert!(word.chars().all(|letter| script(letter).is_some()), "{word}");
                before = place.start;
            });
        }
    }
}
