//! Blocks between colons: `:::kind title` … `:::`.

use super::DEPTH;
use super::output::{Block, Output};
use crate::dialects::scan::Line;
use crate::dialects::tags::Arguments;
use crate::dialects::tags::callout::{is_details, mark};
use crate::model::document::callout_kind;
use crate::model::text::shorten;

/// How many bytes of prefixes may be added to lines of a text that lack them.
const MOST_PREFIXES: usize = 1_000_000;

/// The colons at the beginning of a line, and the rest of the line.
fn colons<'a>(line: &Line<'a>) -> Option<(usize, &'a str)> {
    let words = line.rest.trim_start_matches(':');
    let count = line.rest.len() - words.len();
    let words = words.trim().trim_end_matches(":::").trim_end();
    let begins = words.is_empty()
        || words.starts_with("[!")
        || words.starts_with(|c: char| c.is_alphabetic() || c == '{');
    (count >= 3 && begins && !line.code).then_some((count, words))
}

/// An open block.
struct Open {
    at: usize,
    colons: usize,
    /// The number of quotes around its line.
    depth: usize,
}

/// Maps each line that opens a block with colons to the line that closes it. A longer fence
/// contains shorter ones.
pub fn ends(lines: &[Line<'_>]) -> Vec<Option<usize>> {
    let mut ends = vec![None; lines.len()];
    let mut open: Vec<Open> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((count, words)) = colons(line) else {
            continue;
        };
        let depth = line.prefix.matches('>').count();
        if !words.is_empty() {
            if open.len() >= 4 * DEPTH {
                open.remove(0);
            }
            open.push(Open {
                at,
                colons: count,
                depth,
            });
        } else if let Some(found) = opener(&open, count, depth) {
            ends[open[found].at] = Some(at);
            open.truncate(found);
        }
    }
    ends
}

/// The block that this many colons close: the last with as many, else the last with fewer.
fn opener(open: &[Open], colons: usize, depth: usize) -> Option<usize> {
    let same = open
        .iter()
        .rposition(|block| block.colons == colons && block.depth == depth);
    same.or_else(|| {
        open.iter()
            .rposition(|block| block.colons <= colons && block.depth == depth)
    })
}

/// Names of blocks that only arrange what is in them.
const LAYOUT: [&str; 22] = [
    "code-group",
    "row",
    "column",
    "columns",
    "col",
    "cols",
    "grid",
    "cards",
    "center",
    "left",
    "right",
    "div",
    "section",
    "block",
    "tabs",
    "tab-set",
    "tab",
    "raw",
    "v-pre",
    "figure",
    "span",
    "steps",
];
/// The longest name of a block in a report, in characters.
const LONGEST_NAME: usize = 60;

/// Writes the block that a line opens; returns the line after it.
pub fn block(
    lines: &[Line<'_>],
    ends: &[Option<usize>],
    at: usize,
    out: &mut Output,
) -> Option<usize> {
    let line = &lines[at];
    let (_, words) = colons(line)?;
    if words.is_empty() {
        // It closes no block.
        out.line(at, &[line.prefix.trim_end()]);
        return Some(at + 1);
    }
    // Without an end it ends with its paragraph.
    let end = ends[at].unwrap_or_else(|| end_of_paragraph(lines, at));
    let inside = &lines[at + 1..end];
    let bare = inside
        .iter()
        .filter(|inner| !inner.prefix.starts_with(line.prefix))
        .count();
    out.prefixes += bare * line.prefix.len();
    let prefix = if out.prefixes > MOST_PREFIXES {
        ""
    } else {
        line.prefix
    };
    let body: Vec<String> = inside.iter().map(|inner| inner.without(prefix)).collect();
    let (name, block) = opened(words);
    let is_known = matches!(block, Block::Callout(_)) || LAYOUT.contains(&&*name);
    if !is_known && !words.starts_with('{') {
        let name = shorten(&format!(":::{name}"), LONGEST_NAME);
        *out.unknown.entry(name).or_default() += 1;
    }
    out.block(prefix, at, &block, &body);
    if ends[at].is_none() {
        return Some(end);
    }
    out.line(end, &[line.prefix.trim_end()]);
    Some(end + 1)
}

fn end_of_paragraph(lines: &[Line<'_>], at: usize) -> usize {
    let length = lines[at..]
        .iter()
        .position(|line| line.rest.trim().is_empty());
    length.map_or(lines.len(), |length| at + length)
}

/// The block that `:::` opens: `note`, `note Title`, `note[Title]{…}`, `{.callout-note title="…"}`,
/// `message alert`. Its name is in lower case.
fn opened(words: &str) -> (String, Block) {
    if words.starts_with("[!") {
        return (String::new(), Block::Callout(words.to_owned()));
    }
    let (head, attributes) = words.split_once('{').unwrap_or((words, ""));
    let attributes = attributes.trim_end_matches('}');
    let head = head.trim();
    let end = head
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))
        .unwrap_or(head.len());
    let (mut name, rest) = head.split_at(end);
    if name.is_empty() {
        name = class(attributes);
    }
    let name = name
        .strip_prefix("callout-")
        .unwrap_or(name)
        .to_ascii_lowercase();
    let rest = rest.trim();
    let mut title = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(rest)
        .trim();
    if title.is_empty() {
        title = Arguments::parse(attributes)
            .named(&["title", "label"])
            .unwrap_or_default();
    }
    let block = match callout_kind(&name) {
        _ if is_details(&name) => {
            let open = attributes.split_whitespace().any(|word| word == "open");
            Block::Callout(mark("details", title, Some(open)))
        }
        // Zenn gives the kind of a message as its only word.
        Some(_) if name == "message" => {
            Block::Callout(mark(callout_kind(title).unwrap_or("note"), "", None))
        }
        Some(kind) => Block::Callout(mark(kind, title, None)),
        None if title.is_empty()
            || matches!(name.as_str(), "code-group" | "row" | "column" | "columns") =>
        {
            Block::Plain
        }
        None => Block::Label(title.to_owned()),
    };
    (name, block)
}

/// The first class, or the first word that consists of letters.
fn class(attributes: &str) -> &str {
    for word in attributes.split_whitespace() {
        if let Some(class) = word.strip_prefix('.') {
            return class;
        }
        if word.chars().all(char::is_alphabetic) {
            return word;
        }
    }
    ""
}
