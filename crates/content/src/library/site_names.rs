//! The title of an HTML page: its name without the site's name. The site's name is what the names
//! of all pages share.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{anchors::letters, explained::Explained};
use crate::model::{
    document::Document,
    fingerprint::{Digest, Fingerprint},
};
use crate::syntax::html::Names;

/// Separators between a page's name and its site's.
const SEPARATORS: [&str; 10] = [
    " | ", " — ", " – ", " - ", " · ", " • ", " :: ", " » ", " « ", ": ",
];

/// The words shared by the names of a folder's pages.
#[derive(Default)]
pub struct SiteNames {
    /// The number of pages.
    pages: usize,
    /// Whole names, and the parts before the first and after the last separator, with their page
    /// counts.
    counts: FxHashMap<String, usize>,
}

impl SiteNames {
    /// Scans the names of all pages.
    pub fn collect<'n>(pages: impl Iterator<Item = &'n Names>) -> Self {
        let mut all = Self::default();
        for names in pages {
            all.pages += 1;
            let mut own: Vec<&str> = Vec::new();
            for name in [&names.title, &names.og_title].into_iter().flatten() {
                own.push(name);
                own.extend(split_first(name).map(|(first, _)| first));
                own.extend(split_last(name).map(|(_, last)| last));
            }
            own.sort_unstable();
            own.dedup();
            for words in own {
                *all.counts.entry(words.to_owned()).or_default() += 1;
            }
        }
        all
    }

    /// A digest of the shared words, which is all that a title depends on.
    pub fn digest(&self) -> Digest {
        let mut shared: Vec<&String> = self
            .counts
            .keys()
            .filter(|words| self.is_shared(words))
            .collect();
        shared.sort_unstable();
        Fingerprint::hash_one(&shared)
    }

    /// Whether these words occur on more than half of all pages, and on more than one.
    fn is_shared(&self, words: &str) -> bool {
        let count = self.counts.get(words).copied().unwrap_or_default();
        count > 1 && count * 2 > self.pages
    }

    /// A name without the site's words; `None` if no others remain.
    fn own<'n>(&self, name: Option<&'n String>, site: Option<&str>) -> Option<&'n str> {
        let mut name = name?.as_str();
        let is_site = |words: &str| self.is_shared(words) || site == Some(words);
        for _ in 0..3 {
            if let Some((rest, last)) = split_last(name)
                && is_site(last)
            {
                name = rest;
            } else if let Some((first, rest)) = split_first(name)
                && is_site(first)
            {
                name = rest;
            }
        }
        (!name.is_empty() && !is_site(name)).then_some(name)
    }

    /// The title of a page. The heading of its article is removed if it is the same, or the same
    /// with more or fewer words.
    pub fn title(&self, names: &Names, document: &mut Document) -> Option<Explained<Arc<str>>> {
        let site = names.site.as_deref();
        let title = self.own(names.title.as_ref(), site);
        let og_title = self.own(names.og_title.as_ref(), site);
        let name = og_title.or(title);
        if let Some(heading) = document.title_heading()
            && heading.contains(char::is_alphanumeric)
        {
            let fits = [og_title, title]
                .into_iter()
                .flatten()
                .any(|name| says_the_same(name, &heading));
            if fits || name.is_none() {
                document.take_title_heading();
                let why = if fits {
                    "its heading"
                } else {
                    "the heading that the page opens with"
                };
                return Some(Explained::new(heading, why));
            }
        }
        let why = if og_title.is_some() {
            "`og:title`"
        } else {
            "`<title>` without the name of the site"
        };
        Some(Explained::new(name?, why))
    }
}

/// Whether one of two names contains the other, by letters and digits only.
fn says_the_same(name: &str, heading: &str) -> bool {
    let (name, heading) = (letters(name), letters(heading));
    let (short, long) = if name.len() < heading.len() {
        (&name, &heading)
    } else {
        (&heading, &name)
    };
    if short == long {
        return true;
    }
    // A word of two letters occurs in every other.
    short.chars().count() >= 3 && short.len() * 4 >= long.len() && long.contains(short.as_str())
}

/// A name split at its first separator.
fn split_first(name: &str) -> Option<(&str, &str)> {
    let parts = SEPARATORS
        .iter()
        .filter_map(|separator| name.split_once(separator));
    parts.min_by_key(|(first, _)| first.len())
}

/// A name split at its last separator.
fn split_last(name: &str) -> Option<(&str, &str)> {
    let parts = SEPARATORS
        .iter()
        .filter_map(|separator| name.rsplit_once(separator));
    parts.min_by_key(|(_, last)| last.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(pages: &[(&str, &str)]) -> Vec<String> {
        let read: Vec<_> = pages
            .iter()
            .map(|(title, body)| {
                crate::syntax::html::parse_page(&format!(
                    "<title>{title}</title><main>{body}</main>"
                ))
            })
            .collect();
        let site = SiteNames::collect(read.iter().map(|page| &page.names));
        read.into_iter()
            .map(|mut page| {
                site.title(&page.names, &mut page.document)
                    .map_or_else(String::new, |title| title.value.to_string())
            })
            .collect()
    }

    #[test]
    fn the_name_of_the_site_is_no_title() {
        let pages = [
            (
                "Quickstart — Flask Documentation (2.2.x)",
                "<h1>Quickstart<a class=headerlink href=#q>¶</a></h1>",
            ),
            ("API — Flask Documentation (2.2.x)", "<p>no heading</p>"),
            ("Flask Documentation (2.2.x)", "<h1>Welcome</h1>"),
        ];
        assert_eq!(titles(&pages), ["Quickstart", "API", "Welcome"]);
        assert_eq!(
            titles(&[
                ("Eigen: Main", ""),
                ("Eigen: Tables", ""),
                ("Eigen: A: B", "")
            ]),
            ["Main", "Tables", "A: B"]
        );
        assert_eq!(titles(&[("a - b", ""), ("c - d", "")]), ["a - b", "c - d"]);
    }

    #[test]
    fn a_title_that_every_page_has_gives_way_to_the_heading() {
        let pages = [
            ("Book", "<h2>What is Ownership?</h2><p>x"),
            ("Book", "<h1>Slices</h1>"),
            ("Book", "<p>x</p>"),
        ];
        assert_eq!(titles(&pages), ["What is Ownership?", "Slices", ""]);
    }

    #[test]
    fn the_heading_says_it_better() {
        let pages = [
            ("git-add(1)", "<h1>git-add(1) Manual Page</h1>"),
            ("<x> : The X", "<h1>Another thing</h1>"),
        ];
        assert_eq!(titles(&pages), ["git-add(1) Manual Page", "<x> : The X"]);
    }
}
