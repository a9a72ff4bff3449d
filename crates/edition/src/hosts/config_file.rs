//! Writes configuration files for nginx, Caddy and Apache: constant templates, filled with words
//! from the site.
//!
//! Each host's module `words` quotes the words. A line with a word that its language cannot express
//! is omitted and recorded.

use std::fmt::Write;

/// A word of a configuration language.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: String,
    /// Whether the language can express it.
    is_sound: bool,
}

impl Word {
    pub(super) fn new(text: String, is_sound: bool) -> Self {
        Self { text, is_sound }
    }

    /// A constant word, unquoted.
    pub(super) fn ours(text: &'static str) -> Self {
        Self::new(text.to_owned(), true)
    }
}

/// A configuration file under construction.
#[derive(Debug)]
pub(super) struct ConfigFile {
    text: String,
    /// The indentation of each block level.
    indent: &'static str,
    /// The end of a directive.
    end: &'static str,
    depth: usize,
    /// Omitted lines, for the report.
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

    /// Adds comment lines.
    pub(super) fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let line = format!("# {}", line.replace(char::is_control, " "));
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
    }

    /// Adds an empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Adds constant lines.
    pub(super) fn ours(&mut self, lines: &'static str) {
        for line in lines.lines() {
            self.push(line, "");
        }
    }

    /// Adds a directive: a template with these words in place of each `{}`. Returns whether it was
    /// written.
    pub(super) fn line(&mut self, template: &'static str, words: &[Word]) -> bool {
        let line = self.filled(template, words);
        if let Some(line) = &line {
            self.push(line, self.end);
        }
        line.is_some()
    }

    /// Opens a block, unless its line is inexpressible.
    pub(super) fn open(&mut self, template: &'static str, words: &[Word]) -> bool {
        let line = self.filled(template, words);
        if let Some(line) = &line {
            self.push(line, " {");
            self.depth += 1;
        }
        line.is_some()
    }

    /// Closes a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.push("}", "");
    }

    /// The filled template; `None`, with the line recorded, if a word is inexpressible.
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

    /// The file and the omitted lines.
    pub(super) fn finish(self) -> super::Written {
        super::Written {
            text: self.text,
            refused: self.refused,
        }
    }
}
