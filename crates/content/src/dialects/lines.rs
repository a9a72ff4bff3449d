//! A text whose lines keep their source line through every rewrite.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::model::problem::Cause;
use crate::model::text::number;
use crate::syntax::markdown::literal::{self, Literals};

/// A problem at a position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 0.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What kind of problem it is.
    pub cause: Cause,
    /// What it has in common with others of its cause.
    pub subject: Option<String>,
}

/// A text, with the source line of each of its lines, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub text: String,
    /// `None`: no line was ever added.
    sources: Option<Vec<u32>>,
    /// Problems for the author.
    pub remarks: Vec<Remark>,
    /// Blocks without a rule, by name, with their count.
    pub unknown: BTreeMap<String, usize>,
    /// Files of the folder that MyST includes, by path.
    pub included: BTreeSet<String>,
    /// What of the text is code, once a step asks: most steps change nothing.
    literals: OnceCell<Rc<Literals>>,
}

impl Lines {
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            sources: None,
            remarks: Vec::new(),
            unknown: BTreeMap::new(),
            included: BTreeSet::new(),
            literals: OnceCell::new(),
        }
    }

    /// A new text; `lines` maps each of its lines to a line of the previous text.
    pub fn replace(&mut self, text: String, lines: &[usize]) {
        let sources = lines
            .iter()
            .map(|line| number(self.source(*line)))
            .collect();
        self.set(text);
        self.sources = Some(sources);
    }

    /// A new text with as many lines.
    pub fn set(&mut self, text: String) {
        if self.text != text {
            self.literals = OnceCell::new();
            self.text = text;
        }
    }

    /// What of the text is code or raw HTML.
    pub fn literals(&self) -> Rc<Literals> {
        let found = self
            .literals
            .get_or_init(|| Rc::new(literal::literals(&self.text)));
        debug_assert!(
            **found == literal::literals(&self.text) || crate::model::bounds::is_over(),
            "the text changes by `set` alone"
        );
        Rc::clone(found)
    }

    /// The source line, from 0.
    pub fn source(&self, line: usize) -> usize {
        match &self.sources {
            Some(sources) => sources
                .get(line)
                .or(sources.last())
                .map_or(line, |line| *line as usize),
            None => line,
        }
    }

    /// A problem of the text at a byte position.
    pub fn remark(&self, at: usize, message: String) -> Remark {
        let before = &self.text[..at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        Remark {
            line: number(self.source(before.matches('\n').count())),
            column: number(line.chars().count() + 1),
            message,
            cause: Cause::Text,
            subject: None,
        }
    }

    /// The source lines, if they differ from the text's own.
    pub fn into_parts(self) -> (String, Option<Vec<u32>>) {
        (self.text, self.sources)
    }
}

/// Helpers for the tests of all steps that rewrite lines.
#[cfg(test)]
pub mod testing {
    use super::Lines;

    impl Lines {
        /// A text after a step.
        pub fn after(text: &str, step: impl FnOnce(&mut Self)) -> Self {
            let mut lines = Self::new(text);
            step(&mut lines);
            lines
        }

        /// Whether each line maps to one of this text.
        pub fn come_from(&self, text: &str) -> bool {
            let count = text.split('\n').count();
            (0..self.text.split('\n').count()).all(|line| self.source(line) < count)
        }
    }

    /// The result of a step on a text.
    pub fn check(step: impl FnOnce(&mut Lines), text: &str, expected: &str) {
        assert_eq!(Lines::after(text, step).text, expected, "{text}");
    }
}
