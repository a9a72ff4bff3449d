//! What a text may request from its folder, and problems reported about it.

/// A problem at a position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 0.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// The result of a path in an include.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A text, without its front matter.
    Text(String),
    /// A file that is not included, with the reason.
    Closed(String),
    /// No file.
    Missing,
}

/// What an include may request: the path of the text itself, and the text of a plain file by its
/// path in the folder.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The path of the text that is translated.
    pub path: &'a str,
    /// Looks up a file by its path in the folder.
    pub read: &'a dyn Fn(&str) -> Named,
}
