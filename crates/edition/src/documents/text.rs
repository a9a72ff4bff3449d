//! Plain text as Markdown, for the lists in `llms.txt`, `llms-full.txt` and `sitemap.md`.

use std::borrow::Cow;

use diglot_content::text::{has_byte, is_plain_line};

/// The text on one line, with Markdown markup escaped.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let line = one_line(text);
    // Most lines contain no possible markup.
    if !has_any(&line, b"\\`*[]_<&(~=") {
        return line;
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if is_markup(letter, before, letters.peek().copied().unwrap_or(' ')) {
            out.push('\\');
        }
        out.push(letter);
        before = letter;
    }
    out.into()
}

/// Whether one of these bytes is in a text.
fn has_any<const COUNT: usize>(text: &str, bytes: &[u8; COUNT]) -> bool {
    has_byte(text, |byte| {
        bytes
            .iter()
            .fold(false, |found, wanted| found | (byte == *wanted))
    })
}

/// Whether a character inside a line could start or end markup.
fn is_markup(letter: char, before: char, next: char) -> bool {
    match letter {
        '\\' | '`' | '*' | '[' | ']' => true,
        // An underscore between letters is literal (CommonMark section 6.2).
        '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
        '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
        '&' => next.is_ascii_alphanumeric() || next == '#',
        // Protects simple parsers, which only search for `](`.
        '(' => before == ']',
        '~' | '=' => before == letter || next == letter,
        _ => false,
    }
}

/// Collapses white space and control characters into single spaces.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if is_plain_line(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for word in text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

/// `[title](url)`, in angle brackets if the URL contains parentheses (CommonMark section 6.3).
pub(super) fn link(title: &str, url: &str) -> String {
    let title = if title.trim().is_empty() {
        escape(url)
    } else {
        escape(title)
    };
    if url.contains(['(', ')']) {
        format!("[{title}](<{url}>)")
    } else {
        format!("[{title}]({url})")
    }
}

/// At most `limit` characters, cut after a word; `…` marks the cut.
pub(super) fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    let line = one_line(text);
    if line.len() <= limit {
        return line;
    }
    let Some((end, _)) = line.char_indices().nth(limit) else {
        return line;
    };
    let kept = line
        .char_indices()
        .nth(limit.saturating_sub(1))
        .map_or(end, |(at, _)| at);
    let cut = &line[..kept];
    let whole = cut
        .rfind(' ')
        .filter(|space| *space > kept / 2)
        .unwrap_or(kept);
    let mut out = cut[..whole]
        .trim_end_matches([' ', ',', ';', ':', '.', '–', '—'])
        .to_owned();
    out.push('…');
    out.into()
}

/// A byte count for readers: `558 kB`.
pub(super) fn kilobytes(size: usize) -> String {
    format!("{} kB", size.div_ceil(1000))
}

/// A count with its noun: `1 article`, `12 articles`, `2 entries`.
pub(super) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        for (text, expected) in [
            ("C++ & snake_case, 1 < 2", "C++ & snake_case, 1 < 2"),
            ("*bold* [x] `code` _it_", r"\*bold\* \[x\] \`code\` \_it\_"),
            ("<script> &amp; a\\b", r"\<script> \&amp; a\\b"),
            ("a\nb\t\u{0}c", "a b c"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn white_space_is_one_space() {
        for (text, expected) in [
            ("", ""),
            (" ", ""),
            ("a", "a"),
            ("a b", "a b"),
            (" a", "a"),
            ("a ", "a"),
            ("a  b", "a b"),
            ("a\u{7f}b\u{a0}c", "a b c"),
            ("é  ü", "é ü"),
        ] {
            assert_eq!(one_line(text), expected);
        }
        assert!(matches!(one_line("one line of words"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_cut_ends_after_a_word() {
        assert_eq!(shorten("one two three", 40), "one two three");
        assert_eq!(shorten("one two three", 10), "one two…");
        assert_eq!(shorten("Donaudampfschifffahrt", 6), "Donau…");
        assert_eq!(shorten("größe größe", 8), "größe…");
        for limit in 1..20 {
            assert!(
                shorten("one two three, four five", limit).chars().count() <= limit,
                "{limit}"
            );
        }
    }

    #[test]
    fn a_link_survives_parentheses_and_an_empty_title() {
        assert_eq!(
            link("a]b", "https://x/y_(z).md"),
            r"[a\]b](<https://x/y_(z).md>)"
        );
        assert_eq!(
            link(" ", "https://x/y.md"),
            "[https://x/y.md](https://x/y.md)"
        );
    }
}
