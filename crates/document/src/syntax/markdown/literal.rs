//! The parts of a text that are code or raw HTML, exactly as the parser sees them: template tags
//! inside code are text.

use std::ops::Range;

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag};

use super::{EXTENSIONS, colons, depth};
use crate::model::bounds;

/// Byte ranges of a text, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    /// Code: spans, fenced and indented blocks, `<pre>`, `<code>`, `<script>` and `<style>`.
    pub code: Vec<Range<usize>>,
    /// Blocks of raw HTML, in which Markdown has no meaning.
    pub html: Vec<Range<usize>>,
}

impl Literals {
    /// Whether the byte at this offset is code.
    pub fn is_code(&self, at: usize) -> bool {
        holds(&self.code, at)
    }

    /// Where code ends that begins at this offset.
    pub fn end_of_code(&self, at: usize) -> Option<usize> {
        let found = self.code.binary_search_by_key(&at, |range| range.start);
        Some(self.code[found.ok()?].end)
    }

    /// Whether the byte at this offset is in a block of raw HTML.
    pub fn is_html(&self, at: usize) -> bool {
        holds(&self.html, at)
    }
}

/// Whether one of these sorted and disjoint ranges contains this offset.
fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.contains(&at))
}

/// Finds code and raw HTML in a text.
pub fn literals(text: &str) -> Literals {
    let (text_without_colons, has_definitions) = colons::masked(text);
    let masked = depth::masked(&text_without_colons);
    let mut extensions = EXTENSIONS;
    extensions.set(Extensions::ENABLE_DEFINITION_LIST, has_definitions);
    let mut literals = Literals::default();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(&masked, extensions)
        .into_offset_iter()
        .take_while(|_| !bounds::is_over())
    {
        match event {
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => literals.code.push(range),
            Event::Start(Tag::HtmlBlock) => {
                literals.html.push(range.clone());
                pieces.push(range);
            }
            Event::InlineHtml(_) => pieces.push(range),
            _ => {}
        }
    }
    literals.code.extend(elements(text, &pieces));
    literals.code = merged(literals.code);
    literals
}

/// Finds code in a text that is entirely HTML.
pub fn literals_of_html(text: &str) -> Literals {
    let whole = std::iter::once(0..text.len()).collect::<Vec<_>>();
    let code = merged(elements(text, &whole));
    Literals { code, html: whole }
}

/// Raw HTML elements whose text is code, each from its start tag to the end of its end tag.
fn elements(text: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for piece in pieces {
        for (offset, _) in text[piece.clone()].match_indices('<') {
            let at = piece.start + offset;
            let tag = &text[at + 1..];
            match (open, tag.strip_prefix('/')) {
                (None, None) => open = code_element(tag).map(|name| (at, name)),
                (Some((start, name)), Some(tag)) if code_element(tag) == Some(name) => {
                    found.push(start..at + 2 + name.len());
                    open = None;
                }
                _ => {}
            }
        }
    }
    found
}

/// The element name of a tag, if it is a code element.
fn code_element(tag: &str) -> Option<&'static str> {
    let length = tag
        .bytes()
        .take_while(u8::is_ascii_alphabetic)
        .take(7)
        .count();
    ["pre", "code", "script", "style"]
        .into_iter()
        .find(|name| name.eq_ignore_ascii_case(&tag[..length]))
}

/// Ranges in order, with those that overlap as one.
pub fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, before| {
        let joined = next.start < before.end;
        if joined {
            before.end = before.end.max(next.end);
        }
        joined
    });
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with code in `«»` and HTML blocks in `‹›`.
    fn check(text: &str, marked: &str) {
        let found = literals(text);
        let mut marks: Vec<(usize, char)> = found
            .code
            .iter()
            .flat_map(|range| [(range.start, '«'), (range.end, '»')])
            .collect();
        marks.extend(
            found
                .html
                .iter()
                .flat_map(|range| [(range.start, '‹'), (range.end, '›')]),
        );
        marks.sort_by_key(|(at, _)| *at);
        let mut shown = text.to_owned();
        for (at, mark) in marks.into_iter().rev() {
            shown.insert(at, mark);
        }
        assert_eq!(shown, marked);
    }

    #[test]
    fn code_is_found_as_the_parser_finds_it() {
        check("a `{{ b }}` c", "a «`{{ b }}`» c");
        check(
            "````\n```\n{{ x }}\n```\n````\nafter {{ y }}",
            "«````\n```\n{{ x }}\n```\n````»\nafter {{ y }}",
        );
        check("```\n{{ unclosed }}\n", "«```\n{{ unclosed }}\n»");
        check(
            "text\n    {{ lazy }}\n\n    {{ code }}\n",
            "text\n    {{ lazy }}\n\n    «{{ code }}\n»",
        );
        check(
            "<div>\n    {{ html }}\n</div>\n",
            "‹<div>\n    {{ html }}\n</div>\n›",
        );
        check("a <code>{{ x }}</code> b", "a «<code>{{ x }}</code»> b");
        check("`open {{ x }}", "`open {{ x }}");
    }

    #[test]
    fn a_place_is_code_from_the_first_byte_to_the_last() {
        let text = "a `b` `c`\n\n<div>\n`d`\n</div>\n";
        let found = literals(text);
        let places =
            |is: &dyn Fn(usize) -> bool| (0..=text.len()).filter(|at| is(*at)).collect::<Vec<_>>();
        assert_eq!(places(&|at| found.is_code(at)), [2, 3, 4, 6, 7, 8]);
        assert_eq!(
            places(&|at| found.is_html(at)),
            (11..text.len()).collect::<Vec<_>>()
        );
        assert!(!Literals::default().is_code(0) && !Literals::default().is_html(0));
    }
}
