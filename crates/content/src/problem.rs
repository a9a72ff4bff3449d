//! What the author should fix: a message with its place and, where there is one, a hint.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a [`Problem`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something is not published as the author meant it.
    Error,
    /// Everything is published, and something could be better.
    Warning,
}

/// A place in a source file. Lines and columns count from 1; 0 means "the whole file" (or line).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file's path relative to the folder, with `/`.
    pub path: String,
    /// The line, from 1; 0 when the whole file is meant.
    pub line: u32,
    /// The column in characters, from 1; 0 when the whole line is meant.
    pub column: u32,
}

/// What the author should fix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Problem {
    /// Where; `None` for what concerns the folder as a whole.
    pub place: Option<Place>,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong: lower case, literals in back quotes, no closing full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self { place: None, severity: Severity::Error, message: message.into(), hint: None }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// The same problem at a place; `line` and `column` count from 1, 0 means the whole.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>, line: u32, column: u32) -> Self {
        self.place = Some(Place { path: path.into(), line, column });
        self
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Place {
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
