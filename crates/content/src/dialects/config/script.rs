//! The literals of a configuration that is a program: `title: 'A'`, `const SITE_TITLE = "A"`. Nothing is evaluated; what is no literal is not there.

use crate::model::text::Lines;
use crate::syntax::front::{Entry, Front, Key, Node, Syntax, Value};

/// How deep objects may stand in each other.
const DEPTH: usize = 32;
/// How many literals are kept.
const MOST: usize = 2000;
/// How many quotes of a line may stay open before the rest of it is passed.
const MOST_OPEN: usize = 8;
/// The longest key, in bytes.
const LONGEST: usize = 200;

/// Reads the literals: the keys of objects that stand inside each other have `.` between them.
pub(super) fn read(text: &str) -> Front {
    let mut walk = Walk { text, at: 0, lines: Lines::new(text), path: Vec::new(), key: None, entries: Vec::new(), open: (0, 0), ticks: 0 };
    walk.all();
    Front { syntax: Syntax::Json, entries: walk.entries }
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    lines: Lines<'a>,
    /// The key of each open bracket (empty for one without), and whether it is a list.
    path: Vec<(String, bool)>,
    /// The word that a value may follow, and the `:` or `=` behind it.
    key: Option<(String, Option<char>)>,
    entries: Vec<Entry>,
    /// Where the line of the quote ends that was not closed last, and how many there were on it.
    open: (usize, usize),
    /// How many backticks were not closed.
    ticks: usize,
}

impl Walk<'_> {
    fn all(&mut self) {
        while let Some(next) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            match next {
                '/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => self.at += rest.find("*/").map_or(rest.len(), |end| end + 2),
                '"' | '\'' | '`' => self.text(next),
                '{' | '[' => {
                    // The name of a whole object (`const config = {`) is nobody's key.
                    let key = self.key.take().filter(|(_, sign)| *sign == Some(':')).map(|(key, _)| key).unwrap_or_default();
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
                    if let Some((_, sign)) = &mut self.key {
                        *sign = Some(next);
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

    fn word(&mut self) {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'))).unwrap_or(rest.len());
        let (start, word) = (self.at, rest[..end].to_owned());
        self.at += end.max(1);
        match &self.key {
            Some((_, Some(_))) if matches!(word.as_str(), "true" | "false") || word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.value(&word, start, true)
            }
            Some((_, Some(_))) => self.key = None,
            _ => self.key = Some((word, None)).filter(|(word, _)| word.len() <= LONGEST),
        }
    }

    fn text(&mut self, quote: char) {
        let (start, mut text, mut end) = (self.at, String::new(), None);
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                '\n' if quote != '`' => break,
                c if c == quote => {
                    end = Some(start + 1 + at + 1);
                    break;
                }
                c => text.push(c),
            }
        }
        let Some(end) = end else {
            self.at = self.unclosed(start, quote);
            return;
        };
        self.at = end;
        let names = self.text[end..].trim_start().starts_with(':') && !matches!(self.key, Some((_, Some(_))));
        if names {
            self.key = Some((text, None)).filter(|(text, _)| text.len() <= LONGEST);
        } else if !(quote == '`' && text.contains("${")) {
            self.value(&text, start, false);
        } else {
            self.key = None;
        }
    }

    /// Where to go on behind a quote that nothing closes: an apostrophe in a comment or a pattern. Only the first few of a line are looked at.
    fn unclosed(&mut self, start: usize, quote: char) -> usize {
        if quote == '`' {
            self.ticks += 1;
            return if self.ticks > MOST_OPEN { self.text.len() } else { start + 1 };
        }
        let end = self.text[start..].find('\n').map_or(self.text.len(), |end| start + end);
        let (line, count) = self.open;
        self.open = (end, if line == end { count + 1 } else { 1 });
        if self.open.1 > MOST_OPEN { end } else { start + 1 }
    }

    fn value(&mut self, text: &str, at: usize, plain: bool) {
        let key = self.key.take().filter(|(_, sign)| sign.is_some()).map(|(key, _)| key);
        let in_list = key.is_none() && self.path.last().is_some_and(|(last, list)| *list && !last.is_empty());
        if self.entries.len() >= MOST || key.is_none() && !in_list {
            return;
        }
        let name =
            self.path.iter().map(|(name, _)| name.as_str()).chain(key.as_deref()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let (line, column) = self.lines.place(at);
        let node = Node { value: Value::Scalar { text: text.to_owned(), plain }, line, column };
        match self.entries.iter_mut().find(|entry| entry.key.text == name) {
            Some(entry) if in_list => match &mut entry.node.value {
                Value::List(items) => items.push(node),
                _ => entry.node.value = Value::List(vec![entry.node.clone(), node]),
            },
            Some(_) => {}
            None => self.entries.push(Entry { key: Key { text: name, line, column }, node }),
        }
    }
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
        for text in ["{".repeat(100_000), "'".repeat(100_000), "`a".repeat(50_000), "/*".repeat(50_000), "a:'b',".repeat(20_000)] {
            read(&text);
        }
    }
}
