//! The ids on a page that a link's fragment may name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::paths::decoded;
use crate::model::document::Document;

/// The ids of one page.
#[derive(Debug, Default)]
pub struct Anchors {
    exact: FxHashSet<String>,
    /// Letters and digits of ids and heading texts, in lower case, with their id.
    by_letters: FxHashMap<String, String>,
    /// The ids of footnotes, by those that their labels have elsewhere: `fn:name`.
    notes: FxHashMap<String, String>,
}

impl Anchors {
    pub fn of(document: &Document) -> Self {
        let mut anchors = Self::default();
        for id in document.ids() {
            anchors.add(id, id);
            anchors.exact.insert(id.to_owned());
        }
        for (index, note) in document.footnotes.iter().enumerate() {
            for kind in ["fn", "fnref"] {
                let own = format!("{kind}:{}", index + 1);
                anchors
                    .notes
                    .insert(format!("{kind}:{}", note.label), own.clone());
                anchors.exact.insert(own);
            }
        }
        for heading in document.headings() {
            anchors.add(&heading.text, &heading.id);
        }
        anchors
    }

    /// Of two with the same letters, the first is kept.
    fn add(&mut self, text: &str, id: &str) {
        self.by_letters
            .entry(letters(text))
            .or_insert_with(|| id.to_owned());
    }

    /// The id for a fragment: as written, decoded, or by the letters of the heading.
    pub fn find(&self, fragment: &str) -> Option<String> {
        let fragment = decoded(fragment);
        if let Some(note) = self.notes.get(&*fragment) {
            return Some(note.clone());
        }
        if self.exact.contains(&*fragment) {
            return Some(fragment.into_owned());
        }
        // `#Heading#Below` of a wikilink names the last heading.
        let last = fragment.rsplit('#').next().unwrap_or(&fragment);
        let letters = letters(last);
        if letters.is_empty() {
            return None;
        }
        if let Some(id) = self.by_letters.get(&letters) {
            return Some(id.clone());
        }
        // Old versions of mdBook wrote `a1-first` for a heading that begins with a number.
        let numbered = letters.strip_prefix('a')?;
        if !numbered.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.by_letters.get(numbered).cloned()
    }
}

/// Letters and digits in lower case.
pub fn letters(text: &str) -> String {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Fragments valid on every page, and text fragments (`:~:text=`).
pub fn is_everywhere(fragment: &str) -> bool {
    fragment.is_empty() || fragment == "top" || fragment.contains(":~:")
}
