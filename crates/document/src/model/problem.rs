//! Problems for the author to fix: a message with its place and an optional hint.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use super::cause::Cause;

/// Maximum number of problems reported per file: a file of the wrong kind may have one on every
/// line.
pub const MOST_OF_ONE_FILE: usize = 100;
/// Maximum length of a message or a hint in bytes, including quoted text.
const LONGEST: usize = 1_000;

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something is not published as the author intended.
    Error,
    /// Everything is published, but something could be better.
    Warning,
}

/// A place in a source file. Lines and columns count from 1; 0 is the whole file (or line).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The file's path relative to the folder, with `/`.
    pub path: String,
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// The column in characters, from 1; 0 for the whole line.
    pub column: u32,
}

/// A problem for the author to fix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Problem {
    /// The place; `None` for a problem of the whole folder.
    pub place: Option<SourceLocation>,
    /// The severity.
    pub severity: Severity,
    /// What is wrong: lower case, literals in back quotes, no closing full stop.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// What kind of problem it is: those of one cause are reported together.
    #[serde(default)]
    pub cause: Cause,
    /// What it has in common with others of its cause, such as the folder of links; reported in
    /// groups of its own.
    #[serde(default)]
    pub subject: Option<String>,
}

impl Problem {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            place: None,
            severity: Severity::Error,
            message: cut(message.into()),
            hint: None,
            cause: Cause::Other,
            subject: None,
        }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message)
        }
    }

    /// The same problem at a place; `line` and `column` count from 1, 0 is the whole.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>, line: u32, column: u32) -> Self {
        self.place = Some(SourceLocation {
            path: path.into(),
            line,
            column,
        });
        self
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(cut(hint.into()));
        self
    }

    /// The same problem with its cause.
    #[must_use]
    pub fn cause(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    /// The same problem with what it has in common with others of its cause.
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(cut(subject.into()));
        self
    }

    /// Adds problems to those of the same file, up to [`MOST_OF_ONE_FILE`], then one problem that
    /// says there are more. The rest of the iterator is not consumed.
    pub fn note_all(known: &mut Vec<Self>, more: impl IntoIterator<Item = Self>) {
        if known.len() > MOST_OF_ONE_FILE {
            return;
        }
        for problem in more {
            if known.len() == MOST_OF_ONE_FILE {
                let path = problem.place.map(|place| place.path).unwrap_or_default();
                known.push(
                    Self::warning(format!(
                        "more than {MOST_OF_ONE_FILE} problems in this file"
                    ))
                    .at(path, 0, 0),
                );
                return;
            }
            known.push(problem);
        }
    }
}

/// Truncates a text to [`LONGEST`] bytes.
fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.shrink_to_fit();
        text.push('…');
    }
    text
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.path),
            (line, 0) => write!(f, "{}:{line}", self.path),
            (line, column) => write!(f, "{}:{line}:{column}", self.path),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if self.severity == Severity::Warning {
            write!(f, "warning: ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_quotes_so_much_and_no_more() {
        let long = "ä".repeat(1 << 20);
        let problem = Problem::error(long.as_str()).hint(long);
        assert_eq!(problem.message, "ä".repeat(500) + "…");
        assert_eq!(problem.hint, Some(problem.message));
    }

    #[test]
    fn a_file_has_so_many_problems_and_one_that_says_that_there_are_more() {
        let (mut known, mut made) = (Vec::new(), 0);
        for _ in 0..3 {
            let more = (1..=80).map(|line| {
                made += 1;
                Problem::error("x").at("a.md", line, 0)
            });
            Problem::note_all(&mut known, more);
        }
        assert_eq!(
            (known.len(), made),
            (MOST_OF_ONE_FILE + 1, MOST_OF_ONE_FILE + 1)
        );
        assert_eq!(
            known[MOST_OF_ONE_FILE].to_string(),
            "a.md: warning: more than 100 problems in this file"
        );
    }
}
