//! A text whose lines know where they came from, however often it is rewritten.

use crate::model::text::number;

/// A text, and for each of its lines the line of the source, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub text: String,
    /// `None`: no line was ever added.
    sources: Option<Vec<u32>>,
}

impl Lines {
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            sources: None,
        }
    }

    /// A new text; `lines` gives for each of its lines the line of the text before.
    pub fn replace(&mut self, text: String, lines: &[usize]) {
        let sources = lines
            .iter()
            .map(|line| number(self.source(*line)))
            .collect();
        self.text = text;
        self.sources = Some(sources);
    }

    /// The source's line, from 0.
    pub fn source(&self, line: usize) -> usize {
        match &self.sources {
            Some(sources) => sources
                .get(line)
                .or(sources.last())
                .map_or(line, |line| *line as usize),
            None => line,
        }
    }

    /// The lines of the source, where they differ from the text's own.
    pub fn into_parts(self) -> (String, Option<Vec<u32>>) {
        (self.text, self.sources)
    }
}

/// What the tests of all steps that rewrite lines have in common.
#[cfg(test)]
pub mod testing {
    use super::Lines;

    impl Lines {
        /// A text behind such a step.
        pub fn after(text: &str, step: impl FnOnce(&mut Self)) -> Self {
            let mut lines = Self::of(text);
            step(&mut lines);
            lines
        }

        /// Whether each line comes from one of this text.
        pub fn come_from(&self, text: &str) -> bool {
            let count = text.split('\n').count();
            (0..self.text.split('\n').count()).all(|line| self.source(line) < count)
        }
    }

    /// What a step makes of a text.
    pub fn check(step: impl FnOnce(&mut Lines), text: &str, expected: &str) {
        assert_eq!(Lines::after(text, step).text, expected, "{text}");
    }
}
