//! The lines of a text, as the steps see them.

use crate::dialects::code::Code;
use crate::dialects::lines::Lines;
use crate::dialects::markup::MARGIN;
use crate::syntax::markdown::literal::Literals;

/// A line, split from the containers before it.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub whole: &'a str,
    /// White space and quote markers.
    pub prefix: &'a str,
    pub rest: &'a str,
    /// The start of the line.
    pub start: usize,
    /// Whether the rest begins in code.
    pub code: bool,
    /// Whether that code is a block, not an inline span.
    pub block: bool,
}

impl Line<'_> {
    /// The line without its containers.
    pub fn without(&self, containers: &str) -> String {
        let own = match self.prefix.strip_prefix(containers) {
            Some(own) => own,
            None if containers.contains('>') => self.prefix.trim_start_matches(MARGIN),
            None => "",
        };
        format!("{own}{}", self.rest)
    }
}

/// All lines of a text.
pub fn scan<'a>(text: &'a str, literals: &Literals) -> Vec<Line<'a>> {
    let mut code = Code::from_literals(literals);
    let mut start = 0;
    let mut lines = Vec::new();
    for whole in text.split('\n') {
        let rest = whole.trim_start_matches(MARGIN);
        let (prefix, _) = whole.split_at(whole.len() - rest.len());
        let inside = start + prefix.len();
        let end = start + whole.len();
        let mut line = Line {
            whole,
            prefix,
            rest,
            start,
            code: false,
            block: false,
        };
        if let Some(range) = code.at(inside) {
            let goes_on = range.start < start || range.end > end;
            line.code = true;
            line.block = !rest.is_empty() && (goes_on || !rest.starts_with('`'));
        }
        lines.push(line);
        start = end + 1;
    }
    lines
}

/// The level and the words of a heading.
pub fn heading<'a>(line: &Line<'a>) -> Option<(usize, &'a str)> {
    let words = line.rest.trim_start_matches('#');
    let level = line.rest.len() - words.len();
    let is_heading =
        (1..=6).contains(&level) && (words.is_empty() || words.starts_with([' ', '\t']));
    (is_heading && !line.code).then(|| (level, words.trim()))
}

/// Output lines, each with its source line.
#[derive(Default)]
pub struct Output {
    lines: Vec<String>,
    sources: Vec<usize>,
}

impl Output {
    pub fn push(&mut self, line: impl Into<String>, source: usize) {
        self.lines.push(line.into());
        self.sources.push(source);
    }

    pub fn finish(self, lines: &mut Lines) {
        lines.replace(self.lines.join("\n"), &self.sources);
    }
}
