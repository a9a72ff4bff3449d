//! Quotes words from the site for Apache's configuration language, which contains three others:
//! expressions, mod_rewrite patterns and mod_headers formats.
//!
//! Apache expands `${…}` before it parses quotes, and interprets `%` and `$` in expressions,
//! targets and formats. So paths are compared by patterns, never as strings, and inexpressible
//! words are omitted.

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

/// A mod_headers format without variables.
pub(super) fn value(value: &str) -> Word {
    text(&value.replace('%', "%%"))
}

/// A mod_headers format: parts of encoded URLs with a fixed variable between them.
pub(super) fn between<'p>(parts: impl Iterator<Item = &'p str>, variable: &'static str) -> Word {
    let parts: Vec<String> = parts
        .map(|part| plain_url(part).replace('%', "%%"))
        .collect();
    text(&parts.join(variable))
}

/// A mod_rewrite pattern, in which backslashes stay literal.
pub(super) fn pattern(pattern: &Pattern) -> Word {
    let text = pattern.as_str();
    Word::new(
        format!("\"{text}\""),
        !text.contains('"') && !text.contains(char::is_control),
    )
}

/// A URL as a mod_rewrite target.
pub(super) fn target(url: &str) -> Word {
    let url = plain_url(url);
    let is_sound = !url.contains(['"', '\\', ' ']) && !url.contains(char::is_control);
    Word::new(format!("\"{}\"", url.replace('%', r"\%")), is_sound)
}

/// An encoded URL, with the characters that Apache interprets escaped.
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
    /// A constant expression.
    pub(super) fn ours(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The conjunction of two expressions.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(format!("{} && {}", self.0, other.0))
    }

    /// The final path, after every internal redirect, matches.
    pub(super) fn path(pattern: &Pattern) -> Self {
        Self(format!("%{{REQUEST_URI}} =~ m#{}#", pattern.as_str()))
    }

    /// The final path does not match.
    pub(super) fn other_path(pattern: &Pattern) -> Self {
        Self(format!("%{{REQUEST_URI}} !~ m#{}#", pattern.as_str()))
    }

    /// The argument of a section.
    pub(super) fn word(&self) -> Word {
        text(&self.0)
    }

    /// The last argument of a directive: `expr=…`.
    pub(super) fn expr(&self) -> Word {
        text(&format!("expr={}", self.0))
    }
}

/// A URL as a mod_rewrite target, with the captures of the pattern between its parts.
pub(super) fn numbered(parts: &[String]) -> Word {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(&format!("${at}"));
        }
        text.push_str(&plain_url(part).replace('%', r"\%"));
    }
    let is_sound = !text.contains(['"', ' ']) && !text.contains(char::is_control);
    Word::new(format!("\"{text}\""), is_sound)
}
