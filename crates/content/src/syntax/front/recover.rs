//! Keys of front matter that cannot be read as a whole: it may say that a text is a draft, which
//! must not be overlooked.

use super::{Block, Entry, Front, Key, Node, Split, Syntax, line_at, lines};
use crate::model::problem::{Cause, Problem};
use crate::model::text::number;

/// The maximum number of keys below front matter that is not closed.
const MOST_BELOW: usize = 100;

/// Keys in one line each, `key = value`, above the first table.
pub fn toml(block: Block<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let lines = block.text.lines().zip(block.first_line..);
    for (line, number) in lines.take_while(|(line, _)| !line.trim_start().starts_with('[')) {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let key = key.trim();
        let is_simple = |character: char| character.is_alphanumeric() || "_-".contains(character);
        if !key.is_empty() && key.chars().all(is_simple) {
            let value = value.trim().trim_matches(['"', '\'']);
            entries.push(entry(key, value, number, 1));
        }
    }
    entries
}

/// Adds the keys in the lines below front matter that is not closed, up to a blank line.
pub fn keys_below(text: &str, first_line: u32, entries: &mut Vec<Entry>) {
    let end = text.find("\n\n").unwrap_or(text.len());
    let block = Block {
        text: &text[..end],
        path: "",
        first_line,
    };
    for entry in lines::read(block).entries.into_iter().take(MOST_BELOW) {
        let is_known = |known: &Entry| known.key.text == entry.key.text;
        if !entries.iter().any(is_known) {
            entries.push(entry);
        }
    }
}

/// A text that begins with a JSON object that is not valid: its keys, line by line, up to a line
/// with nothing but `}`.
pub fn json<'a>(text: &'a str, start: usize, path: &str) -> Option<Split<'a>> {
    let inside = text[start..].strip_prefix("{\n")?;
    let mut length = 0;
    let closing = inside.split_inclusive('\n').find(|line| {
        length += line.len();
        line.trim_end() == "}"
    })?;
    let first_line = line_at(text, start);
    let mut entries = Vec::new();
    for (line, number) in inside[..length - closing.len()]
        .lines()
        .zip(first_line + 1..)
    {
        let found = line.trim_start().strip_prefix('"')?.split_once("\":");
        let (key, value) = found?;
        let value = value.trim().trim_end_matches(',').trim_matches('"');
        let indent = line
            .chars()
            .take_while(|character| *character != '"')
            .count();
        entries.push(entry(key, value, number, self::number(indent) + 1));
    }
    let problem = Problem::warning("the front matter is not valid JSON, and is read line by line")
        .at(path, first_line, 1)
        .cause(Cause::FrontMatter);
    let body = start + 2 + length;
    Some(Split {
        front: Front {
            syntax: Syntax::Json,
            entries,
            repeated: Vec::new(),
            misplaced: Vec::new(),
            unread: Vec::new(),
        },
        body: &text[body..],
        first_line: line_at(text, body),
        problems: vec![
            problem.hint("check commas and quotes; a comma after the last value is not allowed"),
        ],
    })
}

fn entry(key: &str, value: &str, line: u32, column: u32) -> Entry {
    Entry {
        key: Key {
            text: key.to_owned(),
            line,
            column,
        },
        node: Node::plain(value, line, column),
    }
}
