//! A text whose lines know where they came from, however often it is rewritten.

/// A text, and for each of its lines the line of the source, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::dialects) struct Lines {
    pub(in crate::dialects) text: String,
    /// `None`: no line was ever added.
    sources: Option<Vec<u32>>,
}

impl Lines {
    pub(in crate::dialects) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), sources: None }
    }

    /// A new text; `lines` gives for each of its lines the line of the text before.
    pub(in crate::dialects) fn replace(&mut self, text: String, lines: &[usize]) {
        let sources = lines.iter().map(|line| u32::try_from(self.source(*line)).unwrap_or(u32::MAX)).collect();
        self.text = text;
        self.sources = Some(sources);
    }

    /// A new text, and where in it line breaks were added, in order.
    pub(in crate::dialects) fn replace_with(&mut self, text: String, added: &[usize]) {
        if added.is_empty() {
            self.text = text;
            return;
        }
        let mut line = 0;
        let mut lines = vec![0];
        for (at, _) in text.match_indices('\n') {
            line += usize::from(added.binary_search(&at).is_err());
            lines.push(line);
        }
        self.replace(text, &lines);
    }

    /// The source's line, from 0.
    pub(in crate::dialects) fn source(&self, line: usize) -> usize {
        match &self.sources {
            Some(sources) => sources.get(line).or(sources.last()).map_or(line, |line| *line as usize),
            None => line,
        }
    }

    /// The lines of the source, where they differ from the text's own.
    pub(in crate::dialects) fn into_parts(self) -> (String, Option<Vec<u32>>) {
        (self.text, self.sources)
    }
}

/// What the tests of all steps that rewrite lines have in common.
#[cfg(test)]
pub(in crate::dialects) mod testing {
    use super::Lines;

    impl Lines {
        /// A text behind such a step.
        pub(in crate::dialects) fn after(text: &str, step: impl FnOnce(&mut Self)) -> Self {
            let mut lines = Self::of(text);
            step(&mut lines);
            lines
        }

        /// Whether each line comes from one of this text.
        pub(in crate::dialects) fn come_from(&self, text: &str) -> bool {
            let count = text.split('\n').count();
            (0..self.text.split('\n').count()).all(|line| self.source(line) < count)
        }
    }

    /// What a step makes of a text.
    pub(in crate::dialects) fn check(step: impl FnOnce(&mut Lines), text: &str, expected: &str) {
        assert_eq!(Lines::after(text, step).text, expected, "{text}");
    }
}
