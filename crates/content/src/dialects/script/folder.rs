//! Folders that a program joins to its own place: `path.join(__dirname, 'text')`.

use std::rc::Rc;

use super::{Binding, FOLDER, Program, Scripts, is_computed, value};
use crate::model::path::{self, join};
use crate::syntax::front::{Entry, Node};
use crate::syntax::tokens::{TokenKind, unquoted};

/// How deep calls and names may be nested.
const DEPTH: usize = 20;
/// The words of an expression for the folder of its program.
const OWN: [&str; 11] = [
    "__dirname",
    "__filename",
    "URL",
    "dirname",
    "fileURLToPath",
    "filename",
    "import",
    "meta",
    "new",
    "path",
    "url",
];

/// The folder that a value names: a literal counts from `base`, what a program joins to its own place
/// from the root. `None`: it is computed in another way, or outside of all that is read.
pub(in crate::dialects) fn folder(node: &Node, base: &str) -> Option<String> {
    if let Some(joined) = node.get(FOLDER) {
        return join("", joined.node.text()?);
    }
    let literal = node.text().filter(|_| !is_computed(node));
    literal.and_then(|text| join(base, text))
}

impl Scripts<'_, '_> {
    /// Notes the folder that a computed value names.
    pub(super) fn with_folder(
        &mut self,
        program: &Rc<Program>,
        (at, end): (usize, usize),
        entries: &mut Vec<Entry>,
    ) {
        if let Some(folder) = self.place(program, at, end, 0) {
            let text = value::scalar(&format!("./{folder}"), false);
            entries.push(Entry::new(FOLDER, value::node(program, at, text)));
        }
    }

    /// The folder that an expression names, from the root.
    fn place(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        end: usize,
        depth: usize,
    ) -> Option<String> {
        self.room = self.room.saturating_sub(1 + end.saturating_sub(at) / 64);
        if depth > DEPTH || self.room == 0 {
            return None;
        }
        let code = &program.code;
        let own = path::folder(&program.path);
        if code.kind(at) == Some(TokenKind::Opaque) && at + 1 == end {
            let rest = code.source(at).strip_prefix("`${__dirname}")?;
            let rest = rest.strip_suffix('`').filter(|rest| !rest.contains("${"));
            return join(own, rest?);
        }
        let mut texts = (at..end).filter(|at| code.kind(*at) == Some(TokenKind::Text));
        let (first, more) = (texts.next(), texts.next());
        let (mut is_plain, mut is_own) = (true, false);
        for at in at..end {
            let word = code.source(at);
            is_plain &= code.kind(at) != Some(TokenKind::Word) || OWN.contains(&word);
            is_own |= matches!(word, "__dirname" | "__filename" | "meta");
        }
        match (first, more) {
            (None, _) if is_plain && is_own => Some(own.to_owned()),
            (Some(text), None) if is_plain && is_own => {
                let text_of = unquoted(code.source(text));
                // `__dirname + '/text'`, `new URL('../text', import.meta.url)`
                let before = text.saturating_sub(1);
                let is_added = code.is(before, '+');
                let is_url = code.is(before, '(');
                let fits = text_of.starts_with('/') && is_added || is_url;
                fits.then(|| join(own, &text_of))?
            }
            (None, _) if at + 1 == end => self.named_place(program, at, depth),
            _ => self.joined(program, at, end, depth),
        }
    }

    /// The folder that a constant names.
    fn named_place(&mut self, program: &Rc<Program>, at: usize, depth: usize) -> Option<String> {
        match program.names.get(program.code.source(at))?.clone() {
            Binding::Value(at) => {
                let end = value::behind(program, at);
                self.place(program, at, end, depth + 1)
            }
            Binding::Import { .. } => None,
        }
    }

    /// `resolve('text')` counts from the folder in which the program runs: for one at the root, that is
    /// the root.
    fn below_working_folder(
        &mut self,
        program: &Rc<Program>,
        (name, first): (usize, usize),
    ) -> Option<String> {
        let code = &program.code;
        let is_text = code.kind(first) == Some(TokenKind::Text)
            && (code.is(first + 1, ',') || code.is(first + 1, ')'));
        let text = unquoted(code.source(first));
        let is_at_root = path::folder(&program.path).is_empty();
        let counts = is_text && code.is_word(name, "resolve") && !text.starts_with('/');
        (counts && is_at_root).then(|| join("", &text))?
    }

    /// `path.join(folder, 'text', …)`, `resolve(folder, 'text', …)`, `require('path').join(…)`
    fn joined(
        &mut self,
        program: &Rc<Program>,
        at: usize,
        end: usize,
        depth: usize,
    ) -> Option<String> {
        let code = &program.code;
        let module = match code.is_word(at, "require") && code.is(at + 1, '(') {
            true => code.behind(at + 1),
            false => at + 1,
        };
        let name = if code.is(module, '.') { module + 1 } else { at };
        let is_call = matches!(code.source(name), "join" | "resolve") && code.is(name + 1, '(');
        if !is_call || code.behind(name + 1) != end {
            return None;
        }
        let first = name + 2;
        let mut next = value::behind(program, first);
        let mut folder = match self.place(program, first, next, depth + 1) {
            Some(folder) => folder,
            None => self.below_working_folder(program, (name, first))?,
        };
        while code.is(next, ',') && next + 1 < code.end(name + 1) {
            let (part, behind) = self.value(program, next + 1, depth + 1);
            let part = part
                .text()
                .filter(|text| !is_computed(&part) && !text.starts_with('/'));
            folder = join(&folder, part?)?;
            next = behind;
        }
        Some(folder)
    }
}
