//! A position in a text that requests a file.

use std::ops::Range;

use super::part::Part;

/// A range of a text that a file replaces.
pub struct Marker {
    pub range: Range<usize>,
    pub request: Request,
}

/// What a marker requests.
pub enum Request {
    File(Box<Want>),
    /// A literal: an escaped include.
    Show(String),
    /// Nothing to show.
    Drop,
}

/// A requested file.
#[derive(Default)]
pub struct Want {
    /// As the author wrote it.
    pub written: String,
    /// Paths in the folder, in the order in which they are tried.
    pub paths: Vec<String>,
    pub part: Part,
    pub shape: Shape,
    /// Values of `{{ include.key }}` and `{props.key}` in the file.
    pub parameters: Vec<(String, String)>,
    /// Whether the file's own links are relative to it, not to the page.
    pub rebase: bool,
    /// Whether the margin that all lines share is removed.
    pub dedent: bool,
    /// Whether the marker is in code: then the file is code too.
    pub code: bool,
    /// Whether the tag itself has a meaning here, which a file with logic cannot say better.
    pub known: bool,
    /// Whether the marker is kept if the file does not exist: it may have another meaning.
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
    /// Unchanged.
    #[default]
    Raw,
    /// As a template.
    Template,
    /// As a template in Scriban.
    Scriban,
    /// As JSX, on lines of its own.
    Component,
    /// As code in this language.
    Code(String),
}
