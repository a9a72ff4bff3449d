//! The writer of configuration files for nginx, Caddy and Apache: lines of ours, in which words
//! from the site are filled in.
//!
//! How a word is quoted is the business of each host's module `words`. A line with a word that its
//! language cannot say is left out and noted.

use std::fmt::Write;

/// A word of a configuration language.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: String,
    /// Whether the language can say it.
    is_sound: bool,
}

impl Word {
    pub(super) fn new(text: String, is_sound: bool) -> Self {
        Self { text, is_sound }
    }

    /// A word of ours, as it is.
    pub(super) fn ours(text: &'static str) -> Self {
        Self::new(text.to_owned(), true)
    }
}

/// A configuration file while it is written.
#[derive(Debug)]
pub(super) struct ConfigFile {
    text: String,
    /// What each level of blocks is indented by.
    indent: &'static str,
    /// What ends a directive.
    end: &'static str,
    depth: usize,
    /// Lines that could not be said, as they would have been.
    refused: Vec<String>,
}

impl ConfigFile {
    pub(super) fn new(indent: &'static str, end: &'static str) -> Self {
        Self {
            text: String::new(),
            indent,
            end,
            depth: 0,
            refused: Vec::new(),
        }
    }

    /// Lines of comment.
    pub(super) fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let line = format!("# {}", line.replace(char::is_control, " "));
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Lines without words of the site.
    pub(super) fn ours(&mut self, lines: &'static str) {
        for line in lines.lines() {
            self.push(line, "");
        }
    }

    /// A directive: a template of ours, with these words in the place of each `{}`.
    /// Whether it is written.
    pub(super) fn line(&mut self, template: &'static str, words: &[Word]) -> bool {
        let line = self.filled(template, words);
        if let Some(line) = &line {
            self.push(line, self.end);
        }
        line.is_some()
    }

    /// Begins a block, unless its line cannot be said.
    pub(super) fn open(&mut self, template: &'static str, words: &[Word]) -> bool {
        let line = self.filled(template, words);
        if let Some(line) = &line {
            self.push(line, " {");
            self.depth += 1;
        }
        line.is_some()
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.push("}", "");
    }

    /// The template with its words; `None`, and it is noted, where one of them cannot be said.
    fn filled(&mut self, template: &'static str, words: &[Word]) -> Option<String> {
        let mut line = String::new();
        let mut words_left = words.iter();
        for (at, part) in template.split("{}").enumerate() {
            if at > 0 {
                line.extend(words_left.next().map(|word| word.text.as_str()));
            }
            line.push_str(part);
        }
        if words.iter().all(|word| word.is_sound) {
            return Some(line);
        }
        self.refused.push(line);
        None
    }

    fn push(&mut self, line: &str, end: &str) {
        let indent = self.indent.repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{line}{end}");
    }

    /// The file, and what is not in it.
    pub(super) fn finish(self) -> super::Written {
        super::Written {
            text: self.text,
            refused: self.refused,
        }
    }
}
