//! The words of one text, counted: all that the index takes from it.
//!
//! They depend on the text alone, so an edition reuses those of texts that did not change. The words
//! are divided into [`BUCKETS`] by their first letters; the digest of a bucket tells whether it is
//! another one than before.

use bytes::Bytes;
use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;
use rustc_hash::FxBuildHasher;
use serde_json::json;
use smallvec::SmallVec;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::xxh3_64;

use crate::number;
use crate::words::{self, each};

/// The number of buckets.
pub const BUCKETS: usize = 64;
/// The most sections of a text that can be results; further ones are part of the last.
pub const SECTIONS: usize = 250;
/// The most different words of a text.
const DISTINCT: usize = 50_000;
/// Different words of a usual text.
const USUALLY: usize = 400;
/// The length of a usual section in words.
const USUAL: u32 = 150;
/// The level of a word in a heading, if it is longer than [`SHORT`] words.
pub(crate) const IN_HEADING: u8 = 6;
/// The level of a word in a short heading.
const IN_SHORT_HEADING: u8 = 7;
/// The level of tags and of the address.
const BESIDE: u8 = 5;
/// Headings up to this many words are short.
const SHORT: usize = 3;
/// Characters of a title or heading in an answer.
const SHOWN: usize = 120;
/// The bytes of a bucket in the table of [`Words`]: digest and end.
const ROW: usize = 12;

/// A text to index.
#[derive(Clone, Debug, Default)]
pub struct Text<'a> {
    /// Its path without suffix, decoded.
    pub stem: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Other words that describe it.
    pub tags: Vec<&'a str>,
    /// Its sections; the first is what precedes all headings.
    pub sections: Vec<Section>,
}

/// A part of a text under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading's id.
    pub id: String,
    /// The heading; plain text.
    pub heading: String,
    /// Plain text.
    pub text: String,
}

/// The counted words of one text: a table of buckets, their entries, and what an answer shows of the
/// text.
///
/// An entry is the length of a word, the word, and its uses: one byte a section, as in the index
/// files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Bytes);

/// The occurrences of one word.
#[derive(Default)]
struct Count {
    /// Sections in order, with the number of occurrences or, from [`LEVEL`] on, a level. Most words
    /// are in one or two.
    sections: SmallVec<[(u8, u32); 2]>,
}

/// Marks a count as a level.
const LEVEL: u32 = 1 << 24;

impl Count {
    fn add(&mut self, section: u8, by: u32) {
        match self.sections.last_mut() {
            Some((last, count)) if *last == section => {
                *count = if by >= LEVEL {
                    (*count).max(by)
                } else if *count < LEVEL - 1 {
                    *count + by
                } else {
                    *count
                };
            }
            _ => self.sections.push((section, by)),
        }
    }

    /// Where the word is: the section and the level there, ordered by section.
    fn uses(&self, lengths: &[u32]) -> impl ExactSizeIterator<Item = (u8, u8)> {
        let level = |(section, count): &(u8, u32)| {
            let length = lengths.get(usize::from(*section)).copied().unwrap_or(0);
            let level = match count.checked_sub(LEVEL) {
                Some(level) => level as u8,
                None => level_of(*count, length),
            };
            (*section, level)
        };
        self.sections.iter().map(level)
    }
}

/// The level from 0 to 5 of a word that is this often in a section of this length: how BM25 weighs
/// it (k = 1.2, b = 0.5), in sixths.
fn level_of(count: u32, length: u32) -> u8 {
    let saturation = 60 + u64::from(length) * 60 / u64::from(USUAL);
    let count = u64::from(count.min(1000));
    let weight = count * 22_000 / (100 * count + saturation);
    (weight * 6 / 221).min(5) as u8
}

impl Words {
    /// Counts the words of a text.
    pub fn count(text: &Text<'_>) -> Self {
        let mut counter = Counter::default();
        counter.add_title(text);
        let mut lengths = Vec::new();
        for (index, section) in text.sections.iter().enumerate() {
            let number = index.min(SECTIONS - 1) as u8;
            if index > 0 {
                counter.add(&section.heading, number, heading_level(&section.heading));
            }
            let length = counter.add(&section.text, number, 1);
            if index < SECTIONS {
                lengths.push(length);
            }
        }
        counter.finish(&lengths, &shown(text))
    }

    /// The words with these bytes, as [`bytes`](Self::bytes) returned them.
    pub fn from_bytes(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// The words as bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn row(&self, bucket: usize) -> Option<(&[u8], usize)> {
        let row = self.0.get(bucket * ROW..(bucket + 1) * ROW)?;
        let (digest, end) = row.split_at(8);
        Some((digest, u32::from_le_bytes(end.try_into().ok()?) as usize))
    }

    /// The digest of a bucket's entries.
    pub fn digest(&self, bucket: usize) -> &[u8] {
        self.row(bucket).map_or(&[], |(digest, _)| digest)
    }

    /// A bucket's entries: words in order with their encoded uses.
    pub(crate) fn entries(&self, bucket: usize) -> Entries<'_> {
        let start = bucket
            .checked_sub(1)
            .and_then(|before| self.row(before))
            .map_or(BUCKETS * ROW, |(_, end)| end);
        let end = self.row(bucket).map_or(start, |(_, end)| end);
        Entries(self.0.get(start..end).unwrap_or_default())
    }

    /// What an answer shows of the text: a JSON array of its path, its title, and the id and heading
    /// of each section.
    pub fn shown(&self) -> &[u8] {
        let start = self.row(BUCKETS - 1).map_or(0, |(_, end)| end);
        self.0.get(start..).unwrap_or_default()
    }
}

/// What the words of a heading count: more in a short one.
fn heading_level(heading: &str) -> u32 {
    if words::all(heading).len() <= SHORT {
        LEVEL + u32::from(IN_SHORT_HEADING)
    } else {
        LEVEL + u32::from(IN_HEADING)
    }
}

/// The JSON array of what an answer shows.
fn shown(text: &Text<'_>) -> String {
    let mut parts = vec![text.stem.to_owned(), shortened(text.title)];
    for section in text.sections.iter().take(SECTIONS).skip(1) {
        let heading = shortened(&section.heading);
        let id = if derived_id(&heading) == section.id {
            String::new()
        } else {
            section.id.clone()
        };
        parts.extend([id, heading]);
    }
    json!(parts).to_string()
}

/// The id that most headings have, which the files leave out: lower case, hyphens for spaces, no
/// punctuation.
pub(crate) fn derived_id(heading: &str) -> String {
    let letter = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => (letter.is_alphanumeric() || is_combining_mark(letter)).then_some(letter),
    };
    heading.to_lowercase().chars().filter_map(letter).collect()
}

/// At most [`SHOWN`] characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Not the map of the standard library: that hashes every new word twice.
struct Counter(HashMap<Box<str>, Count, FxBuildHasher>);

impl Default for Counter {
    fn default() -> Self {
        Self(HashMap::with_capacity_and_hasher(USUALLY, FxBuildHasher))
    }
}

impl Counter {
    /// Counts the words of a piece of text; returns how many there are.
    fn add(&mut self, text: &str, section: u8, by: u32) -> u32 {
        let mut length = 0;
        each(text, |_, word| {
            length += 1;
            let has_room = self.0.len() < DISTINCT;
            match self.0.entry_ref(word) {
                EntryRef::Occupied(mut count) => count.get_mut().add(section, by),
                EntryRef::Vacant(new) if has_room => {
                    new.insert_with_key(word.into(), Count::default())
                        .add(section, by);
                }
                EntryRef::Vacant(_) => {}
            }
        });
        length
    }

    /// Adds the title, and the words beside it: the tags and the name of the page.
    fn add_title(&mut self, text: &Text<'_>) {
        let name = text.stem.rsplit('/').next().unwrap_or_default();
        let beside = text.tags.iter().copied().chain([name]);
        self.add(text.title, 0, heading_level(text.title));
        for words in beside {
            self.add(words, 0, LEVEL + u32::from(BESIDE));
        }
    }

    fn finish(self, lengths: &[u32], shown: &str) -> Words {
        let words = self.0.iter();
        let mut entries: Vec<_> = words
            .map(|(word, count)| (order(word), word, count))
            .collect();
        entries.sort_unstable_by_key(|(order, word, _)| (*order, *word));
        let mut bytes = vec![0; BUCKETS * ROW];
        let mut rest = entries.iter().peekable();
        for bucket in 0..BUCKETS {
            let start = bytes.len();
            while let Some((_, word, count)) =
                rest.next_if(|(order, ..)| (order >> 56) as usize == bucket)
            {
                bytes.push(word.len() as u8);
                bytes.extend_from_slice(word.as_bytes());
                push_uses(&mut bytes, count.uses(lengths));
            }
            let digest = xxh3_64(&bytes[start..]);
            let end = bytes.len() as u32;
            let row = &mut bytes[bucket * ROW..(bucket + 1) * ROW];
            row[..8].copy_from_slice(&digest.to_le_bytes());
            row[8..].copy_from_slice(&end.to_le_bytes());
        }
        bytes.extend_from_slice(shown.as_bytes());
        Words(bytes.into())
    }
}

/// A word's bucket and its first bytes: what decides the order of most words, and compares at once.
fn order(word: &str) -> u64 {
    let mut order = [0; 8];
    let length = word.len().min(7);
    order[0] = bucket(word);
    order[1..=length].copy_from_slice(&word.as_bytes()[..length]);
    u64::from_be_bytes(order)
}

/// The bucket of a word, by its first two letters; by the first alone from U+2E80 on, where one
/// letter is a query.
pub fn bucket(word: &str) -> u8 {
    let mut letters = word.chars().map(u32::from);
    let first = letters.next().unwrap_or_default();
    let second = match first {
        0x2e80.. => 0,
        _ => letters.next().unwrap_or_default(),
    };
    ((first * 31 + second) % BUCKETS as u32) as u8
}

/// Encodes uses, a byte each: bit 7 is set on the last, bits 4 to 6 are the level, bits 0 to 3 the
/// distance to the section before. With 15 there, the distance is the number that follows.
fn push_uses(bytes: &mut Vec<u8>, uses: impl ExactSizeIterator<Item = (u8, u8)>) {
    let mut before = 0;
    let count = uses.len();
    for (index, (section, level)) in uses.enumerate() {
        let last = u8::from(index + 1 == count) << 7;
        let distance = section - before;
        bytes.push(last | level << 4 | distance.min(15));
        if distance >= 15 {
            number::push(bytes, u32::from(distance));
        }
        before = section;
    }
}

/// Takes encoded uses off the front: calls `found` with section and level of each. `None` if they are
/// cut off.
pub(crate) fn take_uses(bytes: &mut &[u8], mut found: impl FnMut(u32, u8)) -> Option<()> {
    let mut section = 0_u32;
    loop {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        section = section.saturating_add(match first & 15 {
            15 => number::take(bytes)?,
            distance => u32::from(distance),
        });
        found(section, first >> 4 & 7);
        if first & 128 != 0 {
            return Some(());
        }
    }
}

/// The entries of a bucket: words with their encoded uses.
pub(crate) struct Entries<'a>(&'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (length, rest) = self.0.split_first()?;
        let (word, rest) = rest.split_at_checked(usize::from(*length))?;
        let mut after = rest;
        take_uses(&mut after, |_, _| {})?;
        self.0 = after;
        Some((word, &rest[..rest.len() - after.len()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(heading: &str, text: &str) -> Section {
        Section {
            id: heading.to_lowercase(),
            heading: heading.into(),
            text: text.into(),
        }
    }

    fn text() -> Text<'static> {
        Text {
            stem: "/articles/a-b",
            title: "Steam engines",
            tags: vec!["ships"],
            sections: vec![
                section("", "An engine. Engine, engine and a wheel."),
                section("Wheels", "A wheel of iron."),
            ],
        }
    }

    fn uses(words: &Words, word: &str) -> Vec<(u32, u8)> {
        let mut found = Vec::new();
        for (own, mut uses) in words.entries(usize::from(bucket(word))) {
            if own == word.as_bytes() {
                take_uses(&mut uses, |section, level| found.push((section, level)));
            }
        }
        found
    }

    #[test]
    fn a_word_has_a_level_in_each_section() {
        let words = Words::count(&text());
        assert_eq!(
            uses(&words, "engine"),
            [(0, 7)],
            "the title is more than the text"
        );
        assert_eq!(uses(&words, "ship"), [(0, 5)]);
        assert_eq!(uses(&words, "wheel"), [(0, 3), (1, 7)]);
        assert_eq!(uses(&words, "iron"), [(1, 3)]);
        assert_eq!(uses(&words, "iro"), []);
        assert_eq!(
            std::str::from_utf8(words.shown()).unwrap(),
            r#"["/articles/a-b","Steam engines","","Wheels"]"#
        );
    }

    #[test]
    fn far_sections_are_encoded_as_numbers_and_the_last_takes_the_rest() {
        let mut text = text();
        text.sections.extend((0..300).map(|_| Section::default()));
        text.sections.push(section("Last", "zinc"));
        text.sections[100].text = "zinc".into();
        let words = Words::count(&text);
        assert_eq!(uses(&words, "zinc"), [(100, 3), (249, 3)]);
    }

    #[test]
    fn a_change_changes_the_digest_of_its_bucket_alone() {
        let (one, mut text) = (Words::count(&text()), text());
        text.sections[0].text.push_str(" Zinc.");
        let other = Words::count(&text);
        let changed: Vec<usize> = (0..BUCKETS)
            .filter(|bucket| one.digest(*bucket) != other.digest(*bucket))
            .collect();
        assert_eq!(changed, [usize::from(bucket("zinc"))]);
    }

    #[test]
    fn more_and_denser_is_a_higher_level() {
        assert!(level_of(1, 10) > level_of(1, 1000));
        assert!(level_of(9, 150) > level_of(1, 150));
        assert_eq!(level_of(u32::MAX, 1), 5);
    }
}
