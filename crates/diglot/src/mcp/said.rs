//! The result of a tool.

/// What a tool says: a text of the site, and a note about it for the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The result.
    pub text: String,
    /// How to get the rest, or what else to know; empty if there is nothing.
    pub note: String,
}
