//! Utilities for plain text: white space and shortening; submodules for decoding, places, searching
//! and the markup of titles.

mod decode;
mod entities;
mod lines;
mod plain;
mod search;

use std::borrow::Cow;
use std::ops::Range;

pub use decode::decode;
pub use lines::Lines;
pub use lines::number;
pub use plain::{plain, without_templates};
pub use search::{Marks, Next};

/// Whether any byte matches. Checks all bytes without a branch, so that the compiler can test
/// sixteen at once: faster than an early exit where most texts have no match.
pub fn has_byte(text: &str, wanted: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | wanted(byte))
}

/// Removes the characters that XML or HTML forbids; line breaks and tabs stay.
pub fn clean(text: &str) -> Cow<'_, str> {
    let may_be_forbidden =
        |byte: u8| ((byte < 0x20) & (byte != b'\n') & (byte != b'\t')) | (byte >= 0x7f);
    if has_byte(text, may_be_forbidden) && text.contains(is_forbidden) {
        return Cow::Owned(text.replace(is_forbidden, ""));
    }
    Cow::Borrowed(text)
}

fn is_forbidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\t');
    control || matches!(c, '\u{FDD0}'..='\u{FDEF}') || (c as u32) & 0xFFFE == 0xFFFE
}

/// Whether this byte occurs twice in a row.
pub fn has_double(text: &str, byte: u8) -> bool {
    text.as_bytes().windows(2).any(|pair| pair == [byte; 2])
}

/// Whether a text is known to be one plain line: only single spaces between words, no control
/// characters, ASCII only. Most titles and headings are.
pub fn is_plain_line(text: &str) -> bool {
    let is_spaced = text.starts_with(' ') || text.ends_with(' ');
    !is_spaced && !has_byte(text, |byte| !(0x20..0x7f).contains(&byte)) && !has_double(text, b' ')
}

/// Collapses white space to single spaces and trims the ends.
pub fn one_line(text: &str) -> String {
    if is_plain_line(text) {
        return text.to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first characters of a text.
fn first(text: &str, count: usize) -> &str {
    text.char_indices()
        .nth(count)
        .map_or(text, |(end, _)| &text[..end])
}

/// At most `max` characters of one line of text, cut after a sentence that ends in the second half,
/// else after a word (with `…`).
pub fn shorten(text: &str, max: usize) -> String {
    let head = first(text, max);
    if head.len() == text.len() {
        return text.to_owned();
    }
    let half = first(head, max / 2).len();
    if let Some(end) = end_of_sentence(text, half..head.len()) {
        return text[..end].to_owned();
    }
    let room = first(head, max.saturating_sub(1));
    let word = room
        .rfind(' ')
        .filter(|at| *at >= half / 2)
        .unwrap_or(room.len());
    format!(
        "{}…",
        room[..word].trim_end_matches([' ', ',', ';', ':', '-', '–', '—'])
    )
}

/// The end of the last sentence that ends in this range.
fn end_of_sentence(text: &str, range: Range<usize>) -> Option<usize> {
    let ends = sentence_ends(text).take_while(|end| *end <= range.end);
    ends.filter(|end| *end > range.start).last()
}

/// Where the sentences of a line end, with their closing quotes and brackets. Abbreviations
/// (`e.g. this`) do not end a sentence.
pub(crate) fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().filter_map(|(at, character)| {
        if !MARKS.contains(&character) {
            return None;
        }
        let behind = &text[at + character.len_utf8()..];
        let after = behind.trim_start_matches(CLOSING);
        let ends = match character {
            '。' | '！' | '？' | '।' | '．' | '｡' => true,
            '.' => is_edge(after) && !is_abbreviation(&text[..at]),
            _ => is_edge(after),
        };
        ends.then_some(text.len() - after.len())
    })
}

/// What may end a sentence. None of it is in [`CLOSING`], so each closing character is read once.
const MARKS: [char; 13] = [
    '。', '！', '？', '।', '．', '｡', '.', '!', '?', '…', '؟', '۔', '።',
];

/// What may close a sentence after its mark.
const CLOSING: [char; 9] = ['"', '”', '’', '\'', ')', '»', '」', '』', '）'];

fn is_edge(after: &str) -> bool {
    after.chars().next().is_none_or(char::is_whitespace)
}

/// Whether a text before a dot ends in an abbreviation.
fn is_abbreviation(before: &str) -> bool {
    const ABBREVIATIONS: [&str; 13] = [
        "e.g", "i.e", "vs", "cf", "approx", "Dr", "Mr", "Mrs", "Ms", "St", "No", "z.B", "d.h",
    ];
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '(' | ',');
    let word = before.rsplit(is_edge).next().unwrap_or_default();
    ABBREVIATIONS.contains(&word)
}

/// Turns a name into a title: `my-first_post` becomes `My first post`.
pub fn presentable(name: &str) -> String {
    let mut title = one_line(&name.replace(['-', '_'], " "));
    if let Some(first) = title.chars().next().filter(|first| first.is_lowercase()) {
        title.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    title
}

/// A number of things: `1 article`, `2 articles`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A number as people read it: `6,674`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The known word that was probably meant: the most similar one, if it is similar enough.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let length = word.chars().count();
    // The distance is at least the difference of the lengths, and takes long to compute for a long
    // word.
    let near = known.iter().filter_map(|known| {
        let (most, longer) = (1 + known.len() / 4, known.chars().count().max(length));
        let is_long = length.abs_diff(known.chars().count()) > most;
        let distance = (!is_long).then(|| strsim::damerau_levenshtein(word, known))?;
        // Of short words at most half may differ.
        (distance <= most && distance * 2 < longer).then_some((distance, *known))
    });
    near.min().map(|(_, known)| known)
}

/// Whether a character of Chinese or Japanese is a word by itself.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_compared_with_words_of_about_its_length() {
        let known = ["base_url", "logo", "title", "theme"];
        let long = "t".repeat(1_000_000);
        for (word, expected) in [
            ("titel", Some("title")),
            ("tite", Some("title")),
            ("baseurl", Some("base_url")),
            ("base_url_of", Some("base_url")),
            ("base_url_of_it", None),
            ("logos", Some("logo")),
            ("foo", None),
            ("", None),
            (&long, None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word:.20}");
        }
    }

    #[test]
    fn text_is_cut_at_a_sentence_or_a_word() {
        assert_eq!(shorten("short", 10), "short");
        assert_eq!(
            shorten("One two three. Four five six", 20),
            "One two three."
        );
        assert_eq!(shorten("One two three four five", 15), "One two three…");
        assert_eq!(shorten("一二三四五六七八九十", 5), "一二三四…");
        assert_eq!(shorten("一二三四。六七八九十", 6), "一二三四。");
        assert_eq!(shorten("One (two.) Three four", 15), "One (two.)");
        assert_eq!(
            shorten("Use one, e.g. two and three", 20),
            "Use one, e.g. two…"
        );
    }

    #[test]
    fn names_become_titles() {
        assert_eq!(presentable("my-first_post"), "My first post");
        assert_eq!(presentable("日本"), "日本");
    }
}
