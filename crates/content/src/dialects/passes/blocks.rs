//! Blocks of lines that several kinds of folder mark in their own ways: `:::note`, `!!! note "Title"`, `=== "Tab"`. A callout becomes a quote that
//! begins with `[!kind]`, which the parser knows; a tab becomes its title in bold and what it holds.

use crate::dialects::passes::lines::Lines;
use crate::dialects::tags::callout;
use crate::model::bounds;
use crate::model::document::callout_kind;
use crate::syntax::markdown::literal::{Literals, literals};

/// How deep blocks may stand in each other.
const DEPTH: usize = 8;
/// The longest prefix of a line that opens a block, in bytes: what is in the block gets it too.
const LONGEST_PREFIX: usize = 100;
/// How many bytes of prefixes the lines of a text may get that do not have them.
const MOST_PREFIXES: usize = 1_000_000;

/// Rewrites the blocks of a text, the outer ones first.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    for _ in 0..DEPTH {
        let text = &lines.text;
        let may = text.contains(":::") || text.contains("!!!") || text.contains("???") || text.contains("=== \"") || text.contains("===! \"");
        if !may || bounds::is_over_now() {
            return;
        }
        let Some((text, sources)) = pass(text, &literals(text)) else { return };
        lines.replace(text, &sources);
    }
}

/// A line: what of containers stands before it, and the rest.
#[derive(Clone, Copy)]
struct Line<'a> {
    prefix: &'a str,
    rest: &'a str,
    code: bool,
}

/// What a block is.
enum Block {
    /// `[!kind]- title`
    Callout(String),
    /// A line in bold above what it holds.
    Label(String),
    /// Nothing by itself.
    Plain,
}

/// One look over the text: the new text, and for each of its lines the old line that it comes from. `None`: there is no block.
fn pass(text: &str, literals: &Literals) -> Option<(String, Vec<usize>)> {
    let lines = divide(text, literals);
    let ends = ends(&lines);
    let mut out = Output::default();
    let mut changed = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let may = !line.code && line.prefix.len() <= LONGEST_PREFIX && !bounds::is_over();
        let next = if may { fenced(&lines, &ends, at, &mut out).or_else(|| indented(&lines, at, &mut out)) } else { None };
        changed |= next.is_some();
        at = next.unwrap_or_else(|| {
            out.line(at, &[line.prefix, line.rest]);
            at + 1
        });
    }
    changed.then_some((out.text, out.sources))
}

fn divide<'a>(text: &'a str, literals: &Literals) -> Vec<Line<'a>> {
    let mut code = literals.code.iter().peekable();
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let rest = line.trim_start_matches([' ', '\t', '>']);
        let prefix = &line[..line.len() - rest.len()];
        let start = offset + prefix.len();
        while code.next_if(|range| range.end <= start).is_some() {}
        lines.push(Line { prefix, rest, code: code.peek().is_some_and(|range| range.start <= start) });
        offset += line.len() + 1;
    }
    lines
}

/// Colons at the beginning of a line, and what follows them.
fn colons<'a>(line: &Line<'a>) -> Option<(usize, &'a str)> {
    let words = line.rest.trim_start_matches(':');
    let count = line.rest.len() - words.len();
    let words = words.trim().trim_end_matches(":::").trim_end();
    let begins = words.is_empty() || words.starts_with("[!") || words.starts_with(|c: char| c.is_alphabetic() || c == '{');
    (count >= 3 && begins && !line.code).then_some((count, words))
}

/// For each line that opens a block with colons the line that closes it. The longer fence holds the shorter one.
fn ends(lines: &[Line<'_>]) -> Vec<Option<usize>> {
    let mut ends = vec![None; lines.len()];
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((count, words)) = colons(line) else { continue };
        let depth = line.prefix.matches('>').count();
        if !words.is_empty() {
            if open.len() >= 4 * DEPTH {
                open.remove(0);
            }
            open.push((at, count, depth));
            continue;
        }
        let same = |entry: &&(usize, usize, usize)| entry.1 == count && entry.2 == depth;
        let inner = |entry: &&(usize, usize, usize)| entry.1 <= count && entry.2 == depth;
        let found = open.iter().rfind(same).or_else(|| open.iter().rfind(inner)).map(|entry| entry.0);
        if let Some(opener) = found {
            ends[opener] = Some(at);
            open.retain(|entry| entry.0 < opener);
        }
    }
    ends
}

/// `:::kind title` … `:::`; gives the line behind it.
fn fenced(lines: &[Line<'_>], ends: &[Option<usize>], at: usize, out: &mut Output) -> Option<usize> {
    let line = lines[at];
    let (_, words) = colons(&line)?;
    if words.is_empty() {
        // It closes nothing.
        out.line(at, &[line.prefix.trim_end()]);
        return Some(at + 1);
    }
    // Without an end it is as long as its paragraph.
    let closed = ends[at];
    let blank = || lines[at..].iter().position(|line| line.rest.trim().is_empty()).map_or(lines.len(), |length| at + length);
    let end = closed.unwrap_or_else(blank);
    let bare = lines[at + 1..end].iter().filter(|inner| !inner.prefix.starts_with(line.prefix)).count();
    out.prefixes += bare * line.prefix.len();
    let prefix = if out.prefixes > MOST_PREFIXES { "" } else { line.prefix };
    let body: Vec<String> = lines[at + 1..end].iter().map(|inner| without(prefix, inner)).collect();
    out.block(prefix, at, &directive(words), &body);
    if closed.is_some() {
        out.line(end, &[line.prefix.trim_end()]);
        return Some(end + 1);
    }
    Some(end)
}

/// What `:::` opens: `note`, `note Title`, `note[Title]{…}`, `{.callout-note title="…"}`, `message alert`.
fn directive(words: &str) -> Block {
    if words.starts_with("[!") {
        return Block::Callout(words.to_owned());
    }
    let (head, attributes) = words.split_once('{').map_or((words, ""), |(head, rest)| (head, rest.trim_end_matches('}')));
    let arguments = crate::dialects::Arguments::of(attributes);
    let class =
        attributes.split_whitespace().find_map(|word| word.strip_prefix('.').or_else(|| word.chars().all(char::is_alphabetic).then_some(word)));
    let head = head.trim();
    let end = head.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(head.len());
    let (name, rest) = head.split_at(end);
    let rest = rest.trim();
    let label = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(rest).trim();
    let name = if name.is_empty() { class.unwrap_or_default() } else { name };
    let name = name.strip_prefix("callout-").unwrap_or(name).to_ascii_lowercase();
    let title = if label.is_empty() { arguments.named(&["title", "label"]).unwrap_or_default() } else { label };
    if callout::is_details(&name) {
        return Block::Callout(callout::mark("details", title, Some(attributes.split_whitespace().any(|word| word == "open"))));
    }
    match callout_kind(&name) {
        // Zenn's kind of a message is its only word.
        Some(_) if name == "message" => Block::Callout(callout::mark(callout_kind(title).unwrap_or("note"), "", None)),
        Some(kind) => Block::Callout(callout::mark(kind, title, None)),
        None if title.is_empty() || matches!(name.as_str(), "code-group" | "row" | "column" | "columns") => Block::Plain,
        None => Block::Label(title.to_owned()),
    }
}

/// `!!! note "Title"`, `??? note`, `=== "Tab"` with what stands indented below; gives the line behind it.
fn indented(lines: &[Line<'_>], at: usize, out: &mut Output) -> Option<usize> {
    let line = lines[at];
    // Most lines are no such block, and what is below them is not looked at.
    admonition(line.rest, true)?;
    let inside = |inner: &Line<'_>| {
        let whole = inner.prefix.strip_prefix(line.prefix).map(|rest| rest.starts_with("    ") || rest.starts_with('\t'));
        inner.rest.trim().is_empty() || whole.unwrap_or(false)
    };
    let length = lines[at + 1..].iter().take_while(|inner| inside(inner)).count();
    let held = &lines[at + 1..at + 1 + length];
    // Blank lines at the end belong to what follows.
    let length = held.iter().rposition(|inner| !inner.rest.trim().is_empty()).map_or(0, |last| last + 1);
    let block = admonition(line.rest, length > 0)?;
    let indent = |inner: &Line<'_>| {
        let text = without(line.prefix, inner);
        text.strip_prefix("    ").or_else(|| text.strip_prefix('\t')).map_or_else(|| text.trim_start().to_owned(), str::to_owned)
    };
    let body: Vec<String> = held[..length].iter().map(indent).collect();
    out.block(line.prefix, at, &block, &body);
    let end = at + 1 + length;
    if lines.get(end).is_some_and(|next| !next.rest.trim().is_empty()) {
        out.line(end - 1, &[line.prefix.trim_end()]);
    }
    Some(end)
}

/// What a line of MkDocs opens. Words of nobody's kind count only with something below them.
fn admonition(rest: &str, holds: bool) -> Option<Block> {
    let rest = rest.trim_end();
    if let Some(words) = rest.strip_prefix("===") {
        let title = words.trim_start_matches(['!', '+']).trim().strip_prefix('"')?.strip_suffix('"')?;
        return holds.then(|| Block::Label(title.to_owned()));
    }
    let (fold, words) = match rest.strip_prefix("!!!") {
        Some(words) => (None, words),
        None => {
            let words = rest.strip_prefix("???")?;
            words.strip_prefix('+').map_or((Some(false), words), |words| (Some(true), words))
        }
    };
    let (names, title) = words.trim().split_once('"').map_or((words.trim(), ""), |(names, title)| (names, title));
    let title = title.strip_suffix('"').unwrap_or(title);
    let mut names = names.split_whitespace();
    let name = names.next()?.to_ascii_lowercase();
    let is_word = |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !is_word(&name) || !names.all(is_word) || !name.starts_with(char::is_alphabetic) {
        return None;
    }
    let kind = callout_kind(&name).map(str::to_owned).or_else(|| holds.then_some(name))?;
    Some(Block::Callout(callout::mark(&kind, title, fold)))
}

/// A line without the containers around it.
fn without(prefix: &str, line: &Line<'_>) -> String {
    let whole = line.prefix.strip_prefix(prefix);
    let own = whole.unwrap_or_else(|| if prefix.contains('>') { line.prefix.trim_start_matches(['>', ' ', '\t']) } else { "" });
    format!("{own}{}", line.rest)
}

/// Lines on their way out.
#[derive(Default)]
struct Output {
    text: String,
    sources: Vec<usize>,
    blank: bool,
    /// How many bytes of prefixes were given to lines that do not have them.
    prefixes: usize,
}

impl Output {
    fn line(&mut self, source: usize, parts: &[&str]) {
        if !self.sources.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        parts.iter().for_each(|part| self.text.push_str(part));
        self.blank = self.text[start..].trim_matches([' ', '\t', '>']).is_empty();
        self.sources.push(source);
    }

    /// A block with its body; the body begins behind line `at`.
    fn block(&mut self, prefix: &str, at: usize, block: &Block, body: &[String]) {
        let empty = prefix.trim_end();
        if !self.sources.is_empty() && !self.blank {
            self.line(at, &[empty]);
        }
        let inner = match block {
            Block::Callout(mark) => {
                self.line(at, &[prefix, "> ", mark]);
                "> "
            }
            Block::Label(title) => {
                self.line(at, &[prefix, &callout::label(title)]);
                ""
            }
            Block::Plain => {
                self.line(at, &[empty]);
                ""
            }
        };
        if !self.blank && body.first().is_some_and(|first| !first.trim().is_empty()) {
            self.line(at, &[prefix, inner.trim_end()]);
        }
        for (line, number) in body.iter().zip(at + 1..) {
            if line.trim().is_empty() {
                self.line(number, &[format!("{prefix}{inner}").trim_end()]);
            } else {
                self.line(number, &[prefix, inner, line]);
            }
        }
        if body.is_empty() {
            self.blank = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_11_directives_become_callouts() {
        check(":::note\na\n:::\nb", "> [!note]\n>\n> a\n\nb");
        check("x\n::: tip My *title*\na\n\n- b\n:::", "x\n\n> [!tip] My *title*\n>\n> a\n>\n> - b\n");
        check(":::warning[T]{#x}\na\n:::", "> [!warning] T\n>\n> a\n");
        check("::::note\n:::tip\na\n:::\n::::", "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n");
        check(":::note\n:::tip\na\n:::\nb\n:::", "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n> b\n");
        check(":::message alert\na\n:::", "> [!warning]\n>\n> a\n");
        check(":::details T\na\n:::", "> [!details]- T\n>\n> a\n");
        check("::: {.callout-note title=\"T\"}\na\n:::", "> [!note] T\n>\n> a\n");
        check(":::row\na\n:::", "\na\n");
        check(":::note\na\n\nb", "> [!note]\n>\n> a\n\nb");
        check("- x\n\n  :::note\n  a\n  :::\n", "- x\n\n  > [!note]\n  >\n  > a\n\n");
        for text in ["```\n:::note\n:::\n```", "a ::: b", ":: a", "    :::note\n    :::", ":::: 3"] {
            check(text, text);
        }
    }

    #[test]
    fn rule_11_admonitions_become_callouts() {
        check("!!! note \"T\"\n    a\n\n    b\n\nc", "> [!note] T\n>\n> a\n>\n> b\n\nc");
        check("??? tip\n    a\nb", "> [!tip]-\n>\n> a\n\nb");
        check("???+ tip inline end\n    ```\n    x\n    ```\n", "> [!tip]+\n>\n> ```\n> x\n> ```\n");
        check("!!! note\n    a\n\n    !!! tip\n        b\n", "> [!note]\n>\n> a\n>\n> > [!tip]\n> >\n> > b\n");
        check("=== \"One\"\n\n    a\n\n=== \"Two\"\n\n    b\n", "**One:**\n\na\n\n**Two:**\n\nb\n");
        for text in ["!!! wow great", "!!! 1", "```\n!!! note\n```", "a\n===\nb", "!!!", "??? what is \"this\" then"] {
            check(text, text);
        }
    }

    #[test]
    fn lines_keep_their_number() {
        let lines = Lines::after("x\n:::note\na\n:::\nb", rewrite);
        assert_eq!(lines.text.lines().position(|line| line == "b").map(|at| lines.source(at)), Some(4));
        assert_eq!(lines.text.lines().position(|line| line == "> a").map(|at| lines.source(at)), Some(2));
    }

    proptest::proptest! {
        #[test]
        fn no_blocks_panic(text in "(:::|::::|note|!!! |\\?\\?\\? |=== |\"|T|\\[|\\]|\\{|\\}|\n|\n\n|> |    |- |é|```){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for text in [":::a\n".repeat(20_000), ":::note\n".repeat(5_000) + &":::\n".repeat(5_000), "!!! note\n".repeat(20_000)] {
            assert!(Lines::after(&text, rewrite).text.len() < text.len() * 20);
        }
    }
}
