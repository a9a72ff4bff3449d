//! The former site, as it was walked.

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::date::Moment;

use super::LONGEST_CHAIN;
use super::site_base::SiteBase;
use super::text::Text;

/// A site that was walked. All its addresses are paths below the site's address.
#[derive(Clone, Debug)]
pub struct OldSite {
    /// Where it is.
    pub base: SiteBase,
    /// Its pages.
    pub pages: BTreeMap<String, Text>,
    /// Addresses that lead to others; to another site as a URL.
    pub moved: BTreeMap<String, String>,
    /// Feeds.
    pub feeds: BTreeSet<String>,
    /// Ids and dates in the feeds, by the address of the page.
    pub items: BTreeMap<String, OldItem>,
    /// Files that texts link to or show, and whether the former site has them; `None`: it was not
    /// asked.
    pub files: BTreeMap<String, Option<bool>>,
    /// Pages that `robots.txt` disallows.
    pub disallowed: BTreeSet<String>,
    /// Addresses that were not answered, and why.
    pub unread: BTreeMap<String, String>,
    /// Whether there are more pages than were walked.
    pub is_cut: bool,
}

/// What a feed says of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldItem {
    /// Its id.
    pub id: String,
    /// When it was published.
    pub date: Option<Moment>,
}

impl OldSite {
    /// A site of which nothing was walked yet.
    pub fn at(base: SiteBase) -> Self {
        Self {
            base,
            pages: BTreeMap::new(),
            moved: BTreeMap::new(),
            feeds: BTreeSet::new(),
            items: BTreeMap::new(),
            files: BTreeMap::new(),
            disallowed: BTreeSet::new(),
            unread: BTreeMap::new(),
            is_cut: false,
        }
    }

    /// The address to which a path leads in the end.
    pub fn end<'o>(&'o self, path: &'o str) -> &'o str {
        let mut end = path;
        for _ in 0..LONGEST_CHAIN {
            match self.moved.get(end) {
                Some(next) => end = next,
                None => break,
            }
        }
        end
    }
}
