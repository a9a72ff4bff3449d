//! Keys of front matter that cannot be read as a whole: it may say that a text is a draft, which
//! must not be overlooked.

use serde::de::IgnoredAny;

use super::{Block, Entry, Front, OBJECT, Split, Syntax, line_at, lines};
use crate::model::problem::{Cause, Problem};
use crate::model::text::{number, shorten};

/// The maximum number of keys below front matter that is not closed.
const MOST_BELOW: usize = 100;

/// The longest key of an object that is not valid JSON, in bytes.
const LONGEST_KEY: usize = 200;
/// The maximum number of comments before its first key.
const MOST_COMMENTS: usize = 20;

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
            entries.push(Entry::plain(key, value, number, 1));
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

/// A text that begins with a JSON object that is not valid.
pub fn json<'a>(text: &'a str, start: usize, path: &str) -> Option<Split<'a>> {
    by_line(text, start, path).or_else(|| unread(text, start))
}

/// An object of which nothing is known, so that its text is withheld. Its place is that of the
/// mistake.
fn unread(text: &str, start: usize) -> Option<Split<'_>> {
    let inside = text[start..].strip_prefix('{')?;
    if !begins_with_key(inside) || goes_on_behind_braces(inside) {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
    let (line, column) = match objects.next() {
        Some(Err(error)) => (number(error.line()), number(error.column())),
        _ => (1, 1),
    };
    let line = line_at(text, start) + line.saturating_sub(1);
    let first = text[start..].lines().next().unwrap_or_default();
    let unread = Entry::plain(OBJECT, shorten(first, 60), line, column.max(1));
    Some(Split {
        front: Front {
            syntax: Syntax::Json,
            unread: vec![unread],
            ..Front::default()
        },
        body: text,
        first_line: 1,
        problems: Vec::new(),
    })
}

/// Whether the braces end on their line and words follow: `{a: 1} is a set`.
fn goes_on_behind_braces(inside: &str) -> bool {
    let line = inside.lines().next().unwrap_or_default();
    let mut depth = 1_usize;
    let end = line.find(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.is_some_and(|end| !line[end + 1..].trim().is_empty())
}

/// Whether what is behind a `{` begins with a key: a name in quotes and a colon, or a bare name whose
/// value is a literal. Words, tags and attribute lists in braces have neither.
fn begins_with_key(inside: &str) -> bool {
    let rest = without_comments(inside);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let name = rest[1..].split_once(quote);
        let is_on_line = |name: &str| name.len() <= LONGEST_KEY && !name.contains('\n');
        return name
            .is_some_and(|(name, rest)| is_on_line(name) && rest.trim_start().starts_with(':'));
    }
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let value = rest.trim_start_matches(is_in_name);
    let name = &rest[..rest.len() - value.len()];
    let Some(value) = value.trim_start().strip_prefix(':') else {
        return false;
    };
    let value = value.trim_start();
    let word = value.split(|c: char| !c.is_alphanumeric()).next();
    let is_literal = value.starts_with(['"', '\'', '[', '{'])
        || value.starts_with(|c: char| c.is_ascii_digit())
        || matches!(word, Some("true" | "false" | "null"));
    !name.is_empty() && name.len() <= LONGEST_KEY && is_literal
}

/// A text behind white space and the comments of a program.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..MOST_COMMENTS {
        let behind = match rest.strip_prefix("/*") {
            Some(comment) => comment.split_once("*/"),
            None if rest.starts_with("//") => rest.split_once('\n'),
            None => break,
        };
        rest = behind.map_or("", |(_, rest)| rest).trim_start();
    }
    rest
}

/// The keys of an object, line by line, up to a line with nothing but `}`.
fn by_line<'a>(text: &'a str, start: usize, path: &str) -> Option<Split<'a>> {
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
        entries.push(Entry::plain(key, value, number, self::number(indent) + 1));
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
