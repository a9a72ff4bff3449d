//! Output lines, and blocks among them.

use std::collections::BTreeMap;

use crate::dialects::lines::Lines;
use crate::dialects::markup::is_blank;
use crate::dialects::tags::callout;

/// The type of a block.
pub enum Block {
    /// `[!kind]- title`
    Callout(String),
    /// A bold line above its content.
    Label(String),
    /// Only its content.
    Plain,
}

#[derive(Default)]
pub struct Output {
    text: String,
    sources: Vec<usize>,
    /// Whether the last line is blank.
    blank: bool,
    /// How many bytes of prefixes were added to lines that lack them.
    pub prefixes: usize,
    /// Blocks without a rule, by name, with their count.
    pub unknown: BTreeMap<String, usize>,
}

impl Output {
    /// A line given in parts.
    pub fn line(&mut self, source: usize, parts: &[&str]) {
        if !self.sources.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        for part in parts {
            self.text.push_str(part);
        }
        self.blank = is_blank(&self.text[start..]);
        self.sources.push(source);
    }

    /// A block opened by line `at`, with its body.
    pub fn block(&mut self, prefix: &str, at: usize, block: &Block, body: &[String]) {
        let empty = prefix.trim_end();
        if !self.sources.is_empty() && !self.blank {
            self.line(at, &[empty]);
        }
        let mut inner = "";
        match block {
            Block::Callout(mark) => {
                self.line(at, &[prefix, "> ", mark]);
                inner = "> ";
            }
            Block::Label(title) => self.line(at, &[prefix, &callout::label(title)]),
            Block::Plain => self.line(at, &[empty]),
        }
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

    pub fn finish(self, lines: &mut Lines) {
        for (name, count) in self.unknown {
            *lines.unknown.entry(name).or_default() += count;
        }
        lines.replace(self.text, &self.sources);
    }
}
