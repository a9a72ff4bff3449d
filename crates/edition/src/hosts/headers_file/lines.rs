//! The only writer of `_headers` and `_redirects`: lines of words, in formats without quoting.

use std::fmt::Write;

/// The path of a rule: encoded, with `*` as a constant wildcard.
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    text: String,
    sound: bool,
}

impl PathPattern {
    /// Exactly this encoded path.
    pub(crate) fn exactly(path: &str) -> Self {
        Self {
            sound: is_word(path) && !is_pattern(path),
            text: path.to_owned(),
        }
    }

    /// Everything below a folder with this suffix, both from the site, with `*` in between.
    pub(crate) fn below(folder: &str, end: &str) -> Self {
        let sound = (folder.is_empty() || is_word(folder))
            && !is_pattern(folder)
            && (end.is_empty() || is_word(end))
            && !is_pattern(end);
        Self {
            sound,
            text: format!("{folder}/*{end}"),
        }
    }
}

/// Whether a text is a single word of printable ASCII.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.starts_with('#')
}

/// Whether a host reads a path as a pattern: `*`, or a name after `:`.
pub(crate) fn is_pattern(path: &str) -> bool {
    path.contains('*')
        || path
            .match_indices(':')
            .any(|(at, _)| path[at + 1..].starts_with(|letter: char| letter.is_ascii_alphabetic()))
}

/// Rules of `_headers`, each ending with an empty line.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<String>,
    pub(crate) refused: Vec<String>,
}

/// The fields of one rule.
#[derive(Debug, Default)]
pub(crate) struct Block(String);

impl Block {
    /// Sets a field; omits an empty or multi-line value.
    pub(crate) fn set(&mut self, field: &'static str, value: &str) {
        if !value.is_empty() && !value.contains(char::is_control) {
            let _ = writeln!(self.0, "  {field}: {value}");
        }
    }

    /// Removes a field that another rule sets.
    pub(crate) fn unset(&mut self, field: &'static str) {
        let _ = writeln!(self.0, "  ! {field}");
    }
}

impl Blocks {
    /// Adds a rule. Omits and records one whose path the hosts would read as a pattern.
    pub(crate) fn add(&mut self, place: &PathPattern, block: Block) {
        if place.sound {
            self.blocks.push(format!("{}\n{}\n", place.text, block.0));
        } else {
            self.refused.push(place.text.clone());
        }
    }
}

/// A line of `_redirects`: from an encoded path to an encoded URL. `None`: the hosts would
/// interpret it differently.
pub(crate) fn redirect(from: &str, to: &str, status: &'static str) -> Option<String> {
    (is_word(from) && !from.contains(['*', ':']) && is_word(to))
        .then(|| format!("{from} {to} {status}\n"))
}

/// A line of `_redirects` for every address in a folder: the folder, the number of segments below
/// it, what is after them; the same of the target.
pub(crate) fn pattern(from: (&str, &str), to: (&str, &str), segments: usize) -> Option<String> {
    let names: String = (b'a'..=b'z')
        .take(segments)
        .map(|name| format!("/:{}", char::from(name)))
        .collect();
    let is_sound = |text: &str| text.is_empty() || is_word(text) && !text.contains(['*', ':']);
    ([from.0, from.1, to.0, to.1].into_iter().all(is_sound))
        .then(|| format!("{}{names}{} {}{names}{} 301\n", from.0, from.1, to.0, to.1))
}
