//! Ranks the texts for a query.
//!
//! Every word of the query finds the words that begin with it; the word itself counts most. A text
//! counts, for each word of the query, its best place: title, heading, text (BM25, see
//! [`text`](crate::text)), times how rare the word is. Texts with more of the query's words are before
//! others. Of the best texts, the section with the most of the query decides the order in the end, and
//! is what the answer leads to.
//!
//! The work is bounded for any query and any index: `WORDS`, `FORMS`, `PLACES`.

use std::cmp::Reverse;

use bytes::Bytes;

use crate::RESULTS;
use crate::reader::{Entry, Index, each_place, entries};
use crate::words;

/// The most words of a query that count.
const WORDS: usize = 10;
/// The most words of the index that one word of a query finds.
const FORMS: usize = 24;
/// Bytes of postings after which a word of a query finds no further word.
const PLACES: usize = 32 << 10;
/// The texts whose sections are compared.
const CANDIDATES: usize = 64;
/// The least letters that a word without a place is shortened to.
const SHORTEST: usize = 4;
/// The most letters that it loses.
const SHORTENED: usize = 3;
/// What each level weighs.
const WEIGHTS: [u64; 8] = [6, 8, 11, 14, 17, 20, 32, 40];
/// What a word in the title weighs: in a long one, in a short one.
const TITLE: [u64; 2] = [60, 90];

/// A text of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its number in the index.
    pub text: u32,
    /// The number of its section that the answer leads to; 0: the whole text.
    pub section: u32,
    /// How relevant it is.
    pub score: u64,
}

/// A word of the query with what it finds.
#[derive(Default)]
struct Asked {
    /// How rare it is, in sixteenths of a bit.
    rarity: u64,
    /// Files with the postings of a form, and how well it fits, from 2 to 4.
    forms: Vec<(Bytes, u64)>,
}

/// The words of a query that count, each once.
pub fn query_words(query: &str) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    words::each(query, |_, word| {
        if asked.len() < WORDS && !asked.iter().any(|known| known == word) {
            asked.push(word.to_owned());
        }
    });
    asked
}

/// The most relevant texts for a query, at most [`RESULTS`]. `load` reads a file by its address.
pub fn rank(index: &Index, query: &str, load: &dyn Fn(&str) -> Option<Bytes>) -> Vec<Hit> {
    let asked: Vec<Asked> = query_words(query)
        .iter()
        .map(|word| find(index, word, load))
        .filter(|asked| !asked.forms.is_empty())
        .collect();
    let mut hits = texts(index.texts as usize, &asked);
    sections(&asked, &mut hits);
    hits.sort_by_key(|hit| (Reverse(hit.score), hit.text));
    hits.truncate(RESULTS);
    hits
}

/// What a word of the query finds. A word that no text has may be a longer form of one that some
/// text has.
fn find(index: &Index, word: &str, load: &dyn Fn(&str) -> Option<Bytes>) -> Asked {
    let mut asked = look_up(index, word, load);
    let mut letters = word.chars().count();
    let least = letters.saturating_sub(SHORTENED).max(SHORTEST);
    while asked.forms.is_empty() && letters > least {
        letters -= 1;
        let end = word.char_indices().nth(letters).map_or(0, |(at, _)| at);
        asked = look_up(index, &word[..end], load);
    }
    asked
}

fn look_up(index: &Index, word: &str, load: &dyn Fn(&str) -> Option<Bytes>) -> Asked {
    let files: Vec<Bytes> = index.files(word).filter_map(load).collect();
    let mut found: Vec<(usize, Entry<'_>)> = Vec::new();
    for (file, bytes) in files.iter().enumerate() {
        found.extend(entries(bytes, word).into_iter().map(|entry| (file, entry)));
    }
    let order = by_use(&found);
    let (mut asked, mut texts, mut length) = (Asked::default(), 0, 0);
    for (file, entry) in order.iter().map(|at| &found[*at]) {
        let fit = match entry.more {
            0 => 4,
            1..=3 => 3,
            _ => 2,
        };
        if fit < 4 && (length > PLACES || word.chars().nth(1).is_none() && word.is_ascii()) {
            break;
        }
        length += entry.postings.len();
        texts += u64::from(entry.texts);
        // Shared with the file, not copied.
        asked
            .forms
            .push((files[*file].slice_ref(entry.postings), fit));
    }
    asked.rarity = rarity(u64::from(index.texts), texts);
    asked
}

/// The word itself, then the most frequent forms; equal ones in the order of the files.
fn by_use(found: &[(usize, Entry<'_>)]) -> Vec<usize> {
    let key = |(_, entry): &(usize, Entry<'_>)| (entry.more > 0, Reverse(entry.postings.len()));
    let mut order: Vec<usize> = (0..found.len()).collect();
    let by_key = |at: &usize| (key(&found[*at]), *at);
    if order.len() > FORMS {
        order.select_nth_unstable_by_key(FORMS, by_key);
        order.truncate(FORMS);
    }
    order.sort_unstable_by_key(by_key);
    order
}

/// How rare a word is that is in this many of all texts: log2(1 + all / texts), in sixteenths.
fn rarity(all: u64, texts: u64) -> u64 {
    let ratio = 64 + 64 * all / texts.max(1);
    let bits = u64::from(ratio.ilog2());
    (bits - 6) * 16 + (ratio >> (bits - 4) & 15)
}

fn weight(section: u32, level: u8) -> u64 {
    match (section, level) {
        (0, 6 | 7) => TITLE[usize::from(level) - 6],
        _ => WEIGHTS[usize::from(level & 7)],
    }
}

/// The best texts, by the best place of each word of the query.
fn texts(all: usize, asked: &[Asked]) -> Vec<Hit> {
    let (mut scores, mut rarities) = (vec![0_u64; all], vec![0_u64; all]);
    let mut best = vec![0_u64; all];
    for word in asked {
        for text in best_in_texts(word, &mut best) {
            scores[text] += word.rarity * std::mem::take(&mut best[text]);
            rarities[text] += word.rarity;
        }
    }
    let total = asked.iter().map(|word| word.rarity).sum();
    candidates(&scores, &rarities, total)
}

/// Adds the best place of a word in each text to `best`; the texts that have one.
fn best_in_texts(word: &Asked, best: &mut [u64]) -> Vec<usize> {
    let mut touched = Vec::new();
    for (postings, fit) in &word.forms {
        each_place(postings, |text, section, level| {
            let Some(best) = best.get_mut(text as usize) else {
                return;
            };
            if *best == 0 {
                touched.push(text as usize);
            }
            *best = (*best).max(weight(section, level) * fit);
        });
    }
    touched
}

/// The texts with the highest scores, by number.
fn candidates(scores: &[u64], rarities: &[u64], total: u64) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (text, (score, own)) in (0..).zip(scores.iter().zip(rarities)) {
        if *score > 0 {
            let score = covered(*score, *own, total);
            hits.push(Hit {
                text,
                section: 0,
                score,
            });
        }
    }
    let order = |hit: &Hit| (Reverse(hit.score), hit.text);
    if hits.len() > CANDIDATES {
        hits.select_nth_unstable_by_key(CANDIDATES, order);
        hits.truncate(CANDIDATES);
    }
    hits.sort_unstable_by_key(|hit| hit.text);
    hits
}

/// A score, lowered by the square of the part of the query that is missing.
fn covered(score: u64, own: u64, total: u64) -> u64 {
    score * own * own / (total * total).max(1)
}

/// Adds to each text what its best section has of the query.
fn sections(asked: &[Asked], hits: &mut [Hit]) {
    let total: u64 = asked.iter().map(|word| word.rarity).sum();
    // For each text its sections: score, and rarity of the words there.
    let mut found: Vec<Vec<[u64; 2]>> = vec![Vec::new(); hits.len()];
    for word in asked {
        let best = best_places(word, hits);
        add_scores(&mut found, best, word.rarity);
    }
    for (hit, all) in hits.iter_mut().zip(found) {
        choose_section(hit, all, total);
    }
}

/// Adds what a word counts in the sections of each text.
fn add_scores(found: &mut [Vec<[u64; 2]>], best: Vec<Vec<u64>>, rarity: u64) {
    for (all, own) in found.iter_mut().zip(best) {
        all.resize(all.len().max(own.len()), [0; 2]);
        for (sum, best) in all.iter_mut().zip(own).filter(|(_, best)| *best > 0) {
            *sum = [sum[0] + rarity * best, sum[1] + rarity];
        }
    }
}

/// The section with the most of the query.
fn choose_section(hit: &mut Hit, sections: Vec<[u64; 2]>, total: u64) {
    let mut best = 0;
    for (section, [score, own]) in (0..).zip(sections) {
        let score = covered(score, own, total);
        if score > best {
            (best, hit.section) = (score, section);
        }
    }
    hit.score = hit.score * 2 + best;
}

/// For each text its sections: the best place of a word there.
fn best_places(word: &Asked, hits: &[Hit]) -> Vec<Vec<u64>> {
    let mut best: Vec<Vec<u64>> = vec![Vec::new(); hits.len()];
    for (postings, fit) in &word.forms {
        // Both are ordered by text.
        let mut at = 0;
        each_place(postings, |text, section, level| {
            while hits.get(at).is_some_and(|hit| hit.text < text) {
                at += 1;
            }
            if hits.get(at).is_none_or(|hit| hit.text != text) {
                return;
            }
            let (own, section_at) = (&mut best[at], section.min(255) as usize);
            own.resize(own.len().max(section_at + 1), 0);
            own[section_at] = own[section_at].max(weight(section, level) * fit);
        });
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarity_grows_as_the_logarithm() {
        for (all, texts, sixteenths) in [
            (1, 1, 16),
            (3, 1, 32),
            (15, 1, 64),
            (1000, 1000, 16),
            (0, 0, 0),
        ] {
            assert_eq!(rarity(all, texts), sixteenths, "{all} / {texts}");
        }
    }

    #[test]
    fn a_query_has_at_most_so_many_words_each_once() {
        assert_eq!(query_words("a b A c"), ["a", "b", "c"]);
        let long: String = (0..50).map(|number| format!("w{number} ")).collect();
        assert_eq!(query_words(&long).len(), WORDS);
    }
}
