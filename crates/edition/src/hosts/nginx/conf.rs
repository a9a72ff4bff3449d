//! The one writer of nginx's configuration language.
//!
//! A file is written word by word, each word quoted. What is from a site goes in as a [`Word`], which is made in three ways only: a literal, a pattern, a
//! value with variables. So no text can end a word, a line or a block, or name a variable.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::pattern::Pattern;
use crate::resource::Digest;

/// nginx reads its files through a buffer of 4,096 bytes, in which a word must have room.
const LONGEST: usize = 4_000;

/// The beginning of all names of variables and locations of one site: a server may have several. nginx takes at most 32 characters for the name of a captured
/// part, which must not begin with a digit, and 48 or so for that of a variable.
#[derive(Clone, Debug)]
pub(super) struct Names(String);

impl Names {
    /// The names of the site at this base URL.
    pub(super) fn of(base: &str) -> Self {
        let digest = Digest::of(base.as_bytes()).to_string();
        Self(format!("diglot_{}", &digest[..12]))
    }

    /// A name, without `$`.
    pub(super) fn name(&self, own: &'static str) -> String {
        format!("{}_{own}", self.0)
    }

    /// The name of one of several.
    pub(super) fn numbered(&self, own: &'static str, number: usize) -> String {
        format!("{}_{own}{number}", self.0)
    }
}

/// A word of the language, quoted.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: String,
    sound: bool,
}

impl Word {
    fn quoted(text: &str, sound: bool) -> Self {
        let text = format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""));
        Self { sound: sound && text.len() <= LONGEST && !text.contains(char::is_control), text }
    }

    /// A word of ours, as it is.
    pub(super) fn ours(text: &'static str) -> Self {
        Self { text: text.to_owned(), sound: true }
    }

    /// A literal where nginx looks for no variables: the path of a location, a media type, a suffix.
    pub(super) fn literal(text: &str) -> Self {
        Self::quoted(text, true)
    }

    /// A regular expression where nginx wants one: behind `location ~`.
    pub(super) fn pattern(pattern: &Pattern) -> Self {
        Self::quoted(pattern.as_str(), true)
    }

    /// A regular expression as the key of a map.
    pub(super) fn key(pattern: &Pattern) -> Self {
        Self::quoted(&format!("~{}", pattern.as_str()), true)
    }

    /// A regular expression without regard to case as the key of a map.
    pub(super) fn loose_key(pattern: &Pattern) -> Self {
        Self::quoted(&format!("~*{}", pattern.as_str()), true)
    }

    /// The name of a location (`@twin`).
    pub(super) fn place(name: &str) -> Self {
        Self::quoted(&format!("@{name}"), true)
    }

    /// A variable to be defined (`$x`).
    pub(super) fn variable(name: &str) -> Self {
        Self { text: format!("${name}"), sound: true }
    }
}

/// A text in which nginx looks for variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    text: String,
    unsound: bool,
}

impl Value {
    /// With a text of ours behind it, variables of nginx's own among it.
    pub(super) fn ours(mut self, text: &'static str) -> Self {
        self.text.push_str(text);
        self
    }

    /// With a text behind it. There is no way to write a `$` that begins no variable: such a text is refused.
    pub(super) fn text(mut self, text: &str) -> Self {
        self.unsound |= text.contains('$');
        self.text.push_str(text);
        self
    }

    /// With an encoded URL behind it, or header text made of such; `$` is `%24` there.
    pub(super) fn url(mut self, url: &str) -> Self {
        self.text.push_str(&url.replace('$', "%24"));
        self
    }

    /// With a variable behind it.
    pub(super) fn variable(mut self, name: &str) -> Self {
        let _ = write!(self.text, "${{{name}}}");
        self
    }
}

impl From<Value> for Word {
    fn from(value: Value) -> Self {
        Self::quoted(&value.text, !value.unsound)
    }
}

/// A value that is one text.
pub(super) fn text(text: &str) -> Word {
    Value::default().text(text).into()
}

/// A value that is one URL.
pub(super) fn url(url: &str) -> Word {
    Value::default().url(url).into()
}

/// A value that is one variable.
pub(super) fn variable(name: &str) -> Word {
    Value::default().variable(name).into()
}

/// A file of configuration while it is written.
#[derive(Debug, Default)]
pub(super) struct Conf {
    out: String,
    depth: usize,
    /// The exact locations that there are: nginx does not load a file that has one twice.
    exact: BTreeSet<String>,
    /// What could not be said, as it would have been.
    pub(super) refused: Vec<String>,
}

impl Conf {
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

    /// A directive. One of which a word cannot be said is left out and noted.
    pub(super) fn directive(&mut self, words: &[Word]) {
        if let Some(line) = self.line(words) {
            self.out.push_str(&line);
            self.out.push_str(";\n");
        }
    }

    /// A block.
    pub(super) fn block(&mut self, words: &[Word], inside: impl FnOnce(&mut Self)) {
        let Some(line) = self.line(words) else { return };
        self.out.push_str(&line);
        self.out.push_str(" {\n");
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        let _ = writeln!(self.out, "{}}}", "    ".repeat(self.depth));
    }

    /// A location of exactly this decoded path; the first of several stays.
    pub(super) fn exactly(&mut self, path: &str, inside: impl FnOnce(&mut Self)) {
        if self.exact.insert(path.to_owned()) {
            self.block(&[Word::ours("location"), Word::ours("="), Word::literal(path)], inside);
        }
    }

    fn line(&mut self, words: &[Word]) -> Option<String> {
        let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        if !words.iter().all(|word| word.sound) {
            self.refused.push(line);
            return None;
        }
        Some("    ".repeat(self.depth) + &line)
    }

    /// The file.
    pub(super) fn finish(self) -> (String, Vec<String>) {
        (self.out, self.refused)
    }
}
