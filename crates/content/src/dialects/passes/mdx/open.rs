//! The components that are open around a line.

/// A component that is open: MDX knows no indented code, so that authors indent what is inside one.
pub struct Open<'a> {
    pub name: &'a str,
    /// How far its own line is indented.
    pub own: usize,
    /// How far its content is, once that is seen.
    pub content: Option<usize>,
}

impl Open<'_> {
    /// How far its content is indented more than itself.
    pub fn surplus(&self) -> usize {
        self.content.unwrap_or(self.own).saturating_sub(self.own)
    }
}
