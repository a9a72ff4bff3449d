//! Front matter: YAML between `---`, TOML between `+++`, JSON in braces, what the word behind `---`
//! names (`---js`), lines `Key: value` without fences, or none.
//!
//! Parsing never fails: invalid front matter is read as far as possible and reported with its
//! place; unknown keys are kept.

mod dots;
mod fence;
mod header;
mod json;
mod lines;
mod org;
mod program;
mod properties;
mod recover;
mod repair;
mod toml;
mod value;
mod yaml;

pub use dots::split as split_with_dots;
pub use header::split as split_with_header;
pub use org::split as split_with_keywords;
pub use properties::split as split_with_properties;
pub use value::{Entry, Key, Node, Value, is_same_word};

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::model::format::Format;
use crate::model::problem::{Cause, Problem};
use crate::model::text::number;

/// The syntax of the front matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// No front matter.
    #[default]
    None,
    /// `---`
    Yaml,
    /// `+++`
    Toml,
    /// `{`
    Json,
    /// `---js`: a program, of which literals are read.
    Program,
    /// `---coffee`: a language that is not read.
    Unknown,
    /// Lines `Key: value` without fences.
    Header,
}

/// The key of an object whose keys are not read, in [`Front::unread`].
pub const SPREAD: &str = "...";
/// The key of a language that is not read, in [`Front::unread`].
pub const FENCE: &str = "---";

/// The key of an object that is not valid JSON, in [`Front::unread`].
pub const OBJECT: &str = "{";

/// The front matter of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Front {
    /// Its syntax.
    pub syntax: Syntax,
    /// Keys and values in order, without duplicates.
    pub entries: Vec<Entry>,
    /// The entries whose key is given again below, which do not count.
    pub repeated: Vec<Entry>,
    /// Entries in lines of broken YAML that belong to the value of another key.
    pub misplaced: Vec<Entry>,
    /// The keys whose values a program computes, with the source. Inner keys are joined by `.`;
    /// [`SPREAD`], [`FENCE`] and [`OBJECT`] mean that any key may be given.
    pub unread: Vec<Entry>,
}

impl Front {
    /// The entry with a key: exact match first, then ignoring case. `a.b` also matches `b` inside
    /// `a`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        value::find(&self.entries, key)
    }

    /// The entry with a key in any spelling: `lastModified`, `last_modified`, `last-modified`.
    pub fn spelled(&self, key: &str) -> Option<&Entry> {
        value::find_spelled(&self.entries, key)
    }

    /// The first entry among these keys that has a value.
    pub fn first(&self, keys: &[&str]) -> Option<&Entry> {
        keys.iter()
            .filter_map(|key| self.get(key))
            .find(|entry| !entry.node.is_null())
    }

    /// The first text among these keys.
    pub fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.get(key)?.node.text())
    }

    /// The items of the list at a key; a value alone is one item.
    pub fn items(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], |entry| entry.node.items())
    }

    /// The texts among these items.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        self.items(key).iter().filter_map(Node::text)
    }

    /// The first bool among these keys.
    pub fn bool(&self, keys: &[&str]) -> Option<bool> {
        keys.iter().find_map(|key| self.get(key)?.node.bool())
    }
}

/// Parses a whole text as one map: the configuration of another program.
pub fn read(text: &str, path: &str, syntax: Syntax) -> (Front, Vec<Problem>) {
    let block = Block {
        text,
        path,
        first_line: 1,
    };
    let reading = block.read(syntax).unwrap_or_else(|| {
        let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        let mut reading = Reading::default();
        if !text.lines().all(is_blank) {
            reading
                .problems
                .push(Problem::warning("the front matter is not understood").at(path, 0, 0));
        }
        reading
    });
    (
        Front {
            syntax,
            entries: reading.entries,
            repeated: reading.repeated,
            misplaced: reading.misplaced,
            unread: reading.unread,
        },
        reading.problems,
    )
}

/// A text split into front matter and body.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    /// The front matter; empty if there is none.
    pub front: Front,
    /// The text after the front matter.
    pub body: &'a str,
    /// The file's line number of the body's first line, from 1.
    pub first_line: u32,
    /// What was repaired.
    pub problems: Vec<Problem>,
}

/// The text of front matter without its fences.
#[derive(Clone, Copy)]
struct Block<'a> {
    text: &'a str,
    path: &'a str,
    /// The file's line number of its first line, from 1.
    first_line: u32,
}

/// The result of parsing one syntax.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    /// The entries that do not count, since their key is given again.
    repeated: Vec<Entry>,
    misplaced: Vec<Entry>,
    unread: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Block<'_> {
    /// What it is, for messages: a file of data has no other text.
    fn name(self) -> &'static str {
        match Format::from_path(self.path) {
            Some(_) => "the front matter",
            None => "the file",
        }
    }

    /// Parses the block; `None`: it is not front matter.
    fn read(self, syntax: Syntax) -> Option<Reading> {
        match syntax {
            Syntax::Toml => Some(toml::read(self)),
            Syntax::Json => json::read(self),
            Syntax::Yaml | Syntax::None => yaml::read(self),
            Syntax::Program => Some(program::read(self)),
            Syntax::Unknown | Syntax::Header => None,
        }
    }
}

/// Splits a decoded text (line ends `\n`) into front matter and body.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    split_at(text, first_filled_line(text), path)
}

/// The same where the line of the opening fence may begin with white space.
pub fn split_after_space<'a>(text: &'a str, path: &str) -> Split<'a> {
    split_at(text, after_space(text), path)
}

/// Splits a text whose front matter begins at this offset, if it has some.
fn split_at<'a>(text: &'a str, start: usize, path: &str) -> Split<'a> {
    let divided = divide(text, start, path)
        .or_else(|| dots::split(text))
        .or_else(|| header::withholding(text));
    divided.unwrap_or_else(|| Split {
        front: Front::default(),
        body: text,
        first_line: 1,
        problems: Vec::new(),
    })
}

/// Whether a text may begin with front matter between fences, or with an object.
fn is_fenced(text: &str) -> bool {
    let text = &text[first_filled_line(text)..];
    text.starts_with("---") || text.starts_with("+++") || text.starts_with('{')
}

fn divide<'a>(text: &'a str, start: usize, path: &str) -> Option<Split<'a>> {
    let fence = text[start..].lines().next()?.trim_end();
    let language = fence::language(fence);
    let (syntax, extent) = match fence {
        "---" => (Syntax::Yaml, fenced(text, start, &["---", "..."])?),
        "+++" => (Syntax::Toml, fenced(text, start, &["+++"])?),
        _ if fence.starts_with('{') => match json::length(&text[start..]) {
            Some(length) => (Syntax::Json, Extent::of_json(text, start, length)),
            None => return recover::json(text, start, path),
        },
        _ => language.as_ref()?.extent(text, start)?,
    };
    let Extent { inside, body, .. } = extent;
    let block = Block {
        text: &text[inside.clone()],
        path,
        first_line: line_at(text, inside.start),
    };
    let mut reading = match &language {
        Some(language) => language.read(block),
        None => block.read(syntax)?,
    };
    if !extent.is_closed {
        reading
            .problems
            .push(not_closed(path, line_at(text, start), &fence[..3]));
        recover::keys_below(&text[body..], line_at(text, body), &mut reading.entries);
    }
    for problem in &mut reading.problems {
        problem.cause = Cause::FrontMatter;
    }
    let front = Front {
        syntax,
        entries: reading.entries,
        repeated: reading.repeated,
        misplaced: reading.misplaced,
        unread: reading.unread,
    };
    Some(Split {
        front,
        body: &text[body..],
        first_line: line_at(text, body),
        problems: reading.problems,
    })
}

fn not_closed(path: &str, line: u32, fence: &str) -> Problem {
    Problem::warning("the front matter is not closed: its keys end where the text begins")
        .at(path, line, 1)
        .hint(format!("add a line `{fence}` after the last key"))
}

/// The line number of a byte offset, from 1.
fn line_at(text: &str, at: usize) -> u32 {
    1 + number(text[..at].matches('\n').count())
}

/// The offset of the first non-blank line.
fn first_filled_line(text: &str) -> usize {
    let blank = text
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty());
    blank.map(str::len).sum()
}

/// The offset of the first character that is not white space.
fn after_space(text: &str) -> usize {
    text.len() - text.trim_ascii_start().len()
}

/// The extent of front matter in a text.
struct Extent {
    inside: Range<usize>,
    /// The offset of the body.
    body: usize,
    is_closed: bool,
}

impl Extent {
    /// A JSON object of this length.
    fn of_json(text: &str, start: usize, length: usize) -> Self {
        let end = start + length;
        Self {
            inside: start..end,
            body: end + usize::from(text[end..].starts_with('\n')),
            is_closed: true,
        }
    }
}

/// The block that starts with the fence at `start`; without a closing fence, the lines that look
/// like keys.
fn fenced(text: &str, start: usize, closing: &[&str]) -> Option<Extent> {
    let start = start + text[start..].find('\n')? + 1;
    let (mut end, mut keys_end) = (start, None);
    for line in text[start..].split_inclusive('\n') {
        if closing.contains(&line.trim_end()) {
            return Some(Extent {
                inside: start..end,
                body: end + line.len(),
                is_closed: true,
            });
        }
        if keys_end.is_none() && !lines::looks_like_front_matter(line) {
            keys_end = Some(end);
        }
        end += line.len();
    }
    let end = keys_end.unwrap_or(end);
    lines::is_key(&text[start..end]).then_some(Extent {
        inside: start..end,
        body: end,
        is_closed: false,
    })
}

/// Removes duplicate keys of one map and returns them: the last one wins, and each duplicate is a
/// problem.
fn without_repeats(
    entries: &mut Vec<Entry>,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Vec<Entry> {
    let mut repeated = Vec::new();
    let mut lines = FxHashMap::default();
    for Entry { key, .. } in entries.iter() {
        if let Some(first) = lines.insert(key.text.clone(), key.line) {
            let message = format!(
                "`{}` is given twice; this one is used, the one in line {first} is not",
                key.text
            );
            Problem::note_all(
                problems,
                [Problem::warning(message).at(path, key.line, key.column)],
            );
        }
    }
    if lines.len() < entries.len() {
        // In reverse order, the first occurrence of a key is the last one given.
        entries.reverse();
        let (kept, dropped) = std::mem::take(entries)
            .into_iter()
            .partition(|entry: &Entry| lines.remove(&entry.key.text).is_some());
        (*entries, repeated) = (kept, dropped);
        entries.reverse();
    }
    repeated
}

#[cfg(test)]
mod tests;
