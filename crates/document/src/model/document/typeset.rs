//! Quotation marks, apostrophes, dashes and ellipses as they are printed, for the HTML form alone.
//!
//! An ASCII mark is replaced only where its meaning is certain: a quotation mark with its partner in
//! the same line, an apostrophe between letters, two or three hyphens between words. All others stay.

use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

use super::tree::walk;
use super::{Document, Inline, SpanTag};

/// The quotation marks of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quotes {
    /// The marks of a quotation.
    pub outer: [char; 2],
    /// The marks of a quotation inside another.
    pub inner: [char; 2],
    /// Whether a narrow space is inside them, as in French.
    pub spaced: bool,
}

/// The typographic mark of an apostrophe.
const APOSTROPHE: &str = "\u{2019}";
/// Represents code, a formula or a picture, which read as a word.
const WORD: char = '\u{fffc}';
/// Represents the number of a footnote, which follows a word without being part of it.
const NOTE: char = '\u{b9}';
/// English words that begin with an apostrophe.
const SHORTENED: [&str; 6] = ["tis", "twas", "em", "til", "cause", "n"];

/// A plain text in print: a title, a summary. It is as written if it has printed marks already.
pub fn typeset<'t>(text: &'t str, quotes: Option<&Quotes>) -> Cow<'t, str> {
    let Some(quotes) = quotes.filter(|_| has_ascii_marks(text) && !has_printed_marks(text)) else {
        return Cow::Borrowed(text);
    };
    let line: Vec<char> = text.chars().collect();
    let mut changes = changes(&line, quotes).into_iter().peekable();
    Cow::Owned(replaced(text, 0..line.len(), &mut changes))
}

impl Document {
    /// Whether an author has set a quotation mark or an apostrophe as it is printed: then all of
    /// the text is left as it is.
    pub(super) fn has_printed_marks(&self) -> bool {
        let mut lines = self.all_blocks().flat_map(|block| block.lines());
        lines.any(|line| {
            walk(line).any(|inline| matches!(inline, Inline::Text(text) if has_printed_marks(text)))
        })
    }
}

/// A line of a document in print; `None` if nothing changes.
pub(super) fn typeset_line(content: &[Inline], quotes: &Quotes) -> Option<Vec<Inline>> {
    let has_marks = |inline: &Inline| matches!(inline, Inline::Text(text) if has_ascii_marks(text));
    if !walk(content).any(has_marks) {
        return None;
    }
    let mut line = Vec::new();
    flatten(content, &mut line);
    let changes = changes(&line, quotes);
    if changes.is_empty() {
        return None;
    }
    let mut content = content.to_vec();
    change(&mut content, &mut 0, &mut changes.into_iter().peekable());
    Some(content)
}

fn has_ascii_marks(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_dash_or_dots = |at: usize| match bytes[at] {
        b'-' => bytes[at..].starts_with(b"--"),
        _ => bytes[at..].starts_with(b"..."),
    };
    memchr::memchr2(b'"', b'\'', bytes).is_some()
        || memchr::memchr2_iter(b'-', b'.', bytes).any(is_dash_or_dots)
}

fn has_printed_marks(text: &str) -> bool {
    !text.is_ascii()
        && text.contains(|c| matches!(c, '\u{2018}'..='\u{201f}' | '«' | '»' | '‹' | '›'))
}

/// The text of a line; what is not text is one sign.
fn flatten(content: &[Inline], line: &mut Vec<char>) {
    for inline in content {
        match inline {
            Inline::Text(text) => {
                line.reserve(text.len());
                line.extend(text.chars());
            }
            Inline::Anchor(_) => {}
            Inline::SoftBreak | Inline::HardBreak => line.push(' '),
            Inline::Footnote(_) => line.push(NOTE),
            inline if is_apart(inline) => line.push(WORD),
            inline => flatten(inline.content(), line),
        }
    }
}

/// Whether an inline is not part of the text of its line: code, another language.
fn is_apart(inline: &Inline) -> bool {
    match inline {
        Inline::Code(_) | Inline::Math { .. } | Inline::Image(_) => true,
        Inline::Span(span) => {
            matches!(
                span.tag,
                SpanTag::Code | SpanTag::Kbd | SpanTag::Samp | SpanTag::Var
            ) || span.attributes.iter().any(|(name, _)| name == "lang")
        }
        _ => false,
    }
}

/// What replaces characters of a line: the first, their number, the text.
type Change = (usize, usize, String);

/// Applies the changes to the texts of a line, in the order of [`flatten`].
fn change(
    content: &mut [Inline],
    at: &mut usize,
    changes: &mut Peekable<impl Iterator<Item = Change>>,
) {
    for inline in content {
        match inline {
            Inline::Text(text) => {
                let end = *at + text.chars().count();
                if changes.peek().is_some_and(|(start, ..)| *start < end) {
                    *text = replaced(text, *at..end, changes);
                }
                *at = end;
            }
            Inline::Anchor(_) => {}
            Inline::SoftBreak | Inline::HardBreak | Inline::Footnote(_) => *at += 1,
            inline if is_apart(inline) => *at += 1,
            inline => {
                if let Some(content) = inline.content_mut() {
                    change(content, at, changes);
                }
            }
        }
    }
}

/// A text with the changes inside it, applied. Its characters have these numbers in the line.
fn replaced(
    text: &str,
    place: Range<usize>,
    changes: &mut Peekable<impl Iterator<Item = Change>>,
) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut rest, mut at) = (text, place.start);
    while let Some((start, length, put)) = changes.next_if(|(start, ..)| *start < place.end) {
        let (before, from) = rest.split_at(offset(rest, start.saturating_sub(at)));
        out += before;
        out += &put;
        rest = &from[offset(from, length)..];
        at = start + length;
    }
    out + rest
}

/// The offset behind this number of characters.
fn offset(text: &str, characters: usize) -> usize {
    let mut rest = text.char_indices();
    rest.nth(characters).map_or(text.len(), |(at, _)| at)
}

/// The changes of a line, in order.
fn changes(line: &[char], quotes: &Quotes) -> Vec<Change> {
    let mut line = Line {
        text: line,
        quotes,
        double: None,
        single: None,
        chunk: Chunk::default(),
        changes: Vec::new(),
    };
    let mut at = 0;
    while let Some(&c) = line.text.get(at) {
        let mut length = 1;
        match c {
            '"' => line.double(at),
            '\'' => line.single(at),
            '-' | '.' => {
                // Of these alone: for each character of a long run it would be quadratic.
                length = line.text[at..].iter().take_while(|&&d| d == c).count();
                match c {
                    '-' => line.dash(at, length),
                    _ => line.dots(at, length),
                }
            }
            _ => {}
        }
        at += length;
    }
    line.changes.sort_by_key(|(at, ..)| *at);
    line.changes
}

/// A line whose marks are being read.
struct Line<'l> {
    text: &'l [char],
    quotes: &'l Quotes,
    /// The opening mark that has no partner yet.
    double: Option<usize>,
    single: Option<usize>,
    /// The text between spaces that has the mark, once that was asked for.
    chunk: Chunk,
    changes: Vec<Change>,
}

/// The text between two spaces.
#[derive(Clone, Copy, Default)]
struct Chunk {
    /// Where it ends.
    end: usize,
    /// Whether it is words: no address, path or code.
    is_prose: bool,
    hyphens: usize,
}

impl Line<'_> {
    /// The character before; a space at the beginning.
    fn before(&self, at: usize) -> char {
        at.checked_sub(1).map_or(' ', |at| self.text[at])
    }

    /// The character at a place; a space past the end.
    fn at(&self, at: usize) -> char {
        self.text.get(at).copied().unwrap_or(' ')
    }

    /// Whether a quotation may begin or end here.
    fn sides(&self, at: usize) -> [bool; 2] {
        let (before, after) = (self.before(at), self.at(at + 1));
        let free = |c: char| !is_word(c) || is_unspaced(c);
        [
            (free(before) && !is_closing(before)) && !after.is_whitespace(),
            !before.is_whitespace() && free(after),
        ]
    }

    fn double(&mut self, at: usize) {
        let [begins, ends] = self.sides(at);
        // 5'10" is a measure, unless nothing else can end the quotation.
        let is_measure = self.before(at).is_ascii_digit() && self.ends_later(at);
        match self.double {
            Some(open) if ends && !is_measure => {
                self.pair(open, at, self.quotes.outer);
                self.double = None;
            }
            _ if begins => self.double = Some(at),
            _ => {}
        }
    }

    /// Whether a later mark ends the open quotation.
    fn ends_later(&self, at: usize) -> bool {
        let mut later = (at + 1..self.text.len()).filter(|&at| self.text[at] == '"');
        later.next().is_some_and(|at| {
            let [begins, ends] = self.sides(at);
            ends && !begins
        })
    }

    fn single(&mut self, at: usize) {
        let (before, after) = (self.before(at), self.at(at + 1));
        let [begins, ends] = self.sides(at);
        match self.single {
            // Between letters it is an apostrophe; after a digit only before a letter.
            _ if is_word(before)
                && is_word(after)
                && !(before.is_ascii_digit() && after.is_ascii_digit()) =>
            {
                self.apostrophe(at);
            }
            Some(open) if ends => {
                self.pair(open, at, self.quotes.inner);
                self.single = None;
            }
            _ if begins && self.is_shortened(at) => self.apostrophe(at),
            _ if begins && is_word(after) => self.single = Some(at),
            None if before.is_alphabetic() => self.apostrophe(at),
            _ => {}
        }
    }

    /// Whether the word behind the mark is a shortened one: ’tis, ’90s.
    fn is_shortened(&self, at: usize) -> bool {
        let letters = self.text[at + 1..].iter().take_while(|&&c| is_word(c));
        let word: String = letters.flat_map(|c| c.to_lowercase()).collect();
        let is_decade = word.len() == 3 && word.ends_with('s') && word.starts_with(is_digit);
        is_decade || SHORTENED.contains(&word.as_str())
    }

    fn apostrophe(&mut self, at: usize) {
        self.changes.push((at, 1, APOSTROPHE.to_owned()));
    }

    fn pair(&mut self, open: usize, close: usize, [begin, end]: [char; 2]) {
        let space = if self.quotes.spaced { "\u{202f}" } else { "" };
        self.changes.push((open, 1, format!("{begin}{space}")));
        self.changes.push((close, 1, format!("{space}{end}")));
    }

    /// `1990--2000`, `a -- b`; not `--option`, `block--element-name`, or an address.
    fn dash(&mut self, at: usize, length: usize) {
        let put = match length {
            2 => "\u{2013}",
            3 => "\u{2014}",
            _ => return,
        };
        let (before, after) = (self.before(at), self.at(at + length));
        let is_alone = before.is_whitespace() && after.is_whitespace() && self.text.len() > length;
        let is_between = (is_word(before) || is_closing(before) || is_quote(before))
            && (is_word(after) || is_quote(after));
        let mut is_only_dash = || {
            let chunk = self.chunk(at);
            chunk.is_prose && chunk.hyphens == length
        };
        if is_alone || is_between && is_only_dash() {
            self.changes.push((at, length, put.to_owned()));
        }
    }

    fn dots(&mut self, at: usize, length: usize) {
        if length == 3 && self.chunk(at).is_prose {
            self.changes.push((at, length, "\u{2026}".to_owned()));
        }
    }

    /// The text around a place, up to spaces. Each is read once: a text of many marks may have no
    /// space.
    fn chunk(&mut self, at: usize) -> Chunk {
        if at >= self.chunk.end {
            let start = self.text[..at].iter().rposition(|c| c.is_whitespace());
            let end = self.text[at..].iter().position(|c| c.is_whitespace());
            let end = end.map_or(self.text.len(), |end| at + end);
            let text = &self.text[start.map_or(0, |start| start + 1)..end];
            self.chunk = Chunk {
                end,
                is_prose: !text.iter().any(|c| "/\\=_@<>{}[]$|`".contains(*c)),
                hyphens: text.iter().filter(|&&c| c == '-').count(),
            };
        }
        self.chunk
    }
}

/// Whether a character belongs to a word.
fn is_word(c: char) -> bool {
    (c.is_alphanumeric() || c == WORD) && c != NOTE
}

/// Whether words of its script have no spaces between them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{e7f}')
}

fn is_closing(c: char) -> bool {
    c == NOTE || matches!(c, ')' | ']' | '}' | '.' | ',' | ';' | ':' | '!' | '?' | '%')
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENGLISH: Quotes = Quotes {
        outer: ['“', '”'],
        inner: ['‘', '’'],
        spaced: false,
    };
    const GERMAN: Quotes = Quotes {
        outer: ['„', '“'],
        inner: ['‚', '‘'],
        spaced: false,
    };
    const FRENCH: Quotes = Quotes {
        outer: ['«', '»'],
        inner: ['«', '»'],
        spaced: true,
    };

    fn check(quotes: &Quotes, text: &str, expected: &str) {
        assert_eq!(typeset(text, Some(quotes)), expected, "{text}");
    }

    #[test]
    fn quotation_marks_are_those_of_the_language() {
        let text = "She said \"it's 'fine' (\"really\")\".";
        check(&ENGLISH, "\"A\" and (\"b\"), \"c.\"", "“A” and (“b”), “c.”");
        check(&GERMAN, "\"Ja, 'so' ist's\"", "„Ja, ‚so‘ ist’s“");
        check(&FRENCH, "\"Oui\", l'été", "«\u{202f}Oui\u{202f}», l’été");
        assert_eq!(typeset(text, None), text);
        let japanese = Quotes {
            outer: ['「', '」'],
            ..ENGLISH
        };
        check(&japanese, "彼は\"はい\"と", "彼は「はい」と");
    }

    #[test]
    fn measures_and_marks_without_a_partner_stay() {
        for text in [
            "5'10\" tall",
            "a 3.5\" disk",
            "unclosed \"quotation",
            "a\"b",
            "\" alone \"",
            "40° 26' 46\"",
        ] {
            check(&ENGLISH, text, text);
        }
        check(&ENGLISH, "\"a 5'10\" man\"", "“a 5'10\" man”");
        check(&ENGLISH, "\"in 1984\"", "“in 1984”");
    }

    #[test]
    fn apostrophes_are_no_quotation_marks() {
        check(
            &ENGLISH,
            "don't, the dogs' 'dog's'",
            "don’t, the dogs’ ‘dog’s’",
        );
        check(
            &ENGLISH,
            "'tis the '90s, rock 'n' roll, 1980's",
            "’tis the ’90s, rock ’n’ roll, 1980’s",
        );
    }

    #[test]
    fn dashes_and_ellipses_are_where_words_are() {
        check(
            &ENGLISH,
            "1990--2000, yes -- no, yes---no, wait...",
            "1990–2000, yes – no, yes—no, wait…",
        );
        for text in [
            "--force",
            "a ---- b",
            "block--name-part",
            "https://example.org/a--b",
            "./...",
            "a....b",
            "--",
        ] {
            check(&ENGLISH, text, text);
        }
    }

    #[test]
    fn a_text_with_printed_marks_stays() {
        let text = "“Yes” and \"no\" -- don't";
        check(&ENGLISH, text, text);
    }

    #[test]
    fn code_and_other_languages_in_a_line_stay() {
        let code = Inline::Code("\"x\" -- 'y'".into());
        let line = vec![
            Inline::text("\""),
            Inline::Emphasis(vec![Inline::text("a")]),
            code.clone(),
            Inline::text("'s\" b"),
        ];
        let expected = vec![
            Inline::text("“"),
            Inline::Emphasis(vec![Inline::text("a")]),
            code,
            Inline::text("’s” b"),
        ];
        assert_eq!(typeset_line(&line, &ENGLISH), Some(expected));
        let foreign = Inline::Span(crate::model::document::Span {
            tag: SpanTag::Span,
            attributes: vec![("lang".into(), "fr".into())],
            content: vec![Inline::text("\"oui\"")],
        });
        assert_eq!(typeset_line(&[foreign], &ENGLISH), None);
    }

    fn letters(text: &str) -> String {
        text.chars().filter(|c| c.is_alphanumeric()).collect()
    }

    proptest! {
        /// The words are the same, and printed text is not printed again.
        #[test]
        fn words_stay(text in "[a-zé5 \"'.,()¹日-]{0,40}") {
            for quotes in [ENGLISH, FRENCH] {
                let printed = typeset(&text, Some(&quotes)).into_owned();
                prop_assert_eq!(letters(&printed), letters(&text));
                let spaces = |text: &str| text.split(' ').map(letters).collect::<Vec<_>>();
                prop_assert_eq!(spaces(&printed), spaces(&text));
                let marks = ["“", "”", "«\u{202f}", "\u{202f}»"];
                let of = |index: usize| printed.matches(marks[index]).count();
                prop_assert_eq!((of(0), of(2)), (of(1), of(3)), "{}", printed);
            }
        }

        #[test]
        fn text_without_marks_stays(text in "[a-zé5 .,()日-]{0,40}") {
            prop_assume!(!has_ascii_marks(&text));
            prop_assert_eq!(typeset(&text, Some(&ENGLISH)), text.as_str());
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            typeset(&text, Some(&GERMAN));
        }
    }
}
