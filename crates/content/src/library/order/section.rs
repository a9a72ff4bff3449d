//! What the index of a section says of the texts in it.

use crate::dialects::Dialect;
use crate::syntax::front::Front;

/// How the texts of a section are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The newest first.
    Date,
    /// The last changed first.
    Updated,
    Title,
    Weight,
    Name,
}

/// What the index of a section says of its texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Their order; `None`: that of the kind.
    pub sort: Option<Sort>,
    /// Whether they belong to the section above.
    pub is_transparent: bool,
}

impl Section {
    /// `sort_by` and `transparent`, in a kind that has them.
    pub fn from_front(front: &Front, dialect: &Dialect) -> Self {
        if !dialect.sorts_sections {
            return Self::default();
        }
        let sort = match front.text(&["sort_by"]) {
            Some("date") => Some(Sort::Date),
            Some("update_date") => Some(Sort::Updated),
            Some("title" | "title_bytes") => Some(Sort::Title),
            Some("weight") => Some(Sort::Weight),
            Some("slug" | "none") => Some(Sort::Name),
            _ => None,
        };
        Self {
            sort,
            is_transparent: front.bool(&["transparent"]) == Some(true),
        }
    }
}
