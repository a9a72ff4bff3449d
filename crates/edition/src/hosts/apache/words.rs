//! How Apache's configuration language quotes a word from the site. It holds three others:
//! expressions, patterns of mod_rewrite and formats of mod_headers.
//!
//! Apache puts a variable in place of `${…}` before it looks at quotes, and reads `%` and `$` in
//! expressions, targets and formats as their own. So a path is compared by a pattern, never by a
//! string, and what cannot be said is left out.

use super::super::config_file::Word;
use super::super::pattern::Pattern;

/// A literal.
pub(super) fn text(text: &str) -> Word {
    let is_sound = !text.contains("${") && !text.contains(char::is_control);
    Word::new(
        format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"")),
        is_sound,
    )
}

/// A suffix of letters and digits, with its dot.
pub(super) fn suffix(suffix: &str) -> Word {
    let is_sound = !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric());
    Word::new(format!(".{suffix}"), is_sound)
}

/// A format of mod_headers in which nothing is a variable.
pub(super) fn value(value: &str) -> Word {
    text(&value.replace('%', "%%"))
}

/// A format of mod_headers: parts of encoded URLs, and between them a variable, which is of ours.
pub(super) fn between<'p>(parts: impl Iterator<Item = &'p str>, variable: &'static str) -> Word {
    let parts: Vec<String> = parts
        .map(|part| plain_url(part).replace('%', "%%"))
        .collect();
    text(&parts.join(variable))
}

/// A pattern of mod_rewrite, which takes no backslash away.
pub(super) fn pattern(pattern: &Pattern) -> Word {
    let text = pattern.as_str();
    Word::new(
        format!("\"{text}\""),
        !text.contains('"') && !text.contains(char::is_control),
    )
}

/// A URL as a target of mod_rewrite.
pub(super) fn target(url: &str) -> Word {
    let url = plain_url(url);
    let is_sound = !url.contains(['"', '\\', ' ']) && !url.contains(char::is_control);
    Word::new(format!("\"{}\"", url.replace('%', r"\%")), is_sound)
}

/// An encoded URL without the characters that Apache reads as its own.
fn plain_url(url: &str) -> String {
    url.replace('$', "%24")
        .replace('\'', "%27")
        .replace('{', "%7B")
        .replace('}', "%7D")
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

    /// As the argument of a section.
    pub(super) fn word(&self) -> Word {
        text(&self.0)
    }

    /// As the last argument of a directive: `expr=…`.
    pub(super) fn expr(&self) -> Word {
        text(&format!("expr={}", self.0))
    }
}
