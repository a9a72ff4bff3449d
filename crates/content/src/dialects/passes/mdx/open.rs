//! The open components around a line.

/// An open component. MDX has no indented code, so authors indent the content of components.
pub struct Open<'a> {
    pub name: &'a str,
    /// The indent of its own line.
    pub own: usize,
    /// The indent of its content, once known.
    pub content: Option<usize>,
    /// Whether its tag has lines of its own.
    pub apart: bool,
}

impl Open<'_> {
    /// The additional indent of its content.
    pub fn surplus(&self) -> usize {
        self.content.unwrap_or(self.own).saturating_sub(self.own)
    }
}
