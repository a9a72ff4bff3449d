//! Blocks of raw HTML that end with their element, as kramdown and Python-Markdown read them: what
//! follows on the next line is Markdown. In CommonMark only an empty line ends them, and each empty
//! line does. A line that begins with an element of words begins a paragraph.

mod element;

use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};
use crate::syntax::markdown::literal::Literals;
use element::{Element, Fence, Tags};

/// How often each byte is read, on average, to find the ends of elements.
const MOST_READINGS: usize = 20;
/// An empty line of `<pre>` in a block that an empty line would end.
const EMPTY_LINE: &str = "&#32;";

/// Adds an empty line after each element that more Markdown follows, and removes those inside of
/// elements that would turn HTML into code.
pub fn rewrite(lines: &mut Lines) {
    if !lines.text.contains('<') {
        return;
    }
    let literals = lines.literals();
    if literals.html.is_empty() {
        return;
    }
    let all = scan(&lines.text, &literals);
    let mut walk = Walk {
        all: &all,
        literals: &literals,
        ends: vec![false; all.len()],
        left: lines.text.len().saturating_mul(MOST_READINGS),
        out: Output::default(),
        is_changed: false,
    };
    walk.all();
    if walk.is_changed {
        walk.out.finish(lines);
    }
}

struct Walk<'a> {
    all: &'a [Line<'a>],
    literals: &'a Literals,
    /// The lines that end an element with Markdown in it.
    ends: Vec<bool>,
    /// How many more bytes may be read to find ends.
    left: usize,
    out: Output,
    is_changed: bool,
}

impl<'a> Walk<'a> {
    fn all(&mut self) {
        let mut fence = Fence::default();
        let mut at = 0;
        while let Some(line) = self.all.get(at) {
            let is_code = fence.holds(line.rest);
            let element = Element::at(line.rest).filter(|_| !is_code && self.may_begin(line));
            at = match element {
                Some(element) if element.is_of_words() => self.words(element, at),
                Some(element) => self.block(element, at),
                None => self.copy(at),
            };
        }
    }

    /// Whether HTML may begin here. Deeper lines are code, or in a list.
    fn may_begin(&self, line: &Line<'_>) -> bool {
        depth(line) < 4 || self.literals.is_html(line.start + line.prefix.len())
    }

    /// Copies a line; the next one.
    fn copy(&mut self, at: usize) -> usize {
        self.out.push(self.all[at].whole, at);
        if self.ends[at] {
            self.separate(at, false);
        }
        at + 1
    }

    /// A line that begins with an element of words. A tag alone on it would begin a block of HTML.
    fn words(&mut self, element: Element<'a>, at: usize) -> usize {
        let line = &self.all[at];
        let next = self.all.get(at + 1).filter(|next| !next.rest.is_empty());
        // A tag of a template keeps its line.
        let next = next.filter(|next| !next.rest.starts_with("{%"));
        let Some(next) = next.filter(|_| element.is_alone(line.rest)) else {
            return self.copy(at);
        };
        if begins_block(next.rest) {
            self.out.push(line.whole, at);
            self.out.push(next.prefix.trim_end(), at);
        } else if !next.rest.starts_with('<') || is_of_words(next.rest) {
            let whole = line.whole.trim_end();
            self.out.push(format!("{whole} {}", next.rest), at);
            // Both are one line now.
            self.is_changed = true;
            return at + 2;
        } else {
            return self.copy(at);
        }
        self.is_changed = true;
        at + 1
    }

    /// An element that is a block. Lines in it are HTML, unless it says that they are Markdown.
    fn block(&mut self, element: Element<'a>, at: usize) -> usize {
        let is_void = element.is_void();
        let Some(end) = self.end(&element, at) else {
            return self.copy(at);
        };
        let inside = &self.all[at..=end];
        let has_code = !element.keeps_empty_lines() && has_apart_fence(inside);
        if has_code || inside.iter().any(|line| has_markdown(line.rest)) {
            self.ends[end] = true;
            return self.copy(at);
        }
        match element.keeps_empty_lines() {
            true => (at..=end).for_each(|at| self.out.push(self.all[at].whole, at)),
            false => self.raw(at, end),
        }
        self.separate(end, is_void);
        end + 1
    }

    /// The line on which an element ends.
    fn end(&mut self, element: &Element<'a>, at: usize) -> Option<usize> {
        let mut tags = Tags::default();
        let mut depth = 0;
        for (index, line) in self.all.iter().enumerate().skip(at) {
            self.left = self.left.checked_sub(line.whole.len() + 1)?;
            depth = element.depth_after(depth, &tags.of(line.rest));
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }

    /// The lines of an element without Markdown.
    fn raw(&mut self, start: usize, end: usize) {
        let mut fence = Fence::default();
        let mut is_kept = false;
        for at in start..=end {
            let line = &self.all[at];
            let is_code = fence.holds(line.rest);
            let next = &self.all[(at + 1).min(end)];
            let is_empty = line.rest.is_empty() && !is_code;
            if !is_empty {
                is_kept = element::is_in_pre(is_kept, line.rest);
            }
            // It would end the block, and what is deeper would be code.
            let ends = depth(next) >= 4 || next.rest.is_empty();
            if is_empty && is_kept {
                self.out.push(format!("{}{EMPTY_LINE}", line.prefix), at);
                self.is_changed = true;
            } else if is_empty && ends {
                self.is_changed = true;
            } else {
                self.out.push(line.whole, at);
            }
        }
    }

    /// Adds an empty line after the end of an element where Markdown follows. After a picture only a
    /// fence does: other words are its paragraph.
    fn separate(&mut self, at: usize, is_void: bool) {
        let Some(next) = self.all.get(at + 1).filter(|next| !next.rest.is_empty()) else {
            return;
        };
        let is_markdown = !next.rest.starts_with('<') || is_of_words(next.rest);
        let ends = self.all[at].rest.trim_end().ends_with('>');
        if ends && (is_fence(next.rest) || !is_void && is_markdown) {
            self.out.push(next.prefix.trim_end(), at);
            self.is_changed = true;
        }
    }
}

/// The columns before a line, in its quotes.
fn depth(line: &Line<'_>) -> usize {
    let space = line.prefix.rsplit('>').next().unwrap_or_default();
    let columns = |c: char| if c == '\t' { 4 } else { 1 };
    space.chars().map(columns).sum()
}

/// Whether a line says that an element has Markdown in it.
fn has_markdown(line: &str) -> bool {
    line.contains(" markdown=") || line.contains(" markdown>") || line.contains(" markdown ")
}

/// Whether code begins after an empty line: its author writes for a reader of CommonMark as well.
fn has_apart_fence(lines: &[Line<'_>]) -> bool {
    let mut pairs = lines.iter().zip(lines.iter().skip(1));
    pairs.any(|(before, line)| before.rest.is_empty() && is_fence(line.rest))
}

fn is_of_words(rest: &str) -> bool {
    Element::at(rest).is_some_and(|element| element.is_of_words())
}

fn is_fence(rest: &str) -> bool {
    rest.starts_with("```") || rest.starts_with("~~~")
}

/// Whether a line ends the paragraph before it.
fn begins_block(rest: &str) -> bool {
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < rest.len() && (digits.starts_with(". "));
    let is_marked = ["#", "- ", "* ", "+ ", "{:", ":::", "|", "!!! ", "??? "];
    is_fence(rest) || is_numbered || is_marked.iter().any(|mark| rest.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_57_an_element_ends_the_html_before_markdown() {
        check(
            "<div>\na\n</div>\n```sh\nb\n```",
            "<div>\na\n</div>\n\n```sh\nb\n```",
        );
        check("<p>a</p>\n**b**", "<p>a</p>\n\n**b**");
        check("> <p>a</p>\n> **b**", "> <p>a</p>\n>\n> **b**");
        check("<p>a</p>\n<p>b</p>\nc", "<p>a</p>\n<p>b</p>\n\nc");
        check(
            "<img src=\"a\">\n```\nb\n```",
            "<img src=\"a\">\n\n```\nb\n```",
        );
        check(
            "<DIV>\n<div>\n</div>\nb\n</div>\nc",
            "<DIV>\n<div>\n</div>\nb\n</div>\n\nc",
        );
        for text in [
            "<div>\n<b>a</b>\nc\n</div>\n",
            "<div>\n<div>a</div>\nb\n</div>\n\nc",
            "<p>a</p> b\nc",
            "a <b>c</b>\nd",
            "```\n<p>a</p>\nb\n```",
            "<source src=\"a\">\nb",
            "<!-- a -->\nb",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_57_an_element_ends_whatever_empty_lines_are_in_it() {
        check(
            "<div markdown=\"1\">\nA\n\nB\n</div>\n## C",
            "<div markdown=\"1\">\nA\n\nB\n</div>\n\n## C",
        );
        check(
            "<div>\na\n\nb\n</div>\n```py\nc\n\nd\n```\n<p>\n\ne</p>\nf",
            "<div>\na\n\nb\n</div>\n\n```py\nc\n\nd\n```\n<p>\n\ne</p>\n\nf",
        );
        check(
            "<div markdown>\n<div>\n\n</div>\n*a*\n</div>\n*b*",
            "<div markdown>\n<div>\n\n</div>\n\n*a*\n</div>\n\n*b*",
        );
        check(
            "<div markdown=1>\n~~~\n<div>\n~~~\n`<div>` <!-- <div>\n<div> -->\n\n</div>\nb",
            "<div markdown=1>\n~~~\n<div>\n~~~\n`<div>` <!-- <div>\n<div> -->\n\n</div>\n\nb",
        );
        for text in [
            "<div>\na\n\nb\nc",
            "~~~\n<div>\n\n</div>\na\n~~~",
            "- ```\n  <p>a</p>\n  b\n  ```",
            "<pre>\na\n\n    b\n</pre>\n\nc",
            "a\n\n    <p>b</p>\n    c",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_57_deep_html_after_an_empty_line_is_no_code() {
        check(
            "<div>\n  <td>\n\n    <p>a\n\n  b\n\n\tc</p>\n  </td>\n</div>",
            "<div>\n  <td>\n    <p>a\n\n  b\n\tc</p>\n  </td>\n</div>",
        );
        check(
            "<div>\n<pre>\na\n\n    b\n</pre>\n\n\n    <p>c</p>\n</div>",
            "<div>\n<pre>\na\n&#32;\n    b\n</pre>\n    <p>c</p>\n</div>",
        );
        for text in [
            "<div markdown=\"1\">\n\n    a\n</div>",
            "<div>\n\n```\na\n\n    b\n```\n</div>",
            "<div>\n\n**a**\n\n</div>",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_57_a_line_that_begins_with_an_element_of_words_is_a_paragraph() {
        check("<em>\n  a *b*\n</em>", "<em> a *b*\n</em>");
        check("> <b>\n> *a*\n> </b>", "> <b> *a*\n> </b>");
        check("<br>\na", "<br> a");
        check("<img src=\"a\">\n## b", "<img src=\"a\">\n\n## b");
        check("<p>a</p>\n<b>*a*</b>", "<p>a</p>\n\n<b>*a*</b>");
        check(
            "<a href=\"b\">\n<img src=\"c\">\n</a>",
            "<a href=\"b\"> <img src=\"c\">\n</a>",
        );
        for text in [
            "<center>\n*a*\n</center>",
            "<a>\n<div>\n*a*\n</div>\n</a>",
            "<i class=\"a\">\n</i>",
            "<b>\n{% if a %}\nb\n{% endif %}\n</b>",
            "<b>\n\na",
            "<https://e.org/>\na",
            "<b>a\n<i>b",
            "```\n<b>\na\n```",
            "<div>\n<b>\na\n</b>\n</div>",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn ends_of_many_open_elements_are_searched_for_a_bounded_time() {
        let text = "<div markdown>\n<p>\n".repeat(10_000);
        Lines::after(&text, rewrite);
    }

    #[test]
    fn a_long_line_is_read_a_bounded_number_of_times() {
        let (open, long) = ("<div markdown>\n".repeat(1000), "<b>`x` ".repeat(70_000));
        let text = open + &long + &"</div>".repeat(1000) + &"\n".repeat(25_000);
        Lines::after(&text, rewrite);
    }

    #[test]
    fn a_line_of_tags_without_an_end_is_read_once() {
        let text = "<div ".repeat(100_000) + "\na";
        Lines::after(&text, rewrite);
    }

    proptest::proptest! {
        #[test]
        fn no_html_panics(text in "(<div>|</div>|<div markdown>|<p|<b>|</p>|<pre>|<!--|-->|`|    |>|/|<img>|```|> |- |é|a|\n|\n\n){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
