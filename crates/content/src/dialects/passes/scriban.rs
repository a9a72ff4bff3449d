//! Templates in Scriban: `{{ if x }}`, `{{ end }}`, `{{ name }}`. They run before Markdown is read, also
//! in code. What they mean is said in the tags of Liquid, and `logic` decides on it. `{%{ … }%}` shows
//! what it holds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::logic;
use super::page::Page;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::tags::{Inner, Token};
use crate::model::bounds;
use crate::syntax::front::{Entry, Front, Value};

/// The most statements of a block.
const MOST: usize = 50;
/// The signs of tags, and the same as words.
const SIGNS: [(&str, &str); 2] = [("{{", "&#123;{"), ("{%", "&#123;%")];
/// A tag that shows nothing.
const SILENT: &str = "break";

/// What is between `{{` and `}}`, or between `{%{` and `}%}`.
pub struct Block<'t> {
    /// The place of it all.
    pub range: Range<usize>,
    /// What is inside.
    pub inner: &'t str,
    /// Whether it is shown as it is.
    pub is_shown: bool,
}

/// How blocks begin and end, and the longest, in bytes.
const SHOWN: (&str, &str, usize) = ("{%{", "}%}", 200_000);
const RUN: (&str, &str, usize) = ("{{", "}}", 5_000);

/// All blocks of a text, in order.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    // Where the last search for each end stopped: a text without any is searched once.
    let mut ends = [0, 0];
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'{', &text.as_bytes()[at..])
        && !bounds::is_over()
    {
        at += step;
        let mut forms = [SHOWN, RUN].into_iter().zip(&mut ends);
        let block = forms.find_map(|(form, end)| block(text, at, form, end));
        at = block.as_ref().map_or(at + 1, |block| block.range.end);
        found.extend(block);
    }
    found
}

/// The block of one form that begins at a place. `end`: where the last search for its end stopped.
fn block<'t>(
    text: &'t str,
    at: usize,
    form: (&str, &str, usize),
    end: &mut usize,
) -> Option<Block<'t>> {
    let (open, close, longest) = form;
    if !text[at..].starts_with(open) {
        return None;
    }
    let inside = at + open.len();
    if *end < inside {
        let next = text[inside..].find(close);
        *end = next.map_or(usize::MAX, |length| inside + length);
    }
    let is_near = *end != usize::MAX && *end - inside <= longest;
    is_near.then(|| Block {
        inner: &text[inside..*end],
        range: at..*end + close.len(),
        is_shown: form == SHOWN,
    })
}

/// Runs the templates of a text, as far as they are known. Returns what was not decided, by name.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) -> BTreeMap<String, usize> {
    let undecided = run(lines, page);
    show(lines);
    undecided
}

fn run(lines: &mut Lines, page: &Page<'_>) -> BTreeMap<String, usize> {
    let front = with_title(page.front, &lines.text);
    let text = lines.text.clone();
    let said = statements(&text, page.front);
    let tokens = said.iter().map(|(range, statement)| Token {
        range: range.clone(),
        inner: match statement {
            Statement::Tag(tag) => Inner::Tag(tag),
            Statement::Output(output) => Inner::Output(output),
        },
    });
    let tokens: Vec<Token<'_>> = tokens.collect();
    let page = Page {
        front: &front,
        ..*page
    };
    logic::resolve(lines, &tokens, &page)
}

/// The statements of a text, and where each is.
fn statements(text: &str, front: &Front) -> Vec<(Range<usize>, Statement)> {
    let data = front.get("data");
    let mut reader = Reader {
        data: data.map_or(&[][..], |data| data.node.entries()),
        open: Vec::new(),
    };
    let mut said = Vec::new();
    for block in blocks(text).iter().filter(|block| !block.is_shown) {
        reader.block(block, &mut said);
    }
    said
}

/// Shows the signs of what is not a template: marks around it are removed.
fn show(lines: &mut Lines) {
    if !lines.text.contains("{%") {
        return;
    }
    let literals = lines.literals();
    let mut code = Code::from_literals(&literals);
    let mut splice = Splice::new(&lines.text);
    for block in blocks(&lines.text).iter().filter(|block| block.is_shown) {
        let Range { start, end } = block.range;
        let inside = start + 3..end - 3;
        splice.put(start..inside.start, "");
        let signs = SIGNS.iter().flat_map(|(sign, words)| {
            let at = block.inner.match_indices(sign);
            at.map(|(at, _)| (inside.start + at, *words))
        });
        let mut signs: Vec<(usize, &str)> = signs.collect();
        signs.sort_unstable();
        for (at, words) in signs {
            if at >= splice.done() && code.at(at).is_none() {
                splice.put(at..at + 2, words);
            }
        }
        splice.put(inside.end..end, "");
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// The front matter with a title: without its own that of its first heading.
fn with_title<'f>(front: &'f Front, text: &str) -> Cow<'f, Front> {
    if front.text(&["title"]).is_some() {
        return Cow::Borrowed(front);
    }
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    let Some(heading) = heading else {
        return Cow::Borrowed(front);
    };
    let mut front = front.clone();
    let title = Entry::plain("title", heading.trim(), 0, 0);
    front.entries.push(title);
    Cow::Owned(front)
}

/// A statement in the words of Liquid.
enum Statement {
    Tag(String),
    Output(String),
}

/// Reads the statements of a text.
struct Reader<'f> {
    /// The data of the page, whose keys are names of their own.
    data: &'f [Entry],
    /// The names of the tags of Liquid that are open.
    open: Vec<&'static str>,
}

impl Reader<'_> {
    fn block(&mut self, block: &Block<'_>, said: &mut Vec<(Range<usize>, Statement)>) {
        let inner = block.inner.trim_matches(['-', '~']).trim();
        if inner.starts_with('#') {
            let silent = Statement::Tag(SILENT.to_owned());
            return said.push((block.range.clone(), silent));
        }
        let parts = logic::split_lines(inner);
        let parts: Vec<&str> = parts.into_iter().take(MOST).collect();
        let last = parts.len().saturating_sub(1);
        for (number, part) in parts.into_iter().enumerate() {
            // All but the last have no place of their own.
            let start = block.range.start;
            let range = match number == last {
                true => block.range.clone(),
                false => start..start,
            };
            said.extend(self.statement(part).map(|statement| (range, statement)));
        }
    }

    /// The meaning of a statement. `None`: another step reads it.
    fn statement(&mut self, statement: &str) -> Option<Statement> {
        let end = statement.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = statement.split_at(end.unwrap_or(statement.len()));
        let rest = self.expression(rest.trim());
        let open = match name {
            "if" | "while" => "if",
            "for" | "tablerow" => "for",
            "case" => "case",
            "capture" => "capture",
            "func" => "macro",
            "with" | "wrap" => SILENT,
            _ => return self.other(name, &rest, statement),
        };
        self.open.push(open);
        Some(Statement::Tag(match open {
            SILENT => open.to_owned(),
            _ => format!("{open} {rest}"),
        }))
    }

    /// A statement that opens nothing.
    fn other(&mut self, name: &str, rest: &str, statement: &str) -> Option<Statement> {
        let tag = match name {
            "include" => return None,
            "else" => match rest.strip_prefix("if ") {
                Some(condition) => format!("elsif {condition}"),
                None => "else".to_owned(),
            },
            "when" => format!("when {rest}"),
            "end" => match self.open.pop() {
                None | Some(SILENT) => SILENT.to_owned(),
                Some(open) => format!("end{open}"),
            },
            "ret" | "break" | "continue" | "import" | "readonly" => SILENT.to_owned(),
            _ => match rest.strip_prefix('=') {
                Some(value) if !name.is_empty() && !value.starts_with('=') => {
                    format!("assign {name} = {value}")
                }
                _ => return Some(Statement::Output(self.expression(statement))),
            },
        };
        Some(Statement::Tag(tag))
    }

    /// An expression in which the data of the page is named in full.
    fn expression(&self, expression: &str) -> String {
        let mut written = String::with_capacity(expression.len());
        let (mut quote, mut before) = (None, ' ');
        let mut rest = expression;
        while let Some(c) = rest.chars().next() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let word = &rest[..end.unwrap_or(rest.len())];
            let is_word = quote.is_none() && !word.is_empty();
            if is_word && before != '.' && self.is_data(word) {
                written.push_str("page.data.");
            }
            quote = match quote {
                None if matches!(c, '"' | '\'') => Some(c),
                Some(open) if open == c => None,
                quote => quote,
            };
            let taken = if is_word { word.len() } else { c.len_utf8() };
            written.push_str(&rest[..taken]);
            before = rest[..taken].chars().next_back().unwrap_or(c);
            rest = &rest[taken..];
        }
        written
    }

    fn is_data(&self, word: &str) -> bool {
        let mut entries = self.data.iter();
        entries.any(|entry| entry.key.text == word && !matches!(entry.node.value, Value::List(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::files::{Files, Named};
    use crate::dialects::{Evidence, Kind};
    use diglot_document::testing::sources;

    fn after(text: &str) -> Lines {
        let sources = sources(&[("retype.yml", "data: {off: false}")]);
        let kind = Kind::detect(&Evidence::new(&sources), None);
        let files = Files::new("a.md", &|_| Named::Missing);
        let front = Front::default();
        let page = Page {
            html: false,
            jsx: false,
            dollar: false,
            kind: &kind,
            front: &front,
            files: &files,
        };
        Lines::after(text, |lines| {
            rewrite(lines, &page);
        })
    }

    #[test]
    fn rule_12_blocks_of_scriban_are_found() {
        let found = |text: &str| {
            let blocks = blocks(text);
            let inner = blocks.iter().map(|block| block.inner.to_owned());
            inner.collect::<Vec<String>>()
        };
        assert_eq!(
            found("{{ a }} {%{ {{ b }} }%} {{c}}"),
            [" a ", " {{ b }} ", "c"]
        );
        assert_eq!(found("{%{ {{ a }} {{ b"), [" a "]);
        assert_eq!(after("a {{ if off }}x{{ end }}b").text, "a b");
    }

    proptest::proptest! {
        #[test]
        fn no_template_panics(text in "(\\{\\{ if off \\}\\}|\\{\\{ else( if x)? \\}\\}|\\{\\{~? end ~?\\}\\}|\\{\\{ x = 1; y\nif z \\}\\}|\\{%\\{|\\}%\\}|\\{\\{|\\}\\}|\\{\\{# |for x in y|`|\n|é| ){0,30}") {
            proptest::prop_assert!(after(&text).come_from(&text));
        }
    }

    #[test]
    fn hostile_templates_are_read_in_linear_time() {
        for part in [
            "{{",
            "{%{",
            "{{ if off }}",
            "{{ a; b }}",
            "{%{ {{ }%}",
            "{{ end }}",
        ] {
            after(&part.repeat(20_000));
        }
    }
}
