//! Counts the outcomes of a folder's files and references.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::model::document::{Reference, ReferenceKind, Target};
use crate::model::text::counted;
use crate::model::tree::Shape;

/// The number of some references, and of the broken ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All of them.
    pub total: usize,
    /// Those without a target.
    pub broken: usize,
}

impl Tally {
    fn count(&mut self, broken: bool) {
        self.total += 1;
        self.broken += usize::from(broken);
    }

    fn add(&mut self, other: Self) {
        self.total += other.total;
        self.broken += other.broken;
    }
}

/// References inside the folder, from published articles and pages. Links to other sites are not
/// counted, because they are not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// Links to articles, pages and files.
    pub links: Tally,
    /// Embedded images, films and notes.
    pub images: Tally,
    /// `#fragments` on pages that were found.
    pub fragments: Tally,
}

/// Why texts in other formats are not published, before their suffix.
pub const UNREAD: &str = "a text in a format that is not read";

impl References {
    /// Counts one reference. A fragment on the same page is not counted as a link.
    pub(super) fn count(
        &mut self,
        reference: &Reference,
        target: &Target,
        fragment_found: Option<bool>,
    ) {
        if let Some(found) = fragment_found {
            self.fragments.count(!found);
        }
        let inside = match target {
            Target::Url(_) | Target::Here(_) => false,
            Target::Unresolved => fragment_found.is_none(),
            Target::Page { .. } | Target::File { .. } => true,
        };
        if !inside {
            return;
        }
        let tally = match reference.kind {
            ReferenceKind::Media | ReferenceKind::Player | ReferenceKind::Embed => &mut self.images,
            ReferenceKind::Link | ReferenceKind::Wiki => &mut self.links,
        };
        tally.count(*target == Target::Unresolved);
    }

    pub(super) fn add(&mut self, other: Self) {
        self.links.add(other.links);
        self.images.add(other.images);
        self.fragments.add(other.fragments);
    }
}

impl fmt::Display for References {
    /// `340 links (3 broken), 12 images, 40 fragments (1 broken)`. Kinds without a reference
    /// are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            ("link", self.links, "broken"),
            ("image", self.images, "missing"),
            ("fragment", self.fragments, "broken"),
        ];
        let mut separator = "";
        for (noun, Tally { total, broken }, state) in kinds {
            if total == 0 {
                continue;
            }
            write!(f, "{separator}{}", counted(total, noun))?;
            if broken > 0 {
                write!(f, " ({broken} {state})")?;
            }
            separator = ", ";
        }
        if separator.is_empty() {
            f.write_str("no links")?;
        }
        Ok(())
    }
}

/// The outcomes of all files: published + set aside + skipped = found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// All files found.
    pub found: usize,
    /// Articles, pages and files published.
    pub published: usize,
    /// Files set aside as problems: source and reason.
    pub set_aside: Vec<(String, String)>,
    /// Files skipped: reason and sources.
    pub skipped: BTreeMap<String, Vec<String>>,
    /// The kind of folder and the evidence.
    pub dialect: Option<(String, String)>,
    /// The articles folder and the reason for its choice.
    pub articles_folder: (String, String),
    /// Whether it is a journal or a guide, and why.
    pub shape: (Shape, String),
    /// The configuration of another generator, and the values used from it, by key.
    pub configuration: Option<(String, Vec<(String, String)>)>,
    /// Dropped template tags, by name, with their count.
    pub unknown_tags: BTreeMap<String, usize>,
    /// The references inside the folder.
    pub references: References,
    /// What else a reader of the report should know, one sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What is public, by kind and folder.
    #[serde(default)]
    pub public: Vec<PublicFolder>,
}

impl Report {
    /// The suffixes of texts in formats that are not read, if no text is published.
    pub fn only_unread(&self) -> Vec<&str> {
        let is_file = |folder: &PublicFolder| folder.what == Public::Files;
        if !self.public.iter().all(is_file) {
            return Vec::new();
        }
        let reasons = self.skipped.keys();
        let reasons = reasons.filter_map(|reason| reason.strip_prefix(UNREAD));
        reasons
            .map(|suffix| suffix.trim_start_matches([':', ' ']))
            .collect()
    }
}

/// What readers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Public {
    /// Texts in lists, the feed and the sitemap.
    Articles,
    /// Texts beside them.
    Pages,
    /// Files published unchanged.
    Files,
}

/// What is public from one folder: the articles folder, or a folder at the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PublicFolder {
    /// What it is.
    pub what: Public,
    /// The folder with a closing `/`; `./` is the root.
    pub folder: String,
    /// How many there are.
    pub count: usize,
}
