//! The scanner for programs: words, strings, numbers and comments by the tables of a language.

use super::languages::{Language, Quoting};
use super::{
    ATTRIBUTE, COMMENT, CONSTANT, Class, Code, FUNCTION, KEYWORD, NONE, NUMBER, STRING, TYPE,
};

/// Scans a program to its end.
pub(super) fn program(code: &mut Code<'_, '_>, language: &Language) {
    let mut program = Program {
        language,
        unclosed: vec![false; language.strings.len()],
        begins_command: true,
    };
    while !code.is_at_end() {
        program.part(code);
    }
}

struct Program<'l> {
    language: &'l Language,
    /// Which multi-line strings are known to have no further closing delimiter.
    unclosed: Vec<bool>,
    /// Whether the next word is a command.
    begins_command: bool,
}

impl Program<'_> {
    fn part(&mut self, code: &mut Code<'_, '_>) {
        let rest = code.rest();
        let byte = code.byte(0);
        if byte == b' ' {
            return code.take(
                rest.len()
                    - rest
                        .trim_start_matches(|c: char| c == ' ' || !c.is_ascii())
                        .len(),
                NONE,
            );
        }
        if byte == b'\n' {
            self.begins_command = true;
            return code.take(1, NONE);
        }
        if self.comment(code) || self.string(code) {
            return;
        }
        if byte.is_ascii_digit() {
            return number(code);
        }
        if byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii() {
            return self.word(code);
        }
        if !self.variable(code, byte)
            && !self.annotation(code, byte)
            && !self.command_sign(code, byte)
        {
            code.take(1, NONE);
        }
    }

    fn comment(&self, code: &mut Code<'_, '_>) -> bool {
        let rest = code.rest();
        if let Some((open, close)) = &self.language.block_comment
            && let Some(inner) = rest.strip_prefix(open.as_str())
        {
            let length = inner
                .find(close)
                .map_or(rest.len(), |at| open.len() + at + close.len());
            code.take(length, COMMENT);
            return true;
        }
        let follows_space = code.previous().is_ascii_whitespace() || code.previous() == b';';
        for open in &self.language.line_comments {
            // `$#` and `a#b` are not comments.
            if rest.starts_with(open) && (open != "#" || follows_space) {
                code.take_line(COMMENT);
                return true;
            }
        }
        false
    }

    fn string(&mut self, code: &mut Code<'_, '_>) -> bool {
        let rest = code.rest();
        let length = if self.language.lifetimes && rest.starts_with('\'') {
            character_length(rest)
        } else {
            self.string_length(rest)
        };
        let Some(length) = length else { return false };
        let is_key = self.language.keys && rest[length..].trim_start().starts_with(':');
        code.take(length, if is_key { ATTRIBUTE } else { STRING });
        self.begins_command = false;
        true
    }

    fn string_length(&mut self, rest: &str) -> Option<usize> {
        let index = self
            .language
            .strings
            .iter()
            .position(|string| rest.starts_with(&string.quote))?;
        let string = &self.language.strings[index];
        if self.unclosed[index] {
            return None;
        }
        let length = closed_length(rest, string);
        self.unclosed[index] = string.lines && length.is_none();
        length
    }

    fn word(&mut self, code: &mut Code<'_, '_>) {
        let length = code.word(if self.language.commands {
            b"_-./"
        } else {
            b"_"
        });
        let (word, after) = code.rest().split_at(length);
        let class = self.class(word, after);
        code.take(length, class);
    }

    fn class(&mut self, word: &str, after: &str) -> Class {
        let language = self.language;
        if language.keywords.contain(word, language.ignore_case) {
            return KEYWORD;
        }
        if language.constants.contain(word, language.ignore_case) {
            return CONSTANT;
        }
        if language.commands {
            // `NAME=value` before a command is an assignment.
            if self.begins_command && after.starts_with('=') {
                return CONSTANT;
            }
            return if std::mem::take(&mut self.begins_command) {
                FUNCTION
            } else {
                NONE
            };
        }
        if language.types.contain(word, language.ignore_case) {
            TYPE
        } else if after.starts_with('(') || language.lifetimes && is_macro_call(after) {
            FUNCTION
        } else if language.capitals && is_type_name(word) {
            TYPE
        } else {
            NONE
        }
    }

    /// `$name`; in shell languages also `${name}`, `$1` and `$?`.
    fn variable(&mut self, code: &mut Code<'_, '_>, byte: u8) -> bool {
        if !self.language.sigils.contains(char::from(byte)) {
            return false;
        }
        let rest = code.rest();
        let length = match (code.byte(1), code.ascii_word_behind(b"_")) {
            (b'{', _) if self.language.commands => rest
                .find(['}', '\n'])
                .filter(|&at| rest[at..].starts_with('}'))
                .map_or(0, |at| at + 1),
            (next, 0) if self.language.commands && b"?#@*$!".contains(&next) => 2,
            (_, 0) => 0,
            (_, name) => 1 + name,
        };
        if length > 0 {
            self.begins_command = false;
            code.take(length, CONSTANT);
        }
        length > 0
    }

    /// `@name`, `#[attribute]`.
    fn annotation(&self, code: &mut Code<'_, '_>, byte: u8) -> bool {
        if !self.language.annotations.contains(char::from(byte)) {
            return false;
        }
        let length = match code.ascii_word_behind(b"_") {
            0 if byte == b'#' && matches!(code.byte(1), b'[' | b'!') => {
                code.rest().find([']', '\n']).unwrap_or(0)
            }
            name => name,
        };
        if length > 0 {
            code.take(length + 1, ATTRIBUTE);
        }
        length > 0
    }

    /// Options, and operators before commands.
    fn command_sign(&mut self, code: &mut Code<'_, '_>, byte: u8) -> bool {
        if !self.language.commands {
            return false;
        }
        let follows_space = code.previous().is_ascii_whitespace();
        match byte {
            b'-' if follows_space
                && (code.byte(1) == b'-' || code.byte(1).is_ascii_alphanumeric()) =>
            {
                code.take(code.word(b"-_"), ATTRIBUTE)
            }
            // `./run.sh` is a call as well.
            b'.' | b'/' | b'~' if follows_space && self.begins_command => {
                self.begins_command = false;
                code.take(code.word(b"-_./~"), FUNCTION);
            }
            b'|' | b';' | b'&' | b'(' | b'`' => {
                self.begins_command = true;
                return false;
            }
            _ => return false,
        }
        true
    }
}

/// The length of the string that begins here, if it closes.
fn closed_length(rest: &str, string: &Quoting) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = string.quote.len();
    while at < bytes.len() {
        match bytes[at] {
            b'\n' if !string.lines => return None,
            b'\\' if string.escapes => at += 2,
            _ if bytes[at..].starts_with(string.quote.as_bytes()) => {
                return Some(at + string.quote.len());
            }
            _ => at += 1,
        }
    }
    None
}

/// The length of `'a'` or `'\n'`; a lifetime or a prime is neither.
fn character_length(rest: &str) -> Option<usize> {
    if rest.starts_with("'\\") {
        // The escaped character may be a quote.
        let inner = rest.get(3..)?;
        let end = inner.find(['\'', '\n']).filter(|&at| at <= 10)?;
        return inner[end..].starts_with('\'').then_some(end + 4);
    }
    let width = rest[1..].chars().next()?.len_utf8();
    rest[1 + width..].starts_with('\'').then_some(width + 2)
}

fn number(code: &mut Code<'_, '_>) {
    let bytes = code.rest().as_bytes();
    let mut end = 1;
    while let Some(&byte) = bytes.get(end) {
        let before_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        let point = byte == b'.' && before_digit;
        let exponent = matches!(byte, b'+' | b'-')
            && before_digit
            && matches!(bytes[end - 1], b'e' | b'E')
            && !bytes.starts_with(b"0x");
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || point || exponent) {
            break;
        }
        end += 1;
    }
    code.take(end, NUMBER);
}

/// Whether a word before this is a macro.
fn is_macro_call(after: &str) -> bool {
    ["!(", "![", "! {"]
        .iter()
        .any(|call| after.starts_with(call))
}

/// `Name`, but neither `NAME` nor `N`.
fn is_type_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.contains(|c: char| c.is_ascii_lowercase())
}
