//! What the Markdown of Sphinx, MyST, does not show: lines that begin with `%`, and directives that
//! depend on a condition or are notes of the author.

use std::ops::Range;

use super::form::Form;
use super::restructured::Restructured;
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::myst::containers::{Containers, Place};
use crate::dialects::myst::nesting::{Line, Nesting};
use crate::dialects::passes::logic::joined;
use crate::dialects::passes::splice::Splice;
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::shorten;

/// Directives that are shown in some builds.
const CONDITIONS: [&str; 2] = ["only", "ifconfig"];
/// Directives that no reader sees.
const HIDDEN: [&str; 3] = ["todo", "todolist", "comment"];
/// Between the cells of a notebook.
const BREAK: &str = "+++";
/// Tags of cells that no reader sees.
const REMOVED: [&str; 2] = ["remove-cell", "remove_cell"];
/// Directives that are cells of their own.
const CELLS: [&str; 2] = ["code-cell", "raw-cell"];
/// The directive with reStructuredText.
const RESTRUCTURED: &str = "eval-rst";
/// Names of builders that make a site of HTML pages.
const WEB: [&str; 3] = ["html", "builder_html", "format_html"];
/// Names of other builders.
const NOT_WEB: [&str; 10] = [
    "builder_latex",
    "epub",
    "format_latex",
    "gettext",
    "latex",
    "man",
    "pdf",
    "singlehtml",
    "texinfo",
    "text",
];
/// The maximum number of words and brackets in a condition.
const MOST_WORDS: usize = 50;

/// Removes what is not shown. `notebooks`: as in Sphinx, code ends a block that is removed.
pub fn rewrite(lines: &mut Lines, notebooks: bool) {
    let text = lines.text.as_str();
    let mut reader = Reader {
        splice: Splice::new(text),
        remarks: Vec::new(),
        nesting: Nesting::default(),
        containers: Containers::default(),
        open: None,
        hidden: None,
        restructured: None,
        block: None,
        notebooks,
    };
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        reader.line(start, whole);
        start += whole.len();
    }
    let Reader {
        mut splice,
        remarks,
        hidden,
        block,
        ..
    } = reader;
    if let Some(begin) = block.or(hidden) {
        splice.put(begin..text.len(), "");
    }
    let remarks = remarks.into_iter().take(MOST_OF_ONE_FILE + 1);
    let remarks: Vec<Remark> = remarks.map(|(at, why)| lines.remark(at, why)).collect();
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    lines.remarks.extend(remarks);
}

struct Reader<'t> {
    splice: Splice<'t>,
    /// Problems for the author, by their places.
    remarks: Vec<(usize, String)>,
    nesting: Nesting<'t>,
    containers: Containers,
    /// The place of the code, or of the directive that is not read.
    open: Option<Place>,
    /// Where the directive that is not shown begins.
    hidden: Option<usize>,
    /// The reStructuredText that is open.
    restructured: Option<Restructured>,
    /// Where the block of cells that is not shown begins.
    block: Option<usize>,
    /// Whether a cell of code ends that block.
    notebooks: bool,
}

impl<'t> Reader<'t> {
    /// Reads the line at a place of the text.
    fn line(&mut self, at: usize, whole: &'t str) {
        let end = at + whole.len();
        let place = match &self.open {
            Some(open) => open.within(whole),
            None => self.containers.read(whole),
        };
        if self.open.as_ref().is_some_and(|open| place.leaves(open)) {
            // A quotation or an item ends what is open in it.
            self.open = None;
            self.nesting.leave();
            self.restructured = None;
            self.hide(at);
            return self.line(at, whole);
        }
        let rest = &whole[place.byte..];
        if self.open.is_none() && whole.starts_with(BREAK) {
            self.cells(at, whole);
        }
        match self.nesting.read(rest) {
            Line::Text if rest.starts_with('%') && !place.is_code() => {
                self.put(at + place.byte..end);
            }
            Line::Directive(fence, name, arguments) => {
                let known = name.to_ascii_lowercase();
                let begin = at + place.byte;
                if place.byte == 0 && self.notebooks && CELLS.contains(&&*known) {
                    self.end_block(at);
                }
                if let Some(remark) = unseen(&known, arguments) {
                    self.remarks.extend(remark.map(|remark| (begin, remark)));
                    self.hidden = Some(begin);
                    self.nesting.skip(fence);
                } else if Form::of(&known).is_some_and(Form::is_verbatim) {
                    self.restructured = (known == RESTRUCTURED).then(Restructured::default);
                    self.nesting.skip(fence);
                } else {
                    self.nesting.enter(fence);
                }
            }
            Line::End => {
                self.restructured = None;
                self.hide(end);
            }
            Line::Text | Line::Other => {
                let hides = |name: &str, arguments: &str| unseen(name, arguments).is_some();
                let open = self.restructured.as_mut();
                if open.is_some_and(|open| open.hides(rest, place.column, hides)) {
                    self.put(at + place.byte..end);
                }
            }
        }
        let is_open = self.nesting.is_skipping();
        self.open = is_open.then(|| self.open.unwrap_or(place));
    }

    /// Removes the directive that is not shown, up to here.
    fn hide(&mut self, end: usize) {
        if let Some(begin) = self.hidden.take() {
            self.put(begin..end);
        }
    }

    /// Removes a part, unless the block around it is not shown.
    fn put(&mut self, part: Range<usize>) {
        if self.block.is_none() {
            self.splice.put(part, "\n");
        }
    }

    /// Removes the block that is not shown, up to here.
    fn end_block(&mut self, end: usize) {
        if let Some(begin) = self.block.take() {
            self.splice.put(begin..end, "\n");
        }
    }

    /// `+++ {"tags": ["remove-cell"]}` begins a block of cells, and ends the one before.
    fn cells(&mut self, at: usize, line: &str) {
        // Without values it may be in a directive.
        if self.nesting.is_inside() && !line.contains('{') {
            return;
        }
        self.end_block(at);
        self.nesting = Nesting::default();
        self.block = is_removed(line).then_some(at);
    }
}

/// Whether the values of a block remove it.
fn is_removed(values: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let words = values
        .split(|c| !is_part(c))
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    words.iter().any(|word| REMOVED.contains(word))
        || words
            .windows(2)
            .any(|pair| pair == ["visibility", "remove"])
}

/// Whether a directive is not shown, and the remark for its author.
fn unseen(name: &str, arguments: &str) -> Option<Option<String>> {
    let name = name.to_ascii_lowercase();
    let is_condition = CONDITIONS.contains(&name.as_str());
    if is_condition && !is_for_web(&name, arguments) {
        let words = shorten(&format!("{name}: {arguments}"), 60);
        return Some(Some(format!("the part is not shown: `{words}`")));
    }
    HIDDEN.contains(&name.as_str()).then_some(None)
}

/// Whether what a condition asks for is a site in HTML. What is not known is not shown.
fn is_for_web(name: &str, arguments: &str) -> bool {
    let spaced = arguments.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().take(MOST_WORDS + 1).collect();
    if name != "only" || words.len() > MOST_WORDS {
        return false;
    }
    let mut words = words.as_slice();
    any(&mut words) == Some(true) && words.is_empty()
}

/// `a or b`, where a value that is not known is `None`.
fn any(words: &mut &[&str]) -> Option<bool> {
    let parts = parts(words, "or", all);
    joined(true, parts.into_iter())
}

/// `a and b`
fn all(words: &mut &[&str]) -> Option<bool> {
    let parts = parts(words, "and", one);
    joined(false, parts.into_iter())
}

/// The values of parts with a word between them.
fn parts(
    words: &mut &[&str],
    between: &str,
    part: fn(&mut &[&str]) -> Option<bool>,
) -> Vec<Option<bool>> {
    let mut parts = vec![part(words)];
    while let Some((_, rest)) = words.split_first().filter(|(word, _)| **word == between) {
        *words = rest;
        parts.push(part(words));
    }
    parts
}

/// `not a`, `(a)` or a name.
fn one(words: &mut &[&str]) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    match *first {
        "not" => one(words).map(|value| !value),
        "(" => {
            let value = any(words);
            let rest = words.strip_prefix(&[")"])?;
            *words = rest;
            value
        }
        name if WEB.contains(&name) => Some(true),
        name if NOT_WEB.contains(&name) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> (String, usize) {
        let lines = Lines::after(text, |lines| rewrite(lines, false));
        assert!(lines.come_from(text));
        (lines.text, lines.remarks.len())
    }

    #[test]
    fn rule_26_what_myst_does_not_show_is_removed() {
        for (text, expected) in [
            ("a\n\n% SECRET\n\nb", ("a\n\n\n\nb", 0)),
            ("```{only} internal\nSECRET\n```\nb", ("\nb", 1)),
            (":::{ifconfig} x\nSECRET\n:::\nb", ("\nb", 1)),
            (
                "::::{todo}\nSECRET\n:::{note}\nSECRET\n:::\n::::\nb",
                ("\nb", 0),
            ),
            ("```{only} latex\nSECRET", ("", 1)),
            ("```{only} html and beta\nSECRET\n```", ("\n", 1)),
            ("```{only} not beta\nSECRET\n```", ("\n", 1)),
            // What is behind a directive is read as what is before it.
            (
                "```{code-cell}\nx\n```\n% SECRET\n",
                ("```{code-cell}\nx\n```\n\n", 0),
            ),
            ("$$\na\n$$ (eq)\n% SECRET\n", ("$$\na\n$$ (eq)\n\n", 0)),
            (
                "```{note}\na\n```\n```{todo}\nSECRET\n```\n",
                ("```{note}\na\n```\n\n", 0),
            ),
            (
                ":::{note}\n% SECRET\n:::\n$$x$$\n% SECRET\n",
                (":::{note}\n\n:::\n$$x$$\n\n", 0),
            ),
        ] {
            let (shown, remarks) = rewritten(text);
            assert_eq!((shown.as_str(), remarks), expected, "{text}");
        }
        for (text, expected) in [
            (" % SECRET\na", " \na"),
            (
                "- a\n\n  % SECRET\n- b\n  % SECRET\n",
                "- a\n\n  \n- b\n  \n",
            ),
            ("1. a\n   % SECRET\n", "1. a\n   \n"),
            ("- a\n  - b\n\n    % SECRET\n", "- a\n  - b\n\n    \n"),
            ("> a\n> % SECRET\n", "> a\n> \n"),
            ("> - a\n>   % SECRET\n", "> - a\n>   \n"),
            ("a\n:   % SECRET\n", "a\n:   \n"),
            (
                ":::{note}\n:class: tip\n\n  % SECRET\n:::",
                ":::{note}\n:class: tip\n\n  \n:::",
            ),
            (
                "- a\n\n  ```{note}\n  % SECRET\n  ```",
                "- a\n\n  ```{note}\n  \n  ```",
            ),
            ("> ```{todo}\n> SECRET\n> ```\nb", "> \nb"),
            ("> ```{todo}\n> SECRET\n\nb", "> \n\nb"),
            ("- ```{todo}\n  SECRET\n  ```\n- b", "- \n- b"),
            ("- ```{todo}\n  SECRET\n- b", "- \n- b"),
            ("* a\n    ```{todo}\n    SECRET\n    ```\nb", "* a\n    \nb"),
            ("```{TODO}\nSECRET\n```", "\n"),
            (
                "```{eval-rst}\n.. SECRET\n   SECRET\n\n.. todo:: SECRET\n.. |x| replace:: SECRET\n.. note:: a\n\n   .. todo::\n      SECRET\n   b\n```",
                "```{eval-rst}\n\n   \n\n\n\n.. note:: a\n\n   \n      \n   b\n```",
            ),
        ] {
            assert_eq!(rewritten(text).0, expected, "{text}");
        }
        for (text, expected) in [
            (
                "a\n\n+++ {\"tags\": [\"remove-cell\"]}\n\n% x\n```{note}\nSECRET\n+++ {\"visibility\": \"remove\"}\n\nSECRET\n\n+++\n\nb\n",
                "a\n\n\n\n+++\n\nb\n",
            ),
            (
                "+++ {\"tags\": [\"x\", \"remove_cell\"]}\n:::{card}\n+++\nSECRET\n:::\nSECRET",
                "",
            ),
            (
                "+++ {\"tags\": [\"hide-cell\"]}\na",
                "+++ {\"tags\": [\"hide-cell\"]}\na",
            ),
        ] {
            assert_eq!(rewritten(text).0, expected, "{text}");
        }
        for text in [
            "    % code\n\n- a\n\n      % code\n",
            "> ```\n> % code\n> ```\n",
            "- ```\n  % code\n  ```\n",
            "- a 50 % b\n",
            "```{only} html\na\n```",
            "```{note}\na\n```",
            "```{only} not latex\na\n```",
            "```{only} builder_html and not (latex or epub)\na\n```",
            "```{code-cell}\n%matplotlib inline\nx = 1\n```\n```\n% a\n```",
            "```{math}\n% a\n```\n$$\n% a\n$$\n$$x$$\na",
            "::::{tab-set}\n:::{tab-item} A\n```\n% a\n```\n:::\n::::",
            "````\n```{only} x\na\n```\n% a\n````",
            "a % b",
        ] {
            assert_eq!(rewritten(text), (text.to_owned(), 0));
        }
    }

    #[test]
    fn rule_27_a_cell_of_code_ends_a_removed_cell_of_a_notebook() {
        let text =
            "+++ {\"tags\": [\"remove-cell\"]}\nSECRET\n\n```{code-cell}\nx\n```\n\nWords.\n";
        let of_sphinx = Lines::after(text, |lines| rewrite(lines, true));
        assert_eq!(of_sphinx.text, "\n```{code-cell}\nx\n```\n\nWords.\n");
        let of_mystmd = Lines::after(text, |lines| rewrite(lines, false));
        assert_eq!(of_mystmd.text, "");
    }

    proptest::proptest! {
        #[test]
        fn no_directive_panics(text in "(```|:::|\\{only\\} x|\\{todo\\}|% |\n|é| ){0,30}") {
            rewritten(&text);
        }
    }
}
