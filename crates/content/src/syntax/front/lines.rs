//! The last resort: keys and simple values read line by line, where YAML itself gave up.
//!
//! It understands `key: value`, quotes, `[a, b]`, `- item` lists, `|` and `>` blocks and maps of one level, whatever the indentation is made of.

use super::{Entry, Key, Node, Reading, Value};
use crate::model::problem::Problem;
use crate::model::text::number;

/// Whether the text begins with a key and its colon in the first column.
pub(super) fn is_key(text: &str) -> bool {
    key(text.lines().next().unwrap_or_default()).is_some()
}

/// Whether a line could belong to front matter that nobody closed: a key, an item, an indented line, a comment.
pub(super) fn looks_like_front_matter(line: &str) -> bool {
    is_key(line) || line.starts_with([' ', '\t', '#']) && !line.trim().is_empty() || line.starts_with("- ")
}

/// The key and what follows its colon: `key: value`, `key:` or `"key": value`.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let bare = name.trim_end().trim_matches(['"', '\'']);
    let good = !bare.is_empty() && bare.len() <= 80 && !bare.starts_with(['-', '#', '[', '{', '<', ' ', '\t']);
    let simple = bare.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ' ' | '@'));
    (good && simple && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some((bare, rest))
}

/// A line of the block: its number in the file, its indentation in characters, its text without the white space at both ends.
struct Line<'a> {
    number: u32,
    indent: usize,
    text: &'a str,
}

/// Reads the block; `first_line` is the line of the file on which it begins.
pub(super) fn read(text: &str, path: &str, first_line: u32) -> Reading {
    let mut reading = Reading::default();
    let lines: Vec<Line> = text
        .lines()
        .enumerate()
        .map(|(at, line)| Line { number: first_line + number(at), indent: line.chars().take_while(|c| c.is_whitespace()).count(), text: line.trim() })
        .collect();
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let key = key(line.text);
        // What is below a line matters only where that is a key.
        let belongs = |below: &&Line| below.text.is_empty() || below.indent > line.indent || below.text.starts_with("- ") || below.text == "-";
        let below = key.map_or(0, |_| lines[at + 1..].iter().take_while(belongs).count());
        match key {
            Some((name, rest)) => reading.entries.push(entry(line, name, rest, &lines[at + 1..at + 1 + below])),
            None if line.text.is_empty() || line.text.starts_with('#') => {}
            None => {
                let told = format!("the line is no `key: value` and is left out: `{}`", crate::model::text::shorten(line.text, 60));
                Problem::note_all(&mut reading.problems, [Problem::warning(told).at(path, line.number, number(line.indent + 1))]);
            }
        }
        at += 1 + below;
    }
    reading
}

/// The entry of a key line and the lines below it that belong to it.
fn entry(line: &Line, name: &str, rest: &str, inside: &[Line]) -> Entry {
    let value = rest.trim();
    let column = number(line.indent + line.text.chars().count() - rest.trim_start().chars().count() + 1);
    let filled = || inside.iter().filter(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    let node = if value.starts_with(['|', '>']) && value.len() <= 3 {
        let glue = if value.starts_with('|') { "\n" } else { " " };
        let text = inside.iter().map(|line| line.text).collect::<Vec<_>>().join(glue);
        Node { value: Value::Scalar { text: text.trim().to_owned(), plain: false }, line: line.number, column }
    } else if value.is_empty() && filled().next().is_some_and(|line| line.text.starts_with('-')) {
        let items = filled()
            .filter_map(|line| Some((line, line.text.strip_prefix('-')?)))
            .map(|(line, item)| scalar(item.trim(), line.number, number(line.indent + 3)));
        Node { value: Value::List(items.collect()), line: line.number, column }
    } else if value.is_empty() && filled().next().is_some_and(|line| key(line.text).is_some()) {
        let entries = filled().filter_map(|line| Some((line, key(line.text)?))).map(|(line, (name, rest))| entry(line, name, rest, &[]));
        Node { value: Value::Map(entries.collect()), line: line.number, column }
    } else {
        let folded = filled().fold(without_comment(value).to_owned(), |mut text, line| {
            text.push(' ');
            text.push_str(line.text);
            text
        });
        scalar(folded.trim(), line.number, column)
    };
    Entry { key: Key { text: name.to_owned(), line: line.number, column: number(line.indent + 1) }, node }
}

/// An unquoted value ends at ` #`.
fn without_comment(value: &str) -> &str {
    if value.starts_with(['"', '\'', '[']) { value } else { value.split_once(" #").map_or(value, |(value, _)| value.trim_end()) }
}

/// A scalar or a list in brackets.
fn scalar(text: &str, line: u32, column: u32) -> Node {
    if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| quoted(item, line, column));
        return Node { value: Value::List(items.collect()), line, column };
    }
    quoted(text, line, column)
}

/// A scalar with its quotes read, where both are there.
fn quoted(text: &str, line: u32, column: u32) -> Node {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    let (text, plain) = match (inner('"'), inner('\'')) {
        (Some(inner), _) => (inner.replace("\\\"", "\""), false),
        (_, Some(inner)) => (inner.replace("''", "'"), false),
        _ => (text.to_owned(), true),
    };
    Node { value: Value::Scalar { text, plain }, line, column }
}
