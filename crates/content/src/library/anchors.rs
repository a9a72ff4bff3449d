//! The ids on a page that a link's fragment may name.

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::paths::decoded;
use crate::model::document::{Document, emoji_name as short_name};

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
    pub fn from_document(document: &Document) -> Self {
        let mut anchors = Self::default();
        for id in document.ids() {
            anchors.add(id, id);
            anchors.exact.insert(id.to_owned());
        }
        anchors.add_notes(document);
        let headings = document.headings();
        for heading in &headings {
            anchors.add(&heading.text, &heading.id);
        }
        // What other generators make of the same headings, after all that is more exact.
        for heading in &headings {
            let other = folded(&named(&heading.text));
            if other != heading.text {
                anchors.add(&other, &heading.id);
            }
        }
        anchors
    }

    /// Of two with the same letters, the first is kept.
    fn add(&mut self, text: &str, id: &str) {
        self.by_letters
            .entry(letters(text))
            .or_insert_with(|| id.to_owned());
    }

    /// The ids of footnotes, by their labels.
    fn add_notes(&mut self, document: &Document) {
        for (index, note) in document.footnotes.iter().enumerate() {
            for kind in ["fn", "fnref"] {
                let own = format!("{kind}:{}", index + 1);
                let label = format!("{kind}:{}", note.label);
                self.notes.insert(label, own.clone());
                self.exact.insert(own);
            }
        }
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
        let other = letters(&folded(last));
        let letters = letters(last);
        if letters.is_empty() {
            return None;
        }
        let by_letters = self.by_letters.get(&letters);
        by_letters
            .or_else(|| self.by_letters.get(&other))
            .cloned()
            .or_else(|| self.without_number(last))
            .or_else(|| self.with_letter(&letters))
            .or_else(|| self.without_entities(last))
    }

    /// Old versions of mdBook wrote `a1-first` for a heading that begins with a number.
    fn with_letter(&self, letters: &str) -> Option<String> {
        let numbered = letters.strip_prefix('a')?;
        if !numbered.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.by_letters.get(numbered).cloned()
    }

    /// Old versions of Hexo wrote `a-amp-b` for `A & b`, and `it-39-s` for `it's`.
    fn without_entities(&self, fragment: &str) -> Option<String> {
        let mut plain = fragment.to_owned();
        for entity in ["-amp-", "-39-", "-quot-", "-lt-", "-gt-"] {
            plain = plain.replace(entity, "-");
        }
        if plain == fragment {
            return None;
        }
        self.by_letters.get(&letters(&plain)).cloned()
    }

    /// The id for `name-2`, where only one heading is called so now: generators number those that
    /// are called the same.
    fn without_number(&self, fragment: &str) -> Option<String> {
        let (name, number) = fragment.rsplit_once(['-', '_'])?;
        let is_number =
            (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        let letters = letters(name);
        if !is_number || !letters.contains(char::is_alphabetic) {
            return None;
        }
        self.by_letters.get(&letters).cloned()
    }
}

/// Letters and digits in lower case.
pub fn letters(text: &str) -> String {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Without accents, and in ASCII as far as possible: Python-Markdown, Hugo's `github-ascii`, Zola
/// and others write `cafe` for `Café`.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' | 'Æ' => folded.push_str("ae"),
            'œ' | 'Œ' => folded.push_str("oe"),
            'ø' | 'Ø' => folded.push('o'),
            'ł' | 'Ł' => folded.push('l'),
            'đ' | 'Đ' => folded.push('d'),
            'ı' => folded.push('i'),
            c => folded.push(c),
        }
    }
    folded
}

/// With the short names of emoji, as GitHub has them in ids: `rocket Launch` for `🚀 Launch`.
fn named(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        words.push(short_name(word).map_or_else(|| word.to_owned(), str::to_owned));
    }
    words.join(" ")
}

/// The places to which themes skip, where the text of a page begins.
pub fn is_beginning(fragment: &str) -> bool {
    const NAMES: [&str; 12] = [
        "content",
        "content-start",
        "main",
        "main-content",
        "maincontent",
        "main-heading",
        "page-top",
        "skip",
        "skip-nav",
        "skip-to-content",
        "start-of-content",
        "__skip",
    ];
    NAMES.contains(&fragment)
}

/// Fragments valid on every page, and text fragments (`:~:text=`).
pub fn is_everywhere(fragment: &str) -> bool {
    fragment.is_empty() || fragment == "top" || fragment.contains(":~:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown::{Options, parse};

    #[test]
    fn rule_61_fragments_of_other_generators_lead_to_their_headings() {
        let document = parse(
            "## Café au lait\n\n## Größe & Maß\n\n## :rocket: Launch\n\n## Foo\n\n## Foo\n\n## 3. Set up `x_y`\n\n## Łódź\n",
            &Options::default(),
        );
        let anchors = Anchors::from_document(&document);
        for (fragment, id) in [
            ("café-au-lait", "café-au-lait"),
            ("cafe-au-lait", "café-au-lait"),
            ("Cafe_au_lait", "café-au-lait"),
            ("grosse-mass", "größe--maß"),
            ("rocket-launch", "-launch"),
            ("launch", "-launch"),
            ("foo_1", "foo-1"),
            ("_3-set-up-x-y", "3-set-up-x_y"),
            ("lodz", "łódź"),
            ("Größe-amp-Maß", "größe--maß"),
        ] {
            assert_eq!(anchors.find(fragment).as_deref(), Some(id), "{fragment}");
        }
        assert_eq!(anchors.find("nothing"), None);
    }
}
