//! Lines with a mark of their own: attributes of headings, numbered examples, lines whose breaks
//! are kept, commands of TeX.

use std::collections::BTreeMap;

use crate::dialects::attributes::heading_parts;
use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, heading, scan};

/// Commands of TeX for printed pages.
const TEX: [&str; 8] = [
    "\\newpage",
    "\\pagebreak",
    "\\clearpage",
    "\\cleardoublepage",
    "\\tableofcontents",
    "\\listoffigures",
    "\\listoftables",
    "\\appendix",
];

pub fn rewrite(lines: &mut Lines) {
    let all = scan(&lines.text, &lines.literals());
    let mut marks = Marks {
        examples: examples(&all),
        all: &all,
        number: 0,
    };
    let mut out = Output::default();
    let mut tag = String::new();
    for (at, line) in all.iter().enumerate() {
        if !tag.is_empty() {
            out.push(format!("{}{}", std::mem::take(&mut tag), line.rest), at);
            continue;
        }
        if is_tag_of_words(line) && all.get(at + 1).is_some_and(is_text) {
            // Alone on its line it would begin a block of HTML, without Markdown in it.
            tag = line.whole.trim_end().to_owned();
            continue;
        }
        if line.block || line.code && line.rest.starts_with("```") {
            out.push(line.whole, at);
            continue;
        }
        out.push(marks.line(at), at);
    }
    out.finish(lines);
}

struct Marks<'a> {
    all: &'a [Line<'a>],
    examples: BTreeMap<String, usize>,
    /// The number of the last example.
    number: usize,
}

impl Marks<'_> {
    /// A line of text as it is written.
    fn line(&mut self, at: usize) -> String {
        let line = &self.all[at];
        let rest = line.rest.trim_end();
        if let Some((level, words)) = heading(line) {
            titled(line, level, words)
        } else if let Some((_, words)) = example(rest) {
            self.numbered(line, words)
        } else if let Some(words) = rest.strip_prefix("#. ") {
            format!("{}1. {words}", line.prefix)
        } else if TEX.contains(&rest) {
            line.prefix.trim_end().to_owned()
        } else if is_line_block(self.all, at) {
            line_of_block(line, self.all.get(at + 1))
        } else {
            mentions(line.whole, &self.examples)
        }
    }

    fn numbered(&mut self, line: &Line<'_>, words: &str) -> String {
        self.number += 1;
        let number = self.number;
        let written = format!("{}{number}. {}", line.prefix, words.trim_start());
        mentions(&written, &self.examples)
    }
}

/// A line of `| words`: its indentation and its break are kept.
fn line_of_block(line: &Line<'_>, next: Option<&Line<'_>>) -> String {
    let own = line.rest.trim_end().trim_start_matches('|');
    let words = own.trim_start();
    let indent = "&nbsp;".repeat(own.len().saturating_sub(words.len() + 1));
    let goes_on = next.is_some_and(|next| next.rest.starts_with('|'));
    let end = if goes_on { "\\" } else { "" };
    let words = if words.is_empty() { "&nbsp;" } else { words };
    format!("{}{indent}{words}{end}", line.prefix)
}

/// The beginning of a link or of other words, alone on its line.
fn is_tag_of_words(line: &Line<'_>) -> bool {
    let rest = line.rest.trim_end();
    ["<a ", "<span", "<strong>", "<em>", "<small>"]
        .iter()
        .any(|tag| rest.starts_with(tag))
        && !line.block
        && rest.ends_with('>')
        && rest.matches('<').count() == 1
}

fn is_text(line: &Line<'_>) -> bool {
    !line.block && !line.rest.is_empty() && !line.rest.starts_with(['<', '#', '`', '~'])
}

/// A heading with its id alone.
fn titled(line: &Line<'_>, level: usize, words: &str) -> String {
    let (title, found) = heading_parts(words);
    let Some(found) = found else {
        return line.whole.to_owned();
    };
    let title = title.trim_end_matches('#').trim_end();
    let id = found
        .id
        .map(|id| format!(" {{#{}}}", id.replace('_', "\\_")));
    let space = if title.is_empty() { "" } else { " " };
    format!(
        "{}{}{space}{title}{}",
        line.prefix,
        "#".repeat(level),
        id.unwrap_or_default()
    )
}

/// `(@name) words`: the name, and the words.
fn example(rest: &str) -> Option<(&str, &str)> {
    let (name, words) = rest.strip_prefix("(@")?.split_once(')')?;
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    (is_name && words.starts_with([' ', '\t'])).then_some((name, words))
}

/// The numbers of named examples.
fn examples(all: &[Line<'_>]) -> BTreeMap<String, usize> {
    let found = all
        .iter()
        .filter(|line| !line.code)
        .filter_map(|line| example(line.rest));
    let named = found.zip(1..).filter(|((name, _), _)| !name.is_empty());
    named
        .map(|((name, _), number)| (name.to_owned(), number))
        .collect()
}

/// `(@name)` in a line of text is the number of that example.
fn mentions(line: &str, examples: &BTreeMap<String, usize>) -> String {
    if examples.is_empty() || !line.contains("(@") {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("(@") {
        out.push_str(before);
        let (name, after) = behind.split_once(')').unwrap_or((behind, ""));
        match examples.get(name) {
            Some(number) => {
                out.push_str(&format!("({number})"));
                rest = after;
            }
            None => {
                out.push_str("(@");
                rest = behind;
            }
        }
    }
    out + rest
}

/// Whether a line is one of `| words`, and not a row of a table.
fn is_line_block(all: &[Line<'_>], at: usize) -> bool {
    let begins = |line: &Line<'_>| line.rest.starts_with("| ") || line.rest.trim_end() == "|";
    let line = &all[at];
    if !begins(line) {
        return false;
    }
    // A table has a line of dashes, and its rows are closed.
    let above = all[..at]
        .iter()
        .rev()
        .take_while(|line| line.rest.starts_with('|'));
    let below = all[at + 1..]
        .iter()
        .take_while(|line| line.rest.starts_with('|'));
    let mut block = above.chain(std::iter::once(line)).chain(below).take(200);
    block.all(|line| {
        let rest = line.rest.trim_end();
        begins(line) && !(rest.len() > 1 && rest.ends_with('|')) && !rest.starts_with("| -")
    })
}
