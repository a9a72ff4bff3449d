//! The tokens of a program in JavaScript or TypeScript. Nothing is evaluated.

use crate::model::text::Next;

/// The maximum number of tokens; the rest of a longer program is ignored.
const MOST: usize = 300_000;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, keyword or number.
    Word,
    /// A text in quotes; also one in backticks without `${`.
    Text,
    /// What is not a literal: a template with `${`, a regular expression.
    Opaque,
    /// One character.
    Sign(char),
    /// `=>`
    Arrow,
    /// `...`
    Spread,
}

/// A token and its range of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
}

/// A program and its tokens, which are named by their numbers. Every method takes any number: after
/// the last token it finds none.
#[derive(Debug)]
pub struct Code<T> {
    text: T,
    tokens: Vec<Token>,
    pairs: Vec<usize>,
}

impl<T: AsRef<str>> Code<T> {
    /// Divides a program into tokens.
    pub fn new(text: T) -> Self {
        let tokens = tokens(text.as_ref());
        let pairs = pairs(&tokens);
        Self {
            text,
            tokens,
            pairs,
        }
    }

    /// The whole program.
    pub fn text(&self) -> &str {
        self.text.as_ref()
    }

    /// The number of tokens.
    pub fn count(&self) -> usize {
        self.tokens.len()
    }

    /// A token.
    pub fn token(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).copied()
    }

    /// The token that begins at an offset of the program.
    pub fn at_offset(&self, offset: usize) -> Option<usize> {
        let at = self.tokens.partition_point(|token| token.start < offset);
        (self.tokens.get(at)?.start == offset).then_some(at)
    }

    /// What a token is.
    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        Some(self.token(at)?.kind)
    }

    /// Whether a token is this sign.
    pub fn is(&self, at: usize, sign: char) -> bool {
        self.kind(at) == Some(TokenKind::Sign(sign))
    }

    /// Whether a token is this word.
    pub fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind(at) == Some(TokenKind::Word) && self.source(at) == word
    }

    /// The source of a token.
    pub fn source(&self, at: usize) -> &str {
        self.between(at, at + 1)
    }

    /// The source of the tokens from `at` up to `end`.
    pub fn between(&self, at: usize, end: usize) -> &str {
        let last = end.min(self.count()).checked_sub(1);
        let last = last.and_then(|last| self.token(last));
        match self.token(at).zip(last) {
            Some((first, last)) if first.start < last.end => &self.text()[first.start..last.end],
            _ => "",
        }
    }

    /// The bracket that closes the one at `at`, if it is closed.
    pub fn closing(&self, at: usize) -> Option<usize> {
        let end = *self.pairs.get(at)?;
        (end < self.count()).then_some(end)
    }

    /// The end of what is in a bracket: the one that closes it, or the end of the program.
    pub fn end(&self, at: usize) -> usize {
        self.closing(at).unwrap_or(self.count())
    }

    /// The token behind a bracket and what is in it.
    pub fn behind(&self, at: usize) -> usize {
        self.closing(at).map_or(self.count(), |end| end + 1)
    }

    /// The end of an expression: the comma, semicolon or bracket behind it, or a later token at
    /// which it `stops`.
    pub fn expression_end(&self, start: usize, stops: impl Fn(usize) -> bool) -> usize {
        let mut at = start;
        while let Some(kind) = self.kind(at) {
            if at > start && stops(at) {
                return at;
            }
            at = match kind {
                TokenKind::Sign(',' | ';' | ')' | ']' | '}') => return at,
                TokenKind::Sign('(' | '[' | '{') => self.behind(at),
                _ => at + 1,
            };
        }
        at
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: 0,
        tokens: Vec::new(),
        line_end: Next::new("\n", text),
        unclosed_until: 0,
        open_template: false,
    };
    while lexer.tokens.len() < MOST && lexer.next() {}
    lexer.tokens
}

/// For each opening bracket the number of the closing one; unclosed ones end with the program.
fn pairs(tokens: &[Token]) -> Vec<usize> {
    let mut pairs = vec![tokens.len(); tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Sign('(' | '[' | '{') => open.push(at),
            TokenKind::Sign(')' | ']' | '}') => {
                if let Some(start) = open.pop() {
                    pairs[start] = at;
                }
            }
            _ => {}
        }
    }
    pairs
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    line_end: Next<'a>,
    /// The end of the line on which a quote or expression is not closed.
    unclosed_until: usize,
    /// Whether a backtick is not closed: then no later one is looked for.
    open_template: bool,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, end: usize) {
        self.tokens.push(Token {
            kind,
            start: self.at,
            end,
        });
        self.at = end;
    }

    /// Reads one token or a gap; false at the end.
    fn next(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return false;
        };
        let start = self.at;
        let end = |length: usize| start + length;
        match first {
            c if c.is_whitespace() => self.at += c.len_utf8(),
            '/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => {
                self.at += rest[2..].find("*/").map_or(rest.len(), |end| end + 4)
            }
            '/' if self.may_be_expression() => match self.on_line(expression) {
                Some(length) => self.push(TokenKind::Opaque, end(length)),
                None => self.push(TokenKind::Sign('/'), end(1)),
            },
            '"' | '\'' => match self.on_line(quoted) {
                Some(length) => self.push(TokenKind::Text, end(length)),
                None => self.push(TokenKind::Opaque, end(1)),
            },
            '`' => self.template(),
            '=' if rest.starts_with("=>") => self.push(TokenKind::Arrow, end(2)),
            '.' if rest.starts_with("...") => self.push(TokenKind::Spread, end(3)),
            c if is_word(c) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.push(TokenKind::Word, end(length));
            }
            c => self.push(TokenKind::Sign(c), end(c.len_utf8())),
        }
        true
    }

    /// The length of what begins here and ends on this line. After something unclosed the rest of
    /// the line is not searched again.
    fn on_line(&mut self, length: fn(&str) -> Option<usize>) -> Option<usize> {
        if self.at < self.unclosed_until {
            return None;
        }
        let end = self.line_end.from(self.at).unwrap_or(self.text.len());
        let line = &self.text[self.at..end];
        let found = length(line);
        if found.is_none() {
            self.unclosed_until = self.at + line.len();
        }
        found
    }

    /// Whether a `/` begins a regular expression: no value precedes it.
    fn may_be_expression(&self) -> bool {
        match self.tokens.last().map(|token| token.kind) {
            Some(TokenKind::Sign(sign)) => !matches!(sign, ')' | ']' | '}'),
            Some(TokenKind::Word | TokenKind::Text | TokenKind::Opaque) => false,
            Some(TokenKind::Arrow | TokenKind::Spread) | None => true,
        }
    }

    fn template(&mut self) {
        let rest = &self.text[self.at + 1..];
        let length = if self.open_template {
            None
        } else {
            unescaped(rest, b'`')
        };
        match length {
            Some(length) if rest[..length].contains("${") => {
                self.push(TokenKind::Opaque, self.at + length + 2);
            }
            Some(length) => self.push(TokenKind::Text, self.at + length + 2),
            None => {
                self.open_template = true;
                self.push(TokenKind::Opaque, self.at + 1);
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

/// The offset of the first such byte without a backslash before it.
fn unescaped(text: &str, wanted: u8) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let found = byte == wanted && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    })
}

/// The length of a text in quotes.
fn quoted(line: &str) -> Option<usize> {
    let quote = *line.as_bytes().first()?;
    Some(unescaped(&line[1..], quote)? + 2)
}

/// The length of a regular expression.
fn expression(line: &str) -> Option<usize> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, byte) in line.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The text of a literal in quotes.
pub fn unquoted(literal: &str) -> String {
    let inside = literal
        .get(1..literal.len().saturating_sub(1))
        .unwrap_or_default();
    if !inside.contains('\\') {
        return inside.to_owned();
    }
    let mut text = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n' | 't' | 'r') => text.push(' '),
            Some('u') => text.extend(code_point(&mut chars)),
            Some('\n') | None => {}
            Some(other) => text.push(other),
        }
    }
    text
}

/// The character of `\u00e9` or `\u{e9}`, behind its `u`.
fn code_point(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let rest = chars.as_str();
    let (digits, length) = match rest.strip_prefix('{') {
        Some(inside) => {
            let end = inside.find('}').filter(|end| *end <= 6)?;
            (&inside[..end], end + 2)
        }
        None => (rest.get(..4)?, 4),
    };
    let found = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    *chars = rest[length..].chars();
    Some(found)
}
