//! Quotes words from the site for Caddy's configuration language.
//!
//! Caddy expands `{$…}` before it parses quotes, and `{…}` when it responds. So no word contains a
//! brace; a pattern contains its character code instead.

use super::super::config_file::Word;
use super::super::pattern::{Pattern, literal};
use crate::resource::Digest;

/// Whether a text can be quoted unchanged.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(['{', '}', '\\']) && !text.contains(char::is_control)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

/// A literal.
pub(super) fn text(text: &str) -> Word {
    Word::new(quoted(text), is_plain(text))
}

/// An encoded URL or header text made of URLs: braces are escaped there.
pub(super) fn url(url: &str) -> Word {
    text(&url.replace('{', "%7B").replace('}', "%7D"))
}

/// A URL as the output of a `map` row, where `$` refers to a part of the match.
pub(super) fn target(target: &str) -> Word {
    url(&target.replace('$', "%24"))
}

/// Parts of encoded URLs with a Caddy placeholder of this name between them.
pub(super) fn between<'p>(parts: impl Iterator<Item = &'p str>, value: &'static str) -> Word {
    let parts: Vec<String> = parts
        .map(|part| part.replace('{', "%7B").replace('}', "%7D"))
        .collect();
    let is_sound = parts.iter().all(|part| is_plain(part));
    Word::new(quoted(&parts.join(value)), is_sound)
}

/// A regular expression.
pub(super) fn pattern(pattern: &Pattern) -> Word {
    let text = pattern.as_str();
    let is_sound = !text.contains(['`', '{', '}']) && !text.contains(char::is_control);
    Word::new(format!("`{text}`"), is_sound)
}

/// The name of a matcher: a constant and a resource's path.
pub(super) fn matcher(ours: &'static str, path: &str) -> Word {
    let digest = Digest::hash(path.as_bytes()).to_string();
    Word::new(format!("@{ours}_{}", &digest[..12]), true)
}

/// A decoded path as the input of a `map` row.
pub(super) fn map_key(path: &str) -> Word {
    if is_plain(path) {
        return text(path);
    }
    Word::new(
        format!("`~^{}$`", literal(path).as_str()),
        !path.contains(char::is_control),
    )
}

/// An expression as the input of a `map` row.
pub(super) fn map_pattern(pattern: &Pattern) -> Word {
    let text = pattern.as_str();
    let is_sound = !text.contains(['`', '{', '}']) && !text.contains(char::is_control);
    Word::new(format!("`~{text}`"), is_sound)
}

/// A URL as the output of a `map` row, with the captures of its input between its parts.
pub(super) fn numbered(parts: &[String]) -> Word {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(&format!("${at}"));
        }
        text.push_str(&part.replace('$', "%24"));
    }
    url(&text)
}
