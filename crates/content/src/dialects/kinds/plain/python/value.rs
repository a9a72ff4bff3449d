//! Values of names in a program in Python, as far as they are literals. Of a list no item may be missed:
//! what an expression may add to it is kept apart from what is certainly in it.

use std::ops::Range;

use super::program::{How, Program, Use};
use super::tokens::{Code, Kind};
use crate::model::path::{inside_or_folder, join};

/// How deep values and names may be nested.
const DEPTH: usize = 40;
/// How many tokens and items are read for one value.
const ROOM: usize = 100_000;
/// Functions whose value has the items of their argument, or names the same path.
const SAME: [&str; 9] = [
    "list",
    "tuple",
    "set",
    "frozenset",
    "sorted",
    "str",
    "abspath",
    "realpath",
    "Path",
];
/// Words and signs of expressions that are not read.
const UNREAD: [&str; 16] = [
    "if", "for", "or", "and", "not", "in", "is", "lambda", "%", "*", "-", "|", "==", "!=", "<", ">",
];

/// A token of a program, by their numbers.
pub type Place = (usize, usize);

/// A list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// What is in it.
    pub certain: Vec<String>,
    /// What may be in it.
    pub possible: Vec<String>,
    /// Where it is, if the program computes a part of it.
    pub computed: Option<Place>,
    /// Where a condition decides on a part of it, if its items are known.
    pub condition: Option<Place>,
}

impl Listed {
    fn new(certain: Vec<String>) -> Self {
        Self {
            certain,
            ..Self::default()
        }
    }

    fn computed(place: Place) -> Self {
        Self {
            computed: Some(place),
            ..Self::default()
        }
    }

    fn add(&mut self, other: Self) {
        self.certain.extend(other.certain);
        self.possible.extend(other.possible);
        self.computed = self.computed.or(other.computed);
        self.condition = self.condition.or(other.condition);
    }

    /// The same items, all of which are only possible.
    fn possible(mut self, place: Place) -> Self {
        self.possible.append(&mut self.certain);
        self.condition = self.condition.or(Some(place));
        self
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    List(Listed),
}

impl Value {
    pub fn list(self) -> Listed {
        match self {
            Self::Text(text) => Listed::new(vec![text]),
            Self::List(list) => list,
        }
    }

    fn nothing() -> Self {
        Self::List(Listed::default())
    }

    fn computed(place: Place) -> Self {
        Self::List(Listed::computed(place))
    }
}

/// Reads values of some programs, which are known by their numbers.
pub struct Reader<'p> {
    programs: &'p [Program],
    room: usize,
}

impl<'p> Reader<'p> {
    pub fn new(programs: &'p [Program]) -> Self {
        Self {
            programs,
            room: ROOM,
        }
    }

    /// The value of a name at the end of a program; `None`: it certainly has none.
    pub fn value(&mut self, program: usize, name: &str) -> Option<Value> {
        self.named(program, name, usize::MAX, 0)
    }

    /// The value of a name before a token.
    fn named(&mut self, at: usize, name: &str, before: usize, depth: usize) -> Option<Value> {
        let uses = self.programs.get(at)?.uses(name, before);
        let mut value = None;
        self.room = self.room.saturating_sub(uses.len());
        for one in uses {
            if depth > DEPTH || self.room == 0 {
                return Some(Value::computed((at, one.at)));
            }
            self.room = self.room.saturating_sub(one.value.len());
            value = self.after(at, name, one, value, depth);
        }
        value
    }

    /// The value of a name after a statement.
    fn after(
        &mut self,
        at: usize,
        name: &str,
        one: &Use,
        before: Option<Value>,
        depth: usize,
    ) -> Option<Value> {
        let place = (at, one.at);
        let (value, is_known) = match one.how {
            How::Import(module) => match self.imported(at, module, one, name, depth) {
                Ok(None) => return before,
                Ok(Some(value)) => (value, true),
                // The module may change the name.
                Err(()) => (Value::computed(place), !one.value.is_empty()),
            },
            How::Unpack => (self.unknown(at, one.value.clone(), one.at, depth), true),
            _ => (self.sum(at, one.value.clone(), one.at, depth), true),
        };
        if one.replaces() && is_known {
            return Some(value);
        }
        let mut list = before.map(Value::list).unwrap_or_default();
        let added = value.list();
        list.add(match one.is_inner {
            true => added.possible(place),
            false => added,
        });
        Some(Value::List(list))
    }

    /// The value that a name has in a module. An error: the module is not in the folder.
    fn imported(
        &mut self,
        at: usize,
        module: usize,
        one: &Use,
        name: &str,
        depth: usize,
    ) -> Result<Option<Value>, ()> {
        let program = &self.programs[at];
        let module = program.modules.get(module).ok_or(())?;
        let paths = module_paths(&program.path, module);
        let mut other = paths.iter().filter_map(|path| {
            let mut programs = self.programs.iter();
            programs.position(|program| program.path == *path)
        });
        let other = other.next().ok_or(())?;
        let own = program.code.name(one.value.start);
        let name = if one.value.is_empty() { name } else { own };
        Ok(self.named(other, name, usize::MAX, depth + 1))
    }

    /// `a + b`, `a / b`, or one of them.
    fn sum(&mut self, at: usize, tokens: Range<usize>, before: usize, depth: usize) -> Value {
        let code = &self.programs[at].code;
        if tokens.is_empty() {
            return Value::nothing();
        }
        if depth > DEPTH || has_unread(code, tokens.clone()) {
            return self.unknown(at, tokens, before, depth);
        }
        if code.find(tokens.clone(), ",").is_some() {
            return self.items(at, tokens, before, depth);
        }
        let sign = match code.find(tokens.clone(), "/") {
            Some(_) => "/",
            None => "+",
        };
        let parts = code.split(tokens.clone(), sign).into_iter();
        let parts: Vec<Value> = parts
            .map(|part| self.term(at, part, before, depth + 1))
            .collect();
        joined(parts, sign).unwrap_or_else(|| self.unknown(at, tokens, before, depth))
    }

    /// Items with commas between them, also those of a list before `*`.
    fn items(&mut self, at: usize, tokens: Range<usize>, before: usize, depth: usize) -> Value {
        let code = &self.programs[at].code;
        let mut list = Listed::default();
        for part in code.split(tokens, ",") {
            let spread = usize::from(code.sign(part.start) == "*");
            // Of a map the keys are read.
            let colon = code.find(part.clone(), ":");
            let item = part.start + spread..colon.unwrap_or(part.end);
            if !item.is_empty() {
                list.add(self.sum(at, item, before, depth + 1).list());
            }
        }
        Value::List(list)
    }

    /// A text, a list, a name, or a call that is known.
    fn term(&mut self, at: usize, tokens: Range<usize>, before: usize, depth: usize) -> Value {
        let code = &self.programs[at].code;
        let Range { start, end } = tokens;
        let texts = code.tokens.get(tokens.clone()).unwrap_or_default();
        if texts.is_empty() {
            return Value::nothing();
        }
        if depth > DEPTH {
            return self.unknown(at, tokens, before, depth);
        }
        if texts.iter().all(|token| token.kind == Kind::Text) {
            return Value::Text(texts.iter().map(|token| &*token.text).collect());
        }
        let inner = start + 1..end - 1;
        match (code.sign(start), code.name(start)) {
            ("[" | "{", _) if code.behind(start) == end => self.items(at, inner, before, depth),
            ("(", _) if code.behind(start) == end => self.sum(at, inner, before, depth),
            (_, "None" | "True" | "False") if texts.len() == 1 => Value::nothing(),
            // Paths count from the folder of the program.
            (_, "__file__") if texts.len() == 1 => Value::Text("./-".to_owned()),
            (_, name) if texts.len() == 1 && !name.is_empty() => {
                let named = self.named(at, name, before, depth + 1);
                named.unwrap_or(Value::computed((at, start)))
            }
            _ => {
                let known = self.call(at, tokens.clone(), before, depth);
                known.unwrap_or_else(|| self.unknown(at, tokens, before, depth))
            }
        }
    }

    /// `list(a)`, `os.path.join(a, 'b')`, `'a b'.split()`, `path.parent`
    fn call(
        &mut self,
        at: usize,
        tokens: Range<usize>,
        before: usize,
        depth: usize,
    ) -> Option<Value> {
        let code = &self.programs[at].code;
        let last = tokens.end - 1;
        let depth = depth + 1;
        // What is before `.name`.
        let object = |name: usize| {
            let dot = name.checked_sub(1).filter(|dot| *dot > tokens.start)?;
            (code.sign(dot) == ".").then_some(tokens.start..dot)
        };
        if code.name(last) == "parent" {
            return parent(self.term(at, object(last)?, before, depth));
        }
        let mut opens = tokens.clone().filter(|at| code.sign(*at) == "(");
        let open = opens.find(|open| code.behind(*open) == tokens.end)?;
        let function = open.checked_sub(1).filter(|at| *at >= tokens.start)?;
        let inner = open + 1..last;
        match code.name(function) {
            name if SAME.contains(&name) => Some(self.sum(at, inner, before, depth)),
            "dirname" => parent(self.sum(at, inner, before, depth)),
            "resolve" | "absolute" => Some(self.term(at, object(function)?, before, depth)),
            "join" if code.name(object(function)?.end - 1) == "path" => {
                let parts = code.split(inner, ",").into_iter();
                let parts = parts.filter(|part| !part.is_empty());
                let parts = parts.map(|part| self.sum(at, part, before, depth));
                joined(parts.collect(), "/")
            }
            method @ ("split" | "splitlines") => {
                let text = self.term(at, object(function)?, before, depth);
                let between = code.tokens.get(inner)?.first();
                split(text, method, between.map(|token| &*token.text))
            }
            _ => None,
        }
    }

    /// All texts in some tokens, and those of the names among them.
    fn unknown(&mut self, at: usize, tokens: Range<usize>, before: usize, depth: usize) -> Value {
        let code = &self.programs[at].code;
        let mut listed = Listed::computed((at, tokens.start));
        for next in tokens {
            self.room = self.room.saturating_sub(1);
            if self.room == 0 {
                break;
            }
            let token = &code.tokens[next];
            match token.kind {
                Kind::Text => listed.possible.push(token.text.clone()),
                Kind::Name if depth <= DEPTH && !code.is_attribute(next) => {
                    let named = self.named(at, &token.text, before, depth + 1);
                    let named = named.map(Value::list).unwrap_or_default();
                    listed.possible.extend(named.certain);
                    listed.possible.extend(named.possible);
                }
                _ => {}
            }
        }
        Value::List(listed)
    }
}

/// Whether an expression has words or signs that are not read, outside brackets.
fn has_unread(code: &Code, tokens: Range<usize>) -> bool {
    let mut next = tokens.start;
    while let Some(token) = code.tokens.get(next).filter(|_| next < tokens.end) {
        let can_be = matches!(token.kind, Kind::Name | Kind::Sign);
        if can_be && UNREAD.contains(&token.text.as_str()) {
            return true;
        }
        next = code.behind(next);
    }
    false
}

/// Values as one; `None`: they do not fit together.
fn joined(mut parts: Vec<Value>, sign: &str) -> Option<Value> {
    if parts.len() == 1 {
        return parts.pop();
    }
    if let Some(texts) = texts_of(&parts) {
        let path = |path: String, part: &&str| inside_or_folder(&path, part);
        return Some(Value::Text(match sign {
            "+" => texts.concat(),
            _ => texts.iter().fold(String::new(), path),
        }));
    }
    let mut list = Listed::default();
    for part in parts {
        match part {
            Value::List(part) if sign == "+" => list.add(part),
            _ => return None,
        }
    }
    Some(Value::List(list))
}

/// The values, if all of them are texts.
fn texts_of(values: &[Value]) -> Option<Vec<&str>> {
    let texts = values.iter().map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        Value::List(_) => None,
    });
    texts.collect()
}

/// The folder of a path.
fn parent(path: Value) -> Option<Value> {
    match path {
        Value::Text(path) => {
            let folder = match path.as_str() {
                "." => "..",
                path => path.rsplit_once('/')?.0,
            };
            Some(Value::Text(folder.to_owned()))
        }
        Value::List(_) => None,
    }
}

/// The parts of a text.
fn split(text: Value, method: &str, between: Option<&str>) -> Option<Value> {
    let Value::Text(text) = text else { return None };
    let parts: Vec<&str> = match (method, between) {
        ("splitlines", _) => text.lines().collect(),
        (_, None) => text.split_whitespace().collect(),
        (_, Some("")) => return None,
        (_, Some(between)) => text.split(between).collect(),
    };
    let parts = parts.into_iter().map(str::to_owned).collect();
    Some(Value::List(Listed::new(parts)))
}

/// Where a module may be: beside a program, or in a folder above it.
pub fn module_paths(program: &str, module: &str) -> Vec<String> {
    let name = module.trim_start_matches('.');
    // `..a` is in the folder above.
    let up = "../".repeat((module.len() - name.len()).saturating_sub(1));
    let path = format!("{up}{}", name.replace('.', "/"));
    let mut paths = Vec::new();
    for from in folders_above(program) {
        let found = join(from, &path).into_iter();
        paths.extend(found.flat_map(|path| [format!("{path}.py"), format!("{path}/__init__.py")]));
    }
    paths
}

/// The folder of a file, and those above it.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.rmatch_indices('/').map(|(end, _)| &path[..end]);
    ends.chain([""]).take(DEPTH)
}
