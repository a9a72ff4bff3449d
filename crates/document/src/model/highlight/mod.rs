//! Syntax highlighting with a class for each token, which themes colour without inline styles.
//!
//! A grammar-driven highlighter takes one to five milliseconds per kilobyte of code, more than all
//! other work on an article. This one makes a single forward pass with small tables, in
//! microseconds. It finds comments, strings, numbers, keywords, called names, types, tags and keys.
//! The text itself never changes: without its tags the result is the escaped input.

mod languages;
mod markup;
mod program;

use languages::Grammar;

/// Longer blocks are not highlighted: they are listings to search, not to read.
const MAX_BYTES: usize = 100_000;

/// Blocks with a longer line are not highlighted: they are minified.
const MAX_LINE: usize = 1_000;

/// The class of a token, which a theme colours.
type Class = &'static str;

/// Not highlighted.
const NONE: Class = "";
const COMMENT: Class = "com";
/// A string, a value.
const STRING: Class = "str";
/// An escape sequence.
const ESCAPE: Class = "esc";
/// A number, a colour, a size.
const NUMBER: Class = "num";
/// True, null, self; a variable in languages with sigils.
const CONSTANT: Class = "con";
const KEYWORD: Class = "kw";
/// A name that is defined or called.
const FUNCTION: Class = "fn";
/// A type, a section.
const TYPE: Class = "ty";
const TAG: Class = "tag";
/// An attribute, a key, an option.
const ATTRIBUTE: Class = "attr";
/// An added line.
const INSERTED: Class = "ins";
/// A removed line.
const DELETED: Class = "del";

/// Whether a word is the name of a supported language.
pub fn knows(language: &str) -> bool {
    languages::by_name(language).is_some()
}

/// Appends code to `out` as escaped HTML with `<span class="…">` around its tokens. Classes: `com`,
/// `str`, `esc`, `num`, `con`, `kw`, `fn`, `ty`, `tag`, `attr`, `ins`, `del`.
///
/// `false`: nothing was written, since the language is unknown or the code is too long.
pub fn highlight(language: &str, text: &str, out: &mut String) -> bool {
    let Some(language) = languages::by_name(language) else {
        return false;
    };
    if text.len() > MAX_BYTES || text.split('\n').any(|line| line.len() > MAX_LINE) {
        return false;
    }
    let mut code = Code {
        text,
        at: 0,
        out,
        open: NONE,
    };
    scan(&mut code, language);
    code.take(text.len(), NONE);
    code.set(NONE);
    true
}

fn scan(code: &mut Code<'_, '_>, language: &languages::Language) {
    match language.grammar {
        Grammar::Program => program::program(code, language),
        Grammar::Elements => markup::elements(code),
        Grammar::Css => markup::css(code),
        Grammar::Keys => markup::keys(code),
        Grammar::Diff => markup::diff(code),
        Grammar::Markdown => markup::markdown(code),
    }
}

/// The code and the output. Everything taken from the code is written once, in order.
struct Code<'t, 'o> {
    text: &'t str,
    /// The end of the written part.
    at: usize,
    out: &'o mut String,
    /// The class of the open span.
    open: Class,
}

impl<'t> Code<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The byte `ahead` of the position; 0 past the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or_default()
    }

    /// The byte before the position; a line break at the beginning.
    fn previous(&self) -> u8 {
        self.text[..self.at].bytes().next_back().unwrap_or(b'\n')
    }

    /// Whether only white space precedes the position on its line.
    fn is_line_start(&self) -> bool {
        self.text[..self.at]
            .trim_end_matches([' ', '\t'])
            .bytes()
            .next_back()
            .unwrap_or(b'\n')
            == b'\n'
    }

    /// Writes this many bytes, rounded up to a whole character, as one token.
    fn take(&mut self, length: usize, class: Class) {
        let end = self.text.ceil_char_boundary(self.at.saturating_add(length));
        let part = &self.text[self.at..end];
        // White space has no colour: it stays in the open span, so that a phrase is one span.
        if part.bytes().any(|byte| byte != b' ') {
            self.set(class);
        }
        for c in part.chars() {
            match c {
                '&' => *self.out += "&amp;",
                '<' => *self.out += "&lt;",
                '>' => *self.out += "&gt;",
                c => self.out.push(c),
            }
        }
        self.at = end;
    }

    /// Writes up to and including the next `end`, or to the end of the code.
    fn take_through(&mut self, end: &str, class: Class) {
        let rest = self.rest();
        self.take(
            rest.find(end).map_or(rest.len(), |at| at + end.len()),
            class,
        );
    }

    fn take_line(&mut self, class: Class) {
        let rest = self.rest();
        self.take(rest.find('\n').unwrap_or(rest.len()), class);
    }

    /// Writes the string that starts here, or only its quote if no closing one is found before
    /// `limit`.
    fn take_quoted(&mut self, limit: usize) {
        let quote = char::from(self.byte(0));
        let length = self.text[self.at + 1..limit]
            .find(quote)
            .map_or(1, |at| at + 2);
        self.take(length, STRING);
    }

    /// The length of the word at the position, of letters, digits and these other bytes; non-ASCII
    /// characters count as letters.
    fn word(&self, others: &[u8]) -> usize {
        self.rest()
            .bytes()
            .take_while(|byte| !byte.is_ascii() || is_of_word(*byte, others))
            .count()
    }

    /// As [`Self::word`], ASCII only, from the byte after the position.
    fn ascii_word_behind(&self, others: &[u8]) -> usize {
        self.rest()
            .bytes()
            .skip(1)
            .take_while(|byte| is_of_word(*byte, others))
            .count()
    }

    fn set(&mut self, class: Class) {
        if class == self.open {
            return;
        }
        if self.open != NONE {
            *self.out += "</span>";
        }
        if class != NONE {
            *self.out += "<span class=\"";
            *self.out += class;
            *self.out += "\">";
        }
        self.open = class;
    }
}

fn is_of_word(byte: u8, others: &[u8]) -> bool {
    byte.is_ascii_alphanumeric() || others.contains(&byte)
}

#[cfg(test)]
mod tests;
