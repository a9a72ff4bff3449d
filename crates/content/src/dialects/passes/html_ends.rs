//! Blocks of raw HTML that end with their element, as kramdown and Python-Markdown read them: what
//! follows on the next line is Markdown. In CommonMark only an empty line ends them.

use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};
use crate::syntax::html::is_void;
use crate::syntax::markdown::literal::Literals;

/// Adds an empty line after each element that more Markdown follows.
pub fn rewrite(lines: &mut Lines) {
    if !lines.text.contains('<') {
        return;
    }
    let literals = lines.literals();
    if literals.html.is_empty() {
        return;
    }
    let all = scan(&lines.text, &literals);
    let mut out = Output::default();
    let mut element = None;
    let mut is_changed = false;
    for (at, line) in all.iter().enumerate() {
        out.push(line.whole, at);
        if !is_html(line, &literals) {
            element = None;
            continue;
        }
        let open = element.take().or_else(|| Element::at(line.rest));
        let open = open.map(|open| open.after(line.rest));
        let next = all.get(at + 1).filter(|next| is_html(next, &literals));
        if let (Some(open), Some(next)) = (&open, next)
            && open.ends_before(line.rest, next.rest)
        {
            out.push(next.prefix.trim_end(), at);
            is_changed = true;
        }
        element = open.filter(|open| open.depth > 0);
    }
    if is_changed {
        out.finish(lines);
    }
}

fn is_html(line: &Line<'_>, literals: &Literals) -> bool {
    !line.rest.is_empty() && literals.is_html(line.start + line.prefix.len())
}

/// An element that a line begins.
struct Element<'t> {
    name: &'t str,
    /// How many elements of this name are open.
    depth: usize,
}

impl<'t> Element<'t> {
    fn at(rest: &'t str) -> Option<Self> {
        let tag = rest.strip_prefix('<')?;
        let end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let name = &tag[..end.unwrap_or(tag.len())];
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name.then_some(Self { name, depth: 0 })
    }

    /// The same after the tags of a line.
    fn after(mut self, line: &str) -> Self {
        let mut ends = line.match_indices('>').map(|(at, _)| at).peekable();
        for (at, _) in line.match_indices('<') {
            while ends.next_if(|end| *end < at).is_some() {}
            let tag = &line[at + 1..];
            let (is_end, tag) = match tag.strip_prefix('/') {
                Some(tag) => (true, tag),
                None => (false, tag),
            };
            let has_name = tag
                .get(..self.name.len())
                .is_some_and(|name| name.eq_ignore_ascii_case(self.name))
                && !tag[self.name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
            let end = ends.peek().copied().unwrap_or(line.len());
            let is_empty = line[..end].ends_with('/');
            match (has_name, is_end) {
                (true, true) => self.depth = self.depth.saturating_sub(1),
                (true, false) if !self.is_void() && !is_empty => self.depth += 1,
                _ => {}
            }
        }
        self
    }

    fn is_void(&self) -> bool {
        is_void(&self.name.to_ascii_lowercase())
    }

    /// Whether Markdown begins after this line. After a picture only a fence does: other words
    /// are its paragraph.
    fn ends_before(&self, line: &str, next: &str) -> bool {
        let is_fence = next.starts_with("```") || next.starts_with("~~~");
        self.depth == 0
            && line.trim_end().ends_with('>')
            && (is_fence || !self.is_void() && !next.starts_with('<'))
    }
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
            "<br>\na",
            "a <b>c</b>\nd",
            "```\n<p>a</p>\nb\n```",
            "<source src=\"a\">\nb",
            "<!-- a -->\nb",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_line_of_tags_without_an_end_is_read_once() {
        let text = "<div ".repeat(100_000) + "\na";
        Lines::after(&text, rewrite);
    }

    proptest::proptest! {
        #[test]
        fn no_html_panics(text in "(<div>|</div>|<p|>|/|<img>|```|> |- |é|a|\n|\n\n){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
