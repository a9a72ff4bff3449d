//! Words of texts, and which of them are missing in another text.

use std::hash::{Hash, Hasher};

use diglot_content::text::is_ideograph;
use rustc_hash::{FxHashSet, FxHasher};

/// How many words in a row have to be found together.
const GRAM: usize = 3;

/// The words of a text in lower case; each character of Chinese and Japanese is one.
pub fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    for letter in text.chars() {
        let is_alone = is_ideograph(letter);
        if !word.is_empty() && (is_alone || !letter.is_alphanumeric()) {
            words.push(std::mem::take(&mut word));
        }
        if is_alone {
            words.push(letter.to_string());
        } else if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Every run of up to three words of some texts, by digest.
#[derive(Clone, Debug, Default)]
pub struct Grams(FxHashSet<u64>);

impl Grams {
    /// Adds the words of blocks that follow one another.
    pub fn add<'b>(&mut self, blocks: impl IntoIterator<Item = &'b str>) {
        let all: Vec<String> = blocks.into_iter().flat_map(words).collect();
        for length in 1..=GRAM {
            self.0.extend(all.windows(length).map(digest));
        }
    }

    /// How many of these runs the other text has, of 1,000.
    pub fn shared(&self, other: &Self) -> usize {
        let common = self.0.iter().filter(|gram| other.0.contains(gram)).count();
        common * 1_000 / self.0.len().max(1)
    }

    /// Adds those of another text.
    pub fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The digests, for an index.
    pub fn digests(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }

    /// Which words are not there: those that are in no run of three that is.
    pub fn missing(&self, words: &[String]) -> Vec<bool> {
        let mut missing = vec![true; words.len()];
        let length = GRAM.min(words.len());
        if length > 0 {
            for (at, run) in words.windows(length).enumerate() {
                if self.0.contains(&digest(run)) {
                    missing[at..at + length].fill(false);
                }
            }
        }
        missing
    }
}

fn digest(run: &[String]) -> u64 {
    let mut hasher = FxHasher::default();
    run.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_missing_are_found() {
        let mut here = Grams::default();
        here.add(["The quick brown fox", "jumps over 日本 the lazy dog."]);
        for (text, expected) in [
            ("the QUICK brown — fox jumps", "....."),
            ("quick brown fox that jumps over 日", "...x..."),
            ("dog", "."),
            ("cat", "x"),
            ("over 日本 the", "...."),
            ("a b c lazy dog", "xxxxx"),
        ] {
            let missing = here.missing(&words(text));
            let found: String = missing
                .iter()
                .map(|is| if *is { 'x' } else { '.' })
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
