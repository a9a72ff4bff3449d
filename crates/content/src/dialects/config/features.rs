//! What a generator without a kind of its own has of what kinds have, and what some folders of a kind
//! have.

/// The syntax and the rules of texts that a generator turns on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Whether a text may contain Vue components.
    pub vue: bool,
    /// Whether `%%comments%%` are comments.
    pub percent_comments: bool,
    /// Whether templates in texts are written in Scriban.
    pub scriban: bool,
    /// Whether `!!!`, `===`, `+++` and `|||` are around blocks, and `[!badge NEW]` is a component.
    pub panels: bool,
    /// Whether texts are outlines, whose blocks have properties and may be written as in Org.
    pub outlines: bool,
    /// Whether the words of a home page are in its front matter.
    pub home_in_front: bool,
    /// Whether names that begin with `_` are as all others.
    pub opens_underscored: bool,
}
