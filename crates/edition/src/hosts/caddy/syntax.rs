//! The one writer of Caddyfiles.
//!
//! Every word that is from a site is quoted. Caddy puts the environment in place of `{$…}` before it looks at quotes, and values in place of `{…}` when it
//! answers: so no text with a brace is ever a word; in a pattern it is written by its number.

use std::fmt::Write;

use super::super::pattern::{Pattern, literal};

/// A word of the language.
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
        Self { sound: is_plain(text), text: format!("\"{}\"", text.replace('"', "\\\"")) }
    }

    /// An encoded URL, or header text made of such: braces are escaped there.
    pub(super) fn url(url: &str) -> Self {
        Self::text(&url.replace('{', "%7B").replace('}', "%7D"))
    }

    /// A URL as the result of a row of `map`, where `$` names a part of the match.
    pub(super) fn target(url: &str) -> Self {
        Self::url(&url.replace('$', "%24"))
    }

    /// Parts between which Caddy puts a value, which it calls this.
    pub(super) fn joined<'p>(parts: impl Iterator<Item = &'p str>, value: &'static str) -> Self {
        let parts: Vec<Self> = parts.map(Self::url).collect();
        let inner: Vec<&str> = parts.iter().map(|part| &part.text[1..part.text.len() - 1]).collect();
        Self { text: format!("\"{}\"", inner.join(value)), sound: parts.iter().all(|part| part.sound) }
    }

    /// A regular expression.
    pub(super) fn pattern(pattern: &Pattern) -> Self {
        let text = pattern.as_str();
        Self { sound: !text.contains(['`', '{', '}']) && !text.contains(char::is_control), text: format!("`{text}`") }
    }

    /// A name made of a word of ours and a resource's path, for a matcher.
    pub(super) fn matcher(ours: &'static str, path: &str) -> Self {
        let digest = crate::resource::Digest::of(path.as_bytes()).to_string();
        Self { text: format!("@{ours}_{}", &digest[..12]), sound: true }
    }

    /// `-field`: takes back what was said of it.
    pub(super) fn without(field: &'static str) -> Self {
        Self { text: format!("-{field}"), sound: true }
    }

    /// The name of a matcher for a suffix of letters and digits.
    pub(super) fn suffix_matcher(suffix: &str) -> Self {
        Self { text: format!("@{suffix}_type"), sound: suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()) }
    }
}

/// Whether a text is itself between quotes.
fn is_plain(text: &str) -> bool {
    !text.contains(['{', '}', '\\']) && !text.contains(char::is_control)
}

/// The words of a matcher for exactly this decoded path: with its case, which `path` would not heed.
pub(super) fn exactly(path: &str) -> [Word; 3] {
    let place = Word::ours("{http.request.uri.path}");
    if is_plain(path) {
        return [Word::ours("vars"), place, Word::text(path)];
    }
    [Word::ours("vars_regexp"), place, Word::pattern(&Pattern::new("^").literal(path).then("$"))]
}

/// A decoded path as the first word of a row of `map`.
pub(super) fn row(path: &str) -> Word {
    if is_plain(path) {
        return Word::text(path);
    }
    let pattern = format!("`~^{}$`", literal(path).as_str());
    Word { sound: !path.contains(char::is_control), text: pattern }
}

/// A Caddyfile while it is written.
#[derive(Debug, Default)]
pub(super) struct Caddyfile {
    out: String,
    depth: usize,
    refused: Vec<String>,
}

impl Caddyfile {
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
    pub(super) fn directive(&mut self, words: impl IntoIterator<Item = Word>) {
        if let Some(line) = self.line(words) {
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    /// A directive with a block.
    pub(super) fn block(&mut self, words: impl IntoIterator<Item = Word>, inside: impl FnOnce(&mut Self)) {
        let Some(line) = self.line(words) else { return };
        self.out.push_str(&line);
        self.out.push_str(" {\n");
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        let _ = writeln!(self.out, "{}}}", "\t".repeat(self.depth));
    }

    fn line(&mut self, words: impl IntoIterator<Item = Word>) -> Option<String> {
        let words: Vec<Word> = words.into_iter().collect();
        let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        if !words.iter().all(|word| word.sound) {
            self.refused.push(line);
            return None;
        }
        Some("\t".repeat(self.depth) + &line)
    }

    /// The file.
    pub(super) fn finish(self) -> (String, Vec<String>) {
        (self.out, self.refused)
    }
}
