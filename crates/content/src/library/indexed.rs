//! Whether a page is in the index of the search and in the sitemap. It is published and in lists either way.

use serde::{Deserialize, Serialize};

use crate::syntax::front::Front;

/// Keys that keep a text out of the search if they are false.
const NOT_SEARCHED: [&str; 4] = ["search", "pagefind", "in_search_index", "indexing"];
/// Keys that do so if they are true.
const SEARCH_EXCLUDED: [&str; 2] = ["search.exclude", "search_exclude"];
/// Keys that keep a page out of the sitemap if they are false.
const NOT_IN_SITEMAP: [&str; 1] = ["sitemap"];
/// Keys that do so if they are true.
const SITEMAP_EXCLUDED: [&str; 7] = [
    "noindex",
    "robotsNoIndex",
    "sitemap.disable",
    "sitemap.exclude",
    "sitemap.ignore",
    "sitemap_exclude",
    "sitemap_ignore",
];

/// The indexes that have a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Indexed {
    /// The index of the search.
    pub search: bool,
    /// The sitemap.
    pub sitemap: bool,
}

impl Default for Indexed {
    fn default() -> Self {
        Self {
            search: true,
            sitemap: true,
        }
    }
}

impl Indexed {
    /// As the front matter of a text has it.
    pub fn from_front(front: &Front) -> Self {
        let is_known = |when_false: &[&str], when_true: &[&str]| {
            let says =
                |keys: &[&str], value| keys.iter().any(|key| front.bool(&[key]) == Some(value));
            !says(when_false, false) && !says(when_true, true)
        };
        Self {
            search: is_known(&NOT_SEARCHED, &SEARCH_EXCLUDED),
            sitemap: is_known(&NOT_IN_SITEMAP, &SITEMAP_EXCLUDED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_26_a_page_may_be_left_out_of_the_search_or_of_the_sitemap() {
        let of = |front: &str| {
            let text = format!("---\n{front}\n---\n");
            let Indexed { search, sitemap } =
                Indexed::from_front(&crate::syntax::front::split(&text, "a.md").front);
            (search, sitemap)
        };
        for front in [
            "search: false",
            "search: {exclude: true}",
            "search:\n  exclude: true",
            "pagefind: false",
            "in_search_index: false",
            "search_exclude: true",
        ] {
            assert_eq!(of(front), (false, true), "{front}");
        }
        for front in [
            "sitemap: false",
            "sitemap: {disable: true}",
            "sitemap_exclude: true",
            "noindex: true",
            "robotsNoIndex: true",
        ] {
            assert_eq!(of(front), (true, false), "{front}");
        }
        for front in [
            "a: b",
            "search: true",
            "search: {boost: 2}",
            "sitemap: {priority: 0.5}",
            "sitemap:\nsearch:",
            "noindex: false",
        ] {
            assert_eq!(of(front), (true, true), "{front}");
        }
    }
}
