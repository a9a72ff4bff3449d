//! The index files: the words of all texts merged, in an order and in files that follow from the texts
//! alone.
//!
//! A file is a sequence of entries, ordered by bucket and word. An entry is
//!
//! - a byte: how many bytes the word has in common with the word before,
//! - a byte: how many bytes of the word follow, and these bytes,
//! - a number: in how many texts the word is,
//! - a number: the length of the postings, and the postings: for each text a number, how many texts
//!   were skipped since the one before, and a byte for each section (see [`text`](crate::text)).
//!
//! Numbers are LEB128. The first word of a chunk has nothing in common with the one before.

use bytes::Bytes;
use rustc_hash::FxHashMap;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::number;
use crate::text::{BUCKETS, IN_HEADING, Words, take_uses};

/// A chunk and a file are at most this long.
const LONGEST_FILE: usize = 64 << 10;
/// The postings of a word are at most this long: of a word in very many texts, those where it weighs
/// most.
const LONGEST_POSTINGS: usize = 32 << 10;
/// Texts in a file of what answers show.
pub const PER_FILE: usize = 32;

/// A part of a bucket: a piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its first word.
    pub first: String,
    /// Its entries.
    pub bytes: Bytes,
    /// The digest of the entries.
    pub digest: Digest,
}

/// A digest of 128 bits.
type Digest = [u8; 16];

fn digest(bytes: &[u8]) -> Digest {
    xxh3_128(bytes).to_ne_bytes()
}

/// The digests of some texts, one for each bucket.
pub fn bucket_digests(texts: &[&Words]) -> Vec<Digest> {
    let of = |bucket| {
        let all = texts.iter().map(|words| words.digest(bucket));
        digest(&all.collect::<Vec<_>>().concat())
    };
    (0..BUCKETS).map(of).collect()
}

/// The digest of all inputs of a bucket; `groups` are the [`bucket_digests`] of all texts.
pub fn bucket_key<'g>(groups: impl Iterator<Item = &'g [Digest]>, bucket: usize) -> Digest {
    let mut inputs = (bucket as u64).to_le_bytes().to_vec();
    for group in groups {
        inputs.extend_from_slice(&group[bucket]);
    }
    digest(&inputs)
}

/// The postings of one word, while they are collected.
#[derive(Default)]
struct Postings {
    texts: u32,
    next: u32,
    bytes: Vec<u8>,
}

/// Merges a bucket of all texts, in their order.
pub fn merge(texts: &[&Words], bucket: usize) -> Vec<Chunk> {
    let mut words: FxHashMap<&[u8], Postings> = FxHashMap::default();
    for (text, own) in (0_u32..).zip(texts) {
        for (word, uses) in own.entries(bucket) {
            let postings = words.entry(word).or_default();
            number::push(&mut postings.bytes, text - postings.next);
            postings.bytes.extend_from_slice(uses);
            postings.texts += 1;
            postings.next = text + 1;
        }
    }
    let mut sorted: Vec<(&[u8], Postings)> = words.into_iter().collect();
    sorted.sort_unstable_by_key(|(word, _)| *word);
    chunks(&sorted)
}

fn chunks(words: &[(&[u8], Postings)]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    let (mut first, mut before): (&[u8], &[u8]) = (&[], &[]);
    let mut entry = Vec::new();
    for (word, postings) in words {
        entry.clear();
        push_entry(&mut entry, before, word, postings);
        if open.len() + entry.len() > LONGEST_FILE {
            chunks.push(chunk(first, std::mem::take(&mut open)));
            entry.clear();
            push_entry(&mut entry, &[], word, postings);
        }
        if open.is_empty() {
            first = word;
        }
        open.extend_from_slice(&entry);
        before = word;
    }
    if !open.is_empty() {
        chunks.push(chunk(first, open));
    }
    chunks
}

fn chunk(first: &[u8], bytes: Vec<u8>) -> Chunk {
    Chunk {
        first: String::from_utf8_lossy(first).into_owned(),
        digest: digest(&bytes),
        bytes: bytes.into(),
    }
}

fn push_entry(entry: &mut Vec<u8>, before: &[u8], word: &[u8], postings: &Postings) {
    let common = before
        .iter()
        .zip(word)
        .take_while(|(one, other)| one == other)
        .count();
    entry.extend([common as u8, (word.len() - common) as u8]);
    entry.extend_from_slice(&word[common..]);
    number::push(entry, postings.texts);
    let kept = shortened(&postings.bytes);
    number::push(entry, kept.len() as u32);
    entry.extend_from_slice(&kept);
}

/// The postings, without those where the word weighs least if there are too many.
fn shortened(postings: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let mut kept = std::borrow::Cow::Borrowed(postings);
    for level in 1..=IN_HEADING + 1 {
        if kept.len() <= LONGEST_POSTINGS {
            return kept;
        }
        kept = at_least(postings, level).into();
    }
    // Every text has it in its title: the first ones.
    let mut cut = at_least(postings, IN_HEADING + 1);
    let mut rest = cut.as_slice();
    let mut end = 0;
    while let Some(()) = number::take(&mut rest).and_then(|_| take_uses(&mut rest, |_, _| {})) {
        let length = cut.len() - rest.len();
        if length > LONGEST_POSTINGS {
            break;
        }
        end = length;
    }
    cut.truncate(end);
    cut.into()
}

/// The postings whose best level is at least this one.
fn at_least(postings: &[u8], level: u8) -> Vec<u8> {
    let (mut kept, mut rest) = (Vec::new(), postings);
    let (mut text, mut next) = (0_u32, 0_u32);
    while let Some(distance) = number::take(&mut rest) {
        let (start, mut best) = (rest, 0);
        if take_uses(&mut rest, |_, own| best = best.max(own)).is_none() {
            break;
        }
        text += distance;
        if best >= level {
            number::push(&mut kept, text - next);
            kept.extend_from_slice(&start[..start.len() - rest.len()]);
            next = text + 1;
        }
        text += 1;
    }
    kept
}

/// A file of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordFile<'c> {
    /// The bucket of its first entry.
    pub bucket: u8,
    /// What is in it, never empty.
    pub chunks: Vec<&'c Chunk>,
}

impl WordFile<'_> {
    /// The digest of what is in it.
    pub fn key(&self) -> Digest {
        let all = self.chunks.iter().map(|chunk| chunk.digest);
        digest(&all.collect::<Vec<_>>().concat())
    }

    /// The word of its first entry.
    fn first(&self) -> &str {
        self.chunks.first().map_or("", |chunk| &chunk.first)
    }
}

/// Puts the chunks of all buckets, in their order, into files.
pub fn pack<'c>(buckets: impl IntoIterator<Item = &'c [Chunk]>) -> Vec<WordFile<'c>> {
    let mut files: Vec<WordFile<'c>> = Vec::new();
    let mut length = LONGEST_FILE;
    for (bucket, chunk) in (0..)
        .zip(buckets)
        .flat_map(|(bucket, chunks)| chunks.iter().map(move |chunk| (bucket, chunk)))
    {
        length += chunk.bytes.len();
        match files.last_mut().filter(|_| length <= LONGEST_FILE) {
            Some(file) => file.chunks.push(chunk),
            None => {
                length = chunk.bytes.len();
                let chunks = vec![chunk];
                files.push(WordFile { bucket, chunks });
            }
        }
    }
    files
}

/// A file of what answers show of at most [`PER_FILE`] texts: JSON, an array with an array on each
/// line.
pub fn shown(texts: &[&Words]) -> Bytes {
    let mut json = Vec::new();
    for (index, words) in texts.iter().enumerate() {
        json.extend_from_slice(if index == 0 { b"[\n" } else { b",\n" });
        json.extend_from_slice(words.shown());
    }
    json.extend_from_slice(b"\n]\n");
    json.into()
}

/// `index.json`.
#[derive(Debug, Serialize)]
struct Written<'a> {
    version: u32,
    texts: usize,
    texts_per_file: usize,
    text_files: &'a [String],
    word_files: Vec<(u8, &'a str, &'a str)>,
}

/// `index.json`, with the addresses of the files.
pub fn written(
    texts: usize,
    text_files: &[String],
    (words, word_files): (&[WordFile<'_>], &[String]),
) -> String {
    let words = words.iter().zip(word_files);
    let written = Written {
        version: 1,
        texts,
        texts_per_file: PER_FILE,
        text_files,
        word_files: words
            .map(|(words, file)| (words.bucket, words.first(), file.as_str()))
            .collect(),
    };
    // Serialization fails only for keys that are not strings, and these all are.
    let mut json = serde_json::to_string(&written).unwrap_or_default();
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Section, Text};

    fn words(text: &str) -> Words {
        Words::count(&Text {
            stem: "/x",
            sections: vec![Section {
                text: text.to_owned(),
                ..Section::default()
            }],
            ..Text::default()
        })
    }

    #[test]
    fn files_are_bounded_and_long_lists_keep_what_weighs_most() {
        let often = words("common common common common rare");
        let once = words(&format!("common {}", "other ".repeat(900)));
        let mut texts = vec![&once; 40_000];
        texts[20_000] = &often;
        let buckets: Vec<Vec<Chunk>> = (0..crate::text::BUCKETS)
            .map(|bucket| merge(&texts, bucket))
            .collect();
        for file in pack(buckets.iter().map(Vec::as_slice)) {
            let lengths = file.chunks.iter().map(|chunk| chunk.bytes.len());
            assert!(lengths.sum::<usize>() <= LONGEST_FILE);
        }
        let chunk = buckets[usize::from(crate::text::bucket("common"))]
            .iter()
            .find(|chunk| chunk.first == "common")
            .unwrap();
        assert!(chunk.bytes.len() < 100, "one text is left of 40,000");
    }

    #[test]
    fn a_key_covers_every_text_in_its_order() {
        let (one, other) = (words("alpha"), words("beta"));
        let bucket = usize::from(crate::text::bucket("alpha"));
        let key = |texts: &[&Words]| bucket_key(std::iter::once(&*bucket_digests(texts)), bucket);
        assert_ne!(key(&[&one, &other]), key(&[&other, &one]));
        assert_ne!(key(&[&one]), key(&[&one, &one]));
        assert_eq!(key(&[&one, &other]), key(&[&one, &words("beta")]));
    }
}
