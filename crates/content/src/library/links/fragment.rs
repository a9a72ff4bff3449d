//! Fragments: whether a page has the place that a link names.

use rustc_hash::FxHashMap;

use super::path::decoded;
use crate::model::document::Document;

/// The ids of one page, found when the first link asks.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// Ids as they are.
    exact: FxHashMap<String, ()>,
    /// Letters and digits of ids and heading texts, in lower case, and the id they mean.
    loose: FxHashMap<String, String>,
}

impl Ids {
    pub fn of(document: &Document) -> Self {
        let mut ids = Self::default();
        for id in document.ids() {
            ids.loose.entry(loose(id)).or_insert_with(|| id.to_owned());
            ids.exact.insert(id.to_owned(), ());
        }
        for heading in document.headings() {
            ids.loose.entry(loose(&heading.text)).or_insert(heading.id);
        }
        ids
    }

    /// The id that a fragment means: as written, decoded, or by the letters of the heading. `None`: there is none.
    pub fn find(&self, fragment: &str) -> Option<String> {
        let fragment = decoded(fragment);
        if self.exact.contains_key(&*fragment) {
            return Some(fragment.into_owned());
        }
        // `#Heading#Below` of a wikilink means the last of them.
        let last = fragment.rsplit('#').next().unwrap_or(&fragment);
        let letters = loose(last);
        // Old mdBooks wrote `a1-first` where a heading begins with a number.
        let numbered = || letters.strip_prefix('a').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let found = self.loose.get(&letters).or_else(|| self.loose.get(numbered()?));
        found.filter(|_| !letters.is_empty()).cloned()
    }
}

/// Letters and digits in lower case.
fn loose(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Fragments that every page has, and those that name words instead of a place (`:~:text=`).
pub(super) fn is_everywhere(fragment: &str) -> bool {
    fragment.is_empty() || fragment == "top" || fragment.contains(":~:")
}
