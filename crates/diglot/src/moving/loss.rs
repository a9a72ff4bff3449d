//! What was lost.

use serde::Serialize;

/// A kind of loss: its name in reports, and in `[accepted]` of `migration.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An old address does not answer.
    Address,
    /// An old address leads to another text.
    Target,
    /// A text is not here.
    Gone,
    /// A title differs.
    Title,
    /// A date differs.
    Date,
    /// The id in the feed differs.
    Id,
    /// Words are missing.
    Words,
    /// A heading is missing, or at another place.
    Heading,
    /// An image is missing.
    Image,
    /// A file that a text links to is missing.
    File,
    /// The canonical address of a text leads elsewhere.
    Canonical,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Address,
        Self::Target,
        Self::Gone,
        Self::Title,
        Self::Date,
        Self::Id,
        Self::Words,
        Self::Heading,
        Self::Image,
        Self::File,
        Self::Canonical,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Target => "target",
            Self::Gone => "gone",
            Self::Title => "title",
            Self::Date => "date",
            Self::Id => "id",
            Self::Words => "words",
            Self::Heading => "heading",
            Self::Image => "image",
            Self::File => "file",
            Self::Canonical => "canonical",
        }
    }
}

/// One loss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// What kind it is.
    pub kind: Kind,
    /// The old address, as a path of the former site.
    pub old: String,
    /// The path of the page here, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<String>,
    /// What is lost, in one sentence.
    pub what: String,
    /// What is written into `migration.toml` to repair it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
}

/// A line of `migration.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// The old address leads to this path.
    Redirect(String),
    /// The text in this file keeps this id.
    Id {
        /// The path of the text in the folder.
        file: String,
        /// Its id in the former feed.
        id: String,
    },
}
