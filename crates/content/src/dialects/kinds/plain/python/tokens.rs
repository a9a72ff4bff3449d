//! The tokens of a program in Python, and its statements.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, a word of the language or a number.
    Name,
    /// A literal text.
    Text,
    /// A text with values in it.
    Formatted,
    Sign,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    /// Of a text what it says.
    pub text: String,
    /// Its bytes in the program.
    pub range: Range<usize>,
    /// Of a bracket the token that closes it; of others itself.
    pub end: usize,
}

/// A statement, or the first line of one that holds others.
#[derive(Clone, Debug)]
pub struct Statement {
    pub tokens: Range<usize>,
    /// Whether it is in another statement.
    pub is_inner: bool,
}

/// A program as tokens.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub tokens: Vec<Token>,
    pub statements: Vec<Statement>,
}

/// Signs of two characters.
const PAIRS: [&str; 17] = [
    "**", "//", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "->", ":=", "<<",
    ">>",
];
/// Words that begin a statement with others in it.
const HOLDERS: [&str; 12] = [
    "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class",
    "async",
];

impl Code {
    pub fn read(text: &str) -> Self {
        let mut lexer = Lexer {
            text,
            at: 0,
            open: Vec::new(),
            first: 0,
            is_inner: text.starts_with([' ', '\t']),
            code: Self::default(),
        };
        while lexer.at < text.len() {
            lexer.step();
        }
        lexer.end_statement();
        lexer.code
    }

    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The name at a token; empty: it is not one.
    pub fn name(&self, at: usize) -> &str {
        self.of_kind(at, Kind::Name)
    }

    /// The sign at a token; empty: it is not one.
    pub fn sign(&self, at: usize) -> &str {
        self.of_kind(at, Kind::Sign)
    }

    /// Whether a token is behind a dot.
    pub fn is_attribute(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.sign(before) == ".")
    }

    fn of_kind(&self, at: usize, kind: Kind) -> &str {
        let token = self.tokens.get(at).filter(|token| token.kind == kind);
        token.map_or("", |token| token.text.as_str())
    }

    /// The token behind a token, or behind the bracket that closes it.
    pub fn behind(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.end) + 1
    }

    /// The first of some tokens outside inner brackets that is this sign.
    pub fn find(&self, tokens: Range<usize>, sign: &str) -> Option<usize> {
        let mut at = tokens.start;
        while at < tokens.end {
            if self.sign(at) == sign {
                return Some(at);
            }
            at = self.behind(at);
        }
        None
    }

    /// Parts of some tokens with a sign between them.
    pub fn split(&self, tokens: Range<usize>, sign: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = tokens.start;
        while let Some(at) = self.find(start..tokens.end, sign) {
            parts.push(start..at);
            start = at + 1;
        }
        parts.push(start..tokens.end.max(start));
        parts
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The tokens of the open brackets.
    open: Vec<usize>,
    /// The first token of the open statement.
    first: usize,
    is_inner: bool,
    code: Code,
}

impl Lexer<'_> {
    /// Reads the next token, or what is between tokens.
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else {
            return;
        };
        match c {
            '\n' if self.open.is_empty() => {
                self.end_statement();
                self.at += 1;
                self.is_inner = rest[1..].starts_with([' ', '\t']);
            }
            ';' if self.open.is_empty() => {
                self.end_statement();
                self.at += 1;
            }
            '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
            '\\' => {
                let line = ["\\\r\n", "\\\n"]
                    .iter()
                    .find(|end| rest.starts_with(**end));
                self.at += line.map_or(1, |end| end.len());
            }
            '\'' | '"' => self.literal(0),
            c if c.is_alphanumeric() || c == '_' => self.word(rest),
            c if c.is_whitespace() => self.at += c.len_utf8(),
            c => self.sign(rest, c),
        }
    }

    fn word(&mut self, rest: &str) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let end = end.unwrap_or(rest.len());
        let is_prefix = end <= 2 && rest[..end].chars().all(|c| "rRuUbBfFtT".contains(c));
        match is_prefix && rest[end..].starts_with(['\'', '"']) {
            true => self.literal(end),
            false => self.push(Kind::Name, rest[..end].to_owned(), end),
        }
    }

    fn sign(&mut self, rest: &str, c: char) {
        let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
        let sign = pair.map_or(&rest[..c.len_utf8()], |pair| pair);
        let at = self.code.tokens.len();
        match c {
            '(' | '[' | '{' => self.open.push(at),
            ')' | ']' | '}' => {
                if let Some(open) = self.open.pop() {
                    self.code.tokens[open].end = at;
                }
            }
            _ => {}
        }
        self.push(Kind::Sign, sign.to_owned(), sign.len());
    }

    /// A text, whose quote is behind a prefix of this length.
    fn literal(&mut self, prefix: usize) {
        let rest = &self.text[self.at..];
        let (letters, quoted) = rest.split_at(prefix);
        let quote = &quoted[..1];
        let triple = quote.repeat(3);
        let quote = match quoted.starts_with(&triple) {
            true => triple.as_str(),
            false => quote,
        };
        let is_raw = letters.contains(['r', 'R']);
        let (text, end) = quoted_text(&quoted[quote.len()..], quote, is_raw);
        let has_values = letters.contains(['f', 'F', 't', 'T']) && text.contains('{');
        let kind = if has_values {
            Kind::Formatted
        } else {
            Kind::Text
        };
        self.push(kind, text, prefix + quote.len() + end);
    }

    fn push(&mut self, kind: Kind, text: String, len: usize) {
        let range = self.at..self.at + len;
        let end = self.code.tokens.len();
        self.code.tokens.push(Token {
            kind,
            text,
            range,
            end,
        });
        self.at += len;
    }

    fn end_statement(&mut self) {
        let tokens = self.first..self.code.tokens.len();
        // A bracket that nothing closes holds the rest.
        for open in self.open.drain(..) {
            self.code.tokens[open].end = tokens.end;
        }
        self.first = tokens.end;
        if tokens.is_empty() {
            return;
        }
        let is_inner = self.is_inner;
        let holds = HOLDERS.contains(&self.code.name(tokens.start));
        let colon = self.code.find(tokens.clone(), ":").filter(|_| holds);
        if let Some(colon) = colon.filter(|colon| colon + 1 < tokens.end) {
            // What follows on the line, up to its end, is in the statement.
            self.is_inner = true;
            self.statement(colon + 1..tokens.end, true);
        }
        self.statement(tokens.start..colon.unwrap_or(tokens.end), is_inner);
    }

    fn statement(&mut self, tokens: Range<usize>, is_inner: bool) {
        self.code.statements.push(Statement { tokens, is_inner });
    }
}

/// What a text says up to its quote, and where that ends.
fn quoted_text(inner: &str, quote: &str, is_raw: bool) -> (String, usize) {
    let mut text = String::new();
    let mut chars = inner.char_indices();
    while let Some((at, c)) = chars.next() {
        if inner[at..].starts_with(quote) {
            return (text, at + quote.len());
        }
        match c {
            '\n' if quote.len() == 1 => return (text, at),
            '\\' => {
                let escaped = chars.next().map_or('\\', |(_, escaped)| escaped);
                match unescaped(escaped).filter(|_| !is_raw) {
                    Some(shown) => text.push_str(shown),
                    None => text.extend(['\\', escaped]),
                }
            }
            c => text.push(c),
        }
    }
    (text, inner.len())
}

/// What a character behind `\` means.
fn unescaped(escaped: char) -> Option<&'static str> {
    Some(match escaped {
        '\n' => "",
        'n' => "\n",
        't' => "\t",
        '\\' => "\\",
        '\'' => "'",
        '"' => "\"",
        _ => return None,
    })
}
