//! What a text may ask for from its folder, and what is reported about it.

/// Something to say about a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 0.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// What a path in an include leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A text, without its front matter.
    Text(String),
    /// A file that is not included, and why.
    Closed(String),
    /// Nothing.
    Missing,
}

/// What an include may ask for: the path of the text itself, and the text of a plain file by its
/// path in the folder.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The path of the text that is translated.
    pub path: &'a str,
    /// Looks up a file by its path in the folder.
    pub read: &'a dyn Fn(&str) -> Named,
}
