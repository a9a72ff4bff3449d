//! Redirects in a program: literals in lists and objects whose name ends with `redirects`. Nothing
//! is evaluated; what is not a literal is skipped.

use super::entries::List;
use super::{Pattern, Reader, Style, is_redirect};
use crate::dialects::script::whole;
use crate::model::path::join;
use crate::model::text::Lines;
use crate::syntax::front::{Entry, Key, Node, Syntax, Value};
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// How deep objects may be nested.
const DEPTH: usize = 32;
/// The name of redirects, at the end of a word and in any case.
const NAME: &str = "redirects";
/// The maximum number of tokens between a name and its value.
const MOST_BETWEEN: usize = 16;

impl Reader<'_> {
    pub(super) fn program(&mut self, text: &str, style: Style) {
        let program = Program {
            code: Code::new(text),
            lines: Lines::new(text),
        };
        let mut at = 0;
        while at < program.code.count() {
            at = match program.opening(at) {
                Some((opening, start)) => {
                    self.named(&program, at, (opening, start), style);
                    program.code.behind(start)
                }
                None => at + 1,
            };
        }
    }

    /// A whole file of JSON.
    pub(super) fn json(&mut self, text: &str, style: Style) {
        if let Some(node) = whole(text, self.path, Syntax::Json) {
            self.nodes(&node, style);
        }
    }

    /// What the name of redirects at `at` has.
    fn named(
        &mut self,
        program: &Program<'_>,
        at: usize,
        (opening, start): (Opening, usize),
        style: Style,
    ) {
        if program.code.source(at).starts_with("create") {
            return self.skip(program.place(at), "it is computed");
        }
        match opening {
            Opening::Value => self.nodes(&program.group(start), style),
            Opening::Body => self.in_body(program, start, style),
        }
    }

    /// Reads the lists in the body of a function.
    fn in_body(&mut self, program: &Program<'_>, start: usize, style: Style) {
        let (end, mut at) = (program.code.end(start), start + 1);
        while at < end {
            if program.code.is(at, '[') {
                self.nodes(&program.group(at), style);
                at = program.code.behind(at);
            } else {
                at += 1;
            }
        }
    }

    fn nodes(&mut self, node: &Node, style: Style) {
        let list = List {
            style,
            ..List::SOURCES
        };
        let pairs = List {
            style,
            ..List::PAIRS
        };
        match &node.value {
            Value::List(items) => {
                for item in items {
                    self.item(item, &list);
                    self.item(item, &pairs);
                }
            }
            Value::Map(entries) => {
                for entry in entries {
                    self.entry(entry, style);
                }
            }
            Value::Scalar { .. } => {}
        }
    }

    /// `'/old': '/new'`, or with an object of status and destination.
    fn entry(&mut self, entry: &Entry, style: Style) {
        let (key, node) = (&entry.key, &entry.node);
        if !key.text.starts_with('/') {
            return;
        }
        let place = (key.line, key.column);
        let of = |name: &str| node.get(name).and_then(|entry| entry.node.text());
        if of("status").is_some_and(|status| !is_redirect(status)) {
            return;
        }
        let Some(to) = node.text().or_else(|| of("destination")) else {
            return self.skip(place, "its target is computed");
        };
        let from = Pattern::from(&key.text, style);
        let to = from.as_ref().and_then(|from| from.target(to, style));
        self.add(from, to, false, place);
    }
}

/// The files of JSON that a program imports by a name that ends with `redirects`, or uses as the
/// value of such a name: `import x from './x.json'`, `const x = require('./x.json')`.
pub(super) fn imported(text: &str, path: &str) -> Vec<String> {
    const MOST: usize = 20;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut paths = Vec::new();
    for (end, _) in text.match_indices(".json").take(MOST) {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let Some(quote) = text[line..end].rfind(['"', '\'']) else {
            continue;
        };
        let (before, written) = (&text[line..line + quote], &text[line + quote + 1..end + 5]);
        let mut words = before
            .split(|c| !is_letter(c))
            .filter(|word| !word.is_empty());
        let name = match words.next() {
            Some("import" | "const" | "let" | "var") => words.next().unwrap_or_default(),
            // `redirects: require('./x.json')`
            Some(word) if before.contains("require(") => word,
            _ => continue,
        };
        let is_used = || {
            let mut uses = text
                .match_indices(name)
                .map(|(at, _)| text[..at].trim_end());
            uses.any(|before| {
                let before = before.strip_suffix(':').unwrap_or_default();
                is_name(before.trim_end())
            })
        };
        if !name.is_empty() && written.starts_with('.') && (is_name(name) || is_used()) {
            paths.extend(join(folder, written));
        }
    }
    paths
}

/// What begins after a name.
enum Opening {
    /// A list or an object.
    Value,
    /// The body of a function.
    Body,
}

struct Program<'a> {
    code: Code<&'a str>,
    lines: Lines<'a>,
}

impl Program<'_> {
    /// The line and column of a token.
    fn place(&self, at: usize) -> (u32, u32) {
        let start = self.code.token(at).map_or(0, |token| token.start);
        self.lines.place(start)
    }

    /// The bracket that opens the list, object or function body of the name of redirects at `at`:
    /// after `:`, `=`, parameters, a type, an arrow.
    fn opening(&self, at: usize) -> Option<(Opening, usize)> {
        let is_name = match self.code.kind(at)? {
            TokenKind::Word => is_name(self.code.source(at)),
            TokenKind::Text => {
                self.code.is(at + 1, ':') && is_name(&unquoted(self.code.source(at)))
            }
            _ => false,
        };
        if !is_name {
            return None;
        }
        let (mut next, mut is_function) = (at + 1, false);
        for _ in 0..MOST_BETWEEN {
            match self.code.kind(next)? {
                TokenKind::Sign('(') => {
                    is_function = true;
                    next = self.code.behind(next);
                }
                TokenKind::Sign('[') if self.code.closing(next) == Some(next + 1) => next += 2,
                TokenKind::Sign('{') if is_function => return Some((Opening::Body, next)),
                TokenKind::Sign('[' | '{') => return Some((Opening::Value, next)),
                TokenKind::Sign(':' | '=' | '>' | '<' | '.')
                | TokenKind::Arrow
                | TokenKind::Word => next += 1,
                _ => return None,
            }
        }
        None
    }

    /// The list or object that a bracket opens.
    fn group(&self, start: usize) -> Node {
        self.value(start, self.code.behind(start), 0)
    }

    /// The value of the tokens from `at` up to `end`; what is not a literal is null.
    fn value(&self, at: usize, end: usize, depth: usize) -> Node {
        let is_whole = end == at + 1;
        let source = self.code.source(at);
        let value = match self.code.kind(at) {
            Some(TokenKind::Sign('[')) if depth < DEPTH => Value::List(self.list(at, depth)),
            Some(TokenKind::Sign('{')) if depth < DEPTH => Value::Map(self.object(at, depth)),
            Some(TokenKind::Text) if is_whole => scalar(unquoted(source), false),
            // A text that is computed in part.
            Some(TokenKind::Opaque) if is_whole => scalar(String::new(), false),
            Some(TokenKind::Word) if is_whole && is_literal(source) => {
                scalar(source.to_owned(), true)
            }
            _ => scalar(String::new(), true),
        };
        let (line, column) = self.place(at);
        Node {
            value,
            line,
            column,
        }
    }

    fn list(&self, start: usize, depth: usize) -> Vec<Node> {
        let items = self.items(start);
        items
            .map(|(item, end)| self.value(item, end, depth + 1))
            .collect()
    }

    fn object(&self, start: usize, depth: usize) -> Vec<Entry> {
        let items = self.items(start);
        items
            .filter_map(|(item, end)| self.property(item, end, depth))
            .collect()
    }

    fn property(&self, at: usize, end: usize, depth: usize) -> Option<Entry> {
        let text = match self.code.kind(at)? {
            TokenKind::Text => unquoted(self.code.source(at)),
            TokenKind::Word => self.code.source(at).to_owned(),
            _ => return None,
        };
        if !self.code.is(at + 1, ':') {
            return None;
        }
        let node = self.value(at + 2, end, depth + 1);
        let (line, column) = self.place(at);
        let key = Key { text, line, column };
        Some(Entry { key, node })
    }

    /// The first token of each item of a list or object, and the one behind the item.
    fn items(&self, start: usize) -> impl Iterator<Item = (usize, usize)> {
        let end = self.code.end(start);
        let mut next = start + 1;
        std::iter::from_fn(move || {
            while self.code.is(next, ',') {
                next += 1;
            }
            let item = next;
            let behind = self.code.expression_end(item, |_| false);
            next = behind.max(item + 1);
            (item < end).then_some((item, behind))
        })
    }
}

fn is_name(word: &str) -> bool {
    let start = word.len().checked_sub(NAME.len());
    let end = start.and_then(|start| word.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(NAME))
}

/// Whether a word is a number, or yes or no.
fn is_literal(word: &str) -> bool {
    matches!(word, "true" | "false") || word.bytes().all(|byte| byte.is_ascii_digit())
}

fn scalar(text: String, plain: bool) -> Value {
    Value::Scalar { text, plain }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}
