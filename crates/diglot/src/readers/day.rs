//! The counts of one day by resource, form and family, and the format of their file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use diglot_edition::Route;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::Family;

/// The version of the format. A newer one is neither read nor overwritten.
const VERSION: u64 = 2;
/// The end of a line: the digest of the day and of the line so far; its digits follow.
const SUM: &str = ",\"sum\":\"";
/// Follows the digits.
const END: &str = "\"}";
/// The number of digits: enough to detect damage, which is their only purpose.
const DIGITS: usize = 16;
/// The length that the digest and the end add to a line.
const SEAL: usize = SUM.len() + DIGITS + END.len();
/// The path that counts for all resources of a kind that were dropped to keep a file small.
pub(super) const OTHERS: &str = "*";
/// Longer paths are not kept; a slug has 1,000 bytes at most.
const LONGEST: usize = 2_000;
/// The forms, ordered by name.
pub(super) const FORMS: [&str; 3] = ["html", "markdown", "other"];

/// How often something was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Answers with the whole content (200).
    pub sent: u64,
    /// Answers that the client's copy is still current (304).
    pub unchanged: u64,
}

impl Count {
    pub(super) fn add(&mut self, more: Self) {
        self.sent = self.sent.saturating_add(more.sent);
        self.unchanged = self.unchanged.saturating_add(more.unchanged);
    }

    /// The sum of both.
    pub fn total(self) -> u64 {
        self.sent.saturating_add(self.unchanged)
    }
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// Its kind, from [`Route::kind_name`].
    pub kind: &'static str,
    /// Its path, decoded, below the base URL's; without the suffix for a page, as both forms are
    /// one page. `*` for the resources that were dropped.
    pub path: Box<str>,
}

/// Who read it, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reader {
    /// The form that was sent: `html`, `markdown`, `other`.
    pub form: &'static str,
    /// The family that the client claims.
    pub family: Family,
}

impl Reader {
    /// A reader of this form; anything but HTML and Markdown is `other`.
    pub fn new(form: &str, family: Family) -> Self {
        Self {
            form: FORMS
                .into_iter()
                .find(|known| *known == form)
                .unwrap_or("other"),
            family,
        }
    }
}

/// The count of each reader of one resource.
type Readers = BTreeMap<Reader, Count>;

/// All counts of one day (UTC).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    pub(super) subjects: BTreeMap<Subject, Readers>,
}

/// The file has a version that this program does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewerVersion(pub u64);

impl fmt::Display for NewerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "it has version {}, this program knows version {VERSION}",
            self.0
        )
    }
}

impl Day {
    /// Adds to one count.
    pub fn count(&mut self, subject: Subject, reader: Reader, count: Count) {
        self.subjects
            .entry(subject)
            .or_default()
            .entry(reader)
            .or_default()
            .add(count);
    }

    /// Adds another day's counts.
    pub fn merge(&mut self, other: Self) {
        for (subject, readers) in other.subjects {
            self.count_all(subject, readers);
        }
    }

    fn count_all(&mut self, subject: Subject, readers: Readers) {
        let known = self.subjects.entry(subject).or_default();
        for (reader, count) in readers {
            known.entry(reader).or_default().add(count);
        }
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.subjects.is_empty()
    }

    /// Parses the output of [`to_bytes`](Self::to_bytes) for this day; also returns the number of
    /// missing or damaged lines, which are skipped.
    ///
    /// # Errors
    /// The file was written by a newer program.
    pub fn parse(bytes: &[u8], date: Date) -> Result<(Self, usize), NewerVersion> {
        let (mut day, mut lines, mut dropped, mut expected) = (Self::default(), 0, 0, 0);
        for (number, line) in bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .enumerate()
        {
            let sound = is_sound(line, date);
            if number == 0
                && let Some(version) = member(line, "diglot-readers")
            {
                if version > VERSION {
                    return Err(NewerVersion(version));
                }
                if sound {
                    expected = member(line, "lines").unwrap_or(0);
                }
            } else if let Some(counts) = read(line).filter(|_| sound) {
                day.merge(counts);
                lines += 1;
            } else {
                dropped += 1;
            }
        }
        Ok((day, dropped.max(expected.saturating_sub(lines) as usize)))
    }

    /// The counts as lines of JSON, ordered by kind and path, each with its digest.
    pub fn to_bytes(&self, date: Date) -> Vec<u8> {
        let head = json!({ "diglot-readers": VERSION, "day": date.to_string(), "lines": self.subjects.len() });
        let mut bytes = sealed(head.to_string().as_bytes(), date);
        for (subject, readers) in &self.subjects {
            bytes.extend(sealed(line(subject, readers).as_bytes(), date));
        }
        bytes
    }

    /// Drops the least-read resources so that the file has fewer than `most` bytes if possible;
    /// their counts move to one line per kind.
    pub fn condense(&mut self, most: usize) {
        let (mut order, mut size) = (Vec::new(), 0);
        for (subject, readers) in &self.subjects {
            let length = line(subject, readers).len() + SEAL;
            let is_page = &*subject.path != OTHERS;
            size += length;
            order.push((is_page, Reverse(total(readers)), subject.clone(), length));
        }
        if size <= most {
            return;
        }
        order.sort_unstable();
        // A quarter stays free, so that this is not repeated for every new page.
        let mut room = most / 4 * 3;
        for (is_page, _, subject, length) in order {
            room = room.saturating_sub(length);
            if room == 0
                && is_page
                && let Some(readers) = self.subjects.remove(&subject)
            {
                self.count_all(
                    Subject {
                        path: OTHERS.into(),
                        ..subject
                    },
                    readers,
                );
            }
        }
    }
}

fn total(readers: &Readers) -> u64 {
    let counts = readers.values().map(|count| count.total());
    counts.fold(0, u64::saturating_add)
}

/// A number in a line, by its name.
fn member(line: &[u8], name: &str) -> Option<u64> {
    serde_json::from_slice::<Value>(line)
        .ok()?
        .get(name)?
        .as_u64()
}

/// The line of one resource: for each form, the families with `[sent, unchanged]`.
fn line(subject: &Subject, readers: &Readers) -> String {
    let mut line = json!({ "kind": subject.kind, "path": subject.path });
    for (reader, count) in readers {
        line[reader.form][reader.family.name] = json!([count.sent, count.unchanged]);
    }
    line.to_string()
}

fn read_subject(line: &Value) -> Option<Subject> {
    let (kind, path) = (line.get("kind")?.as_str()?, line.get("path")?.as_str()?);
    let kind = Route::KIND_NAMES.into_iter().find(|known| *known == kind)?;
    let is_path = path.starts_with('/') && !path.contains(char::is_control);
    if path.len() > LONGEST || !is_path && path != OTHERS {
        return None;
    }
    let path = path.into();
    Some(Subject { kind, path })
}

/// Parses a [`fn@line`].
fn read(line: &[u8]) -> Option<Day> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let (mut day, subject) = (Day::default(), read_subject(&line)?);
    for form in FORMS {
        let Some(families) = line.get(form) else {
            continue;
        };
        for (name, [sent, unchanged]) in BTreeMap::<String, [u64; 2]>::deserialize(families).ok()? {
            let reader = Reader::new(form, Family::named(&name));
            day.count(subject.clone(), reader, Count { sent, unchanged });
        }
    }
    Some(day)
}

/// This nonempty JSON object as a line of this day's file: its digest detects damage and lines of
/// another day.
pub fn sealed(object: &[u8], date: Date) -> Vec<u8> {
    let object = object.strip_suffix(b"}").unwrap_or(object);
    [object, &seal(object, date), b"\n"].concat()
}

/// Whether a line was produced by [`sealed`] for this day.
fn is_sound(line: &[u8], date: Date) -> bool {
    match line.len().checked_sub(SEAL) {
        Some(end) => line[end..] == seal(&line[..end], date),
        None => false,
    }
}

fn seal(object: &[u8], date: Date) -> Vec<u8> {
    let hash = blake3::hash(&[date.to_string().as_bytes(), b"\n", object].concat()).to_hex();
    [SUM, &hash[..DIGITS], END].concat().into_bytes()
}

#[cfg(test)]
mod tests;
