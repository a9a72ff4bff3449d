//! Code with a class for each of its parts: what a theme colours without inline style.
//!
//! A grammar-driven highlighter costs one to five milliseconds a kilobyte of code, which is more
//! than all else that is done with an article. So the parts are found by one forward pass with
//! small tables: comments, strings, numbers, keywords, names that are called, types, tags, keys.
//! That is what readers see, and it takes microseconds. The text itself is never changed: without
//! its tags the result is the escaped input.

mod languages;
mod markup;
mod program;

use languages::Grammar;

/// A longer block is a listing to be searched, not read: it stays plain.
const MAX_BYTES: usize = 100_000;

/// Minified code is not read either.
const MAX_LINE: usize = 1_000;

/// The class of a part, which a theme gives a colour.
type Class = &'static str;

/// Not highlighted.
const NONE: Class = "";
const COMMENT: Class = "com";
/// A string, a value.
const STRING: Class = "str";
/// A character written in another way.
const ESCAPE: Class = "esc";
/// A number, a colour, a size.
const NUMBER: Class = "num";
/// True, null, self; a variable where those have a sign.
const CONSTANT: Class = "con";
const KEYWORD: Class = "kw";
/// A name that is defined or called.
const FUNCTION: Class = "fn";
/// A type, a section.
const TYPE: Class = "ty";
const TAG: Class = "tag";
/// An attribute, a key, an option.
const ATTRIBUTE: Class = "attr";
/// A line that was added.
const INSERTED: Class = "ins";
/// A line that was taken away.
const DELETED: Class = "del";

/// Whether a word is the name of a language that is read here.
pub(crate) fn knows(language: &str) -> bool {
    languages::by_name(language).is_some()
}

/// Writes code as escaped HTML with `<span class="…">` around its parts, at the end of `out`.
/// Classes: `com`, `str`, `esc`, `num`, `con`, `kw`, `fn`, `ty`, `tag`, `attr`, `ins`, `del`.
///
/// `false`: nothing was written, since the language is not known or the code is too much to read.
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
    match language.grammar {
        Grammar::Program => program::program(&mut code, language),
        Grammar::Elements => markup::elements(&mut code),
        Grammar::Css => markup::css(&mut code),
        Grammar::Keys => markup::keys(&mut code),
        Grammar::Diff => markup::diff(&mut code),
        Grammar::Markdown => markup::markdown(&mut code),
    }
    code.take(text.len(), NONE);
    code.set(NONE);
    true
}

/// The code that is read, and what is written of it. Whatever is taken is written, once and in
/// order.
struct Code<'t, 'o> {
    text: &'t str,
    /// Up to where it is written.
    at: usize,
    out: &'o mut String,
    /// The class of the span that is open.
    open: Class,
}

impl<'t> Code<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The byte `ahead` of here; 0 past the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or_default()
    }

    /// The byte before here; a line break at the beginning.
    fn previous(&self) -> u8 {
        self.text[..self.at].bytes().next_back().unwrap_or(b'\n')
    }

    /// Whether nothing but white space is before here on the line.
    fn is_line_start(&self) -> bool {
        self.text[..self.at]
            .trim_end_matches([' ', '\t'])
            .bytes()
            .next_back()
            .unwrap_or(b'\n')
            == b'\n'
    }

    /// Writes so many bytes, and the rest of the last character, as one part.
    fn take(&mut self, length: usize, class: Class) {
        let end = self.text.ceil_char_boundary(self.at.saturating_add(length));
        let part = &self.text[self.at..end];
        // White space has no colour: it stays in the span that is open, so that a phrase is one
        // span.
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

    /// Writes up to the end of what is here next, or of all.
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

    /// Writes the string whose quote is here, or the quote alone where there is no other before
    /// `limit`.
    fn take_quoted(&mut self, limit: usize) {
        let quote = char::from(self.byte(0));
        let length = self.text[self.at + 1..limit]
            .find(quote)
            .map_or(1, |at| at + 2);
        self.take(length, STRING);
    }

    /// The length of the word of letters, digits and these other bytes here; characters beyond
    /// ASCII are letters.
    fn word(&self, others: &[u8]) -> usize {
        self.rest()
            .bytes()
            .take_while(|byte| !byte.is_ascii() || is_of_word(*byte, others))
            .count()
    }

    /// As [`Self::word`], in ASCII and behind the byte here.
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
