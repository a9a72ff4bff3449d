//! The outline of a representation, used to compare two of them.

use serde::{Deserialize, Serialize};

/// The headings, links, images and code blocks of a representation, in order, independent of its
/// format: a page is identified by its path without suffix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// Level and text, reduced to letters and digits: representations may write punctuation
    /// differently.
    pub headings: Vec<(u8, String)>,
    /// The targets of links.
    pub links: Vec<String>,
    /// The addresses of images.
    pub images: Vec<String>,
    /// The text of code blocks.
    pub code: Vec<String>,
}

/// The result of comparing two representations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parity {
    /// Headings, links, images and code blocks that agree, position by position.
    pub agreeing: usize,
    /// All items of either representation.
    pub total: usize,
    /// Messages for the first differences.
    pub differences: Vec<String>,
}

impl Outline {
    /// Adds a heading, reduced to letters and digits.
    pub fn heading(&mut self, level: u8, text: &str) {
        let letters = |word: &str| {
            word.chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
        };
        let words: Vec<String> = text
            .split_whitespace()
            .map(letters)
            .filter(|word| !word.is_empty())
            .collect();
        self.headings.push((level, words.join(" ")));
    }

    /// Compares two representations of one document.
    pub fn parity(&self, other: &Self) -> Parity {
        let mut parity = Parity::default();
        parity.compare(
            "heading",
            &self.headings,
            &other.headings,
            |(level, text)| format!("h{level} {text}"),
        );
        parity.compare("link", &self.links, &other.links, String::clone);
        parity.compare("image", &self.images, &other.images, String::clone);
        parity.compare("code block", &self.code, &other.code, String::clone);
        parity
    }
}

impl Parity {
    /// Maximum number of differences with a message.
    const SHOWN: usize = 5;

    /// Whether the representations agree completely.
    pub fn is_whole(&self) -> bool {
        self.agreeing == self.total
    }

    /// Adds the counts of another page.
    pub fn add(&mut self, other: &Self) {
        self.agreeing += other.agreeing;
        self.total += other.total;
        let room = Self::SHOWN.saturating_sub(self.differences.len());
        self.differences
            .extend(other.differences.iter().take(room).cloned());
    }

    fn compare<T: PartialEq>(
        &mut self,
        what: &str,
        one: &[T],
        other: &[T],
        say: impl Fn(&T) -> String,
    ) {
        let show = |item: Option<&T>| match item {
            Some(item) => format!("`{}`", say(item).chars().take(60).collect::<String>()),
            None => "nothing".to_owned(),
        };
        let length = one.len().max(other.len());
        self.total += length;
        for index in 0..length {
            let (left, right) = (one.get(index), other.get(index));
            if left == right {
                self.agreeing += 1;
            } else if self.differences.len() < Self::SHOWN {
                self.differences.push(format!(
                    "{what} {}: {} and {}",
                    index + 1,
                    show(left),
                    show(right)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_counts_and_names_differences() {
        let one = Outline {
            links: vec!["/a".into(), "/b".into()],
            ..Outline::default()
        };
        let other = Outline {
            links: vec!["/a".into()],
            ..Outline::default()
        };
        let parity = one.parity(&other);
        assert_eq!((parity.agreeing, parity.total), (1, 2));
        assert_eq!(parity.differences, ["link 2: `/b` and nothing"]);
        assert!(!parity.is_whole());
        assert!(one.parity(&one).is_whole());
    }
}
