//! What a name in a filter of a collection means.

use super::Subject;

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The entry of a collection.
    Entry,
    /// Its front matter.
    Data,
    Subject(Subject),
    Other,
}

impl Meaning {
    /// What a key of it means.
    pub fn inner(&self, key: &str) -> Self {
        match self {
            Self::Entry if key == "data" => Self::Data,
            Self::Entry if matches!(key, "id" | "slug") => Self::Subject(Subject::Id),
            Self::Data => Self::Subject(Subject::Key(key.to_owned())),
            Self::Subject(Subject::Key(above)) if key != "length" => {
                Self::Subject(Subject::Key(format!("{above}.{key}")))
            }
            _ => Self::Other,
        }
    }
}
