//! One day: which resources were read, in which form, by which families; and the file that holds it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use diglot_edition::Route;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::Family;

/// The version of the format. A newer one is neither read nor written over.
const VERSION: u64 = 2;
/// How a line ends: the digest of the day and of the line up to here, then its digits.
const SUM: &str = ",\"sum\":\"";
/// What follows the digits.
const END: &str = "\"}";
/// So many digits: enough to find damage, which is all that they are for.
const DIGITS: usize = 16;
/// How much longer a line is with its digest and its end.
const SEAL: usize = SUM.len() + DIGITS + END.len();
/// The path of all resources of a kind that were left out to keep a file small.
pub(super) const OTHERS: &str = "*";
/// No longer path is kept; a slug has 1,000 bytes at most.
const LONGEST: usize = 2_000;
/// The forms, in the order of their names.
pub(super) const FORMS: [&str; 3] = ["html", "markdown", "other"];

/// How often something was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Answers with the whole content (200).
    pub sent: u64,
    /// Answers that what the client has is still good (304).
    pub unchanged: u64,
}

impl Count {
    pub(super) fn add(&mut self, more: Self) {
        self.sent = self.sent.saturating_add(more.sent);
        self.unchanged = self.unchanged.saturating_add(more.unchanged);
    }

    /// Both together.
    pub fn total(self) -> u64 {
        self.sent.saturating_add(self.unchanged)
    }
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// Its kind, as [`Route::kind_name`] has it.
    pub kind: &'static str,
    /// Its path, decoded, below the base URL's; of a page without the suffix, as both forms are one page. `*` for all that were left out.
    pub path: Box<str>,
}

/// Who read it, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reader {
    /// The form that was sent: `html`, `markdown`, `other`.
    pub form: &'static str,
    /// Who the client says it is.
    pub family: Family,
}

impl Reader {
    /// A reader of this form; what is neither HTML nor Markdown is `other`.
    pub fn new(form: &str, family: Family) -> Self {
        Self { form: FORMS.into_iter().find(|known| *known == form).unwrap_or("other"), family }
    }
}

/// How often each reader read one resource.
type Readers = BTreeMap<Reader, Count>;

/// All counts of one day (UTC).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    pub(super) subjects: BTreeMap<Subject, Readers>,
}

/// The file is of a version that this program does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Future(pub u64);

impl fmt::Display for Future {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it has version {}, this program knows version {VERSION}", self.0)
    }
}

impl Day {
    /// Counts something that was read.
    pub fn count(&mut self, subject: Subject, reader: Reader, count: Count) {
        self.subjects.entry(subject).or_default().entry(reader).or_default().add(count);
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

    /// Reads what [`to_bytes`](Self::to_bytes) wrote of this day, and how many lines of it are missing or damaged: those are left out, the others count.
    ///
    /// # Errors
    /// The file was written by a newer program.
    pub fn parse(bytes: &[u8], date: Date) -> Result<(Self, usize), Future> {
        let (mut day, mut lines, mut dropped, mut expected) = (Self::default(), 0, 0, 0);
        for (number, line) in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
            let sound = is_sound(line, date);
            let version = if number == 0 { member(line, "diglot-readers") } else { None };
            match (version, read(line)) {
                (Some(version), _) if version > VERSION => return Err(Future(version)),
                (Some(_), _) if sound => expected = member(line, "lines").unwrap_or(0),
                (Some(_), _) => {}
                (None, Some(counts)) if sound => {
                    day.merge(counts);
                    lines += 1;
                }
                (None, _) => dropped += 1,
            }
        }
        Ok((day, dropped.max(expected.saturating_sub(lines) as usize)))
    }

    /// The whole as lines of JSON, ordered by kind and path, each with its digest.
    pub fn to_bytes(&self, date: Date) -> Vec<u8> {
        let head = json!({ "diglot-readers": VERSION, "day": date.to_string(), "lines": self.subjects.len() });
        let mut bytes = sealed(head.to_string().as_bytes(), date);
        for (subject, readers) in &self.subjects {
            bytes.extend(sealed(line(subject, readers).as_bytes(), date));
        }
        bytes
    }

    /// Leaves out what was read least, so that the file has fewer bytes than these if it can; those counts go on in one line for each kind.
    pub fn condense(&mut self, most: usize) {
        let (mut order, mut size) = (Vec::new(), 0);
        for (subject, readers) in &self.subjects {
            let length = line(subject, readers).len() + SEAL;
            let total = readers.values().fold(0_u64, |sum, count| sum.saturating_add(count.total()));
            size += length;
            order.push((&*subject.path != OTHERS, Reverse(total), subject.clone(), length));
        }
        if size <= most {
            return;
        }
        order.sort_unstable();
        // A quarter is left free, so that this is not done again for every new page.
        let mut room = most / 4 * 3;
        for (is_page, _, subject, length) in order {
            room = room.saturating_sub(length);
            if room == 0
                && is_page
                && let Some(readers) = self.subjects.remove(&subject)
            {
                self.count_all(Subject { path: OTHERS.into(), ..subject }, readers);
            }
        }
    }
}

/// A number in a line.
fn member(line: &[u8], name: &str) -> Option<u64> {
    serde_json::from_slice::<Value>(line).ok()?.get(name)?.as_u64()
}

/// One resource. Of each form, the families with `[sent, unchanged]`.
fn line(subject: &Subject, readers: &Readers) -> String {
    let mut line = json!({ "kind": subject.kind, "path": subject.path });
    for (reader, count) in readers {
        line[reader.form][reader.family.name] = json!([count.sent, count.unchanged]);
    }
    line.to_string()
}

/// Reads a [`line`].
fn read(line: &[u8]) -> Option<Day> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let (kind, path) = (line.get("kind")?.as_str()?, line.get("path")?.as_str()?);
    let kind = Route::KIND_NAMES.into_iter().find(|known| *known == kind)?;
    let is_path = path.starts_with('/') && !path.contains(char::is_control);
    if path.len() > LONGEST || !is_path && path != OTHERS {
        return None;
    }
    let (mut day, subject) = (Day::default(), Subject { kind, path: path.into() });
    for form in FORMS {
        let Some(families) = line.get(form) else { continue };
        for (name, [sent, unchanged]) in BTreeMap::<String, [u64; 2]>::deserialize(families).ok()? {
            day.count(subject.clone(), Reader { form, family: Family::named(&name) }, Count { sent, unchanged });
        }
    }
    Some(day)
}

/// This JSON object, which is not empty, as a line of this day's file: with its digest, so that damage is found, and another day's line.
pub fn sealed(object: &[u8], date: Date) -> Vec<u8> {
    let object = object.strip_suffix(b"}").unwrap_or(object);
    [object, &seal(object, date), b"\n"].concat()
}

/// Whether a line is what [`sealed`] made for this day.
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
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const DATE: Date = date(2026, 11, 21);

    fn subject(path: &str) -> Subject {
        Subject { kind: "article", path: path.into() }
    }

    fn once(form: &str, family: &str) -> (Reader, Count) {
        (Reader::new(form, Family::named(family)), Count { sent: 1, unchanged: 0 })
    }

    fn day(entries: &[(&str, &str, &str)]) -> Day {
        let mut day = Day::default();
        for (path, form, family) in entries {
            let (reader, count) = once(form, family);
            day.count(subject(path), reader, count);
        }
        day
    }

    #[test]
    fn the_file_is_as_the_docs_say() {
        let mut day = day(&[("/articles/a", "html", "Firefox"), ("/articles/a", "markdown", "OpenAI"), ("/articles/a", "html", "Firefox")]);
        day.count(Subject { kind: "rss", path: "/rss.xml".into() }, Reader::new("other", Family::named("Feedly")), Count { sent: 0, unchanged: 9 });
        let expected = "{\"diglot-readers\":2,\"day\":\"2026-11-21\",\"lines\":2,\"sum\":\"74242d4d0c02ba07\"}\n\
            {\"kind\":\"article\",\"path\":\"/articles/a\",\"html\":{\"Firefox\":[2,0]},\"markdown\":{\"OpenAI\":[1,0]},\"sum\":\"012537a6b9fedf1a\"}\n\
            {\"kind\":\"rss\",\"path\":\"/rss.xml\",\"other\":{\"Feedly\":[0,9]},\"sum\":\"d87794d43e4ae8b1\"}\n";
        assert_eq!(String::from_utf8(day.to_bytes(DATE)).unwrap(), expected);
        assert_eq!(Day::parse(expected.as_bytes(), DATE), Ok((day, 0)));
    }

    #[test]
    fn what_is_broken_is_left_out_and_the_rest_counts() {
        let whole = day(&[("/articles/a", "html", "Firefox"), ("/articles/b", "html", "Firefox")]).to_bytes(DATE);
        let text = String::from_utf8(whole).unwrap();
        let check = |text: &str, subjects: usize, dropped: usize| {
            let (day, found) = Day::parse(text.as_bytes(), DATE).unwrap();
            assert_eq!((day.subjects.len(), found), (subjects, dropped), "{text}");
        };
        check(&text, 2, 0);
        check(&text[..text.len() - 8], 1, 1);
        check(&text[..text.len() / 3 * 2], 1, 1);
        check(text.rsplit_once("{\"kind").unwrap().0, 1, 1);
        check(text.split_once('\n').unwrap().1, 2, 0);
        check(&text.replace("diglot-readers", "diglot-rea\0ders"), 2, 1);
        check(&text.replacen("[1,0]", "[9,0]", 1), 1, 1);
        check(&text.replacen("article\"", "page\"", 1), 1, 1);
        check("", 0, 0);
        check("\n\n\u{0}\n", 0, 1);
        let (yesterday, dropped) = Day::parse(text.as_bytes(), DATE.yesterday().unwrap()).unwrap();
        assert!(yesterday.is_empty() && dropped == 2, "another day's file");
        assert_eq!(Day::parse(b"{\"diglot-readers\":3,\"days\":[]}\nwhatever", DATE), Err(Future(3)));
        // A digest makes nothing right that a line may not say.
        for line in [
            "{\"kind\":\"secret\",\"path\":\"/a\"}",
            "{\"kind\":\"article\",\"path\":\"\\u001b[31m/a\"}",
            "{\"kind\":\"article\",\"path\":\"/a\",\"html\":{\"other\":[-1,0]}}",
        ] {
            check(&String::from_utf8(sealed(line.as_bytes(), DATE)).unwrap(), 0, 1);
        }
    }

    #[test]
    fn no_flipped_bit_changes_a_count() {
        let whole = day(&[("/articles/a", "html", "Firefox"), ("/articles/b", "markdown", "OpenAI")]);
        let bytes = whole.to_bytes(DATE);
        for bit in 0..8 * bytes.len() {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            let Ok((read, dropped)) = Day::parse(&other, DATE) else { continue };
            let same = read.subjects.iter().all(|(subject, readers)| whole.subjects.get(subject) == Some(readers));
            assert!(same && (read == whole || dropped > 0), "bit {bit}");
        }
    }

    #[test]
    fn a_family_that_nobody_knows_any_more_is_other() {
        let line = sealed(b"{\"kind\":\"article\",\"path\":\"/a\",\"html\":{\"Nobody\":[3,0],\"other\":[1,0]}}", DATE);
        let (day, _) = Day::parse(&line, DATE).unwrap();
        let counts: Vec<_> = day.subjects.values().flatten().collect();
        assert_eq!(counts, [(&Reader::new("html", Family::OTHER), &Count { sent: 4, unchanged: 0 })]);
    }

    #[test]
    fn a_file_that_grows_too_large_keeps_what_was_read_most() {
        let mut large = Day::default();
        for n in 0..1_000 {
            let (reader, _) = once("html", "Chrome");
            large.count(subject(&format!("/articles/{n}")), reader, Count { sent: n, unchanged: 0 });
        }
        let total = |day: &Day| day.subjects.values().flat_map(BTreeMap::values).map(|count| count.sent).sum::<u64>();
        let (before, date) = (total(&large), date(2026, 1, 1));
        large.condense(10_000);
        assert!(large.to_bytes(date).len() <= 10_000 && large.subjects.len() > 50, "{}", large.subjects.len());
        assert_eq!(total(&large), before, "nothing is lost but where it was");
        assert!(large.subjects.contains_key(&subject("/articles/999")) && !large.subjects.contains_key(&subject("/articles/5")));
        let same = large.clone();
        large.condense(10_000);
        assert_eq!(large, same);
    }

    fn any_day() -> impl Strategy<Value = Day> {
        let entry = (0..Route::KIND_NAMES.len(), "/[^\\p{Cc}]{0,20}", 0..3_usize, 0..Family::COUNT, any::<u64>(), any::<u64>());
        proptest::collection::vec(entry, 0..30).prop_map(|entries| {
            let mut day = Day::default();
            for (kind, path, form, family, sent, unchanged) in entries {
                let subject = Subject { kind: Route::KIND_NAMES[kind], path: path.into() };
                // The family of a number and that of its name are one, whatever the number.
                let family = Family::named(Family::at(family).name);
                day.count(subject, Reader::new(FORMS[form], family), Count { sent, unchanged });
            }
            day
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(day in any_day()) {
            prop_assert_eq!(Day::parse(&day.to_bytes(DATE), DATE), Ok((day, 0)));
        }

        /// Any bytes at all, and files with some bytes changed or cut off: never a panic, and what is read can be written and read again.
        #[test]
        fn no_bytes_break_it(day in any_day(), bytes in proptest::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>(), cut in any::<bool>()) {
            let mut file = day.to_bytes(DATE);
            let at = at.index(file.len());
            if cut { file.truncate(at); }
            file.splice(at..at, bytes.iter().copied());
            for file in [&file, &bytes] {
                if let Ok((read, _)) = Day::parse(file, DATE) {
                    prop_assert_eq!(Day::parse(&read.to_bytes(DATE), DATE), Ok((read, 0)));
                }
            }
        }
    }
}
