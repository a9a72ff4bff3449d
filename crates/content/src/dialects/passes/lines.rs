//! A text whose lines keep their source line through every rewrite.

use super::files::Remark;
use crate::model::text::number;

/// A text, with the source line of each of its lines, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub text: String,
    /// `None`: no line was ever added.
    sources: Option<Vec<u32>>,
    /// Problems for the author.
    pub remarks: Vec<Remark>,
}

impl Lines {
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            sources: None,
            remarks: Vec::new(),
        }
    }

    /// A new text; `lines` maps each of its lines to a line of the previous text.
    pub fn replace(&mut self, text: String, lines: &[usize]) {
        let sources = lines
            .iter()
            .map(|line| number(self.source(*line)))
            .collect();
        self.text = text;
        self.sources = Some(sources);
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
            let mut lines = Self::of(text);
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
