//! What a text may request from its folder.

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

/// A search for a file that is not named by its exact path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search<'a> {
    /// The only file with this path in any case.
    AnyCase(&'a str),
    /// The text with this `uid` in its front matter.
    Uid(&'a str),
    /// The place with this label of MyST, in the form of
    /// [`normal`](crate::dialects::myst::labels::normal).
    Label(&'a str),
    /// The text at this path, if readers may see it.
    Text(&'a str),
}

/// A file that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Found {
    /// Its path in the folder.
    pub path: String,
    /// The title of a text.
    pub title: String,
}

/// What an include may request: the path of the text itself, and the text of a plain file by its
/// path in the folder.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The path of the text that is translated.
    pub path: &'a str,
    /// Looks up a file by its path in the folder.
    pub read: &'a dyn Fn(&str) -> Named,
    /// Searches for a file.
    pub search: &'a dyn Fn(Search<'_>) -> Option<Found>,
}

/// The way from a text to the root of the folder: `../` for each folder that it is in.
pub fn way_to_root(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

impl<'a> Files<'a> {
    /// Files without a search.
    pub const fn new(path: &'a str, read: &'a dyn Fn(&str) -> Named) -> Self {
        Self {
            path,
            read,
            search: &|_| None,
        }
    }
}
