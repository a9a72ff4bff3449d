//! Settings in Python: a program, of which literals are read.

use crate::dialects::config::{Config, Keys, literal_until, literals};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::folder_path;
use crate::model::text::decode;
use crate::syntax::front::{Entry, Front, Node};

/// The largest file of settings, in bytes.
const LARGEST: usize = 1_000_000;

/// Files of settings, as texts: those of the first have priority.
pub struct Settings {
    texts: Vec<(String, String)>,
}

impl Settings {
    pub fn read(evidence: &Evidence<'_>, files: &[&str]) -> Self {
        let files = files.iter().filter_map(|path| evidence.file(path));
        let files = files.filter(|file| file.bytes.len() <= LARGEST);
        let texts = files.map(|file| {
            let (text, _) = decode(&file.bytes, &file.path);
            (file.path.to_string(), text.into_owned())
        });
        Self {
            texts: texts.collect(),
        }
    }

    /// Whether one of these names has a value.
    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.value(name).is_some())
    }

    /// Whether a word is anywhere in the files.
    pub fn says(&self, word: &str) -> bool {
        self.texts.iter().any(|(_, text)| text.contains(word))
    }

    /// The value of a name as it is written, and its file.
    pub fn value(&self, name: &str) -> Option<(&str, &str)> {
        let mut files = self.texts.iter();
        files.find_map(|(path, text)| Some((*values(text, name).first()?, path.as_str())))
    }

    /// The literals of a list, with those that are added to it later, or the only literal.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let mut files = self.texts.iter().map(|(_, text)| values(text, name));
        let values = files.find(|values| !values.is_empty())?;
        Some(values.into_iter().flat_map(listed).collect())
    }

    /// The literals of a map, by key.
    pub fn map(&self, name: &str) -> Vec<(String, String)> {
        let Some((value, _)) = self.value(name) else {
            return Vec::new();
        };
        let entries = literals(&without_comments(value)).entries;
        let pairs = entries.into_iter().filter_map(|entry| {
            let value = entry.node.text()?.to_owned();
            Some((entry.key.text, value))
        });
        pairs.collect()
    }

    /// Gives a configuration what the literals say of the site.
    pub fn describe(&self, keys: &Keys, config: &mut Config) {
        let Some((file, _)) = self.texts.last() else {
            return;
        };
        let names = [
            keys.title,
            keys.description,
            keys.author,
            keys.language,
            keys.address,
            keys.zone,
        ];
        let entries = names.concat().into_iter().filter_map(|name| {
            let literal = literal(self.value(name)?.0)?;
            Some(Entry::plain(name, literal, 0, 0))
        });
        let front = Front {
            entries: entries.collect(),
            ..Front::default()
        };
        config.read_program(file, &front, keys);
    }

    /// The folder that a name has as its value; empty: the root.
    pub fn folder(&self, name: &str) -> String {
        let named = self.texts(name).unwrap_or_default();
        let named = named.first().and_then(|path| folder_path(path));
        named.unwrap_or_default()
    }
}

/// The text that a value is, if a program does not compute it.
fn literal(value: &str) -> Option<String> {
    let value = without_comments(value);
    let value = value.trim();
    // `u'…'` and `'…'` are the same.
    let value = value.strip_prefix('u').unwrap_or(value);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = &value[1..];
    let (text, end) = literal_until(inner, quote)?;
    (end == inner.len()).then_some(text)
}

/// The literals of a list, or the only literal.
fn listed(value: &str) -> Vec<String> {
    let value = without_comments(value);
    let value = value.trim_matches(['(', ')', '[', ']']);
    let front = literals(&format!("({{ v: [{value}] }})"));
    let listed = front.get("v").map(|entry| entry.node.items());
    let listed = listed.unwrap_or_default().iter().filter_map(Node::text);
    listed.map(str::to_owned).collect()
}

/// The values of a name, each up to the end of its statement: that of its last assignment at the
/// beginning of a line, and what later statements add.
fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let behind = line.strip_prefix(name).map(str::trim_start);
        if let Some((value, is_added)) = behind.and_then(value_of) {
            if !is_added {
                found.clear();
            }
            found.push(at - value.len());
        }
    }
    let value = |at| {
        let value: &str = &text[at..];
        value[..end_of_statement(value)].trim()
    };
    found.into_iter().map(value).collect()
}

/// What a statement gives a name, from what is behind the name, and whether it is added to the
/// value before.
fn value_of(behind: &str) -> Option<(&str, bool)> {
    let mut adding = ["+=", ".append", ".extend"].into_iter();
    if let Some(value) = adding.find_map(|word| behind.strip_prefix(word)) {
        return Some((value, true));
    }
    // `NAME: list[str] = …`
    let begin = Some(behind).filter(|rest| rest.starts_with(':'));
    let begin = begin.and_then(|rest| rest.find('=')).unwrap_or(0);
    let value = behind[begin..].strip_prefix('=')?;
    (!value.starts_with('=')).then_some((value, false))
}

/// The end of a statement: that of its line, outside brackets.
fn end_of_statement(text: &str) -> usize {
    let (mut depth, mut quote, mut is_comment) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (_, '\n') if depth == 0 => return at,
            (_, '\n') => (quote, is_comment) = (None, false),
            _ if is_comment => {}
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => is_comment = true,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    text.len()
}

/// Lines of a program without their comments.
pub fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut quote = None;
        let comment = line.find(|c| {
            match (quote, c) {
                (Some(open), c) if open == c => quote = None,
                (None, '"' | '\'') => quote = Some(c),
                _ => {}
            }
            c == '#' && quote.is_none()
        });
        &line[..comment.unwrap_or(line.len())]
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_outside_brackets() {
        let one = |text, name| values(text, name).first().copied();
        let text =
            "X = 1\nPATH = 'content' # x\nPATHS = {\n  'a': '}', # }\n  'b': [1]\n}\nY == 2\n";
        assert_eq!(one(text, "PATH"), Some("'content' # x"));
        assert_eq!(
            one(text, "PATHS"),
            Some("{\n  'a': '}', # }\n  'b': [1]\n}")
        );
        assert_eq!(one(text, "Y"), None);
        assert_eq!(one("A = 1\nA = 2", "A"), Some("2"));
    }

    #[test]
    fn what_is_added_later_belongs_to_a_list() {
        let text = "A = ['x']\nA = [ 'a',\n 'b']\nA += ['c']\nB = ['d']\nA.append('e')\nA.extend([\n  'f'])\nA.sort()\n";
        let all: Vec<String> = values(text, "A").into_iter().flat_map(listed).collect();
        assert_eq!(all, ["a", "b", "c", "e", "f"]);
        assert_eq!(values("A: list[str] = ['a']", "A"), ["['a']"]);
        assert!(values("A: int", "A").is_empty());
    }

    #[test]
    fn a_literal_is_not_computed() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(literal("'My site'  # the name"), text("My site"));
        assert_eq!(literal(r#"u"Ann's \"notes\"""#), text("Ann's \"notes\""));
        for computed in [
            "f'{a}'",
            "'a' + 'b'",
            "'a' 'b'",
            "\"\"\"a\"\"\"",
            "name",
            "'",
            "",
        ] {
            assert_eq!(literal(computed), None, "{computed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=|\\+|\\.append| |\\{|\\}|\\(|\\)|'|\"|#|\n|é|: |,){0,40}") {
            values(&text, "A");
            without_comments(&text);
            literal(&text);
        }
    }
}
