//! The one writer of Apache's configuration language, which holds three others: expressions, patterns of mod_rewrite and formats of mod_headers.
//!
//! Apache puts a variable in place of `${…}` before it looks at quotes, and reads `%` and `$` in expressions, targets and formats as their own. So a path
//! is compared by a pattern, never by a string, and what cannot be said is left out.

use std::fmt::Write;

use super::super::pattern::Pattern;

/// An argument of a directive.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: String,
    sound: bool,
}

impl Word {
    /// A word of ours, as it is.
    pub(super) fn ours(text: &'static str) -> Self {
        Self { text: text.to_owned(), sound: true }
    }

    /// A literal.
    pub(super) fn text(text: &str) -> Self {
        let sound = !text.contains("${") && !text.contains(char::is_control);
        Self { sound, text: format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"")) }
    }

    /// A suffix of letters and digits, with its dot.
    pub(super) fn suffix(suffix: &str) -> Self {
        Self { text: format!(".{suffix}"), sound: !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()) }
    }

    /// A format of mod_headers in which nothing is a variable.
    pub(super) fn value(text: &str) -> Self {
        Self::text(&text.replace('%', "%%"))
    }

    /// A format of mod_headers: parts of encoded URLs, and between them a variable, which is of ours.
    pub(super) fn joined<'p>(parts: impl Iterator<Item = &'p str>, variable: &'static str) -> Self {
        Self::text(&parts.map(|part| plain_url(part).replace('%', "%%")).collect::<Vec<_>>().join(variable))
    }

    /// A pattern of mod_rewrite, which takes no backslash away.
    pub(super) fn pattern(pattern: &Pattern) -> Self {
        let text = pattern.as_str();
        Self { sound: !text.contains('"') && !text.contains(char::is_control), text: format!("\"{text}\"") }
    }

    /// A URL as a target of mod_rewrite.
    pub(super) fn target(url: &str) -> Self {
        let url = plain_url(url);
        let sound = !url.contains(['"', '\\', ' ']) && !url.contains(char::is_control);
        Self { sound, text: format!("\"{}\"", url.replace('%', r"\%")) }
    }

    /// A condition: `expr=…`.
    pub(super) fn when(condition: &Condition) -> Self {
        Self::text(&format!("expr={}", condition.0))
    }
}

/// An encoded URL without the characters that Apache reads as its own.
fn plain_url(url: &str) -> String {
    url.replace('$', "%24").replace('\'', "%27").replace('{', "%7B").replace('}', "%7D")
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Condition(String);

impl Condition {
    /// One of ours.
    pub(super) fn ours(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// Both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(format!("{} && {}", self.0, other.0))
    }

    /// The path that is answered, after every internal redirect, fits this.
    pub(super) fn path(pattern: &Pattern) -> Self {
        Self(format!("%{{REQUEST_URI}} =~ m#{}#", pattern.as_str()))
    }

    /// The path that is answered does not fit this.
    pub(super) fn other_path(pattern: &Pattern) -> Self {
        Self(format!("%{{REQUEST_URI}} !~ m#{}#", pattern.as_str()))
    }
}

/// A `.htaccess` while it is written.
#[derive(Debug, Default)]
pub(super) struct Htaccess {
    out: String,
    refused: Vec<String>,
}

impl Htaccess {
    /// Lines of comment.
    pub(super) fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let line: String = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
            let _ = writeln!(self.out, "{}", format!("# {line}").trim_end());
        }
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A line of ours.
    pub(super) fn ours(&mut self, line: &'static str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A directive. One of which a word cannot be said is left out and noted.
    pub(super) fn directive(&mut self, name: &'static str, words: impl IntoIterator<Item = Word>) {
        let words: Vec<Word> = words.into_iter().collect();
        let line = words.iter().fold(name.to_owned(), |line, word| line + " " + &word.text);
        if words.iter().all(|word| word.sound) {
            let _ = writeln!(self.out, "{line}");
        } else {
            self.refused.push(line);
        }
    }

    /// `Header always set`.
    pub(super) fn set(&mut self, field: &'static str, value: Word, when: Option<&Condition>) {
        self.directive("Header", ["always", "set", field].map(Word::ours).into_iter().chain([value]).chain(when.map(Word::when)));
    }

    /// `Header always unset`.
    pub(super) fn unset(&mut self, field: &'static str, when: &Condition) {
        self.directive("Header", ["always", "unset", field].map(Word::ours).into_iter().chain([Word::when(when)]));
    }

    /// A section on a condition.
    pub(super) fn section(&mut self, condition: &Condition, inside: impl FnOnce(&mut Self)) {
        let word = Word::text(&condition.0);
        if !word.sound {
            self.refused.push(word.text);
            return;
        }
        let _ = writeln!(self.out, "<If {}>", word.text);
        inside(self);
        self.ours("</If>");
    }

    /// The file.
    pub(super) fn finish(self) -> (String, Vec<String>) {
        (self.out, self.refused)
    }
}
