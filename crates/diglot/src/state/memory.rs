//! The remembered facts of every file: a hash of its bytes, and when they last changed.

use std::cell::OnceCell;
use std::collections::btree_map::Range;
use std::collections::{BTreeMap, HashMap};
use std::iter::Peekable;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use diglot_content::sources::{ChangeOrigin, FileDates};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::dates::{ContentHash, DateSource, Facts};

/// The version of the format. A newer one is not read.
const VERSION: u32 = 1;
/// How long a removed file is remembered: a branch may return.
const KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

/// One file: the hash of its bytes, and when they last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    hash: ContentHash,
    changed: Timestamp,
    /// Whether the change was observed; else `changed` is the file's time when it was first seen,
    /// which may be that of a checkout.
    witnessed: bool,
    /// When the file was first missing.
    gone: Option<Timestamp>,
}

/// The remembered files of one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The path of the folder; empty if it is not known.
    site: String,
    files: BTreeMap<Arc<str>, Known>,
}

impl Memory {
    /// Remembers a file's present state; `witnessed`: the change of its bytes was observed.
    pub fn insert(&mut self, path: &str, hash: ContentHash, changed: Timestamp, witnessed: bool) {
        self.files.insert(
            path.into(),
            Known {
                hash,
                changed,
                witnessed,
                gone: None,
            },
        );
    }

    /// The path of the folder, as it was named; empty if it is not known.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Whether this memory is that of another site than the one with these files. Its folder has
    /// another name.
    ///
    /// A site may be moved, and each release may have a folder of its own. So it is another one only
    /// if its folder is still there, and most of these files are unknown.
    pub fn is_of_another_site(&self, files: impl ExactSizeIterator<Item = ContentHash>) -> bool {
        if self.site.is_empty() || !Path::new(&self.site).is_dir() {
            return false;
        }
        let (by_hash, all) = (self.by_hash(), files.len());
        let known = files.filter(|hash| by_hash.contains_key(hash)).count();
        known < all - known
    }

    /// The same memory as that of the site in this folder.
    pub fn of_site(self, site: String) -> Self {
        Self { site, ..self }
    }

    /// Parses the output of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// Why it cannot be read, in a few words.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let stored: Stored = serde_json::from_slice(bytes).map_err(|error| {
            format!("line {}, column {}: {error}", error.line(), error.column())
        })?;
        if stored.version != VERSION {
            return Err(format!(
                "it has version {}, this program knows version {VERSION}",
                stored.version
            ));
        }
        let known = |(path, entry): (Arc<str>, Entry)| {
            let hash = ContentHash::parse(&entry.hash)
                .ok_or_else(|| format!("`{}` is not a hash", entry.hash))?;
            Ok((
                path,
                Known {
                    hash,
                    changed: entry.changed,
                    witnessed: entry.witnessed,
                    gone: entry.gone,
                },
            ))
        };
        Ok(Self {
            site: stored.site,
            files: stored
                .files
                .into_iter()
                .map(known)
                .collect::<Result<_, String>>()?,
        })
    }

    /// The memory as JSON, ordered by path.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entry = |known: &Known| Entry {
            hash: known.hash.to_string(),
            changed: known.changed,
            witnessed: known.witnessed,
            gone: known.gone,
        };
        let stored = Stored {
            version: VERSION,
            site: self.site.clone(),
            files: self
                .files
                .iter()
                .map(|(path, known)| (Arc::clone(path), entry(known)))
                .collect(),
        };
        // A map with string keys and plain values always serializes.
        serde_json::to_vec(&stored).unwrap_or_default()
    }

    /// Opens the memory for one reading of the folder at `now`.
    pub fn recollect(&self, now: Timestamp) -> Recollection<'_> {
        Recollection {
            old: self,
            next: self.files.range::<str, _>(..).peekable(),
            by_hash: OnceCell::new(),
            new: Vec::with_capacity(self.files.len()),
            now,
        }
    }

    /// The earliest date of each known hash.
    fn by_hash(&self) -> HashMap<ContentHash, (Timestamp, bool)> {
        let mut by_hash: HashMap<ContentHash, (Timestamp, bool)> = HashMap::new();
        for known in self.files.values() {
            let mine = (known.changed, known.witnessed);
            by_hash
                .entry(known.hash)
                .and_modify(|first| *first = mine.min(*first))
                .or_insert(mine);
        }
        by_hash
    }
}

/// The memory during one reading of the folder.
#[derive(Debug)]
pub struct Recollection<'a> {
    old: &'a Memory,
    /// The old memory from the file after the last one that was looked up.
    next: Peekable<Range<'a, Arc<str>, Known>>,
    /// A renamed file keeps its date, so an unknown path is looked up by its bytes; the earliest
    /// date wins, whatever the order.
    by_hash: OnceCell<HashMap<ContentHash, (Timestamp, bool)>>,
    /// The files that were looked up.
    new: Vec<(Arc<str>, Known)>,
    now: Timestamp,
}

impl<'a> Recollection<'a> {
    /// What is remembered of a file. Files are looked up in the order of their paths, so it is
    /// usually the next one: a search for each would take longer than all else here.
    fn known(&mut self, path: &str) -> Option<(&'a Arc<str>, &'a Known)> {
        let found = self.next.next_if(|(next, _)| ***next == *path);
        found.or_else(|| {
            let rest = (Bound::Included(path), Bound::Unbounded);
            self.next = self.old.files.range::<str, _>(rest).peekable();
            self.next.next_if(|(next, _)| ***next == *path)
        })
    }

    /// The new memory: every file that was looked up, and for a while the removed ones.
    pub fn finish(self) -> Memory {
        let Self { old, new, now, .. } = self;
        let mut files: BTreeMap<Arc<str>, Known> = new.into_iter().collect();
        let mut gone = Vec::new();
        let mut present = files.keys().peekable();
        for (path, known) in &old.files {
            while present.next_if(|present| *present < path).is_some() {}
            let since = known.gone.unwrap_or(now);
            if present.peek() != Some(&path) && now.duration_since(since) < KEPT {
                let known = Known {
                    gone: Some(since),
                    ..*known
                };
                gone.push((Arc::clone(path), known));
            }
        }
        files.extend(gone);
        Memory {
            site: old.site.clone(),
            files,
        }
    }
}

impl DateSource for Recollection<'_> {
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates> {
        let old = self.known(facts.path);
        let known = old.map(|(_, known)| known);
        let moved = if old.is_none() {
            self.by_hash
                .get_or_init(|| self.old.by_hash())
                .get(&facts.hash)
        } else {
            None
        };
        let (changed, witnessed) = match (known, moved) {
            (Some(known), _) if known.hash == facts.hash => (known.changed, known.witnessed),
            (None, Some(&moved)) => moved,
            // The bytes changed: the file's time is the date, unless it is older than the known one
            // (a copy that kept old times).
            (Some(known), _) if facts.modified > known.changed => (facts.modified, true),
            (Some(_), _) => (self.now, true),
            // Never seen before: only the file's own time is known.
            (None, None) => (facts.modified, false),
        };
        let changed = changed.min(self.now);
        let remembered = known.is_some() || moved.is_some();
        let path = old.map_or_else(|| facts.path.into(), |(path, _)| Arc::clone(path));
        let known = Known {
            hash: facts.hash,
            changed,
            witnessed,
            gone: None,
        };
        self.new.push((path, known));
        let origin = match (witnessed, remembered) {
            (true, _) => ChangeOrigin::Remembered,
            (false, true) => ChangeOrigin::FirstSeen,
            (false, false) => ChangeOrigin::FileTime,
        };
        Some(FileDates {
            created: None,
            changed,
            origin,
        })
    }
}

#[derive(Deserialize, Serialize)]
struct Stored {
    version: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    site: String,
    files: BTreeMap<Arc<str>, Entry>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    hash: String,
    changed: Timestamp,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    witnessed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gone: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// Looks up one file in `memory` at `now`; returns its date, the origin, and the new memory.
    fn ask(
        memory: &Memory,
        now: i64,
        path: &str,
        bytes: &str,
        modified: i64,
    ) -> (i64, ChangeOrigin, Memory) {
        let mut recollection = memory.recollect(at(now));
        let dates = recollection
            .dates(&Facts {
                path,
                bytes: bytes.as_bytes(),
                hash: ContentHash::hash(bytes.as_bytes()),
                modified: at(modified),
            })
            .unwrap();
        (
            dates.changed.as_second(),
            dates.origin,
            recollection.finish(),
        )
    }

    #[test]
    fn the_first_run_takes_the_files_time_and_the_next_says_the_same() {
        let (day, origin, memory) = ask(&Memory::default(), 900, "a.md", "x", 500);
        assert_eq!((day, origin), (500, ChangeOrigin::FileTime));
        let (day, origin, memory) = ask(&memory, 2_000, "a.md", "x", 1_999);
        assert_eq!(
            (day, origin),
            (500, ChangeOrigin::FirstSeen),
            "a touch does not change bytes"
        );
        let (day, origin, memory) = ask(&memory, 3_000, "a.md", "y", 2_999);
        assert_eq!((day, origin), (2_999, ChangeOrigin::Remembered));
        let (day, origin, _) = ask(
            &Memory::parse(&memory.to_bytes()).unwrap(),
            4_000,
            "a.md",
            "y",
            3_999,
        );
        assert_eq!((day, origin), (2_999, ChangeOrigin::Remembered));
    }

    #[test]
    fn changed_bytes_have_the_files_time_or_now_when_that_is_too_old() {
        let (_, _, memory) = ask(&Memory::default(), 900, "a.md", "x", 500);
        assert_eq!(ask(&memory, 2_000, "a.md", "y", 1_500).0, 1_500);
        assert_eq!(ask(&memory, 2_000, "a.md", "y", 400).0, 2_000);
        assert_eq!(
            ask(&memory, 2_000, "a.md", "y", 9_000).0,
            2_000,
            "never in the future"
        );
    }

    #[test]
    fn a_renamed_file_keeps_its_day() {
        let (_, _, memory) = ask(&Memory::default(), 900, "a.md", "x", 500);
        assert_eq!(ask(&memory, 2_000, "b.md", "x", 1_900).0, 500);
    }

    #[test]
    fn a_file_that_comes_back_is_remembered_for_ninety_days() {
        let (_, _, memory) = ask(&Memory::default(), 900, "a.md", "x", 500);
        let day = 24 * 3_600;
        let without = |memory: &Memory, now| memory.recollect(at(now)).finish();
        let soon = without(&without(&memory, day), 89 * day);
        assert_eq!(ask(&soon, 90 * day, "a.md", "x", 90 * day).0, 500);
        let late = without(&without(&memory, day), 92 * day);
        assert_eq!(late, Memory::default());
    }

    #[test]
    fn a_memory_is_of_another_site_only_if_most_files_are_unknown_and_its_folder_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let (here, gone) = (dir.path().to_str().unwrap(), "/no/such/folder");
        let check = |of: &str, files: &[&str], expected: bool| {
            let mut memory = Memory::default().of_site(of.to_owned());
            for text in ["a", "b"] {
                memory.insert(text, ContentHash::hash(text.as_bytes()), at(1), true);
            }
            let memory = Memory::parse(&memory.to_bytes()).unwrap();
            let files = files.iter().map(|text| ContentHash::hash(text.as_bytes()));
            assert_eq!(memory.is_of_another_site(files), expected, "{of}");
        };
        check(here, &["x", "y"], true);
        check(here, &["a", "x", "y"], true);
        check(here, &["a", "x"], false);
        check(here, &["a", "b"], false);
        check(here, &[], false);
        check(gone, &["x", "y"], false);
        check("", &["x", "y"], false);
    }

    #[test]
    fn another_version_is_not_guessed_at() {
        let error = Memory::parse(br#"{"version":7,"files":{}}"#).unwrap_err();
        assert!(error.contains("version 7"), "{error}");
    }
}
