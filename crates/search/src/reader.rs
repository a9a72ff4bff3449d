//! Reads index files. They may hold any bytes: what cannot be read counts as missing.

use bytes::Bytes;
use serde::Deserialize;

use crate::number;
use crate::text::{bucket, derived_id, take_uses};

/// `index.json`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Index {
    /// The number of texts.
    pub texts: u32,
    /// How many of them a file of [`text_files`](Self::text_files) has.
    pub texts_per_file: u32,
    /// The addresses of the files that say what an answer shows.
    pub text_files: Vec<String>,
    /// The files of words: bucket and word of its first entry, and its address.
    pub word_files: Vec<(u8, String, String)>,
}

/// What an answer shows of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its path without suffix, decoded.
    pub stem: String,
    /// Its title.
    pub title: String,
    /// Id and heading of each section but the first.
    pub sections: Vec<(String, String)>,
}

/// An entry of a file that begins with the word asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    /// The characters of the word beyond that.
    pub more: usize,
    /// In how many texts the word is.
    pub texts: u32,
    pub postings: &'a [u8],
}

impl Index {
    /// Reads `index.json`.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let index: Self = serde_json::from_slice(json).ok()?;
        let files = index.text_files.len() as u64;
        let fits = files * u64::from(index.texts_per_file) >= u64::from(index.texts);
        fits.then_some(index)
    }

    /// The addresses of the files that have words with this beginning.
    pub(crate) fn files<'i>(&'i self, start: &'i str) -> impl Iterator<Item = &'i str> {
        let bucket = bucket(start);
        let first = self
            .word_files
            .partition_point(|(own, word, _)| (*own, word.as_str()) <= (bucket, start))
            .saturating_sub(1);
        let is_within = move |(own, word, _): &&'i (u8, String, String)| {
            *own < bucket || *own == bucket && (word.as_str() <= start || word.starts_with(start))
        };
        self.word_files
            .iter()
            .skip(first)
            .take_while(is_within)
            .map(|(.., file)| file.as_str())
    }

    /// What an answer shows of a text. `load` reads a file by its address.
    pub fn page(&self, text: u32, load: &dyn Fn(&str) -> Option<Bytes>) -> Option<Page> {
        let file = self
            .text_files
            .get(text.checked_div(self.texts_per_file)? as usize)?;
        let bytes = load(file)?;
        let line = bytes
            .split(|byte| *byte == b'\n')
            .nth((text % self.texts_per_file) as usize + 1)?;
        let line = line.strip_suffix(b",").unwrap_or(line);
        let mut parts = serde_json::from_slice::<Vec<String>>(line)
            .ok()?
            .into_iter();
        let (stem, title) = (parts.next()?, parts.next()?);
        Some(Page {
            stem,
            title,
            sections: sections(parts),
        })
    }
}

/// The entries of a file whose word begins with `start`, in order.
pub(crate) fn entries<'a>(file: &'a [u8], start: &str) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    let (mut rest, mut word) = (file, Vec::new());
    while let Some(entry) = next(&mut rest, &mut word) {
        if let Some(more) = word.strip_prefix(start.as_bytes()) {
            let more = more.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
            found.push(Entry { more, ..entry });
        }
    }
    found
}

/// The sections of a text: identifier and heading in turns. An identifier that the heading gives is
/// left out.
fn sections(mut parts: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let mut sections = Vec::new();
    while let (Some(id), Some(heading)) = (parts.next(), parts.next()) {
        let id = if id.is_empty() {
            derived_id(&heading)
        } else {
            id
        };
        sections.push((id, heading));
    }
    sections
}

/// The next entry; its word replaces the one before.
fn next<'a>(rest: &mut &'a [u8], word: &mut Vec<u8>) -> Option<Entry<'a>> {
    let (&[common, length], after) = rest.split_first_chunk()?;
    let (letters, after) = after.split_at_checked(usize::from(length))?;
    word.truncate(usize::from(common));
    word.extend_from_slice(letters);
    *rest = after;
    let texts = number::take(rest)?;
    let length = number::take(rest)?;
    let (postings, after) = rest.split_at_checked(length as usize)?;
    *rest = after;
    Some(Entry {
        more: 0,
        texts,
        postings,
    })
}

/// Calls `found` with text, section and level of every place.
pub(crate) fn each_place(mut postings: &[u8], mut found: impl FnMut(u32, u32, u8)) {
    let mut next = 0_u32;
    while let Some(distance) = number::take(&mut postings) {
        let text = next.saturating_add(distance);
        if take_uses(&mut postings, |section, level| found(text, section, level)).is_none() {
            return;
        }
        next = text.saturating_add(1);
    }
}
