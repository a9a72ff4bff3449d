//! Front matter that is a program in JavaScript: the literals of its constants, or of the one
//! object that it is. Nothing is executed: what is not a literal is noted as not read.

use rustc_hash::FxHashSet;

use super::{Block, Entry, Key, Node, Reading, SPREAD, Value, without_repeats};
use crate::model::text::{Lines, one_line, shorten};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// How deep values may be nested.
const DEPTH: usize = 32;
/// The maximum number of keys that are noted as not read. With more, any key may be one.
const MOST: usize = 1000;

/// Reads the literals of a program.
pub fn read(block: Block<'_>) -> Reading {
    let mut program = Program {
        block,
        lines: Lines::new(block.text),
        code: Code::new(block.text),
        noted: FxHashSet::default(),
        reading: Reading::default(),
    };
    let mut at = 0;
    while at < program.code.count() {
        at = program.statement(at).max(at + 1);
    }
    let mut reading = program.reading;
    reading.repeated = without_repeats(&mut reading.entries, block.path, &mut reading.problems);
    reading
}

struct Program<'a> {
    block: Block<'a>,
    lines: Lines<'a>,
    code: Code<&'a str>,
    /// The keys that are noted as not read.
    noted: FxHashSet<String>,
    reading: Reading,
}

impl Program<'_> {
    /// The name that a word or a text is as a key.
    fn name(&self, at: usize) -> Option<String> {
        match self.code.kind(at)? {
            TokenKind::Word => Some(self.code.source(at).to_owned()),
            TokenKind::Text => Some(unquoted(self.code.source(at))),
            _ => None,
        }
    }

    /// The line and column of a token in the file.
    fn place(&self, at: usize) -> (u32, u32) {
        let start = self.code.token(at).map_or(0, |token| token.start);
        let (line, column) = self.lines.place(start);
        (self.block.first_line + line - 1, column)
    }

    /// Notes that the value of a key is not read: the tokens from `at` up to `end`.
    fn leave(&mut self, key: &str, at: usize, end: usize) {
        let key = match key {
            "" => SPREAD,
            _ if self.noted.len() < MOST => key,
            _ => SPREAD,
        };
        if self.noted.insert(key.to_owned()) {
            let (line, column) = self.place(at);
            let key = Key {
                text: key.to_owned(),
                line,
                column,
            };
            let written = shorten(&one_line(self.code.between(at, end)), 60);
            let node = Node::plain(written, line, column);
            self.reading.unread.push(Entry { key, node });
        }
    }

    /// As [`Self::leave`], with the names that the expression assigns to.
    fn leave_expression(&mut self, key: &str, at: usize, end: usize) {
        self.leave(key, at, end);
        for next in at..end {
            let assigns = self.code.is(next + 1, '=') && !self.code.is(next + 2, '=');
            if let Some(name) = self.name(next).filter(|_| assigns) {
                self.leave(&name, next, end);
            }
        }
    }

    /// Reads one statement or a part of one, and returns the token behind it. Each name in a
    /// statement that is not understood is a key that is not read.
    fn statement(&mut self, at: usize) -> usize {
        match self.code.source(at) {
            "export" if self.code.source(at + 1) == "default" => self.whole(at + 2),
            "export" | ";" => at + 1,
            "return" => self.whole(at + 1),
            "module" if self.code.source(at + 2) == "exports" && self.code.is(at + 3, '=') => {
                self.whole(at + 4)
            }
            "const" | "let" | "var" => self.constants(at + 1),
            "function" | "class" => self.function(at + 1),
            "{" | "(" if at == 0 => self.whole(at),
            _ => {
                if let Some(name) = self.name(at).filter(|name| !name.is_empty()) {
                    self.leave(&name, at, at + 1);
                }
                at + 1
            }
        }
    }

    /// The object that has all keys.
    fn whole(&mut self, at: usize) -> usize {
        let end = self.end(at);
        let inner = if self.code.is(at, '(') && self.code.behind(at) == end {
            at + 1
        } else {
            at
        };
        match self.value(inner, "", 0).0.map(|node| node.value) {
            Some(Value::Map(entries)) => self.reading.entries.extend(entries),
            _ => self.leave_expression("", at, end),
        }
        end
    }

    /// `NAME = value, NAME: Type = value`
    fn constants(&mut self, mut at: usize) -> usize {
        while self.code.kind(at) == Some(TokenKind::Word) {
            let mut sign = at + 1;
            if self.code.is(sign, ':') {
                let end = self.end(at);
                while sign < end && !self.code.is(sign, '=') {
                    sign += 1;
                }
            }
            let mut end = sign;
            if self.code.is(sign, '=') {
                let name = self.code.source(at).to_owned();
                end = self.keyed(&name, &name, at, sign + 1, 0).1;
            }
            if !self.code.is(end, ',') {
                return end;
            }
            at = end + 1;
        }
        at
    }

    /// `NAME(…) { … }`: its value is what it returns.
    fn function(&mut self, at: usize) -> usize {
        let at = at + usize::from(self.code.is(at, '*'));
        if let Some(name) = self.name(at) {
            self.leave(&name, at, at + 1);
        }
        let mut next = at;
        while let Some(kind) = self.code.kind(next) {
            next = match kind {
                TokenKind::Sign('{') => return self.code.behind(next),
                TokenKind::Sign('(' | '[') => self.code.behind(next),
                TokenKind::Sign(';') => return next,
                _ => next + 1,
            };
        }
        next
    }

    /// Adds the value at `value` under a key to the keys of the text (at depth 0), or returns its
    /// entry; and the token behind the value.
    fn keyed(
        &mut self,
        name: &str,
        path: &str,
        at: usize,
        value: usize,
        depth: usize,
    ) -> (Option<Entry>, usize) {
        let (line, column) = self.place(at);
        let (node, end) = self.value(value, path, depth + 1);
        let Some(node) = node else {
            self.leave_expression(path, value, end);
            return (None, end);
        };
        let key = Key {
            text: name.to_owned(),
            line,
            column,
        };
        let entry = Entry { key, node };
        if depth == 0 {
            self.reading.entries.push(entry);
            return (None, end);
        }
        (Some(entry), end)
    }

    /// The value of the expression at a token, if it is a literal, and the token behind it.
    fn value(&mut self, at: usize, path: &str, depth: usize) -> (Option<Node>, usize) {
        let end = self.end(at);
        let (line, column) = self.place(at);
        let is_whole = self.code.closing(at).is_some_and(|last| last + 1 == end) && depth < DEPTH;
        let value = match self.code.kind(at) {
            Some(TokenKind::Sign('[')) if is_whole => Some(self.list(at, path, depth)),
            Some(TokenKind::Sign('{')) if is_whole => Some(self.map(at, path, depth)),
            Some(TokenKind::Text) if end == at + 1 => Some(Value::Scalar {
                text: unquoted(self.code.source(at)),
                plain: false,
            }),
            _ => self.scalar(at, end),
        };
        let node = value.map(|value| Node {
            value,
            line,
            column,
        });
        (node, end)
    }

    /// Whether the tokens are `new Date("2024-01-01")`.
    fn is_date(&self, at: usize, end: usize) -> bool {
        self.code.source(at) == "new"
            && self.code.source(at + 1) == "Date"
            && self.code.is(at + 2, '(')
            && self.code.kind(at + 3) == Some(TokenKind::Text)
            && self.code.closing(at + 2) == Some(at + 4)
            && end == at + 5
    }

    /// A number, a yes or no, nothing, or a date: `new Date("2024-01-01")`.
    fn scalar(&self, at: usize, end: usize) -> Option<Value> {
        if self.is_date(at, end) {
            let text = unquoted(self.code.source(at + 3));
            return Some(Value::Scalar { text, plain: false });
        }
        let text = match self.code.between(at, end) {
            "undefined" => "null",
            text => text,
        };
        let is_number = || {
            text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
                && text.parse::<f64>().is_ok()
        };
        (matches!(text, "true" | "false" | "null") || is_number()).then(|| Value::Scalar {
            text: text.to_owned(),
            plain: true,
        })
    }

    fn list(&mut self, at: usize, path: &str, depth: usize) -> Value {
        let close = self.code.closing(at).unwrap_or(at);
        let (mut items, mut next) = (Vec::new(), at + 1);
        while next < close {
            if self.code.is(next, ',') {
                next += 1;
                continue;
            }
            let (item, end) = self.value(next, path, depth + 1);
            match item {
                Some(item) => items.push(item),
                None => self.leave_expression(path, next, end),
            }
            next = end.max(next + 1);
        }
        Value::List(items)
    }

    fn map(&mut self, at: usize, path: &str, depth: usize) -> Value {
        let close = self.code.closing(at).unwrap_or(at);
        let (mut entries, mut next) = (Vec::new(), at + 1);
        while next < close {
            next = match self.name(next) {
                Some(name) if self.code.is(next + 1, ':') => {
                    let inner = below(path, &name);
                    let (entry, end) = self.keyed(&name, &inner, next, next + 2, depth + 1);
                    entries.extend(entry);
                    end.max(next + 1)
                }
                Some(_) => self.member(next, close, path),
                // `...base`, `[name]: value`
                None if !self.code.is(next, ',') => {
                    let end = self.end(next).max(next + 1);
                    self.leave_expression(path, next, end);
                    end
                }
                None => next + 1,
            };
        }
        Value::Map(entries)
    }

    /// `name`, `name() { … }`, `get name() { … }`
    fn member(&mut self, mut at: usize, close: usize, path: &str) -> usize {
        while at < close && !self.code.is(at, ',') {
            if let Some(name) = self.name(at) {
                self.leave(&below(path, &name), at, at + 1);
            }
            at = match self.code.kind(at) {
                Some(TokenKind::Sign('(' | '[' | '{')) => self.code.behind(at),
                _ => at + 1,
            };
        }
        at
    }

    /// The end of an expression: the comma, semicolon or bracket behind it, or a statement on the
    /// next line.
    fn end(&self, start: usize) -> usize {
        self.code
            .expression_end(start, |at| self.begins_statement(at))
    }

    /// Whether a word on a line of its own follows what may be a whole expression.
    fn begins_statement(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (at.checked_sub(1), self.code.token(at)) else {
            return false;
        };
        let Some(last) = self.code.token(before) else {
            return false;
        };
        let ends = matches!(
            last.kind,
            TokenKind::Word
                | TokenKind::Text
                | TokenKind::Opaque
                | TokenKind::Sign(')' | ']' | '}')
        );
        ends && token.kind == TokenKind::Word
            && self.block.text[last.end..token.start].contains('\n')
    }
}

/// The path of a key in an object.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
