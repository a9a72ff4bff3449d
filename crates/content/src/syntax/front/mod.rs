//! Front matter: YAML between `---`, TOML between `+++`, JSON in braces, or none.
//!
//! Nothing here can fail. What is broken is read as well as it can be, and said with its place; unknown keys are kept.

mod json;
mod lines;
mod mend;
mod toml;
mod value;
mod yaml;

pub use value::{Entry, Key, Node, Value};

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
    /// The entry with a key: as written, else whatever its case. `a.b` is also looked for as `b` inside `a`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        value::find(&self.entries, key)
    }

    /// The entry of the first of some keys that has a value.
    pub fn first(&self, keys: &[&str]) -> Option<&Entry> {
        keys.iter().filter_map(|key| self.get(key)).find(|entry| !entry.node.is_null())
    }

    /// The text of the first of some keys that has one.
    pub fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().filter_map(|key| self.get(key)).find_map(|entry| entry.node.text())
    }

    /// The bool of the first of some keys that has one.
    pub fn bool(&self, keys: &[&str]) -> Option<bool> {
        keys.iter().filter_map(|key| self.get(key)).find_map(|entry| entry.node.bool())
    }
}

/// Reads a whole text as one map: the configuration of another program.
pub(crate) fn read(text: &str, path: &str, syntax: Syntax) -> (Front, Vec<Problem>) {
    let reading = match syntax {
        Syntax::Toml => toml::read(text, path, 1),
        Syntax::Json => json::read(text, path, 1),
        _ => yaml::read(text, path, 1),
    };
    let reading = reading.unwrap_or_else(|| {
        let blank = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let broken = (!blank).then(|| Problem::warning("the front matter is not understood").at(path, 0, 0));
        Reading { problems: broken.into_iter().collect(), ..Reading::default() }
    });
    (Front { syntax, entries: reading.entries }, reading.problems)
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
    /// What was mended.
    pub problems: Vec<Problem>,
}

/// What a reader of one syntax found.
#[derive(Debug, Default)]
struct Reading {
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

/// Divides a decoded text (line ends `\n`) into front matter and body.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    let start = opening(text);
    let first_line = 1 + number(text[..start].matches('\n').count());
    let none = Split { front: Front::default(), body: text, first_line: 1, problems: Vec::new() };
    let opened = &text[start..];
    let line = opened.lines().next().unwrap_or_default();
    match line.trim_end() {
        "---" => fenced(text, start, &["---", "..."]).map(|block| (Syntax::Yaml, block)),
        "+++" => fenced(text, start, &["+++"]).map(|block| (Syntax::Toml, block)),
        _ if line.starts_with('{') => {
            json::extent(opened).map(|end| (Syntax::Json, Block { text: &opened[..end], body: start + end, closed: true, line: 0 }))
        }
        _ => None,
    }
    .map_or(none.clone(), |(syntax, block)| {
        let reading = match syntax {
            Syntax::Toml => toml::read(block.text, path, first_line + block.line),
            Syntax::Json => json::read(block.text, path, first_line),
            _ => yaml::read(block.text, path, first_line + block.line),
        };
        let Some(reading) = reading else { return none };
        let body = &text[block.body..];
        let body = body.strip_prefix('\n').filter(|_| syntax == Syntax::Json).unwrap_or(body);
        let mut problems = reading.problems;
        if !block.closed {
            let mark = line.trim_end();
            problems.push(
                Problem::warning("the front matter is not closed: its keys end where the text begins")
                    .at(path, first_line, 1)
                    .hint(format!("put a line `{mark}` behind the last key")),
            );
        }
        let first_line = 1 + number(text[..text.len() - body.len()].matches('\n').count());
        Split { front: Front { syntax, entries: reading.entries }, body, first_line, problems }
    })
}

/// Where the first line that is not blank begins.
fn opening(text: &str) -> usize {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    start
}

/// The text between two fence lines.
struct Block<'a> {
    text: &'a str,
    /// Where the body begins.
    body: usize,
    closed: bool,
    /// Lines before `text` since the opening.
    line: u32,
}

/// The block that the fence line at `start` opens; without a closing fence, the lines that look like keys.
fn fenced<'a>(text: &'a str, start: usize, closing: &[&str]) -> Option<Block<'a>> {
    let inside = start + text[start..].find('\n')? + 1;
    let mut at = inside;
    for line in text[inside..].split_inclusive('\n') {
        if closing.contains(&line.trim_end()) {
            return Some(Block { text: &text[inside..at], body: at + line.len(), closed: true, line: 1 });
        }
        at += line.len();
    }
    let keys: usize = text[inside..].split_inclusive('\n').take_while(|line| lines::looks_like_front_matter(line)).map(str::len).sum();
    (keys > 0 && lines::is_key(&text[inside..])).then(|| Block { text: &text[inside..inside + keys], body: inside + keys, closed: false, line: 1 })
}

/// Drops repeated keys of one map: the last one counts, and each repeat is said.
fn without_repeats(entries: Vec<Entry>, path: &str, problems: &mut Vec<Problem>) -> Vec<Entry> {
    let mut last = rustc_hash::FxHashMap::default();
    for (at, entry) in entries.iter().enumerate() {
        if let Some(before) = last.insert(entry.key.text.clone(), at) {
            let first = entries[before].key.line;
            let told = format!("`{}` is given twice; this one counts, the one in line {first} does not", entry.key.text);
            Problem::note_all(problems, [Problem::warning(told).at(path, entry.key.line, entry.key.column)]);
        }
    }
    entries.into_iter().enumerate().filter(|(at, entry)| last.get(&entry.key.text) == Some(at)).map(|(_, entry)| entry).collect()
}

#[cfg(test)]
mod tests;
