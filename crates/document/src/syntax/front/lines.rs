//! Fallback for invalid YAML: reads keys and simple values line by line.
//!
//! Supports `key: value`, quotes, `[a, b]`, `- item` lists, `|` and `>` blocks and maps of one
//! level, with any indentation.

use super::{Block, Entry, Key, Node, Reading, Value};
use crate::model::problem::Problem;
use crate::model::text::{number, shorten};

/// Whether the text begins with a key and its colon in the first column.
pub fn is_key(text: &str) -> bool {
    key(text.lines().next().unwrap_or_default()).is_some()
}

/// Whether a line may belong to unclosed front matter: a key, an item, an indented line, a comment.
pub fn looks_like_front_matter(line: &str) -> bool {
    is_key(line)
        || line.starts_with([' ', '\t', '#']) && !line.trim().is_empty()
        || line.starts_with("- ")
}

/// The key and the text after its colon: `key: value`, `key:` or `"key": value`.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let bare = name.trim_end().trim_matches(['"', '\'']);
    let good = !bare.is_empty()
        && bare.len() <= 80
        && !bare.starts_with(['-', '#', '[', '{', '<', ' ', '\t']);
    let simple = bare.chars().all(|character| {
        character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ' ' | '@')
    });
    // `draft:true` has no space, and another character in place of one may look like it.
    let is_apart = rest.is_empty()
        || rest.starts_with(char::is_whitespace)
        || matches!(rest.trim_end(), "true" | "false" | "yes" | "no");
    (good && simple && is_apart).then_some((bare, rest))
}

/// A line of the block: its number in the file, its indentation in characters, and its trimmed
/// text.
struct Line<'a> {
    number: u32,
    indent: usize,
    text: &'a str,
}

impl Line<'_> {
    /// Whether it is part of the value of an earlier key.
    fn belongs_to(&self, above: &Line<'_>) -> bool {
        self.text.is_empty()
            || self.indent > above.indent
            || self.text.starts_with("- ")
            || self.text == "-"
    }

    fn is_filled(&self) -> bool {
        !self.text.is_empty() && !self.text.starts_with('#')
    }

    fn column(&self) -> u32 {
        number(self.indent + 1)
    }
}

/// Whether a key line has its value behind it: in valid YAML no key may follow below.
fn has_value(line: &Line<'_>) -> bool {
    key(line.text).is_some_and(|(_, rest)| {
        let rest = rest.trim();
        !rest.is_empty() && !rest.starts_with(['|', '>', '[', '{', '"', '\''])
    })
}

/// A line that is a key of one word with a value of one word, such as `draft: true`.
fn flag(line: &Line<'_>) -> Option<Entry> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let (name, rest) = key(line.text)?;
    (is_word(name) && is_word(rest.trim())).then(|| entry(line, name, rest, &[]))
}

fn not_understood(line: &Line<'_>, path: &str) -> Problem {
    let message = format!(
        "the line is not `key: value` and is ignored: `{}`",
        shorten(line.text, 60)
    );
    Problem::warning(message).at(path, line.number, line.column())
}

pub fn read(block: Block<'_>) -> Reading {
    let lines = lines(block);
    let mut reading = Reading::default();
    let mut rest = lines.as_slice();
    while let Some((line, behind)) = rest.split_first() {
        rest = behind;
        if let Some((name, value)) = key(line.text) {
            let length = behind
                .iter()
                .take_while(|below| below.belongs_to(line))
                .count();
            let (below, behind) = behind.split_at(length);
            if has_value(line) {
                reading.misplaced.extend(below.iter().filter_map(flag));
            }
            reading.entries.push(entry(line, name, value, below));
            rest = behind;
        } else if line.is_filled() {
            Problem::note_all(&mut reading.problems, [not_understood(line, block.path)]);
        }
    }
    reading
}

fn lines(block: Block<'_>) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for (line, number) in block.text.lines().zip(block.first_line..) {
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        lines.push(Line {
            number,
            indent,
            text: line.trim(),
        });
    }
    lines
}

/// The entry of a key line and its continuation lines.
fn entry(line: &Line<'_>, name: &str, rest: &str, below: &[Line<'_>]) -> Entry {
    let column =
        line.column() + number(line.text.chars().count() - rest.trim_start().chars().count());
    let value = value(rest.trim(), line.number, column, below);
    let key = Key {
        text: name.to_owned(),
        line: line.number,
        column: line.column(),
    };
    Entry {
        key,
        node: Node {
            value,
            line: line.number,
            column,
        },
    }
}

fn value(text: &str, number: u32, column: u32, below: &[Line<'_>]) -> Value {
    if text.starts_with(['|', '>']) && text.len() <= 3 {
        return block_scalar(text, below);
    }
    let below: Vec<&Line<'_>> = below.iter().filter(|line| line.is_filled()).collect();
    match below.first() {
        Some(first) if text.is_empty() && first.text.starts_with('-') => Value::List(items(&below)),
        Some(first) if text.is_empty() && key(first.text).is_some() => Value::Map(entries(&below)),
        _ => scalar(folded(text, &below).trim(), number, column).value,
    }
}

fn block_scalar(indicator: &str, lines: &[Line<'_>]) -> Value {
    let glue = if indicator.starts_with('|') {
        "\n"
    } else {
        " "
    };
    let lines: Vec<&str> = lines.iter().map(|line| line.text).collect();
    Value::Scalar {
        text: lines.join(glue).trim().to_owned(),
        plain: false,
    }
}

/// A scalar and the lines that continue it, with a space for each line break.
fn folded(text: &str, below: &[&Line<'_>]) -> String {
    let mut folded = without_comment(text).to_owned();
    for line in below {
        folded.push(' ');
        folded.push_str(line.text);
    }
    folded
}

fn items(lines: &[&Line<'_>]) -> Vec<Node> {
    let mut items = Vec::new();
    for line in lines {
        if let Some(item) = line.text.strip_prefix('-') {
            items.push(scalar(item.trim(), line.number, line.column() + 2));
        }
    }
    items
}

fn entries(lines: &[&Line<'_>]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in lines {
        if let Some((name, rest)) = key(line.text) {
            entries.push(entry(line, name, rest, &[]));
        }
    }
    entries
}

/// An unquoted value ends at ` #`.
fn without_comment(value: &str) -> &str {
    if value.starts_with(['"', '\'', '[']) {
        value
    } else {
        value
            .split_once(" #")
            .map_or(value, |(value, _)| value.trim_end())
    }
}

/// A scalar or a list in brackets.
fn scalar(text: &str, line: u32, column: u32) -> Node {
    let Some(inner) = between(text, "[", "]") else {
        return Node {
            value: quoted(text),
            line,
            column,
        };
    };
    let items = inner
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty());
    let value = Value::List(
        items
            .map(|item| Node {
                value: quoted(item),
                line,
                column,
            })
            .collect(),
    );
    Node {
        value,
        line,
        column,
    }
}

/// A scalar, unquoted if both quotation marks are present.
fn quoted(text: &str) -> Value {
    if let Some(inner) = between(text, "\"", "\"") {
        return Value::Scalar {
            text: inner.replace("\\\"", "\""),
            plain: false,
        };
    }
    match between(text, "'", "'") {
        Some(inner) => Value::Scalar {
            text: inner.replace("''", "'"),
            plain: false,
        },
        None => Value::Scalar {
            text: text.to_owned(),
            plain: true,
        },
    }
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    text.strip_prefix(open)?.strip_suffix(close)
}
