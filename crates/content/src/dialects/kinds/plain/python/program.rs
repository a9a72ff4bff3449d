//! What the statements of a program in Python give to names.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tokens::{Code, Kind, Statement};
use crate::model::problem::SourceLocation;
use crate::model::text::number;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: String,
    pub text: String,
    pub code: Code,
    uses: BTreeMap<String, Vec<Use>>,
    /// Modules of which all names are imported.
    stars: Vec<Use>,
    /// The modules that it imports from, by their numbers in [`Use`].
    pub modules: Vec<String>,
}

/// What a statement does with a name.
#[derive(Clone, Debug)]
pub struct Use {
    /// Its first token.
    pub at: usize,
    pub how: How,
    /// The tokens of the value.
    pub value: Range<usize>,
    /// Whether a condition or a call decides whether it is done.
    pub is_inner: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It has the value.
    Set,
    /// The items of the value are added.
    Extend,
    /// The value is added as an item.
    Append,
    /// It has the value that the first token of the value has in a module.
    Import(usize),
    /// It is one of several that get a value together.
    Unpack,
}

impl Use {
    /// Whether nothing before it counts.
    pub fn replaces(&self) -> bool {
        !self.is_inner && !matches!(self.how, How::Extend | How::Append)
    }
}

impl Program {
    pub fn read(path: String, text: String) -> Self {
        let mut program = Self {
            code: Code::read(&text),
            path,
            text,
            uses: BTreeMap::new(),
            stars: Vec::new(),
            modules: Vec::new(),
        };
        for statement in std::mem::take(&mut program.code.statements) {
            match program.code.name(statement.tokens.start) {
                "from" => program.import(&statement),
                _ => program.statement(&statement),
            }
        }
        program
    }

    /// Whether a statement gives a name a value.
    pub fn has(&self, name: &str) -> bool {
        self.uses.contains_key(name)
    }

    /// What is done with a name before a token, in order, from the last that replaces all before; and
    /// the modules of which all names are imported, from the same place on.
    pub fn uses(&self, name: &str, before: usize) -> Vec<&Use> {
        let own = self.uses.get(name).map_or(&[][..], Vec::as_slice);
        let mut earlier = &own[..own.partition_point(|one| one.at < before)];
        // A function may use what is written below it.
        if earlier.is_empty() && own.first().is_some_and(|one| one.at != before) {
            earlier = own;
        }
        let first = earlier.iter().rposition(Use::replaces).unwrap_or(0);
        let earlier = &earlier[first..];
        let from = earlier.first().filter(|one| one.replaces());
        let from = from.map_or(0, |one| one.at);
        let begin = self.stars.partition_point(|star| star.at < from);
        let stars = self.stars[begin..].iter();
        let stars = stars.take_while(|star| star.at < before);
        let mut all: Vec<&Use> = earlier.iter().chain(stars).collect();
        all.sort_by_key(|one| one.at);
        all
    }

    /// The value of a name as it is written: that of its last assignment outside other statements.
    pub fn written(&self, name: &str) -> Option<&str> {
        let mut uses = self.uses.get(name)?.iter();
        let last = uses.rfind(|one| one.how == How::Set && !one.is_inner)?;
        let first = self.code.tokens.get(last.value.start)?;
        let end = self.code.tokens.get(last.value.end.checked_sub(1)?)?;
        self.text.get(first.range.start..end.range.end)
    }

    /// The place of a token.
    pub fn place(&self, at: usize) -> SourceLocation {
        let token = self.code.tokens.get(at);
        let byte = token.map_or(0, |token| token.range.start);
        let before = &self.text[..byte];
        let line = before.rsplit('\n').next().unwrap_or_default();
        SourceLocation {
            path: self.path.clone(),
            line: number(before.matches('\n').count() + 1),
            column: number(line.chars().count() + 1),
        }
    }

    fn add(&mut self, name: usize, how: How, value: Range<usize>, is_inner: bool) {
        let text = self.code.tokens[name].text.clone();
        self.uses.entry(text).or_default().push(Use {
            at: name,
            how,
            value,
            is_inner,
        });
    }

    /// `from a.b import c as d, e` or `from a import *`
    fn import(&mut self, statement: &Statement) {
        let Range { start, end } = statement.tokens;
        let Some(import) = (start..end).find(|at| self.code.name(*at) == "import") else {
            return;
        };
        let texts = self.code.tokens[start + 1..import].iter();
        let module = self.modules.len();
        self.modules.push(texts.map(|token| &*token.text).collect());
        let is_inner = statement.is_inner;
        if self.code.sign(import + 1) == "*" {
            self.stars.push(Use {
                at: import,
                how: How::Import(module),
                value: import..import,
                is_inner,
            });
            return;
        }
        for part in self.code.split(self.inside(import + 1..end), ",") {
            if let Some(last) = part.clone().last() {
                self.add(last, How::Import(module), part, is_inner);
            }
        }
    }

    /// Some tokens without the brackets around all of them.
    fn inside(&self, tokens: Range<usize>) -> Range<usize> {
        match self.code.sign(tokens.start) == "(" && self.code.behind(tokens.start) == tokens.end {
            true => tokens.start + 1..tokens.end - 1,
            false => tokens,
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let Range { start, end } = statement.tokens;
        let last = self.last_equals(statement);
        let is_several = last.is_some_and(|last| self.code.find(start..last, ",").is_some());
        let mut at = start;
        while at < end {
            // In brackets are only the names that get a value together.
            let next = match last.is_some_and(|last| at < last) {
                true => at + 1,
                false => self.code.behind(at),
            };
            if self.code.kind(at) == Some(Kind::Name) {
                // An attribute may be set by a function that the program calls.
                let is_attribute = at > start && self.code.sign(at - 1) == ".";
                let is_inner = statement.is_inner || is_attribute;
                let is_first = at == start || is_attribute || self.code.sign(at - 1) == "=";
                match self.done(at, end, last) {
                    Some((How::Set, _)) if is_several => {
                        let value = last.map_or(end, |last| last + 1)..end;
                        self.add(at, How::Unpack, value, is_inner);
                    }
                    Some((how, value)) if is_first => self.add(at, how, value, is_inner),
                    _ => {}
                }
            }
            at = next;
        }
    }

    /// The last `=` of a statement outside brackets.
    fn last_equals(&self, statement: &Statement) -> Option<usize> {
        let Range { mut start, end } = statement.tokens;
        let mut last = None;
        while let Some(at) = self.code.find(start..end, "=") {
            last = Some(at);
            start = at + 1;
        }
        last
    }

    /// What is done with the name at a token.
    fn done(&self, at: usize, end: usize, last: Option<usize>) -> Option<(How, Range<usize>)> {
        let code = &self.code;
        let rest = last.map(|last| last + 1..end);
        match code.sign(at + 1) {
            "=" | ":" | "," | ")" | "]" if last.is_some_and(|last| at < last) => {
                Some((How::Set, rest?))
            }
            "+=" | "|=" => Some((How::Extend, at + 2..end)),
            // `name[2:] = …`
            "[" if code.sign(code.behind(at + 1)) == "=" => Some((How::Extend, rest?)),
            "." => {
                let inner = at + 4..code.behind(at + 3).saturating_sub(1);
                let how = match code.name(at + 2) {
                    _ if code.sign(at + 3) != "(" => return None,
                    "append" | "add" => How::Append,
                    "extend" | "update" => How::Extend,
                    "insert" => {
                        let item = code.split(inner, ",").into_iter().nth(1)?;
                        return Some((How::Append, item));
                    }
                    _ => return None,
                };
                Some((how, inner))
            }
            _ => None,
        }
    }
}
