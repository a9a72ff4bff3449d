//! The literals of a configuration that is a program: `title: 'A'`, `const SITE_TITLE = "A"`.
//! Nothing is evaluated; everything but literals is ignored.

use crate::model::text::Lines;
use crate::syntax::front::{Entry, Front, Key, Node, Syntax, Value};

/// How deep objects may be nested.
const DEPTH: usize = 32;
/// The maximum number of literals.
const MOST: usize = 2000;
/// How many unclosed quotes of a line are tolerated before the rest of it is skipped.
const MOST_OPEN: usize = 8;
/// The longest key, in bytes.
const LONGEST: usize = 200;

/// Reads the literals. Keys of nested objects are joined by `.`.
pub fn read(text: &str) -> Front {
    let mut walk = Walk {
        text,
        at: 0,
        lines: Lines::new(text),
        path: Vec::new(),
        key: None,
        entries: Vec::new(),
        open: (0, 0),
        ticks: 0,
    };
    walk.all();
    Front {
        repeated: Vec::new(),
        misplaced: Vec::new(),
        unread: Vec::new(),
        syntax: Syntax::Json,
        entries: walk.entries,
    }
}

/// A word that may be a key.
struct Name {
    text: String,
    /// The `:` or `=` after it.
    sign: Option<char>,
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    lines: Lines<'a>,
    /// The key of each open bracket (empty if it has none), and whether it is a list.
    path: Vec<(String, bool)>,
    key: Option<Name>,
    entries: Vec<Entry>,
    /// Where the line of the last unclosed quote ends, and how many unclosed quotes it has.
    open: (usize, usize),
    /// The number of unclosed backticks.
    ticks: usize,
}

impl Walk<'_> {
    fn all(&mut self) {
        while let Some(next) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            match next {
                '/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => {
                    self.at += rest.find("*/").map_or(rest.len(), |end| end + 2)
                }
                '"' | '\'' | '`' => self.quoted(next),
                '{' | '[' => {
                    // The name of a whole object (`const config = {`) is not a key.
                    let key = match self.key.take() {
                        Some(Name {
                            text,
                            sign: Some(':'),
                        }) => text,
                        _ => String::new(),
                    };
                    if self.path.len() < DEPTH {
                        self.path.push((key, next == '['));
                    }
                    self.at += 1;
                }
                '}' | ']' => {
                    self.path.pop();
                    self.key = None;
                    self.at += 1;
                }
                ':' | '=' if !rest.starts_with("=>") && !rest.starts_with("==") => {
                    if let Some(key) = &mut self.key {
                        key.sign = Some(next);
                    }
                    self.at += 1;
                }
                ',' | ';' | '?' | '(' | ')' => {
                    self.key = None;
                    self.at += 1;
                }
                c if c.is_alphanumeric() || matches!(c, '_' | '$') => self.word(),
                c => self.at += c.len_utf8(),
            }
        }
    }

    /// Whether a value may follow: after a key and its sign.
    fn wants_value(&self) -> bool {
        matches!(self.key, Some(Name { sign: Some(_), .. }))
    }

    fn set_key(&mut self, text: String) {
        self.key = if text.len() <= LONGEST {
            Some(Name { text, sign: None })
        } else {
            None
        };
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-')))
            .unwrap_or(rest.len());
        let word = &rest[..end];
        self.at += end.max(1);
        if !self.wants_value() {
            self.set_key(word.to_owned());
        } else if matches!(word, "true" | "false") || word.bytes().all(|byte| byte.is_ascii_digit())
        {
            self.value(word, start, true);
        } else {
            self.key = None;
        }
    }

    fn quoted(&mut self, quote: char) {
        let start = self.at;
        let Some((text, end)) = literal(&self.text[start + 1..], quote) else {
            self.at = self.unclosed(start, quote);
            return;
        };
        self.at = start + 1 + end;
        if self.text[self.at..].trim_start().starts_with(':') && !self.wants_value() {
            self.set_key(text);
        } else if quote == '`' && text.contains("${") {
            self.key = None;
        } else {
            self.value(&text, start, false);
        }
    }

    /// Where to continue after an unclosed quote: an apostrophe in a comment or a pattern. Only the
    /// first few of a line are checked.
    fn unclosed(&mut self, start: usize, quote: char) -> usize {
        if quote == '`' {
            self.ticks += 1;
            return if self.ticks > MOST_OPEN {
                self.text.len()
            } else {
                start + 1
            };
        }
        let end = start
            + self.text[start..]
                .find('\n')
                .unwrap_or(self.text.len() - start);
        let (line, count) = self.open;
        self.open = (end, if line == end { count + 1 } else { 1 });
        if self.open.1 > MOST_OPEN {
            end
        } else {
            start + 1
        }
    }

    fn value(&mut self, text: &str, at: usize, plain: bool) {
        let key = match self.key.take() {
            Some(Name {
                text,
                sign: Some(_),
            }) => Some(text),
            _ => None,
        };
        let in_list =
            key.is_none() && matches!(self.path.last(), Some((name, true)) if !name.is_empty());
        if self.entries.len() >= MOST || key.is_none() && !in_list {
            return;
        }
        let mut parts: Vec<&str> = self.path.iter().map(|(name, _)| name.as_str()).collect();
        parts.extend(key.as_deref());
        parts.retain(|part| !part.is_empty());
        let name = parts.join(".");
        let (line, column) = self.lines.place(at);
        let node = Node {
            value: Value::Scalar {
                text: text.to_owned(),
                plain,
            },
            line,
            column,
        };
        let Some(known) = self.entries.iter_mut().find(|entry| entry.key.text == name) else {
            self.entries.push(Entry {
                key: Key {
                    text: name,
                    line,
                    column,
                },
                node,
            });
            return;
        };
        match &mut known.node.value {
            _ if !in_list => {}
            Value::List(items) => items.push(node),
            _ => known.node.value = Value::List(vec![known.node.clone(), node]),
        }
    }
}

/// The text up to a quote, and its end; only a backtick spans lines.
pub fn literal(inner: &str, quote: char) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut characters = inner.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => match characters.next()? {
                (_, 'n') => text.push('\n'),
                (_, other) => text.push(other),
            },
            '\n' if quote != '`' => return None,
            c if c == quote => return Some((text, at + 1)),
            c => text.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_and_nothing_else() {
        let front = read(
            "// title: 'no'\nimport a from 'b';\nconst config = {\n  title: 'It\\'s A', tagline: `B`,\n  url: process.env.URL || 'x',\n  i18n: { defaultLocale: \"de\", locales: ['de', 'en'] },\n  presets: [['classic', { docs: { path: 'texts' } }]],\n  bad: `${x}`,\n  on: true,\n};\nexport const SITE_TITLE = \"C\";\nexport default defineConfig({ site: 'https://e.org', integrations: [star({ title: 'D' })] });",
        );
        let text = |key: &str| front.text(&[key]);
        assert_eq!(text("title"), Some("It's A"));
        assert_eq!(text("tagline"), Some("B"));
        assert_eq!(text("i18n.defaultLocale"), Some("de"));
        assert_eq!(front.get("i18n.locales").unwrap().node.items().len(), 2);
        assert_eq!(text("presets.docs.path"), Some("texts"));
        assert_eq!(text("SITE_TITLE"), Some("C"));
        assert_eq!(text("site"), Some("https://e.org"));
        assert_eq!(text("integrations.title"), Some("D"));
        assert_eq!(text("on"), Some("true"));
        assert_eq!(text("bad"), None);
        assert_eq!(text("url"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_script_panics(text in "(title|: |'|\"|`|\\{|\\}|\\[|\\]|,|=|\\$\\{|//|/\\*|\\*/|\n|é|\\\\| ){0,40}") {
            read(&text);
        }
    }

    #[test]
    fn a_hostile_script_is_bounded() {
        for text in [
            "{".repeat(100_000),
            "'".repeat(100_000),
            "`a".repeat(50_000),
            "/*".repeat(50_000),
            "a:'b',".repeat(20_000),
        ] {
            read(&text);
        }
    }
}
