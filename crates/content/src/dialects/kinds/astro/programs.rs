//! The programs of an Astro site: what a name in one of them means.

use std::{collections::BTreeMap, rc::Rc};

use crate::dialects::evidence::Evidence;
use crate::model::path::{folder, inside_or_folder, join};
use crate::model::text::decode;
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The largest program, in bytes.
const LARGEST: usize = 1_000_000;
/// How many programs are read.
const MOST: usize = 500;
/// How many imports one name is followed through.
const DEEPEST: usize = 5;
/// How many tokens are looked through for names.
const ROOM: usize = 50_000_000;
/// The longest `import`, and the longest type of a constant, in tokens.
const LONGEST: usize = 200;
/// The endings of programs, for imports without one.
const ENDINGS: [&str; 7] = ["", ".ts", ".js", ".mjs", ".tsx", "/index.ts", "/index.js"];

/// One program.
pub struct Program {
    pub path: String,
    pub code: Code<String>,
}

/// A place in a program.
#[derive(Clone)]
pub struct Place {
    pub program: Rc<Program>,
    /// The number of a token.
    pub at: usize,
}

impl Place {
    /// Another token of the same program.
    pub fn to(&self, at: usize) -> Self {
        Self {
            program: Rc::clone(&self.program),
            at,
        }
    }
}

/// The programs of a site, each read once.
pub struct Programs<'e, 'a> {
    evidence: &'e Evidence<'a>,
    /// The folder of the sources.
    source: &'e str,
    known: BTreeMap<String, Rc<Program>>,
    /// How many more tokens may be looked through.
    room: usize,
}

impl<'e, 'a> Programs<'e, 'a> {
    pub fn new(evidence: &'e Evidence<'a>, source: &'e str) -> Self {
        Self {
            evidence,
            source,
            known: BTreeMap::new(),
            room: ROOM,
        }
    }

    /// The program in a file.
    pub fn open(&mut self, path: &str) -> Option<Rc<Program>> {
        if let Some(known) = self.known.get(path) {
            return Some(Rc::clone(known));
        }
        let file = self.evidence.file(path)?;
        if file.bytes.len() > LARGEST || self.known.len() == MOST {
            return None;
        }
        let (text, _) = decode(&file.bytes, path);
        let program = Rc::new(Program {
            path: path.to_owned(),
            code: Code::new(text.into_owned()),
        });
        self.known.insert(path.to_owned(), Rc::clone(&program));
        Some(program)
    }

    /// The value of a constant, or the word `function` of a function, that a name in a program means.
    pub fn meaning(&mut self, program: &Rc<Program>, name: &str) -> Option<Place> {
        let (mut program, mut name) = (Rc::clone(program), name.to_owned());
        for _ in 0..DEEPEST {
            self.room = self.room.checked_sub(program.code.count() + 1000)?;
            if let Some(at) = declared(&program.code, &name) {
                return Some(Place { program, at });
            }
            let (from, original) = imported(&program.code, &name)?;
            let path = self.file(&program.path, &from)?;
            program = self.open(&path)?;
            name = original;
        }
        None
    }

    /// The file that an import names: from its own folder, or below the sources by an alias, such as
    /// `@/x` or `@lib/x`.
    fn file(&self, importing: &str, from: &str) -> Option<String> {
        let path = match from.starts_with('.') {
            true => vec![join(folder(importing), from)?],
            false => {
                let alias = from
                    .trim_start_matches(['@', '~', '#'])
                    .trim_start_matches('/');
                let (_, below) = alias.split_once('/').unwrap_or(("", alias));
                let below_source = [alias, below].map(|path| inside_or_folder(self.source, path));
                below_source.into_iter().chain([from.to_owned()]).collect()
            }
        };
        let mut files = path.iter().flat_map(|path| {
            let bare = path.strip_suffix(".js").unwrap_or(path);
            ENDINGS.iter().map(move |ending| format!("{bare}{ending}"))
        });
        files.find(|path| self.evidence.file(path).is_some())
    }
}

/// Where the value of a constant or function begins.
fn declared(code: &Code<String>, name: &str) -> Option<usize> {
    for at in 1..code.count() {
        if name == "default" && code.is_word(at - 1, "export") && code.is_word(at, name) {
            return Some(at + 1);
        }
        if !code.is_word(at, name) {
            continue;
        }
        match code.source(at - 1) {
            "function" => return Some(at - 1),
            "const" | "let" | "var" => return value_of(code, at),
            _ => {}
        }
    }
    None
}

/// Where the value of a constant begins, behind its type. One that is given later has none here.
fn value_of(code: &Code<String>, at: usize) -> Option<usize> {
    const STATEMENTS: [&str; 7] = [
        "const", "export", "function", "import", "let", "return", "var",
    ];
    let near = at + 1..code.count().min(at + LONGEST);
    for at in near {
        if code.is(at, '=') {
            return Some(at + 1);
        }
        if code.is(at, ';') || STATEMENTS.contains(&code.source(at)) {
            return None;
        }
    }
    None
}

/// Whether a program gives a name another value later.
pub fn is_changed(code: &Code<String>, name: &str) -> bool {
    (1..code.count()).any(|at| {
        code.is_word(at, name)
            && code.is(at + 1, '=')
            && !code.is(at + 2, '=')
            && !matches!(code.source(at - 1), "const" | "let" | "var" | ".")
    })
}

/// The file from which a name is imported, and its name there.
fn imported(code: &Code<String>, name: &str) -> Option<(String, String)> {
    let mut starts = (0..code.count()).filter(|at| code.is_word(*at, "import"));
    starts.find_map(|start| imported_at(code, start, name))
}

/// The same, if the `import` at this token has the name.
fn imported_at(code: &Code<String>, start: usize, name: &str) -> Option<(String, String)> {
    let mut original: Option<String> = None;
    for at in start + 1..code.count().min(start + LONGEST) {
        match code.kind(at) {
            Some(TokenKind::Text) => return Some((unquoted(code.source(at)), original?)),
            Some(TokenKind::Word) if code.source(at) == name => {
                let is_renamed = code.is_word(at - 1, "as");
                original = Some(match at == start + 1 {
                    true => "default".to_owned(),
                    false if is_renamed => code.source(at - 2).to_owned(),
                    false => name.to_owned(),
                });
            }
            Some(TokenKind::Word | TokenKind::Sign('{' | '}' | ',' | '*')) => {}
            _ => return None,
        }
    }
    None
}

/// Whether a function begins at a token: `function`, `async`, `name =>`, or `(…) =>`.
pub fn is_function(code: &Code<String>, at: usize) -> bool {
    match code.kind(at) {
        Some(TokenKind::Word) => {
            matches!(code.source(at), "function" | "async")
                || code.kind(at + 1) == Some(TokenKind::Arrow)
        }
        Some(TokenKind::Sign('(')) => arrow(code, code.behind(at)).is_some(),
        _ => false,
    }
}

/// The arrow behind the parameters of a function, or behind the type that follows them.
pub fn arrow(code: &Code<String>, behind: usize) -> Option<usize> {
    let has_type = code.is(behind, ':');
    let mut near = behind..behind + if has_type { LONGEST } else { 1 };
    near.find(|at| code.kind(*at) == Some(TokenKind::Arrow))
}

/// A function: its parameters, and its body, a value or a block.
#[derive(Clone, Copy)]
pub struct Function {
    /// The bracket before its parameters, or its only parameter.
    pub parameters: usize,
    pub body: usize,
}

impl Function {
    /// The function that begins at a token.
    pub fn at(code: &Code<String>, at: usize) -> Option<Self> {
        let at = at + usize::from(code.is_word(at, "async"));
        if code.is_word(at, "function") {
            return Self::with_block(code, at);
        }
        let behind = match code.is(at, '(') {
            true => code.behind(at),
            false => at + 1,
        };
        Some(Self {
            parameters: at,
            body: arrow(code, behind)? + 1,
        })
    }

    /// `function name(…) { … }`, which begins with its first word.
    fn with_block(code: &Code<String>, at: usize) -> Option<Self> {
        let named = usize::from(code.kind(at + 1) == Some(TokenKind::Word));
        let parameters = at + 1 + named;
        let behind = code.behind(parameters);
        let mut near = behind..behind + LONGEST;
        let body = near.find(|at| code.is(*at, '{'))?;
        code.is(parameters, '(')
            .then_some(Self { parameters, body })
    }

    /// Where the values begin that it returns: its body, or what follows each `return` outside inner
    /// blocks.
    pub fn returned(self, code: &Code<String>) -> Vec<usize> {
        if !code.is(self.body, '{') {
            return vec![self.body];
        }
        let end = code.end(self.body);
        let (mut values, mut at) = (Vec::new(), self.body + 1);
        while at < end {
            if code.is_word(at, "return") {
                values.push(at + 1);
            }
            at = match code.kind(at) {
                Some(TokenKind::Sign('(' | '[' | '{')) => code.behind(at),
                _ => at + 1,
            };
        }
        values
    }
}
