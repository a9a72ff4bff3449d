//! A value of the settings that texts and templates ask for.

/// What a template knows of a key of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteValue {
    /// A text, a number or a yes.
    Text(String),
    /// A no.
    No,
    /// Nothing.
    Nil,
    /// A list or a map without items.
    Empty,
    /// A map, whose own keys are values too.
    Map,
    /// Something whose parts are not read: a list, a deep map.
    Unread,
}

impl SiteValue {
    /// A yes or no.
    pub fn of_bool(value: bool) -> Self {
        match value {
            true => Self::Text("true".to_owned()),
            false => Self::No,
        }
    }
}
