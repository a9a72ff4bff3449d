//! Settings in Python: a program, of which literals are read.

use crate::dialects::config::literals;
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::folder_path;
use crate::model::text::decode;
use crate::syntax::front::Node;

/// The largest file of settings, in bytes.
const LARGEST: usize = 1_000_000;

/// Files of settings, as texts: those of the first have priority.
pub struct Settings {
    texts: Vec<(String, String)>,
}

impl Settings {
    pub fn of(evidence: &Evidence<'_>, files: &[&str]) -> Self {
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

    /// The value of a name as it is written, and its file.
    pub fn value(&self, name: &str) -> Option<(&str, &str)> {
        let mut files = self.texts.iter();
        files.find_map(|(path, text)| Some((assigned(text, name)?, path.as_str())))
    }

    /// The literals of a list, or the only literal.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let (value, _) = self.value(name)?;
        let value = without_comments(value);
        let value = value.trim_matches(['(', ')', '[', ']']);
        let front = literals(&format!("({{ v: [{value}] }})"));
        let listed = front.get("v").map(|entry| entry.node.items());
        let listed = listed.unwrap_or_default().iter().filter_map(Node::text);
        Some(listed.map(str::to_owned).collect())
    }

    /// The folder that a name has as its value; empty: the root.
    pub fn folder(&self, name: &str) -> String {
        let named = self.texts(name).unwrap_or_default();
        let named = named.first().and_then(|path| folder_path(path));
        named.unwrap_or_default()
    }
}

/// What is behind the last `NAME =` at the beginning of a line, up to the end of that statement.
fn assigned<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut found = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let behind = line.strip_prefix(name).map(str::trim_start);
        let value = behind.and_then(|rest| rest.strip_prefix('='));
        if let Some(value) = value.filter(|value| !value.starts_with('=')) {
            found = Some(at + line.len() - value.len());
        }
        at += line.len();
    }
    let value = &text[found?..];
    Some(value[..end_of_statement(value)].trim())
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
        let text =
            "X = 1\nPATH = 'content' # x\nPATHS = {\n  'a': '}', # }\n  'b': [1]\n}\nY == 2\n";
        assert_eq!(assigned(text, "PATH"), Some("'content' # x"));
        assert_eq!(
            assigned(text, "PATHS"),
            Some("{\n  'a': '}', # }\n  'b': [1]\n}")
        );
        assert_eq!(assigned(text, "Y"), None);
        assert_eq!(assigned("A = 1\nA = 2", "A"), Some("2"));
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=| |\\{|\\}|\\(|\\)|'|\"|#|\n|é|: |,){0,40}") {
            assigned(&text, "A");
            without_comments(&text);
        }
    }
}
