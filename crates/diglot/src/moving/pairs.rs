//! Compares an old page with its text.

use std::collections::BTreeSet;

use diglot_content::date::{MONTHS, Moment, WEEKDAYS};
use rustc_hash::FxHashSet;

use super::ours::{OurText, Ours, file_name};
use super::text::{Image, Text, letters};
use super::words::words;

/// A block of so many words may be a line about the page.
const LONGEST_LINE: usize = 14;

/// A part of an old page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What other pages may have as well: the words with numbers replaced, and with names replaced
    /// too.
    pub keys: Vec<String>,
    /// What is missing of it, and how many words; `None`: nothing.
    pub missing: Option<(String, usize)>,
}

/// What was compared of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Its paragraphs, lines of code and so on.
    pub blocks: Vec<Part>,
    /// How many words these have.
    pub words: usize,
    /// Its headings.
    pub headings: Vec<Part>,
    /// A heading that is not where it was.
    pub misplaced: Option<String>,
    /// Its images.
    pub images: Vec<Part>,
}

/// What has to be known of the rest of the former site.
pub struct Beside<'b> {
    /// The letters of the titles of all pages.
    pub titles: &'b BTreeSet<String>,
    /// Whether the site has the image at an address.
    pub has_image: &'b dyn Fn(&str) -> bool,
}

impl Pair {
    /// Compares an old page with the text at a path.
    pub fn compare(
        old: &Text,
        ours: &OurText,
        site: &Ours<'_>,
        here: &str,
        beside: &Beside<'_>,
    ) -> Self {
        let about = About::new(old, ours);
        let mut pair = Self {
            headings: headings(old, ours),
            misplaced: misplaced(old, ours),
            ..Self::default()
        };
        let apart = old.headings.iter().map(String::as_str);
        let alts = old.images.iter().map(|image| image.alt.as_str());
        let apart: BTreeSet<String> = apart.chain(alts).map(letters).collect();
        // Links that are titles of pages are made by a theme: a list of what is below a section.
        let listed = old.links.iter().map(|(text, _)| letters(text));
        let listed: String = listed.filter(|it| beside.titles.contains(it)).collect();
        for block in &old.blocks {
            let plain = letters(block);
            if apart.contains(&plain) || beside.titles.contains(&plain) || listed.contains(&plain) {
                continue;
            }
            let words = words(block);
            pair.words += words.len();
            pair.blocks.push(part(&words, ours, &about));
        }
        for image in old.images.iter().filter(|image| is_image(&image.address)) {
            if (beside.has_image)(&image.address) {
                let is_here = shows((old, ours), site, here, image);
                let name = shown_name(&image.address, &image.alt);
                pair.images.push(Part {
                    keys: vec![image_key(&image.address)],
                    missing: (!is_here).then_some((name, 1)),
                });
            }
        }
        pair
    }
}

/// A block of an old page. A short one whose missing words are all known is a line about the text.
fn part(words: &[String], ours: &OurText, about: &About) -> Part {
    let missing = ours.grams.missing(words);
    let pairs = words.iter().zip(&missing);
    let lost = pairs.filter(|(_, missing)| **missing);
    let lost: Vec<&str> = lost.map(|(word, _)| word.as_str()).collect();
    let is_about = words.len() <= LONGEST_LINE && lost.iter().all(|word| about.knows(word));
    let is_lost = !lost.is_empty() && !is_about && !about.is_date_line(words);
    Part {
        keys: vec![about.key(words, false), about.key(words, true)],
        missing: is_lost.then(|| (lost.join(" "), lost.len())),
    }
}

/// What is known about a text: such words are of its theme, not of the text.
struct About {
    words: FxHashSet<String>,
    date: Option<Moment>,
}

impl About {
    fn new(old: &Text, ours: &OurText) -> Self {
        let names = ours.about.iter().chain(&old.about).map(String::as_str);
        let dates = MONTHS.iter().chain(&WEEKDAYS);
        let short = dates.clone().filter_map(|name| name.get(..3));
        let all = names.chain(dates.copied()).chain(short);
        Self {
            words: all.flat_map(words).collect(),
            date: old.date.or(ours.date),
        }
    }

    fn knows(&self, word: &str) -> bool {
        word.bytes().all(|byte| byte.is_ascii_digit()) || self.words.contains(word)
    }

    /// The words of a block as other pages have them too.
    fn key(&self, words: &[String], without_names: bool) -> String {
        let mut key = String::new();
        for word in words {
            match word.as_str() {
                word if word.bytes().any(|byte| byte.is_ascii_digit()) => key.push('#'),
                word if without_names && self.words.contains(word) => key.push('@'),
                word => key.push_str(word),
            }
            key.push(' ');
        }
        key
    }

    /// Whether a block says when the page was published, in whatever language.
    fn is_date_line(&self, words: &[String]) -> bool {
        let Some(date) = self.date.map(|date| date.day()) else {
            return false;
        };
        let has = |number: String| {
            let mut words = words.iter();
            words.any(|word| word.trim_start_matches('0').starts_with(&number))
        };
        words.len() <= LONGEST_LINE && has(date.year().to_string()) && has(date.day().to_string())
    }
}

fn headings(old: &Text, ours: &OurText) -> Vec<Part> {
    let mut here: Vec<String> = ours
        .text
        .headings
        .iter()
        .map(|text| letters(text))
        .collect();
    // A theme may show the title again.
    here.push(letters(&ours.title));
    old.headings
        .iter()
        .map(|heading| {
            let key = letters(heading);
            let at = here.iter().position(|own| *own == key);
            if let Some(at) = at {
                here.swap_remove(at);
            }
            Part {
                missing: at.is_none().then(|| (heading.clone(), 1)),
                keys: vec![key],
            }
        })
        .collect()
}

/// The first heading that both have, in another order.
fn misplaced(old: &Text, ours: &OurText) -> Option<String> {
    let here: Vec<String> = ours
        .text
        .headings
        .iter()
        .map(|text| letters(text))
        .collect();
    let mut next = 0;
    for heading in &old.headings {
        let key = letters(heading);
        match here[next..].iter().position(|own| *own == key) {
            Some(at) => next += at + 1,
            None if here.contains(&key) => return Some(heading.clone()),
            None => {}
        }
    }
    None
}

fn is_image(address: &str) -> bool {
    !address.is_empty() && !address.starts_with("data:")
}

/// Whether a text shows an image that an old page has: one of the same name, or as many of the same
/// alternative text; and it is answered.
fn shows((old, ours): (&Text, &OurText), site: &Ours<'_>, here: &str, image: &Image) -> bool {
    let (key, alt) = (image_key(&image.address), letters(&image.alt));
    let named = |own: &&Image| image_key(&own.address) == key;
    let described = |own: &&Image| !alt.is_empty() && letters(&own.alt) == alt;
    let is_there = |own: &Image| site.shows(&own.address, here);
    let own = &ours.text.images;
    let as_many = || {
        let before = old.images.iter().filter(described).count();
        own.iter().filter(described).count() >= before
    };
    own.iter().filter(named).any(is_there)
        || as_many() && own.iter().filter(described).any(is_there)
}

fn shown_name(address: &str, alt: &str) -> String {
    let name = file_name(address.split(['?', '#']).next().unwrap_or_default());
    match alt {
        "" => format!("`{name}`"),
        alt => format!("`{name}` ({alt})"),
    }
}

/// The name of an image without what programs add to it: sizes and digests.
fn image_key(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = file_name(path).to_lowercase();
    let stem = name
        .rsplit_once('.')
        .map_or(name.as_str(), |(stem, _)| stem);
    let stem = stem.split("_hu").next().unwrap_or_default();
    let stem = match stem.rsplit_once(['.', '-', '_']) {
        Some((before, end)) if is_added(end) => before,
        _ => stem,
    };
    letters(&diglot_content::encoding::decode_path(stem).unwrap_or_else(|| stem.to_owned()))
}

/// `1024x768`, `scaled`, or a digest.
fn is_added(end: &str) -> bool {
    let is_size = end
        .split_once('x')
        .is_some_and(|(width, height)| is_number(width) && is_number(height));
    let is_digest = end.len() >= 8
        && end.bytes().all(|byte| byte.is_ascii_hexdigit())
        && end.bytes().any(|byte| byte.is_ascii_digit());
    is_size || is_digest || end == "scaled"
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_images_are_without_what_programs_add() {
        for (address, expected) in [
            ("/img/Red%20Boat.png?w=3", "redboat"),
            ("red-boat-1024x768.jpg", "redboat"),
            ("/p/boat.3f2a9c1d7b.webp", "boat"),
            ("boat_hu1234_800x0_resize_q75.png", "boat"),
            ("boat-scaled.jpg", "boat"),
            ("boat-20240506.jpg", "boat"),
            ("boat-2.jpg", "boat2"),
        ] {
            assert_eq!(image_key(address), expected, "{address}");
        }
    }
}
