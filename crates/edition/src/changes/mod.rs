//! What changed since earlier editions, for clients that keep copies.
//!
//! - A row, [`ListedPage`], describes one listed page: its path, the digest of its Markdown form,
//!   and one of each section.
//! - [`Changes`] are what differs between two editions: pages that are added, changed, removed or
//!   moved. Those of an edition and its successor follow from their rows. Those of a longer way are
//!   the composition of its steps.
//! - A [`History`] is an edition's rows and the steps to it from the editions before. It is an input
//!   of the next edition, as the dates that a server remembers.
//!
//! Only listed pages have rows, so no other page is ever named. What is left of a page that was
//! removed is its path.

mod difference;
mod hexadecimal;
mod history;
mod listed_page;
mod published;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::resource::Digest;

pub use difference::{Moves, between};
pub use history::{History, Step};
pub(crate) use listed_page::sections;
pub use listed_page::{ListedPage, ListedPages, listing};
pub(crate) use published::editions;
pub use published::{
    ChangedEntry, Entries, Listing, Movement, PageRef, Published, SectionEntry, Since, Titles, read,
};

/// How many earlier editions a client may ask about.
pub const EDITIONS: usize = 50;
/// The limit on the pages that all documents on changes name together. Older editions are left out
/// where it would be passed, so the documents stay small at any size of a site.
pub const ENTRIES: usize = 20_000;
/// The limit on the sections of a page that have digests of their own. The last has the rest.
pub const SECTIONS: usize = 100;
/// The limit on the id of a section, in bytes. A heading with a longer one begins no section.
pub const SECTION_ID: usize = 200;

/// What happened to each page, by the path of its Markdown form.
pub type Changes = BTreeMap<Arc<str>, Change>;

/// The digests of sections before and after, by their ids; `None`: the section does not exist.
pub type Sections = BTreeMap<Arc<str>, [Option<u64>; 2]>;

/// What happened to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new, with this digest.
    Added(Digest),
    /// It has another digest.
    Changed {
        /// The digest before; `None`: not known any more.
        before: Option<Digest>,
        /// The digest after.
        after: Digest,
        /// The sections that differ; `None`: not known any more.
        sections: Option<Sections>,
    },
    /// It is gone, or its text is at another path.
    Removed(Option<Arc<str>>),
}

impl Change {
    /// This change and then another of the same page; `None`: they cancel each other.
    #[must_use]
    fn then(&self, newer: &Self) -> Option<Self> {
        let changed = |before, after, sections| {
            (before != Some(after)).then_some(Self::Changed {
                before,
                after,
                sections,
            })
        };
        match (self, newer) {
            (Self::Added(_), Self::Removed(_)) => None,
            (Self::Added(_), Self::Added(after) | Self::Changed { after, .. }) => {
                Some(Self::Added(*after))
            }
            (Self::Removed(_), Self::Added(after) | Self::Changed { after, .. }) => {
                changed(None, *after, None)
            }
            (Self::Changed { before, .. }, Self::Added(after)) => changed(*before, *after, None),
            (
                Self::Changed {
                    before, sections, ..
                },
                Self::Changed {
                    after,
                    sections: later,
                    ..
                },
            ) => {
                let sections = sections.as_ref().zip(later.as_ref());
                changed(
                    *before,
                    *after,
                    sections.map(|(one, other)| joined(one, other)),
                )
            }
            (Self::Changed { .. } | Self::Removed(_), Self::Removed(_)) => Some(newer.clone()),
        }
    }
}

/// The sections that differ after two changes.
fn joined(older: &Sections, newer: &Sections) -> Sections {
    let mut all = older.clone();
    for (id, [before, after]) in newer {
        let first = older.get(id).map_or(*before, |known| known[0]);
        all.insert(Arc::clone(id), [first, *after]);
    }
    all.retain(|_, [before, after]| before != after);
    all
}

/// The changes of a step, and then those of the way from there.
#[must_use]
pub fn compose(older: &Changes, newer: &Changes) -> Changes {
    let mut all = newer.clone();
    for (path, change) in older {
        let both = match newer.get(path) {
            Some(later) => change.then(later),
            None => Some(match change {
                Change::Removed(Some(to)) => Change::Removed(newer_place(to, newer)),
                other => other.clone(),
            }),
        };
        match both {
            Some(both) => all.insert(Arc::clone(path), both),
            None => all.remove(path),
        };
    }
    all
}

/// Where a text is now that was moved to this path; `None`: nowhere.
fn newer_place(to: &Arc<str>, newer: &Changes) -> Option<Arc<str>> {
    match newer.get(to) {
        Some(Change::Removed(to)) => to.clone(),
        _ => Some(Arc::clone(to)),
    }
}

#[cfg(test)]
mod tests;
