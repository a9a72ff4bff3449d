//! Programs: words, strings, numbers and comments by the tables of a language.

use super::{Class, Code};

/// How a language writes its strings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub open: &'static str,
    pub close: &'static str,
    /// Whether a backslash takes the next character along.
    pub escapes: bool,
    /// Whether it may go over lines.
    pub lines: bool,
}

/// What is special about a language's words and signs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// What begins a comment to the end of the line.
    pub line: &'static [&'static str],
    /// What begins and ends a comment.
    pub block: Option<(&'static str, &'static str)>,
    /// Longer ones first.
    pub quotes: &'static [Quote],
    /// Words of the language, in byte order; in lower case where `folded`.
    pub keywords: &'static [&'static str],
    /// Words for values, in byte order; in lower case where `folded`.
    pub constants: &'static [&'static str],
    /// Words for types, in byte order; in lower case where `folded`.
    pub types: &'static [&'static str],
    /// Whether words are the same in either case.
    pub folded: bool,
    /// Whether names with a capital letter are types.
    pub capitals: bool,
    /// Whether `'` begins a character or a lifetime.
    pub lifetimes: bool,
    /// Whether a string before `:` is a key.
    pub keys: bool,
    /// Signs that begin a variable.
    pub sigils: &'static [u8],
    /// Signs that begin an annotation.
    pub annotations: &'static [u8],
    /// Whether the first word of a command is what is called, and words with `-` are options.
    pub commands: bool,
}

/// Reads a program to its end.
pub(super) fn write(code: &mut Code<'_, '_>, rules: &Rules) {
    let mut program = Program { rules, absent: 0, command: true };
    while !code.is_at_end() {
        program.part(code);
    }
}

struct Program<'r> {
    rules: &'r Rules,
    /// Which quotes that go over lines are known not to close any more, one bit each.
    absent: u32,
    /// Whether the next word begins a command.
    command: bool,
}

impl Program<'_> {
    fn part(&mut self, code: &mut Code<'_, '_>) {
        let byte = code.byte(0);
        if byte == b' ' {
            return code.take(code.run(|byte| byte == b' ').max(1), Class::None);
        }
        if byte == b'\n' {
            self.command = true;
            return code.take(1, Class::None);
        }
        if self.comment(code) || self.string(code) {
            return;
        }
        if byte.is_ascii_digit() {
            return number(code);
        }
        let begins_word = byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
        if begins_word {
            return self.word(code);
        }
        self.sign(code, byte);
    }

    fn comment(&self, code: &mut Code<'_, '_>) -> bool {
        let rest = code.rest();
        if let Some((open, close)) = self.rules.block
            && rest.starts_with(open)
        {
            let end = rest[open.len()..].find(close).map_or(rest.len(), |at| open.len() + at + close.len());
            code.take(end, Class::Comment);
            return true;
        }
        // `$#` and `a#b` are no comments.
        let begins = |open: &&&str| rest.starts_with(**open) && (**open != "#" || code.previous().is_ascii_whitespace() || code.previous() == b';');
        if self.rules.line.iter().any(|open| begins(&open)) {
            code.take_line(Class::Comment);
            return true;
        }
        false
    }

    fn string(&mut self, code: &mut Code<'_, '_>) -> bool {
        let rest = code.rest();
        if self.rules.lifetimes && rest.starts_with('\'') {
            return character(code);
        }
        let found = self.rules.quotes.iter().enumerate().find(|(_, quote)| rest.starts_with(quote.open));
        let Some((index, quote)) = found else { return false };
        if self.absent & (1 << index.min(31)) != 0 {
            return false;
        }
        let Some(end) = closing(rest, quote) else {
            if quote.lines {
                self.absent |= 1 << index.min(31);
            }
            return false;
        };
        let is_key = self.rules.keys && rest[end..].trim_start().starts_with(':');
        code.take(end, if is_key { Class::Attribute } else { Class::String });
        self.command = false;
        true
    }

    fn word(&mut self, code: &mut Code<'_, '_>) {
        let joins = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || (self.rules.commands && matches!(byte, b'-' | b'.' | b'/'));
        let length = code.run(joins).max(1);
        let word = &code.rest()[..length];
        let after = &code.rest()[length..];
        let class = if contains(self.rules.keywords, word, self.rules.folded) {
            Class::Keyword
        } else if contains(self.rules.constants, word, self.rules.folded) {
            Class::Constant
        } else if self.rules.commands {
            // `NAME=value` before a command is none.
            if self.command && after.starts_with('=') {
                Class::Constant
            } else if self.command {
                self.command = false;
                Class::Function
            } else {
                Class::None
            }
        } else if contains(self.rules.types, word, self.rules.folded) {
            Class::Type
        } else if after.starts_with('(') || (after.starts_with("!(") || after.starts_with("![") || after.starts_with("! {")) && self.rules.lifetimes {
            Class::Function
        } else if self.rules.capitals && is_type_name(word) {
            Class::Type
        } else {
            Class::None
        };
        code.take(length, class);
    }

    fn sign(&mut self, code: &mut Code<'_, '_>, byte: u8) {
        let next = code.byte(1);
        let name = |from: usize| code.text[code.at + from..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if self.rules.sigils.contains(&byte) {
            let braced = next == b'{' && self.rules.commands;
            let length = if braced {
                code.rest().find(['}', '\n']).filter(|&at| code.rest().as_bytes()[at] == b'}').map_or(0, |at| at + 1)
            } else {
                match name(1) {
                    0 if self.rules.commands && matches!(next, b'?' | b'#' | b'@' | b'*' | b'$' | b'!') => 2,
                    0 => 0,
                    length => 1 + length,
                }
            };
            if length > 0 {
                self.command = false;
                return code.take(length, Class::Constant);
            }
        }
        if self.rules.annotations.contains(&byte) {
            let length = match name(1) {
                0 if byte == b'#' && matches!(next, b'[' | b'!') => code.rest().find([']', '\n']).map_or(1, |at| at + 1),
                length => 1 + length,
            };
            if length > 1 {
                return code.take(length, Class::Attribute);
            }
        }
        if self.rules.commands {
            if byte == b'-' && code.previous().is_ascii_whitespace() && (next == b'-' || next.is_ascii_alphanumeric()) {
                return code.take(code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')), Class::Attribute);
            }
            if matches!(byte, b'|' | b';' | b'&' | b'(' | b'`') {
                self.command = true;
            } else if matches!(byte, b'.' | b'/' | b'~') && self.command && code.previous().is_ascii_whitespace() {
                // `./run.sh` is called as well.
                self.command = false;
                return code
                    .take(code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'~')).max(1), Class::Function);
            }
        }
        code.take(1, Class::None);
    }
}

/// Where a string ends that begins here.
fn closing(rest: &str, quote: &Quote) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = quote.open.len();
    while at < bytes.len() {
        if bytes[at] == b'\n' && !quote.lines {
            return None;
        }
        if bytes[at] == b'\\' && quote.escapes {
            at += 2;
            continue;
        }
        if bytes[at..].starts_with(quote.close.as_bytes()) {
            return Some(at + quote.close.len());
        }
        at += 1;
    }
    None
}

/// `'a'`, `'\n'`; a lifetime or a prime is neither.
fn character(code: &mut Code<'_, '_>) -> bool {
    let rest = code.rest();
    let end = if rest.starts_with("'\\") {
        rest.get(3..).and_then(|inner| inner.find(['\'', '\n'])).filter(|&at| at <= 10 && rest.as_bytes()[3 + at] == b'\'').map(|at| at + 4)
    } else {
        let width = rest[1..].chars().next().map_or(0, char::len_utf8);
        (width > 0 && rest[1 + width..].starts_with('\'')).then_some(width + 2)
    };
    let Some(end) = end else { return false };
    code.take(end, Class::String);
    true
}

fn number(code: &mut Code<'_, '_>) {
    let bytes = code.rest().as_bytes();
    let mut end = 0;
    while let Some(&byte) = bytes.get(end) {
        let next = bytes.get(end + 1).copied().unwrap_or_default();
        let exponent =
            matches!(byte, b'+' | b'-') && end > 0 && matches!(bytes[end - 1], b'e' | b'E') && next.is_ascii_digit() && !bytes.starts_with(b"0x");
        let point = byte == b'.' && next.is_ascii_digit();
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || point || exponent) {
            break;
        }
        end += 1;
    }
    code.take(end.max(1), Class::Number);
}

/// Whether a word is one of these.
fn contains(words: &[&str], word: &str, folded: bool) -> bool {
    if !folded {
        // By the first byte alone, mostly.
        let order = |known: &&str| known.as_bytes().first().cmp(&word.as_bytes().first()).then_with(|| (**known).cmp(word));
        return words.binary_search_by(order).is_ok();
    }
    let mut lower = [0_u8; 24];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    words.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
}

/// `Name`, but neither `NAME` nor `N`.
fn is_type_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.bytes().any(|byte| byte.is_ascii_lowercase())
}
