//! The values of expressions, as far as they are literals.

use std::rc::Rc;

use super::{Binding, CALL, COMPUTED, DEFAULT, FOLDER, Program, Scripts};
use crate::syntax::front::{Entry, Node, Value};
use crate::syntax::tokens::{TokenKind, unquoted};

/// How deep values may be nested, names followed.
const DEPTH: usize = 40;
/// Methods of lists that keep their items.
const KEEPING: [&str; 4] = ["filter", "flat", "sort", "slice"];

impl Scripts<'_, '_> {
    /// The value of a name of a program.
    pub(super) fn named(
        &mut self,
        program: &Rc<Program>,
        name: &str,
        depth: usize,
    ) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        match program.names.get(name)?.clone() {
            Binding::Value(at) => Some(self.value(program, at, depth + 1).0),
            Binding::Import { from, name } => {
                let path = self.imported(program, &from)?;
                let value = self.exported(&path, &name, depth + 1);
                if value.is_some() || name == DEFAULT {
                    return value;
                }
                // `module.exports = { name: … }`
                let all = self.exported(&path, DEFAULT, depth + 1)?;
                Some(all.get(&name)?.node.clone())
            }
        }
    }

    /// The value of the expression at a token, and the token behind it.
    pub(super) fn value(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        depth: usize,
    ) -> (Node, usize) {
        let computed = literal(program, at, COMPUTED, true);
        self.room = self.room.saturating_sub(1);
        if depth > DEPTH || self.room == 0 {
            return (computed, behind(program, at));
        }
        let (value, next) = self.primary(program, at, depth);
        let end = behind(program, next.max(at));
        self.room = self.room.saturating_sub(end.saturating_sub(next) / 64);
        let value = value.filter(|_| end == next || self.is_kept(program, next, end));
        (value.unwrap_or_else(|| self.unread(program, at, end)), end)
    }

    /// Whether what follows a value leaves it as it is: a type, or a method that keeps the items.
    fn is_kept(&self, program: &Program, next: usize, end: usize) -> bool {
        match program.code.kind(next) {
            Some(TokenKind::Word) => {
                matches!(program.code.source(next), "as" | "satisfies")
                    || is_on_next_line(program, next)
            }
            Some(TokenKind::Sign('.')) => KEEPING.contains(&program.code.source(next + 1)),
            Some(TokenKind::Sign('!')) => next + 1 == end,
            Some(TokenKind::Sign('}' | ')' | ']')) | None => true,
            _ => false,
        }
    }

    /// A value without what follows it.
    fn primary(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> (Option<Node>, usize) {
        let at = program.behind_modifiers(at);
        let Some(kind) = program.code.kind(at) else {
            return (None, at);
        };
        match kind {
            TokenKind::Text => {
                let text = unquoted(program.code.source(at));
                (Some(literal(program, at, &text, false)), at + 1)
            }
            TokenKind::Sign('[') => (self.list(program, at, depth), program.code.behind(at)),
            TokenKind::Sign('{') => (self.map(program, at, depth), program.code.behind(at)),
            TokenKind::Sign('(') => self.parenthesis(program, at, depth),
            TokenKind::Word => self.word(program, at, depth),
            _ => (None, at + 1),
        }
    }

    /// `(value)`, or a function: `() => value`.
    fn parenthesis(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        depth: usize,
    ) -> (Option<Node>, usize) {
        let mut next = program.code.behind(at);
        if !program.is_function(at) {
            return (Some(self.value(program, at + 1, depth + 1).0), next);
        }
        while program
            .code
            .kind(next)
            .is_some_and(|kind| kind != TokenKind::Arrow)
        {
            next = match program.code.kind(next) {
                Some(TokenKind::Sign('(' | '[' | '{')) => program.code.behind(next),
                Some(TokenKind::Sign(',' | ';' | ')' | ']' | '}')) => return (None, next),
                _ => next + 1,
            };
        }
        self.body(program, next + 1, depth)
    }

    /// Whether what a function at this depth returns is read.
    fn reads_functions(&self, depth: usize) -> bool {
        self.functions.is_none_or(|deepest| depth <= deepest)
    }

    /// The body of a function: what it returns.
    fn body(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> (Option<Node>, usize) {
        if !self.reads_functions(depth) {
            return (None, behind(program, at));
        }
        if !program.code.is(at, '{') {
            let (value, next) = self.value(program, at, depth + 1);
            return (Some(value), next);
        }
        let end = program.code.behind(at);
        if !program.returns(at) {
            return (Some(literal(program, at, "null", true)), end);
        }
        let returned = program.returned(at);
        (
            returned.map(|value| self.value(program, value, depth + 1).0),
            end,
        )
    }

    fn word(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> (Option<Node>, usize) {
        let word = program.code.source(at);
        match word {
            "function" => return self.function(program, at, depth),
            "true" | "false" | "null" | "undefined" => {
                let text = if word == "undefined" { "null" } else { word };
                return (Some(literal(program, at, text, true)), at + 1);
            }
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                return (Some(literal(program, at, word, true)), at + 1);
            }
            _ => {}
        }
        if program.code.kind(at + 1) == Some(TokenKind::Arrow) {
            return self.body(program, at + 2, depth);
        }
        if let Some(open) = program.arguments(at) {
            return (
                self.call(program, (at, open), depth),
                program.code.behind(open),
            );
        }
        self.member(program, at, depth)
    }

    /// `function name() { return value }`
    fn function(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        depth: usize,
    ) -> (Option<Node>, usize) {
        let is_anonymous = program.code.is(at + 1, '(');
        let open = if is_anonymous { at + 1 } else { at + 2 };
        let Some(body) = program.body(program.code.behind(open)) else {
            return (None, open);
        };
        self.body(program, body, depth)
    }

    /// `name` or `name.key.key`; `require.resolve('./file')` is the path.
    fn member(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> (Option<Node>, usize) {
        if program.code.source(at) == "require"
            && program.code.is(at + 1, '.')
            && program.code.source(at + 2) == "resolve"
            && program.code.is(at + 3, '(')
            && program.code.kind(at + 4) == Some(TokenKind::Text)
        {
            let path = scalar(&unquoted(program.code.source(at + 4)), false);
            return (Some(node(program, at, path)), program.code.behind(at + 3));
        }
        let mut value = self.named(program, program.code.source(at), depth + 1);
        let mut next = at + 1;
        while program.code.is(next, '.') && program.code.kind(next + 1) == Some(TokenKind::Word) {
            let key = program.code.source(next + 1);
            if KEEPING.contains(&key) {
                break;
            }
            value = value.and_then(|value| Some(value.get(key)?.node.clone()));
            next += 2;
        }
        (value, next)
    }

    /// `define({…})`: a function of the program, else its first object, with the function's name.
    fn call(
        &mut self,
        program: &Rc<Program>,
        (at, open): (usize, usize),
        depth: usize,
    ) -> Option<Node> {
        let name = program.code.source(at);
        if name == "require" && program.code.kind(open + 1) == Some(TokenKind::Text) {
            let path = self.imported(program, &unquoted(program.code.source(open + 1)))?;
            return self.exported(&path, DEFAULT, depth + 1);
        }
        if !self.reads_functions(depth) {
            return None;
        }
        if let Some(Binding::Value(_)) = program.names.get(name) {
            return self.named(program, name, depth + 1);
        }
        let end = program.code.end(open);
        let mut next = open + 1;
        while next < end {
            let (mut value, behind) = self.value(program, next, depth + 1);
            let is_place = value.get(FOLDER).is_some();
            match &mut value.value {
                Value::Map(entries) if !is_place => {
                    entries.push(Entry::new(CALL, literal(program, at, name, false)));
                    return Some(value);
                }
                Value::List(_) if name.starts_with("define") => return Some(value),
                _ => next = behind.max(next) + 1,
            }
        }
        if let Some(Binding::Import { .. }) = program.names.get(name) {
            return self.named(program, name, depth + 1);
        }
        None
    }

    fn list(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> Option<Node> {
        let end = program.code.end(at);
        let (mut items, mut next) = (Vec::new(), at + 1);
        while next < end && self.room > 0 {
            if program.code.is(next, ',') {
                next += 1;
                continue;
            }
            let is_spread = program.code.kind(next) == Some(TokenKind::Spread);
            let (value, behind) = self.value(program, next + usize::from(is_spread), depth + 1);
            match value.value {
                Value::List(more) if is_spread => {
                    self.room = self.room.saturating_sub(more.len());
                    items.extend(more);
                }
                _ => items.push(value),
            }
            next = behind.max(next + 1);
        }
        Some(node(program, at, Value::List(items)))
    }

    fn map(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> Option<Node> {
        let end = program.code.end(at);
        let (mut entries, mut next) = (Vec::new(), at + 1);
        while next < end && self.room > 0 {
            let key = match program.code.kind(next) {
                Some(TokenKind::Spread) => {
                    next = self.spread(program, next, depth, &mut entries);
                    continue;
                }
                Some(TokenKind::Word) => program.code.source(next).to_owned(),
                Some(TokenKind::Text) => unquoted(program.code.source(next)),
                Some(TokenKind::Sign('[')) => {
                    next = behind(program, next) + 1;
                    continue;
                }
                _ => {
                    next += 1;
                    continue;
                }
            };
            let (value, behind) = self.value_of_key(program, &key, next, end, depth);
            entries.push(Entry::new(&key, value));
            next = behind.max(next + 1) + 1;
        }
        Some(node(program, at, Value::Map(entries)))
    }

    /// `...map` inside a map. Returns the number of the token behind its comma.
    fn spread(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        depth: usize,
        entries: &mut Vec<Entry>,
    ) -> usize {
        let (value, behind) = self.value(program, at + 1, depth + 1);
        match value.value {
            Value::Map(more) => {
                self.room = self.room.saturating_sub(more.len());
                entries.extend(more);
            }
            _ => entries.push(Entry::new(COMPUTED, value)),
        }
        behind.max(at + 1) + 1
    }

    /// The value of the key at `at` in a map that ends at `end`.
    fn value_of_key(
        &mut self,
        program: &Rc<Program>,
        key: &str,
        at: usize,
        end: usize,
        depth: usize,
    ) -> (Node, usize) {
        let is_list = self.list_keys.contains(&key);
        if program.code.is(at + 1, ':') {
            let value = at + 2;
            if is_list {
                return self.list_value(program, value);
            }
            if self.functions.is_some() {
                let end = behind(program, value);
                if let Some(function) = self.function_at(program, value, end) {
                    return (self.computed(program, function), end);
                }
            }
            return self.value(program, value, depth + 1);
        }
        let computed = || literal(program, at, COMPUTED, true);
        if program.code.is(at + 1, ',') || at + 1 == end {
            if is_list {
                return self.list_value(program, at);
            }
            let function = self.functions.and_then(|_| program.declared(key));
            let value = match function {
                Some(function) => Some(self.computed(program, function)),
                None => self.named(program, key, depth + 1),
            };
            return (value.unwrap_or_else(computed), at + 1);
        }
        // A method, a getter, or a key that is computed.
        let next = method_end(program, at, end);
        (self.unread(program, at, next), next)
    }
}

/// The end of a method: its body, or the next comma.
fn method_end(program: &Program, mut at: usize, end: usize) -> usize {
    while at < end && !program.code.is(at, ',') {
        at = match program.code.kind(at) {
            Some(TokenKind::Sign('{')) => {
                return program.code.behind(at)
                    - usize::from(!program.code.is(program.code.behind(at), ','));
            }
            Some(TokenKind::Sign('(' | '[')) => program.code.behind(at),
            _ => at + 1,
        };
    }
    at
}

/// The end of an expression: the comma or bracket behind it, or the next statement.
pub(super) fn behind(program: &Program, start: usize) -> usize {
    let code = &program.code;
    code.expression_end(start, |at| is_statement(code.source(at)))
}

/// Whether a word begins a statement: one without a semicolon before it ends there.
fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "const" | "let" | "var" | "export" | "function" | "module" | "import" | "return"
    )
}

/// Whether a token is the first on its line.
pub(super) fn is_on_next_line(program: &Program, at: usize) -> bool {
    at == 0 || program.place(at).0 > program.place(at - 1).0
}

/// A scalar at a token of a program.
pub(super) fn literal(program: &Program, at: usize, text: &str, plain: bool) -> Node {
    node(program, at, scalar(text, plain))
}

pub(super) fn scalar(text: &str, plain: bool) -> Value {
    Value::Scalar {
        text: text.to_owned(),
        plain,
    }
}

pub(super) fn node(program: &Program, at: usize, value: Value) -> Node {
    let (line, column) = program.place(at);
    Node {
        value,
        line,
        column,
    }
}
