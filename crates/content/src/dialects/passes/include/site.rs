//! A place of a text that asks for a file.

use std::ops::Range;

use super::part::Part;

/// Something in a text that a file takes the place of.
pub struct Site {
    pub range: Range<usize>,
    pub ask: Ask,
}

/// What a site asks for.
pub enum Ask {
    File(Box<Want>),
    /// A literal: an include that is escaped.
    Show(String),
    /// Nothing that is shown.
    Drop,
}

/// A file that is wanted.
#[derive(Default)]
pub struct Want {
    /// As the author wrote it.
    pub written: String,
    /// Paths in the folder, in the order in which they are tried.
    pub paths: Vec<String>,
    pub part: Part,
    pub shape: Shape,
    /// What `{{ include.key }}` and `{props.key}` in the file mean.
    pub parameters: Vec<(String, String)>,
    /// Whether the site is in code: what it names is code too.
    pub code: bool,
    /// Whether the mark stays when there is no such file: it may mean something else.
    pub lenient: bool,
}

impl Want {
    pub fn new(written: &str, paths: Vec<String>) -> Self {
        Self {
            written: written.to_owned(),
            paths,
            ..Self::default()
        }
    }
}

/// How a file is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// As it is.
    #[default]
    Raw,
    /// As a template, if it has no logic of its own.
    Template,
    /// As JSX, on lines of its own.
    Component,
    /// As code in this language.
    Code(String),
}
