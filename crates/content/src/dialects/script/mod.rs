//! The literals of a configuration that is a program: objects, lists and texts, names of constants,
//! what simple functions return, and what is imported from files beside it. Nothing is executed.

mod calls;
mod falsehood;
mod folder;
mod list;
mod program;
mod value;
mod whole;

pub(super) use falsehood::{Falsehood, keys};
pub(super) use folder::folder;
pub(super) use list::List;
pub(super) use whole::whole;

use std::{collections::BTreeMap, rc::Rc};

use crate::dialects::evidence::Evidence;
use crate::model::path;
use crate::model::problem::SourceLocation;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Node, Syntax, Value};
use crate::syntax::tokens::Code;

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
    /// Where its functions with names begin.
    functions: BTreeMap<String, usize>,
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
            data.extend(value.map(|value| Entry::new(name, value)));
        }
        data
    }

    /// The value of a name. A function is computed.
    fn named_data(&mut self, program: &Rc<Program>, name: &str) -> Option<Node> {
        match program.declared(name) {
            Some(at) => Some(self.computed(program, at)),
            None => self.named(program, name, 0),
        }
    }

    /// What a program exports by a name.
    pub(super) fn export(&mut self, path: &str, name: &str) -> Option<Node> {
        self.exported(path, name, 0)
    }

    /// The value of a name of a program, or of a key in it: `config.folder`.
    pub(super) fn member_of(&mut self, path: &str, name: &str) -> Option<Node> {
        let program = self.program(path)?;
        let mut keys = name.split('.');
        let value = self.named(&program, keys.next()?, 0);
        keys.fold(value, |value, key| Some(value?.get(key)?.node.clone()))
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
