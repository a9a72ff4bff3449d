//! Parses a program: what its names are bound to, and what it exports.

use std::collections::BTreeMap;

use super::{BODY, Binding, DEFAULT, LONGEST_LINE, Program};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// Words before a value that leave it as it is.
const MODIFIERS: [&str; 3] = ["async", "await", "new"];
/// The maximum number of tokens in the arguments of types.
const MOST_TYPES: usize = 50;
/// The maximum number of tokens of the type of a name or of a result.
const LONGEST_TYPE: usize = 500;

impl Program {
    pub(super) fn parse(path: &str, text: String) -> Self {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let mut program = Self {
            path: path.to_owned(),
            code: Code::new(text),
            lines,
            names: BTreeMap::new(),
            functions: BTreeMap::new(),
            exports: Vec::new(),
            is_module: false,
        };
        program.bind();
        program
    }

    /// The line and column of a token.
    pub(super) fn place(&self, at: usize) -> (u32, u32) {
        let start = self.code.token(at).map_or(0, |token| token.start);
        let line = self.lines.partition_point(|begin| *begin <= start).max(1);
        // In a program on one line a column is useless, and slow to count.
        let begin = self.lines[line - 1];
        let column = if start - begin > LONGEST_LINE {
            0
        } else {
            self.code.text()[begin..start].chars().count() + 1
        };
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        (number(line), number(column))
    }

    /// Finds constants, functions, imports and exports. The first of a name counts.
    fn bind(&mut self) {
        let mut at = 0;
        while at < self.code.count() {
            if self.code.kind(at) == Some(TokenKind::Word) && !(at > 0 && self.code.is(at - 1, '.'))
            {
                match self.code.source(at) {
                    "const" | "let" | "var" if self.code.is(at + 1, '{') => self.required(at + 1),
                    "const" | "let" | "var" => self.constant(at + 1),
                    "function" => self.function(at + 1),
                    "import" => at = self.import(at + 1),
                    "export" => at = self.export(at + 1),
                    "module"
                        if self.code.is_word(at + 2, "exports") && self.code.is(at + 3, '=') =>
                    {
                        self.name(DEFAULT.to_owned(), Binding::Value(at + 4));
                    }
                    "module" if self.code.is_word(at + 2, "exports") => self.exports(at + 2),
                    "exports" => self.exports(at),
                    _ => {}
                }
            }
            at += 1;
        }
    }

    /// `exports.NAME = value`, `module.exports.NAME = value`
    fn exports(&mut self, at: usize) {
        if self.code.is(at + 1, '.') && self.code.is(at + 3, '=') {
            let name = self.code.source(at + 2).to_owned();
            self.exports.push(name.clone());
            self.name(name, Binding::Value(at + 4));
        }
    }

    fn name(&mut self, name: String, binding: Binding) {
        self.names.entry(name).or_insert(binding);
    }

    /// `NAME: Type = value`
    fn constant(&mut self, at: usize) {
        let mut next = at + 1;
        if self.code.is(next, ':') {
            let end = self.code.count().min(next + LONGEST_TYPE);
            while next < end && !self.code.is(next, '=') && !self.code.is(next, ';') {
                next = match self.code.kind(next) {
                    Some(TokenKind::Sign('(' | '[' | '{')) => self.code.behind(next),
                    _ => next + 1,
                };
            }
        }
        if self.code.kind(at) == Some(TokenKind::Word) && self.code.is(next, '=') {
            self.name(self.code.source(at).to_owned(), Binding::Value(next + 1));
        }
    }

    /// `{ NAME, KEY: NAME } = require('./file')`
    fn required(&mut self, open: usize) {
        const LONGEST: usize = 200;
        let call = self.code.behind(open) + 1;
        let is_call = self.code.is(call - 1, '=')
            && self.code.is_word(call, "require")
            && self.code.kind(call + 2) == Some(TokenKind::Text);
        if !is_call {
            return;
        }
        let from = unquoted(self.code.source(call + 2));
        for at in (open + 1..self.code.end(open)).take(LONGEST) {
            let is_first = matches!(self.code.kind(at - 1), Some(TokenKind::Sign('{' | ',')));
            if self.code.kind(at) != Some(TokenKind::Word) || !is_first {
                continue;
            }
            let name = self.code.source(at).to_owned();
            let local = match self.code.is(at + 1, ':') {
                true => self.code.source(at + 2).to_owned(),
                false => name.clone(),
            };
            let from = from.clone();
            self.name(local, Binding::Import { from, name });
        }
    }

    /// `NAME(…): Type { … return value … }`
    fn function(&mut self, at: usize) {
        if self.code.kind(at) != Some(TokenKind::Word) {
            return;
        }
        let name = self.code.source(at).to_owned();
        self.functions.entry(name.clone()).or_insert(at - 1);
        if self.code.is(at + 1, '(')
            && let Some(value) = self.returned(self.code.behind(at + 1))
        {
            self.name(name, Binding::Value(value));
        }
    }

    /// The function that has a name.
    pub(super) fn declared(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(Binding::Value(at)) if self.is_function(*at) => Some(*at),
            Some(Binding::Import { .. }) => None,
            _ => self.functions.get(name).copied(),
        }
    }

    /// The token behind `async`, `await` and `new`.
    pub(super) fn behind_modifiers(&self, mut at: usize) -> usize {
        let is_modifier = |at| MODIFIERS.iter().any(|word| self.code.is_word(at, word));
        while is_modifier(at) {
            at += 1;
        }
        at
    }

    /// Whether a function begins at a token: `function`, `name =>`, or `(…) =>`.
    pub(super) fn is_function(&self, at: usize) -> bool {
        let at = self.behind_modifiers(at);
        let behind = match self.code.kind(at) {
            Some(TokenKind::Word) if self.code.source(at) == "function" => return true,
            Some(TokenKind::Word) => at + 1,
            Some(TokenKind::Sign('(')) => self.code.behind(at),
            _ => return false,
        };
        let has_type = self.code.is(at, '(') && self.code.is(behind, ':');
        has_type || self.code.kind(behind) == Some(TokenKind::Arrow)
    }

    /// The brace of a function's body; `at` is behind its parameters.
    pub(super) fn body(&self, mut at: usize) -> Option<usize> {
        let end = at + LONGEST_TYPE;
        while at < end && !self.code.is(at, '{') {
            at = match self.code.kind(at)? {
                TokenKind::Sign('(' | '[') => self.code.behind(at),
                TokenKind::Sign(';' | '}' | ')') => return None,
                _ => at + 1,
            };
        }
        self.code.is(at, '{').then_some(at)
    }

    /// The value that a function returns; `at` is behind its parameters.
    pub(super) fn returned(&self, at: usize) -> Option<usize> {
        let mut at = self.body(at)?;
        let end = self.code.end(at).min(at + BODY);
        at += 1;
        while at < end {
            if self.code.is_word(at, "return") {
                return Some(at + 1);
            }
            at = match self.code.kind(at)? {
                TokenKind::Sign('(' | '[' | '{') => self.code.behind(at),
                _ => at + 1,
            };
        }
        None
    }

    /// Whether the body of a function returns a value: its own code, not that of functions in it.
    pub(super) fn returns(&self, at: usize) -> bool {
        const BLOCKS: [&str; 6] = ["if", "for", "while", "switch", "catch", "with"];
        let end = self.code.end(at);
        let mut next = at + 1;
        while next < end {
            let is_body = |at: usize| self.code.is(at, '{');
            next = match self.code.kind(next) {
                Some(TokenKind::Word) if self.code.source(next) == "return" => return true,
                Some(TokenKind::Word) if self.code.is(next + 1, '(') => {
                    let behind = self.code.behind(next + 1);
                    let is_function = is_body(behind) && !BLOCKS.contains(&self.code.source(next));
                    match is_function {
                        true => self.code.behind(behind),
                        false => next + 1,
                    }
                }
                Some(TokenKind::Arrow) if is_body(next + 1) => self.code.behind(next + 1),
                _ => next + 1,
            };
        }
        false
    }

    /// `import A, { B as C } from './file'`. Returns its last token.
    fn import(&mut self, start: usize) -> usize {
        const LONGEST: usize = 200;
        let mut names: Vec<(String, String)> = Vec::new();
        let mut at = start;
        while at < start + LONGEST {
            match self.code.kind(at) {
                Some(TokenKind::Text) => break,
                Some(TokenKind::Word) => {
                    let word = self.code.source(at).to_owned();
                    let before = at.saturating_sub(1);
                    if self.code.is_word(before, "as") {
                        if let Some((local, _)) = names.last_mut() {
                            *local = word;
                        }
                    } else if !matches!(word.as_str(), "as" | "from" | "type") {
                        let is_default = at == start;
                        let name = if is_default {
                            DEFAULT.to_owned()
                        } else {
                            word.clone()
                        };
                        names.push((word, name));
                    }
                }
                Some(TokenKind::Sign('{' | '}' | ',' | '*')) => {}
                _ => return start.saturating_sub(1),
            }
            at += 1;
        }
        let from = unquoted(self.code.source(at));
        for (local, name) in names {
            let from = from.clone();
            self.name(local, Binding::Import { from, name });
        }
        at
    }

    /// `export default value`, `export const name = value`, `export { name }`. Returns the last token
    /// that was read.
    fn export(&mut self, at: usize) -> usize {
        self.is_module = true;
        match self.code.source(at) {
            DEFAULT => self.name(DEFAULT.to_owned(), Binding::Value(at + 1)),
            "const" | "let" | "var" => self.exports.push(self.code.source(at + 1).to_owned()),
            "function" => self.exports.push(self.code.source(at + 1).to_owned()),
            "{" => {
                self.export_list(at);
                return self.code.end(at);
            }
            _ => {}
        }
        at - 1
    }

    /// `export { name, name as other, default } from './file'`
    fn export_list(&mut self, at: usize) {
        let end = self.code.end(at);
        let is_from = self.code.is_word(end + 1, "from");
        let from = is_from.then(|| unquoted(self.code.source(end + 2)));
        let words = (at + 1..end).filter(|at| self.code.kind(*at) == Some(TokenKind::Word));
        let words: Vec<String> = words.map(|at| self.code.source(at).to_owned()).collect();
        let mut words = words.into_iter().peekable();
        while let Some(name) = words.next() {
            let is_renamed = words.next_if(|word| word == "as").is_some();
            let public = words.next_if(|_| is_renamed).unwrap_or(name.clone());
            if public != DEFAULT {
                self.exports.push(public.clone());
            }
            let from = from.clone();
            let binding = from.map(|from| Binding::Import {
                from,
                name: name.clone(),
            });
            if let Some(binding) = binding.or_else(|| self.names.get(&name).cloned()) {
                self.name(public, binding);
            }
        }
    }

    /// The parenthesis that opens the arguments of a call, also behind those of types:
    /// `define<Theme>(…)`.
    pub(super) fn arguments(&self, at: usize) -> Option<usize> {
        if self.code.is(at + 1, '(') {
            return Some(at + 1);
        }
        let mut depth = 0_usize;
        for next in at + 1..at + 1 + MOST_TYPES {
            match self.code.kind(next)? {
                TokenKind::Sign('<') => depth += 1,
                _ if depth == 0 => return None,
                TokenKind::Sign('>') => depth -= 1,
                TokenKind::Word | TokenKind::Text => {}
                TokenKind::Sign('.' | ',' | '[' | ']' | '|' | '&') => {}
                _ => return None,
            }
            if depth == 0 {
                return self.code.is(next + 1, '(').then_some(next + 1);
            }
        }
        None
    }
}
