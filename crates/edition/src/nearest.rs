//! The existing pages nearest to a missing path.
//!
//! The index is of three-character pieces (trigrams). The rarest trigrams of the requested path
//! nominate candidates, and only these few are compared letter by letter. For any length of path
//! and any number of pages, a lookup reads at most `READ` entries and compares `COMPARED` pages.

use std::cmp::Reverse;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use strsim::normalized_damerau_levenshtein;

use crate::errors::SuggestedPage;

/// The maximum number of pages returned: with the list of articles, which error pages also link,
/// these are the contract's five.
const NAMED: usize = 4;
/// The characters of a path that count, from its end, which contains the slug.
const LONGEST: usize = 120;
/// The maximum number of index entries that a lookup reads.
const READ: usize = 8_192;
/// The maximum number of candidates compared letter by letter.
const COMPARED: usize = 48;
/// The minimum similarity of a result.
const ALIKE: f64 = 0.45;
/// The number of buckets for hashed trigrams.
const BUCKETS: usize = 1 << 16;

/// The pages that a 404 may suggest: every listed page, in list order.
#[derive(Debug, Default)]
pub struct Suggested {
    pages: Vec<SuggestedPage>,
    /// Built for the first 404, or ahead of it.
    index: OnceLock<NearestIndex>,
}

impl From<Vec<SuggestedPage>> for Suggested {
    fn from(pages: Vec<SuggestedPage>) -> Self {
        Self {
            pages,
            index: OnceLock::new(),
        }
    }
}

impl Suggested {
    /// All pages.
    pub fn pages(&self) -> &[SuggestedPage] {
        &self.pages
    }

    /// The pages most similar to a path, best first.
    pub(crate) fn like(&self, path: &str) -> Vec<SuggestedPage> {
        self.index().find(path, &self.pages)
    }

    /// The index. Calling this in the background builds it ahead.
    pub(crate) fn index(&self) -> &NearestIndex {
        self.index.get_or_init(|| NearestIndex::new(&self.pages))
    }
}

/// The index from trigrams to pages.
#[derive(Debug)]
pub struct NearestIndex {
    /// The page numbers of all buckets, one after the other; in each ascending, without duplicates.
    pages: Vec<u32>,
    /// Where each bucket begins in `pages`, and where the last one ends.
    starts: Vec<u32>,
}

impl NearestIndex {
    /// The index of these pages; their positions are their numbers.
    pub fn new(listed: &[SuggestedPage]) -> Self {
        let mut entries: Vec<(u16, u32)> = Vec::new();
        for (number, page) in (0..).zip(listed) {
            let buckets = trigrams(&letters(&page.stem));
            entries.extend(buckets.into_iter().map(|bucket| (bucket, number)));
        }
        entries.sort_unstable();
        let before = |bucket| entries.partition_point(|entry| usize::from(entry.0) < bucket);
        Self {
            starts: (0..=BUCKETS).map(|bucket| before(bucket) as u32).collect(),
            pages: entries.iter().map(|&(_, number)| number).collect(),
        }
    }

    /// The page numbers of a bucket.
    fn bucket(&self, bucket: u16) -> &[u32] {
        let bucket = usize::from(bucket);
        &self.pages[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// At most four pages, most similar first; ties keep the list's order.
    pub fn find(&self, path: &str, listed: &[SuggestedPage]) -> Vec<SuggestedPage> {
        let asked = letters(stem(path));
        let mut alike: Vec<(f64, u32)> = Vec::new();
        for number in self.candidates(&trigrams(&asked)) {
            let likeness = listed
                .get(number as usize)
                .map_or(0.0, |page| likeness(&asked, &letters(&page.stem)));
            if likeness >= ALIKE {
                alike.push((likeness, number));
            }
        }
        alike.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        alike
            .iter()
            .take(NAMED)
            .map(|(_, number)| listed[*number as usize].clone())
            .collect()
    }

    /// The pages that share most of the rarest trigrams, in a fixed order.
    fn candidates(&self, trigrams: &[u16]) -> Vec<u32> {
        let buckets = trigrams.iter().map(|bucket| self.bucket(*bucket));
        let mut lists: Vec<&[u32]> = buckets.collect();
        lists.sort_by_key(|list| (list.len(), list.first()));
        let mut shared: FxHashMap<u32, u32> = FxHashMap::default();
        for number in lists.into_iter().flatten().take(READ) {
            *shared.entry(*number).or_default() += 1;
        }
        let mut ranked: Vec<(Reverse<u32>, u32)> = shared
            .into_iter()
            .map(|(number, count)| (Reverse(count), number))
            .collect();
        ranked.sort_unstable();
        ranked
            .into_iter()
            .take(COMPARED)
            .map(|(_, number)| number)
            .collect()
    }
}

/// A path without the end that names its form.
fn stem(path: &str) -> &str {
    let path = path.strip_suffix('/').unwrap_or(path);
    let stem = path.strip_suffix(".md").unwrap_or(path);
    stem.strip_suffix(".html").unwrap_or(stem)
}

/// The last characters of a path, in lower case.
fn letters(path: &str) -> Vec<char> {
    let skipped = path
        .chars()
        .rev()
        .take(LONGEST)
        .map(char::len_utf8)
        .sum::<usize>();
    path[path.len() - skipped..]
        .chars()
        .flat_map(char::to_lowercase)
        .take(2 * LONGEST)
        .collect()
}

/// The buckets of a text's trigrams, ascending, without duplicates. Both ends count as a character.
fn trigrams(letters: &[char]) -> Vec<u16> {
    let framed: Vec<u32> = std::iter::once(1)
        .chain(letters.iter().map(|&letter| u32::from(letter)))
        .chain([2])
        .collect();
    let mut buckets: Vec<u16> = framed.windows(3).map(bucket_of).collect();
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}

/// Multiplicative hashing: the high bits of a product are well mixed.
fn bucket_of(trigram: &[u32]) -> u16 {
    let mixed = trigram.iter().fold(0_u64, |sum, &letter| {
        (sum ^ u64::from(letter))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23)
    });
    (mixed >> 48) as u16
}

/// The similarity of two paths, from 0 to 1: the greater of that below their shared folders (which
/// prove nothing) and that of their last segments.
fn likeness(one: &[char], other: &[char]) -> f64 {
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    let below = one[..same]
        .iter()
        .rposition(|&letter| letter == '/')
        .map_or(0, |slash| slash + 1);
    let last = |letters: &[char]| {
        letters
            .rsplit(|&letter| letter == '/')
            .next()
            .unwrap_or_default()
            .to_vec()
    };
    similar(&one[below..], &other[below..]).max(0.95 * similar(&last(one), &last(other)))
}

fn similar(one: &[char], other: &[char]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let text = |letters: &[char]| letters.iter().collect::<String>();
    normalized_damerau_levenshtein(&text(one), &text(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(stems: &[&str]) -> Vec<SuggestedPage> {
        stems
            .iter()
            .map(|&stem| SuggestedPage {
                title: stem.to_uppercase().into(),
                stem: stem.into(),
            })
            .collect()
    }

    fn check(stems: &[&str], path: &str, expected: &[&str]) {
        let listed = listed(stems);
        let found = NearestIndex::new(&listed).find(path, &listed);
        assert_eq!(
            found.iter().map(|page| &*page.stem).collect::<Vec<_>>(),
            expected,
            "{path}"
        );
    }

    #[test]
    fn a_slip_finds_its_page() {
        let stems = [
            "/index",
            "/articles/why-twins",
            "/articles/cache-safety",
            "/articles/größe",
            "/about",
        ];
        check(&stems, "/articles/why-twinx.html", &["/articles/why-twins"]);
        check(
            &stems,
            "/articles/cahce-safety",
            &["/articles/cache-safety"],
        );
        check(&stems, "/articles/GRÖßx.md", &["/articles/größe"]);
        check(&stems, "/cache-safety/", &["/articles/cache-safety"]);
        check(&stems, "/abuot", &["/about"]);
        check(&stems, "/zzzzzzzzzzzzz", &[]);
        check(&stems, "", &[]);
        check(&[], "/x", &[]);
    }

    #[test]
    fn at_most_four_are_named_in_a_fixed_order() {
        let stems: Vec<String> = (0..100)
            .map(|number| format!("/articles/post-{number:03}"))
            .collect();
        let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
        let listed = listed(&stems);
        let found = NearestIndex::new(&listed).find("/articles/post-04x", &listed);
        assert_eq!(found.len(), 4);
        assert!(
            found
                .iter()
                .all(|page| page.stem.starts_with("/articles/post-04")),
            "{found:?}"
        );
        assert_eq!(
            found,
            NearestIndex::new(&listed).find("/articles/post-04x", &listed)
        );
    }

    #[test]
    fn a_hundred_thousand_pages_and_a_hostile_path_stay_bounded() {
        let listed: Vec<SuggestedPage> = (0..100_000)
            .map(|number| SuggestedPage {
                title: "".into(),
                stem: format!(
                    "/articles/{}/a-post-about-things-{number}",
                    1990 + number % 30
                )
                .into(),
            })
            .collect();
        let index = NearestIndex::new(&listed);
        for path in [
            "/articles/".repeat(900),
            "a".repeat(9_000),
            "/articles/1993/a-post-about-things-4242x.html".into(),
            "ß\u{130}".repeat(4_000),
        ] {
            assert!(index.find(&path, &listed).len() <= 5);
        }
        let near = index.find("/articles/2002/a-post-about-things-4242x.html", &listed);
        assert_eq!(
            *near[0].stem,
            *"/articles/2002/a-post-about-things-42420".replace("42420", "4242"),
            "{near:?}"
        );
    }

    #[test]
    fn a_lookup_reads_no_more_than_it_may() {
        let listed: Vec<SuggestedPage> = (0..50_000)
            .map(|_| SuggestedPage {
                title: "".into(),
                stem: "/articles/same".into(),
            })
            .collect();
        let index = NearestIndex::new(&listed);
        assert!(
            index
                .candidates(&trigrams(&letters("/articles/sane")))
                .len()
                <= COMPARED
        );
    }
}
