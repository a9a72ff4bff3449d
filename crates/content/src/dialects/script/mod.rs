//! The literals of a configuration that is a program: objects, lists and texts, names of constants,
//! what simple functions return, and what is imported from files beside it. Nothing is executed.

mod calls;
mod falsehood;
mod folder;
mod list;
mod value;

pub(super) use falsehood::{Falsehood, keys};
pub(super) use folder::folder;
pub(super) use list::List;

use std::{collections::BTreeMap, rc::Rc};

use crate::dialects::evidence::Evidence;
use crate::model::path;
use crate::model::problem::SourceLocation;
use crate::model::text::decode;
use crate::syntax::front::{self, Entry, Node, Syntax, Value};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The key of a call in the map of its argument: `starlight({…})`.
const CALL: &str = "\0call";
/// The key of the folder in the map of a computed value that names one.
const FOLDER: &str = "\0folder";
/// The text of a value that is not a literal.
const COMPUTED: &str = "\0computed";
/// The largest program, in bytes.
const LARGEST: usize = 2_000_000;
/// The longest line on which columns are counted, in bytes.
const LONGEST_LINE: usize = 2000;
/// How far into a function its `return` is looked for, in tokens.
const BODY: usize = 5000;
/// The maximum number of programs that import each other.
const PROGRAMS: usize = 40;
/// How many values may be read.
const ROOM: usize = 100_000;
/// The endings of programs, for imports without one.
const ENDINGS: [&str; 13] = [
    "",
    ".ts",
    ".mts",
    ".js",
    ".mjs",
    ".cjs",
    ".cts",
    ".json",
    ".tsx",
    "/index.ts",
    "/index.mts",
    "/index.js",
    "/index.mjs",
];

/// Whether a value is computed by the program, or returned by a function that is not read.
pub(super) fn is_computed(node: &Node) -> bool {
    match &node.value {
        Value::Scalar { text, .. } => text == COMPUTED,
        Value::Map(entries) => entries
            .iter()
            .any(|entry| entry.key.text == CALL || entry.key.text == COMPUTED),
        Value::List(_) => false,
    }
}

/// Whether a program may add to a map, by a spread that is not read, or computes the whole value.
pub(super) fn is_open(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|entry| entry.key.text == COMPUTED),
        _ => is_computed(node),
    }
}

/// The function whose argument a map is: `glob({…})`.
pub(super) fn called(node: &Node) -> Option<&str> {
    node.get(CALL)?.node.text()
}

/// One program.
#[derive(Debug)]
struct Program {
    path: String,
    code: Code<String>,
    /// The offsets of its lines.
    lines: Vec<usize>,
    /// Its names.
    names: BTreeMap<String, Binding>,
    /// The names that it exports.
    exports: Vec<String>,
    /// Whether it exports by `export`.
    is_module: bool,
}

/// What a name means.
#[derive(Clone, Debug)]
enum Binding {
    /// The expression that begins at this token.
    Value(usize),
    /// A name of another file.
    Import { from: String, name: String },
}

/// The name of a default export.
const DEFAULT: &str = "default";

/// Reads programs of a folder.
pub(super) struct Scripts<'e, 'a> {
    evidence: &'e Evidence<'a>,
    programs: BTreeMap<String, Rc<Program>>,
    /// How many more values may be read.
    room: usize,
    /// Of data: how deep in a value functions are read. Below, and among the values of a map, what they
    /// return counts as computed.
    functions: Option<usize>,
    /// Keys whose values are lists of which no item may be missed.
    list_keys: &'static [&'static str],
    /// Where those lists are that are not read whole, and the place to report.
    computed: Vec<((u32, u32), SourceLocation)>,
    /// The files read.
    pub(super) files: Vec<String>,
}

impl<'e, 'a> Scripts<'e, 'a> {
    pub(super) fn new(evidence: &'e Evidence<'a>) -> Self {
        Self {
            evidence,
            programs: BTreeMap::new(),
            room: ROOM,
            functions: None,
            list_keys: &[],
            computed: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Reads programs whose export, or the function that makes it, is data: a function among the
    /// values computes what it returns.
    pub(super) fn of_data(evidence: &'e Evidence<'a>) -> Self {
        Self {
            functions: Some(4),
            ..Self::new(evidence)
        }
    }

    /// Reads programs in which these keys have lists of which no item may be missed.
    pub(super) fn with_lists(
        evidence: &'e Evidence<'a>,
        list_keys: &'static [&'static str],
    ) -> Self {
        Self {
            list_keys,
            ..Self::new(evidence)
        }
    }

    /// What a program exports by default.
    pub(super) fn default_export(&mut self, path: &str) -> Option<Node> {
        self.exported(path, DEFAULT, 0)
    }

    /// What a program exports as data: all its names, else its default export.
    pub(super) fn data(&mut self, path: &str) -> Vec<Entry> {
        let Some(program) = self.program(path) else {
            return Vec::new();
        };
        let mut data = Vec::new();
        if program.exports.is_empty() || !program.is_module {
            let exported = self.default_export(path).map(|node| node.value);
            if let Some(Value::Map(entries)) = exported {
                data = entries;
            }
        }
        for name in &program.exports {
            let value = self.named_data(&program, name);
            data.extend(value.map(|value| value::entry(name, value)));
        }
        data
    }

    /// The value of a name. A function is computed.
    fn named_data(&mut self, program: &Rc<Program>, name: &str) -> Option<Node> {
        match self.declared(program, name) {
            Some(at) => Some(self.computed(program, at)),
            None => self.named(program, name, 0),
        }
    }

    /// What a program exports by a name.
    pub(super) fn export(&mut self, path: &str, name: &str) -> Option<Node> {
        self.exported(path, name, 0)
    }

    /// A value that a file exports: the whole of a JSON file.
    fn exported(&mut self, path: &str, name: &str, depth: usize) -> Option<Node> {
        if path.ends_with(".json") {
            let file = self.evidence.file(path)?;
            let (text, _) = decode(&file.bytes, path);
            return whole(&text, path, Syntax::Json);
        }
        let program = self.program(path)?;
        self.named(&program, name, depth)
    }

    fn program(&mut self, path: &str) -> Option<Rc<Program>> {
        if let Some(program) = self.programs.get(path) {
            return Some(Rc::clone(program));
        }
        let file = self.evidence.file(path)?;
        if file.bytes.len() > LARGEST || self.programs.len() == PROGRAMS {
            return None;
        }
        let (text, _) = decode(&file.bytes, path);
        let program = Rc::new(Program::parse(path, text.into_owned()));
        self.programs.insert(path.to_owned(), Rc::clone(&program));
        self.files.push(path.to_owned());
        Some(program)
    }

    /// The file that a program imports.
    fn imported(&self, program: &Program, from: &str) -> Option<String> {
        let folder = program
            .path
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let path = match from.strip_prefix("@site/").or(from.strip_prefix("~/")) {
            Some(rooted) => path::join("", rooted)?,
            None if from.starts_with('.') => path::join(folder, from)?,
            None => return None,
        };
        let bare = path.strip_suffix(".js").unwrap_or(&path);
        let mut paths = ENDINGS
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .chain(ENDINGS.iter().map(|ending| format!("{bare}{ending}")));
        paths.find(|path| self.evidence.file(path).is_some())
    }
}

/// A whole text in a syntax for data, also a list at the top.
pub(super) fn whole(text: &str, path: &str, syntax: Syntax) -> Option<Node> {
    const KEY: &str = "all";
    let text = text.trim_start_matches('\u{feff}');
    let (wrapped, lines) = match syntax {
        Syntax::Json => (format!("{{\"{KEY}\":{text}\n}}"), 0),
        _ => {
            let inside = text
                .strip_prefix("---")
                .filter(|rest| rest.trim_start_matches([' ', '\r']).starts_with('\n'));
            let body = inside.unwrap_or(text);
            let is_list = body
                .lines()
                .map(str::trim_end)
                .find(|line| !line.is_empty() && !line.starts_with('#'))
                .is_some_and(|line| line.starts_with(['-', '[']));
            // In TOML a bracket opens a table.
            if !is_list || matches!(syntax, Syntax::Toml) {
                let (front, _) = front::read(text, path, syntax);
                return (!front.entries.is_empty()).then_some(Node {
                    value: Value::Map(front.entries),
                    line: 1,
                    column: 1,
                });
            }
            (format!("{KEY}:\n{body}"), u32::from(inside.is_none()))
        }
    };
    let (front, _) = front::read(&wrapped, path, syntax);
    let entry = front
        .entries
        .into_iter()
        .find(|entry| entry.key.text == KEY)?;
    let mut node = entry.node;
    shift(&mut node, lines);
    Some(node)
}

/// Moves the places of a value up by some lines. The depth of values is bounded by their parsers.
fn shift(node: &mut Node, lines: u32) {
    node.line = node.line.saturating_sub(lines);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, lines)),
        Value::Map(entries) => entries
            .iter_mut()
            .for_each(|entry| shift(&mut entry.node, lines)),
        Value::Scalar { .. } => {}
    }
}

impl Program {
    fn parse(path: &str, text: String) -> Self {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let mut program = Self {
            path: path.to_owned(),
            code: Code::new(text),
            lines,
            names: BTreeMap::new(),
            exports: Vec::new(),
            is_module: false,
        };
        program.bind();
        program
    }

    /// The line and column of a token.
    fn place(&self, at: usize) -> (u32, u32) {
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
                    "export" => self.export(at + 1),
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
            while next < self.code.count() && !self.code.is(next, '=') && !self.code.is(next, ';') {
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
        if self.code.kind(at) == Some(TokenKind::Word)
            && self.code.is(at + 1, '(')
            && let Some(value) = self.returned(self.code.behind(at + 1))
        {
            self.name(self.code.source(at).to_owned(), Binding::Value(value));
        }
    }

    /// Whether a function begins at a token: `function`, `name =>`, or `(…) =>`.
    fn is_function(&self, at: usize) -> bool {
        let behind = match self.code.kind(at) {
            Some(TokenKind::Word) => match self.code.source(at) {
                "function" => return true,
                "async" => return self.is_function(at + 1),
                _ => at + 1,
            },
            Some(TokenKind::Sign('(')) => self.code.behind(at),
            _ => return false,
        };
        let has_type = self.code.is(at, '(') && self.code.is(behind, ':');
        has_type || self.code.kind(behind) == Some(TokenKind::Arrow)
    }

    /// The brace of a function's body; `at` is behind its parameters.
    fn body(&self, mut at: usize) -> Option<usize> {
        while !self.code.is(at, '{') {
            at = match self.code.kind(at)? {
                TokenKind::Sign('(' | '[') => self.code.behind(at),
                TokenKind::Sign(';' | '}' | ')') => return None,
                _ => at + 1,
            };
        }
        Some(at)
    }

    /// The value that a function returns; `at` is behind its parameters.
    fn returned(&self, at: usize) -> Option<usize> {
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
    fn returns(&self, at: usize) -> bool {
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

    /// `export default value`, `export const name = value`, `export { name }`
    fn export(&mut self, at: usize) {
        self.is_module = true;
        match self.code.source(at) {
            DEFAULT => self.name(DEFAULT.to_owned(), Binding::Value(at + 1)),
            "const" | "let" | "var" => self.exports.push(self.code.source(at + 1).to_owned()),
            "function" => self.exports.push(self.code.source(at + 1).to_owned()),
            "{" => self.export_list(at),
            _ => {}
        }
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
}
