//! Front matter: YAML between `---`, TOML between `+++`, JSON in braces, or none.
//!
//! Nothing here can fail. What is broken is read as well as it can be, and reported with its place;
//! unknown keys are kept.

mod json;
mod lines;
mod repair;
mod toml;
mod value;
mod yaml;

pub use value::{Entry, Key, Node, Value};

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::model::problem::Problem;
use crate::model::text::number;

/// How the front matter was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// There is none.
    #[default]
    None,
    /// `---`
    Yaml,
    /// `+++`
    Toml,
    /// `{`
    Json,
}

/// The front matter of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Front {
    /// How it was written.
    pub syntax: Syntax,
    /// Keys and values in their order, without repeats.
    pub entries: Vec<Entry>,
}

impl Front {
    /// The entry with a key: as written, else in any case. `a.b` is also looked for as `b` inside
    /// `a`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        value::find(&self.entries, key)
    }

    /// The entry of the first of some keys that has a value.
    pub fn first(&self, keys: &[&str]) -> Option<&Entry> {
        keys.iter()
            .filter_map(|key| self.get(key))
            .find(|entry| !entry.node.is_null())
    }

    /// The text of the first of some keys that has one.
    pub fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.get(key)?.node.text())
    }

    /// The bool of the first of some keys that has one.
    pub fn bool(&self, keys: &[&str]) -> Option<bool> {
        keys.iter().find_map(|key| self.get(key)?.node.bool())
    }
}

/// Reads a whole text as one map: the configuration of another program.
pub(crate) fn read(text: &str, path: &str, syntax: Syntax) -> (Front, Vec<Problem>) {
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
        },
        reading.problems,
    )
}

/// A text divided into front matter and body.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    /// The front matter; empty when there is none.
    pub front: Front,
    /// Everything behind it.
    pub body: &'a str,
    /// The line of the file on which the body begins, from 1.
    pub first_line: u32,
    /// What was repaired.
    pub problems: Vec<Problem>,
}

/// The text of front matter without its fences.
#[derive(Clone, Copy)]
struct Block<'a> {
    text: &'a str,
    path: &'a str,
    /// The line of the file on which it begins, from 1.
    first_line: u32,
}

/// What a reader of one syntax found.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Block<'_> {
    /// Reads the block; `None`: it is not front matter.
    fn read(self, syntax: Syntax) -> Option<Reading> {
        match syntax {
            Syntax::Toml => Some(toml::read(self)),
            Syntax::Json => json::read(self),
            Syntax::Yaml | Syntax::None => yaml::read(self),
        }
    }
}

/// Divides a decoded text (line ends `\n`) into front matter and body.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    divide(text, path).unwrap_or_else(|| Split {
        front: Front::default(),
        body: text,
        first_line: 1,
        problems: Vec::new(),
    })
}

fn divide<'a>(text: &'a str, path: &str) -> Option<Split<'a>> {
    let start = first_filled_line(text);
    let fence = text[start..].lines().next()?.trim_end();
    let (
        syntax,
        Extent {
            inside,
            body,
            is_closed,
        },
    ) = match fence {
        "---" => (Syntax::Yaml, fenced(text, start, &["---", "..."])?),
        "+++" => (Syntax::Toml, fenced(text, start, &["+++"])?),
        _ if fence.starts_with('{') => {
            let end = start + json::length(&text[start..])?;
            let body = if text[end..].starts_with('\n') {
                end + 1
            } else {
                end
            };
            (
                Syntax::Json,
                Extent {
                    inside: start..end,
                    body,
                    is_closed: true,
                },
            )
        }
        _ => return None,
    };
    let block = Block {
        text: &text[inside.clone()],
        path,
        first_line: line_at(text, inside.start),
    };
    let mut reading = block.read(syntax)?;
    if !is_closed {
        let problem =
            Problem::warning("the front matter is not closed: its keys end where the text begins")
                .at(path, line_at(text, start), 1);
        reading
            .problems
            .push(problem.hint(format!("put a line `{fence}` behind the last key")));
    }
    let front = Front {
        syntax,
        entries: reading.entries,
    };
    Some(Split {
        front,
        body: &text[body..],
        first_line: line_at(text, body),
        problems: reading.problems,
    })
}

/// The number of the line on which a byte is, from 1.
fn line_at(text: &str, at: usize) -> u32 {
    1 + number(text[..at].matches('\n').count())
}

/// Where the first line that is not blank begins.
fn first_filled_line(text: &str) -> usize {
    let blank = text
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty());
    blank.map(str::len).sum()
}

/// Where front matter is in a text.
struct Extent {
    inside: Range<usize>,
    /// Where the body begins.
    body: usize,
    is_closed: bool,
}

/// The block that the fence line at `start` opens; without a closing fence, the lines that look
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

/// Drops repeated keys of one map: the last one counts, and each repeat is a problem.
fn without_repeats(entries: &mut Vec<Entry>, path: &str, problems: &mut Vec<Problem>) {
    let mut lines = FxHashMap::default();
    for Entry { key, .. } in entries.iter() {
        if let Some(first) = lines.insert(key.text.clone(), key.line) {
            let message = format!(
                "`{}` is given twice; this one counts, the one in line {first} does not",
                key.text
            );
            Problem::note_all(
                problems,
                [Problem::warning(message).at(path, key.line, key.column)],
            );
        }
    }
    if lines.len() < entries.len() {
        // From the end, the first of a name is the last that was given.
        entries.reverse();
        entries.retain(|entry| lines.remove(&entry.key.text).is_some());
        entries.reverse();
    }
}

#[cfg(test)]
mod tests;
