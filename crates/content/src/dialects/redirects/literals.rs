//! Redirects in a program: literals in lists and objects whose name ends with `redirects`. Nothing
//! is evaluated; what is not a literal is skipped.

use super::entries::List;
use super::{Pattern, Reader, Style, is_redirect};
use crate::dialects::script::whole;
use crate::model::path::join;
use crate::model::text::Lines;
use crate::syntax::front::{Entry, Key, Node, Syntax, Value};

/// How deep objects may be nested.
const DEPTH: usize = 32;
/// The name of redirects, at the end of a word and in any case.
const NAME: &str = "redirects";
const QUOTES: [char; 3] = ['"', '\'', '`'];

impl Reader<'_> {
    pub(super) fn program(&mut self, text: &str, style: Style) {
        let mut walk = Walk {
            text,
            at: 0,
            lines: Lines::new(text),
            unclosed: [0; QUOTES.len()],
        };
        while let Some(next) = walk.peek() {
            match next {
                '"' | '\'' | '`' => {
                    walk.string();
                }
                '/' if walk.comment() => {}
                c if is_letter(c) => {
                    let start = walk.at;
                    let word = walk.word();
                    if word.len() >= NAME.len()
                        && word.is_char_boundary(word.len() - NAME.len())
                        && word[word.len() - NAME.len()..].eq_ignore_ascii_case(NAME)
                    {
                        let is_computed = word.starts_with("create");
                        self.named(&mut walk, start, is_computed, style);
                    }
                }
                c => walk.at += c.len_utf8(),
            }
        }
    }

    /// A whole file of JSON.
    pub(super) fn json(&mut self, text: &str, style: Style) {
        if let Some(node) = whole(text, self.path, Syntax::Json) {
            self.nodes(&node, style);
        }
    }

    /// What follows the name of redirects.
    fn named(&mut self, walk: &mut Walk<'_>, start: usize, is_computed: bool, style: Style) {
        let Some(opening) = walk.opening() else {
            return;
        };
        if is_computed {
            let place = walk.lines.place(start);
            self.skip(place, "it is computed");
            return walk.skip_group();
        }
        match opening {
            Opening::Value => {
                let node = walk.value(0);
                self.nodes(&node, style);
            }
            Opening::Body => {
                self.in_body(walk, style);
            }
        }
    }

    /// Reads the lists in the body of a function.
    fn in_body(&mut self, walk: &mut Walk<'_>, style: Style) {
        let end = walk.group_end();
        walk.at += 1;
        while walk.at < end
            && let Some(next) = walk.peek()
        {
            match next {
                '"' | '\'' | '`' => {
                    walk.string();
                }
                '/' if walk.comment() => {}
                '[' => {
                    let node = walk.value(0);
                    self.nodes(&node, style);
                }
                c => walk.at += c.len_utf8(),
            }
        }
        walk.at = walk.at.max(end);
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
    let is_name = |name: &str| name.to_ascii_lowercase().ends_with(NAME);
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

struct Walk<'a> {
    text: &'a str,
    at: usize,
    lines: Lines<'a>,
    /// For each of the quotes, up to where none is closed.
    unclosed: [usize; QUOTES.len()],
}

impl Walk<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.comment() {
                return;
            }
        }
    }

    /// Skips a comment, if one begins here.
    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.at += length;
        true
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        self.at += length;
        &self.text[start..self.at]
    }

    /// The text of a quoted literal; `None`: it is not closed, or has parts that are computed.
    fn string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        let kind = QUOTES.iter().position(|known| *known == quote)?;
        self.at += quote.len_utf8();
        if self.at <= self.unclosed[kind] {
            return None;
        }
        let (start, mut text) = (self.at, String::new());
        let mut characters = self.text[start..].char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                '\n' if quote != '`' => break,
                c if c == quote => {
                    self.at = start + at + 1;
                    let is_computed = quote == '`' && text.contains("${");
                    return (!is_computed).then_some(text);
                }
                c => text.push(c),
            }
        }
        // The next such quote is escaped, and what follows it is read as here.
        self.unclosed[kind] = start + characters.offset();
        None
    }

    /// Goes to the list, object or function body that a name has: after `:`, `=`, parameters, a
    /// type, an arrow.
    fn opening(&mut self) -> Option<Opening> {
        let mut is_function = false;
        for _ in 0..16 {
            self.skip_space();
            match self.peek()? {
                '(' => {
                    is_function = true;
                    self.skip_group();
                }
                '[' if self.rest().starts_with("[]") => self.at += 2,
                '[' => return Some(Opening::Value),
                '{' if is_function => return Some(Opening::Body),
                '{' => return Some(Opening::Value),
                ':' | '=' | '>' | '<' => self.at += 1,
                c if is_letter(c) => {
                    self.word();
                }
                _ => return None,
            }
        }
        None
    }

    /// The end of the group that begins here, without a move.
    fn group_end(&mut self) -> usize {
        let start = self.at;
        self.skip_group();
        std::mem::replace(&mut self.at, start)
    }

    /// Skips a group of brackets of any kind.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while let Some(next) = self.peek() {
            match next {
                '"' | '\'' | '`' => {
                    self.string();
                    continue;
                }
                '/' if self.comment() => continue,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += next.len_utf8();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips an expression up to the `,` or bracket that ends it.
    fn skip_expression(&mut self) {
        while let Some(next) = self.peek() {
            match next {
                ',' | ']' | '}' | ')' => return,
                '(' | '[' | '{' => self.skip_group(),
                '"' | '\'' | '`' => {
                    self.string();
                }
                '/' if self.comment() => {}
                c => self.at += c.len_utf8(),
            }
        }
    }

    /// A value; what is not a literal is null.
    fn value(&mut self, depth: usize) -> Node {
        self.skip_space();
        let start = self.at;
        let value = match self.peek() {
            Some('[') if depth < DEPTH => Value::List(self.list(depth)),
            Some('{') if depth < DEPTH => Value::Map(self.object(depth)),
            Some('"' | '\'' | '`') => scalar(self.string().unwrap_or_default(), false),
            Some(c) if is_letter(c) => {
                let word = self.word().to_owned();
                let is_literal = matches!(word.as_str(), "true" | "false")
                    || word.bytes().all(|byte| byte.is_ascii_digit());
                scalar(if is_literal { word } else { String::new() }, true)
            }
            _ => scalar(String::new(), true),
        };
        let (line, column) = self.lines.place(start);
        self.skip_space();
        let is_whole = self
            .peek()
            .is_none_or(|c| matches!(c, ',' | ']' | '}' | ')' | ';'));
        let is_list = matches!(value, Value::List(_) | Value::Map(_));
        let value = if is_whole || is_list {
            value
        } else {
            scalar(String::new(), true)
        };
        if !is_whole && depth > 0 {
            self.skip_expression();
        }
        Node {
            value,
            line,
            column,
        }
    }

    fn list(&mut self, depth: usize) -> Vec<Node> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip_space();
            let before = self.at;
            match self.peek() {
                None => return items,
                Some(']') => {
                    self.at += 1;
                    return items;
                }
                Some(',') => self.at += 1,
                Some(_) => items.push(self.value(depth + 1)),
            }
            if self.at == before {
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
    }

    fn object(&mut self, depth: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.at += 1;
        loop {
            self.skip_space();
            let before = self.at;
            match self.peek() {
                None => return entries,
                Some('}') => {
                    self.at += 1;
                    return entries;
                }
                Some(',') => self.at += 1,
                Some(_) => entries.extend(self.property(depth)),
            }
            if self.at == before {
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
    }

    fn property(&mut self, depth: usize) -> Option<Entry> {
        let start = self.at;
        let text = match self.peek()? {
            '"' | '\'' | '`' => self.string(),
            c if is_letter(c) => Some(self.word().to_owned()),
            _ => None,
        };
        self.skip_space();
        let Some(text) = text.filter(|_| self.take(":")) else {
            self.skip_expression();
            return None;
        };
        let node = self.value(depth + 1);
        let (line, column) = self.lines.place(start);
        let key = Key { text, line, column };
        Some(Entry { key, node })
    }
}

fn scalar(text: String, plain: bool) -> Value {
    Value::Scalar { text, plain }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}
