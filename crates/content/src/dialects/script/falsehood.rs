//! When a value of a program is `false`. What is computed from the data of a text may so decide
//! whether the text is published.

use std::ops::Range;

use super::{COMPUTED, Program, is_computed, value};
use crate::syntax::front::{Entry, Node, Value};
use crate::syntax::tokens::TokenKind;

/// The keys of what is known about a computed value.
const IF: &str = "\0false if";
const UNLESS: &str = "\0false unless";
const OTHERWISE: &str = "\0false otherwise";
const PERHAPS: &str = "\0false perhaps";
/// How deep choices in choices are read.
const DEPTH: usize = 20;
/// The maximum number of conditions of one value, and of the bytes of one of them.
const MOST: usize = 20;
const LONGEST: usize = 500;
/// Words that begin a statement, so that one without a semicolon before it ends there.
const STATEMENTS: [&str; 15] = [
    "const", "let", "var", "return", "if", "else", "for", "while", "switch", "try", "catch",
    "finally", "throw", "do", "function",
];

/// When a value is `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::dialects) struct Falsehood {
    /// Conditions in JavaScript, in which `page` is the data of a text, and whether the value is
    /// `false` where they hold or where they do not.
    pub conditions: Vec<(String, bool)>,
    /// Whether a function may give `false` in other cases too.
    pub otherwise: bool,
    /// Whether it may be `false` for all texts: the program decides that without one.
    pub perhaps: bool,
    /// Whether nothing else is possible.
    always: bool,
}

impl Falsehood {
    /// What is known about a computed value.
    pub fn of(node: &Node) -> Option<Self> {
        let entries = match &node.value {
            Value::Map(entries) if is_computed(node) => entries,
            _ => return None,
        };
        let mut found = Self::default();
        for Entry { key, node } in entries {
            match (&*key.text, node.text()) {
                (IF, Some(text)) => found.conditions.push((text.to_owned(), true)),
                (UNLESS, Some(text)) => found.conditions.push((text.to_owned(), false)),
                (OTHERWISE, _) => found.otherwise = true,
                (PERHAPS, _) => found.perhaps = true,
                _ => {}
            }
        }
        (found != Self::default()).then_some(found)
    }

    /// Whether a condition asks for a key of a text.
    pub fn asks_for(&self, key: &str) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|(condition, _)| keys(condition).any(|asked| asked == key))
    }

    /// The computed value from one token to another, with what is known about it.
    pub(super) fn node(program: &Program, at: usize, end: usize) -> Node {
        let found = Walk::all(program, at, end);
        if found.always {
            return value::literal(program, at, "false", true);
        }
        let computed = value::literal(program, at, COMPUTED, true);
        if found == Self::default() {
            return computed;
        }
        let mut entries = vec![Entry::new(COMPUTED, computed)];
        entries.extend(found.entries(program, at));
        value::node(program, at, Value::Map(entries))
    }

    /// The entries of a computed value that say when it is `false`. Their place is a token.
    fn entries(&self, program: &Program, at: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (text, holds) in &self.conditions {
            let key = if *holds { IF } else { UNLESS };
            entries.push(Entry::new(key, value::literal(program, at, text, false)));
        }
        for (key, holds) in [(OTHERWISE, self.otherwise), (PERHAPS, self.perhaps)] {
            if holds {
                entries.push(Entry::new(key, value::literal(program, at, "", false)));
            }
        }
        entries
    }
}

/// The keys of a text that a condition asks for.
pub(in crate::dialects) fn keys(condition: &str) -> impl Iterator<Item = &str> {
    const DATA: &str = "page";
    let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let data = condition.match_indices(DATA).filter(move |(at, _)| {
        let before = condition[..*at].chars().next_back();
        !before.is_some_and(|c| c == '.' || is_in_word(c))
    });
    data.filter_map(move |(at, _)| {
        let rest = condition[at + DATA.len()..].trim_start_matches('?');
        let key = rest.strip_prefix('.')?;
        key.split(|c| !is_in_word(c)).next()
    })
}

/// Looks for `false` in a value.
struct Walk<'p> {
    program: &'p Program,
    /// The name of the parameter that is the data of a text.
    data: &'p str,
    found: Falsehood,
}

impl<'p> Walk<'p> {
    fn all(program: &'p Program, at: usize, end: usize) -> Falsehood {
        let function = program.parts(at);
        let mut walk = Self {
            program,
            data: function.map_or("", |(data, _)| data),
            found: Falsehood::default(),
        };
        match function {
            Some((_, body)) => walk.body(body, end, 0),
            None => walk.expression(at, end, 0),
        }
        let mut found = walk.found;
        // The function may change what it asks for.
        found.otherwise |= program
            .assigned(walk.data, at..end)
            .any(|key| found.asks_for(key));
        let may_be = !found.conditions.is_empty() || found.otherwise;
        match function.is_none() && may_be {
            // What a program computes without a text is the same for all.
            true => Falsehood {
                perhaps: true,
                ..Falsehood::default()
            },
            false => found,
        }
    }

    /// The body of a function.
    fn body(&mut self, at: usize, end: usize, depth: usize) {
        match self.program.code.is(at, '{') {
            true => self.block(at, depth),
            false => self.expression(at, end, depth),
        }
    }

    /// `if (condition) return false;`, then what the function returns.
    fn block(&mut self, open: usize, depth: usize) {
        let code = &self.program.code;
        let (mut at, end) = (open + 1, code.end(open));
        while at < end {
            if code.is_word(at, "if")
                && code.is(at + 1, '(')
                && let Some(next) = self.program.returns_false(code.behind(at + 1))
            {
                self.add(at + 2, code.end(at + 1), true);
                at = next + usize::from(code.is_word(next, "else"));
                continue;
            }
            let word = code.source(at);
            let begins = code.kind(at) == Some(TokenKind::Word) && STATEMENTS.contains(&word);
            match word {
                "return" => {
                    let behind = value::behind(self.program, at + 1);
                    return self.expression(at + 1, behind.min(end), depth + 1);
                }
                "const" | "let" | "var" => {}
                _ if begins || word == "{" => match self.program.without_return(at) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => break,
                },
                _ => {}
            }
            at = self.program.statement_end(at);
        }
        let mut returns = (at..end).filter(|at| code.is_word(*at, "return"));
        self.found.otherwise |= returns.any(|at| {
            let end = value::behind(self.program, at + 1);
            self.program.may_be_false(at + 1, end, 0)
        });
    }

    fn expression(&mut self, at: usize, end: usize, depth: usize) {
        let program = self.program;
        let (at, end) = program.bare(at, end);
        // A function that gives the function.
        if let Some((data, body)) = program.parts(at).filter(|_| depth < DEPTH) {
            self.data = data;
            return self.body(body, end, depth + 1);
        }
        if program.is_false(at, end) {
            self.found.always = self.found.conditions.is_empty();
            self.found.otherwise = !self.found.always;
            return;
        }
        let Some((question, colon)) = program.choice(at, end).filter(|_| depth < DEPTH) else {
            return;
        };
        let (yes, no) = ((question + 1, colon), (colon + 1, end));
        if program.is_false(yes.0, yes.1) {
            self.add(at, question, true);
            self.expression(no.0, no.1, depth + 1);
        } else if program.is_false(no.0, no.1) {
            self.add(at, question, false);
            self.expression(yes.0, yes.1, depth + 1);
        } else {
            let branches = [yes, no].into_iter();
            let mut branches = branches.map(|(at, end)| program.may_be_false(at, end, 0));
            self.found.otherwise |= branches.any(|may| may);
        }
    }

    /// Adds the condition between two tokens.
    fn add(&mut self, from: usize, to: usize, holds: bool) {
        let code = &self.program.code;
        let (mut text, mut last) = (String::new(), None);
        for at in from..to {
            let Some(token) = code.token(at).filter(|_| text.len() <= LONGEST) else {
                break;
            };
            if last.is_some_and(|last| last < token.start) {
                text.push(' ');
            }
            last = Some(token.end);
            let is_key = code.is(at + 1, '.') || code.is(at + 1, '?') && code.is(at + 2, '.');
            let is_data =
                is_key && code.is_word(at, self.data) && !code.is(at.wrapping_sub(1), '.');
            text.push_str(if is_data { "page" } else { code.source(at) });
        }
        if text.len() > LONGEST || self.found.conditions.len() == MOST {
            self.found.otherwise = true;
            return;
        }
        self.found.conditions.push((text, holds));
    }
}

impl Program {
    /// The first parameter of the function at a token, if it is a name, and the beginning of the
    /// function's body.
    fn parts(&self, at: usize) -> Option<(&str, usize)> {
        let code = &self.code;
        let at = at + usize::from(code.is_word(at, "async"));
        if code.kind(at) == Some(TokenKind::Word) && code.kind(at + 1) == Some(TokenKind::Arrow) {
            return Some((code.source(at), at + 2));
        }
        let mut open = at;
        while code.kind(open) == Some(TokenKind::Word) && open < at + 2 {
            open += 1;
        }
        let behind = code.behind(open);
        let body = match open == at {
            true if self.is_function(at) => {
                let mut arrows = (behind..code.count()).take(LONGEST);
                arrows.find(|at| code.kind(*at) == Some(TokenKind::Arrow))? + 1
            }
            // A method is followed by its body, a call is not.
            false if code.is(open, '(') && code.is(behind, '{') => behind,
            _ => return None,
        };
        let is_name = code.kind(open + 1) == Some(TokenKind::Word);
        Some((if is_name { code.source(open + 1) } else { "" }, body))
    }

    /// The keys of an object to which values are assigned.
    fn assigned<'p>(
        &'p self,
        object: &'p str,
        mut tokens: Range<usize>,
    ) -> impl Iterator<Item = &'p str> {
        let code = &self.code;
        std::iter::from_fn(move || {
            let is_assigned = |at: &usize| {
                let is_key = code.is_word(*at, object) && code.is(at + 1, '.');
                is_key && code.is(at + 3, '=') && !code.is(at + 4, '=')
            };
            tokens.find(is_assigned).map(|at| code.source(at + 2))
        })
    }

    /// The end of a simple statement.
    fn statement_end(&self, at: usize) -> usize {
        let stops = |at: usize| STATEMENTS.contains(&self.code.source(at));
        self.code.expression_end(at, stops).max(at + 1)
    }

    /// The token behind a statement with a body, if nothing is returned in it.
    fn without_return(&self, at: usize) -> Option<usize> {
        let code = &self.code;
        if code.is_word(at, "function") {
            return Some(code.behind(self.body(code.behind(at + 2))?));
        }
        let mut body = at + usize::from(!code.is(at, '{'));
        if code.is(body, '(') {
            body = code.behind(body);
        }
        let end = match code.is(body, '{') {
            true => code.behind(body),
            false => self.statement_end(body),
        };
        let returns = |at| matches!(code.source(at), "return" | "throw");
        (!(at..end).any(returns)).then_some(end)
    }

    /// The token behind `return false`, alone or in a block in which nothing else is decided.
    fn returns_false(&self, at: usize) -> Option<usize> {
        let code = &self.code;
        let in_block = code.is(at, '{');
        let end = if in_block { code.end(at) } else { at + 1 };
        let returning = (at..end).find(|at| matches!(code.source(*at), "return" | "if"))?;
        if !code.is_word(returning, "return") || !code.is_word(returning + 1, "false") {
            return None;
        }
        match code.kind(returning + 2) {
            _ if in_block => Some(end + 1),
            Some(TokenKind::Sign(';')) => Some(returning + 3),
            Some(TokenKind::Sign('}')) => Some(returning + 2),
            _ => value::is_on_next_line(self, returning + 2).then_some(returning + 2),
        }
    }

    /// An expression without the parentheses around it.
    fn bare(&self, mut at: usize, mut end: usize) -> (usize, usize) {
        while self.code.is(at, '(') && self.code.behind(at) == end && at + 1 < end {
            (at, end) = (at + 1, end - 1);
        }
        (at, end)
    }

    fn is_false(&self, at: usize, end: usize) -> bool {
        let (at, end) = self.bare(at, end);
        at + 1 == end && self.code.is_word(at, "false")
    }

    /// Whether `false` is one of the outcomes of an expression.
    fn may_be_false(&self, at: usize, end: usize, depth: usize) -> bool {
        let (at, end) = self.bare(at, end);
        let in_branch = || {
            let (question, colon) = self.choice(at, end).filter(|_| depth < DEPTH)?;
            let yes = self.may_be_false(question + 1, colon, depth + 1);
            Some(yes || self.may_be_false(colon + 1, end, depth + 1))
        };
        self.is_false(at, end) || in_branch() == Some(true)
    }

    /// The signs of the first choice of an expression: `condition ? one : another`.
    fn choice(&self, at: usize, end: usize) -> Option<(usize, usize)> {
        let code = &self.code;
        let (mut next, mut question, mut depth) = (at, None, 0_usize);
        while next < end {
            match code.kind(next)? {
                TokenKind::Sign('(' | '[' | '{') => {
                    next = code.behind(next);
                    continue;
                }
                // `a?.b` and `a ?? b` are not choices.
                TokenKind::Sign('?') if code.is(next + 1, '.') || code.is(next + 1, '?') => {
                    next += 1
                }
                TokenKind::Sign('?') => {
                    question.get_or_insert(next);
                    depth += 1;
                }
                TokenKind::Sign(':') if depth > 1 => depth -= 1,
                TokenKind::Sign(':') => return Some((question?, next)),
                _ => {}
            }
            next += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn falsehood(program: &str) -> Falsehood {
        let program = Program::parse("a.js", program.to_owned());
        Walk::all(&program, 0, program.code.count())
    }

    proptest::proptest! {
        #[test]
        fn no_function_panics(text in "(a|data|page|\\.|\\?|:|!|&&|\\(|\\)|\\{|\\}| => |,|;|if|else|return|false|function| |\n|é){0,40}") {
            for (condition, _) in falsehood(&text).conditions {
                assert!(keys(&condition).count() <= condition.len());
            }
        }
    }

    #[test]
    fn a_hostile_function_is_bounded() {
        for text in [
            "a ? b : ".repeat(40_000),
            "a ? ".repeat(80_000),
            "(a => ".repeat(50_000),
            "a => ".repeat(80_000),
            "(((".repeat(90_000),
            format!("a => {{{}", "if (a.b) return false;".repeat(20_000)),
            format!("a => {{ for; {}", "return a ".repeat(60_000)),
            format!("a => {{ {}", "const b = c ".repeat(60_000)),
        ] {
            falsehood(&text);
        }
    }
}
