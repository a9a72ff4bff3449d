//! Outlines, as graphs of notes have them: properties of blocks (`id:: 64…`), drawers (`:LOGBOOK:`),
//! blocks of Org (`#+BEGIN_NOTE` to `#+END_NOTE`) and macros (`{{embed [[page]]}}`).

mod macros;

use std::collections::BTreeSet;
use std::ops::Range;

use super::page::Page;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};

/// Properties that no reader sees, in order.
const HIDDEN: [&str; 22] = [
    "background-color",
    "background_color",
    "collapsed",
    "created-at",
    "created_at",
    "custom-id",
    "heading",
    "hl-color",
    "hl-page",
    "hl-stamp",
    "hl-type",
    "id",
    "last-modified-at",
    "last_modified_at",
    "logseq.order-list-type",
    "ls-type",
    "query-properties",
    "query-sort-by",
    "query-sort-desc",
    "query-table",
    "updated-at",
    "updated_at",
];
/// Blocks that are notices.
const NOTICES: [&str; 6] = ["CAUTION", "IMPORTANT", "NOTE", "PINNED", "TIP", "WARNING"];
const BEGIN: &str = "#+BEGIN_";

/// Rewrites what only outlines have, where the texts of the folder are such.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.config.features.outlines {
        blocks(lines);
        macros::rewrite(lines);
    }
}

fn blocks(lines: &mut Lines) {
    let literals = lines.literals();
    let text = lines.text.clone();
    let mut walk = Walk {
        all: scan(&text, &literals),
        out: Output::default(),
        unclosed: BTreeSet::new(),
    };
    let mut at = 0;
    while at < walk.all.len() {
        at = walk.next(at);
    }
    walk.out.finish(lines);
}

struct Walk<'a> {
    all: Vec<Line<'a>>,
    out: Output,
    /// The ends that no line below has.
    unclosed: BTreeSet<String>,
}

impl<'a> Walk<'a> {
    /// Writes what begins on a line; the line after it.
    fn next(&mut self, at: usize) -> usize {
        let line = self.all[at];
        let (bullet, words) = bullet(line.rest);
        if line.code {
            return self.copy(at);
        }
        if let Some(end) = self.end_of_drawer(at, words) {
            return end + 1;
        }
        if let Some((name, arguments)) = opening(words)
            && let Some(end) = self.end(at, &format!("#+END_{name}"))
        {
            self.block(at..end, &name, arguments);
            return end + 1;
        }
        let Some(key) = property(words) else {
            return self.copy(at);
        };
        if HIDDEN.binary_search(&key).is_err() {
            // Each property has its own line.
            let end = if bullet.is_empty() { "  " } else { "" };
            self.out.push(format!("{}{end}", line.whole), at);
        }
        at + 1
    }

    fn copy(&mut self, at: usize) -> usize {
        self.out.push(self.all[at].whole, at);
        at + 1
    }

    /// The last line of a drawer that begins here.
    fn end_of_drawer(&mut self, at: usize, words: &str) -> Option<usize> {
        let is_drawer = matches!(words.trim_end(), ":LOGBOOK:" | ":PROPERTIES:");
        is_drawer.then(|| self.end(at, ":END:")).flatten()
    }

    /// The line below that is this end.
    fn end(&mut self, at: usize, end: &str) -> Option<usize> {
        if self.unclosed.contains(end) {
            return None;
        }
        let mut below = self.all.iter().enumerate().skip(at + 1);
        let found = below.find(|(_, line)| line.rest.trim_end().eq_ignore_ascii_case(end));
        if found.is_none() {
            self.unclosed.insert(end.to_owned());
        }
        found.map(|(number, _)| number)
    }

    /// Writes a block; the range is without its end.
    fn block(&mut self, lines: Range<usize>, name: &str, arguments: &str) {
        let inside = lines.start + 1..lines.end;
        let Some(shape) = Shape::of(name, arguments, || self.fence(inside.clone())) else {
            return;
        };
        let first = self.all[lines.start];
        let (bullet, _) = bullet(first.rest);
        let indent = format!("{}{}", first.prefix, " ".repeat(bullet.len()));
        let begin = format!("{}{bullet}{}", first.prefix, shape.opening);
        self.out.push(begin, lines.start);
        inside.for_each(|number| self.inside(number, &indent, shape.mark));
        match shape.closing {
            Some(closing) => self.out.push(format!("{indent}{closing}"), lines.end),
            None => self.separate(lines.end),
        }
    }

    /// Writes a line inside a block.
    fn inside(&mut self, number: usize, indent: &str, mark: &str) {
        let line = self.all[number].whole;
        let words = line.strip_prefix(indent).unwrap_or(line.trim_start());
        self.out.push(format!("{indent}{mark}{words}"), number);
    }

    /// Ends a quotation where words follow that would go on with it.
    fn separate(&mut self, end: usize) {
        let next = self.all.get(end + 1);
        let goes_on = |next: &Line<'_>| !next.rest.is_empty() && bullet(next.rest).0.is_empty();
        if next.is_some_and(goes_on) {
            self.out.push("", end);
        }
    }

    /// A fence that nothing in the lines ends.
    fn fence(&self, inside: Range<usize>) -> String {
        let lines = self.all[inside].iter();
        let longest = lines.map(|line| line.rest.len() - line.rest.trim_start_matches('`').len());
        "`".repeat(longest.max().unwrap_or_default().max(2) + 1)
    }
}

/// How a block is written in Markdown.
struct Shape {
    opening: String,
    /// What begins each line of it.
    mark: &'static str,
    closing: Option<String>,
}

impl Shape {
    /// The shape of a block with this name; `None`: it is not shown.
    fn of(name: &str, arguments: &str, fence: impl Fn() -> String) -> Option<Self> {
        let quoted = |opening: String| Self {
            opening,
            mark: "> ",
            closing: None,
        };
        match name {
            "COMMENT" | "EXPORT" | "QUERY" => None,
            "SRC" | "EXAMPLE" => Some(Self {
                opening: format!("{}{}", fence(), language(arguments)),
                mark: "",
                closing: Some(fence()),
            }),
            "QUOTE" => Some(quoted(">".to_owned())),
            name if NOTICES.contains(&name) => {
                Some(quoted(format!("> [!{}]", name.to_lowercase())))
            }
            _ => Some(Self {
                opening: String::new(),
                mark: "",
                closing: None,
            }),
        }
    }
}

/// The bullet that begins a block, and the words after it.
fn bullet(rest: &str) -> (&str, &str) {
    match rest.strip_prefix("- ") {
        Some(words) => ("- ", words.trim_start()),
        None => ("", rest),
    }
}

/// The name and the arguments of a block of Org that begins a line.
fn opening(words: &str) -> Option<(String, &str)> {
    let start = words.get(..BEGIN.len())?;
    let rest = &words[BEGIN.len()..];
    let (name, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
    let name = name.trim_end();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (start.eq_ignore_ascii_case(BEGIN) && is_name).then(|| (name.to_ascii_uppercase(), arguments))
}

/// The language that begins the arguments of code.
fn language(arguments: &str) -> &str {
    let language = arguments.split_whitespace().next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "+-#.".contains(c);
    if language.starts_with(|c: char| c.is_ascii_alphanumeric()) && language.chars().all(is_name) {
        return language;
    }
    ""
}

/// The key of a property: `key:: value`.
fn property(words: &str) -> Option<&str> {
    let (key, value) = words.split_once("::")?;
    let is_key = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    let is_apart = value.is_empty() || value.starts_with([' ', '\t', '\r']);
    (!key.is_empty() && key.chars().all(is_key) && is_apart).then_some(key)
}

#[cfg(test)]
mod tests;
