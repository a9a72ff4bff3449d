//! Names of parts that say what is in them: `English: common, a to c`.

use std::borrow::Cow;

use diglot_content::sections::in_words;
use diglot_content::tree::TreeIndex;
use diglot_content::{Moment, Tree};

use crate::documents::Entry;
use crate::documents::text::shorten;
use crate::route::Route;

/// Words and titles are cut to this many characters in names.
const LONGEST: usize = 30;
/// The length of a day: `2026-11-25`.
const DAY: usize = 10;

/// What an entry adds to the name of its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The section of the author's order or the folder that it is in; may be empty.
    group: String,
    /// Where it is in this group.
    key: Key,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    /// Ordered by day, then by word.
    Day(String, String),
    /// Ordered by word.
    Word(String),
    /// In the author's order.
    Title(String),
}

/// What names the parts of a list. A list has thousands of entries and few parts, so each mark is
/// made when a part begins or ends there.
pub(super) struct Marks<'m> {
    entries: &'m [&'m Entry<'m>],
    order: EntryOrder<'m>,
    /// How many folders or sections all entries have in common.
    shared: usize,
}

enum EntryOrder<'m> {
    /// The author's; the titles above each entry, and its own.
    Author(Vec<Vec<&'m str>>),
    Dates,
    Words,
}

impl<'m> Marks<'m> {
    /// The marks of the entries of a list.
    pub(super) fn new(
        entries: &'m [&'m Entry<'m>],
        trees: &'m [Tree],
        tree_index: &TreeIndex<'_>,
    ) -> Self {
        let chains = entries.iter().map(|entry| chain(entry, trees, tree_index));
        if let Some(chains) = chains.collect::<Option<Vec<Vec<&str>>>>() {
            let above = chains.iter().map(|chain| &chain[..chain.len() - 1]);
            return Self {
                entries,
                shared: shared(above.map(|above| above.iter().copied())),
                order: EntryOrder::Author(chains),
            };
        }
        let addresses: Vec<Address<'_>> = entries.iter().map(|entry| address(entry)).collect();
        let is_dated = entries.iter().all(|entry| date(entry).is_some());
        Self {
            entries,
            shared: shared(addresses.iter().map(Address::parts)),
            order: match is_dated {
                true => EntryOrder::Dates,
                false => EntryOrder::Words,
            },
        }
    }

    /// The mark of the entry at this index.
    pub(super) fn get(&self, at: usize) -> Option<Mark> {
        let entry = self.entries.get(at)?;
        if let EntryOrder::Author(chains) = &self.order {
            let (title, above) = chains[at].split_last()?;
            return Some(Mark {
                group: above
                    .get(self.shared)
                    .map_or_else(String::new, |title| cut(title)),
                key: Key::Title(cut(title)),
            });
        }
        let address = address(entry);
        let word = address.name.to_string();
        if let (EntryOrder::Dates, Some(date)) = (&self.order, date(entry)) {
            return Some(Mark {
                group: String::new(),
                key: Key::Day(day(date), word),
            });
        }
        let group = address.folders().nth(self.shared);
        Some(Mark {
            group: group.map(in_words).unwrap_or_default(),
            key: Key::Word(word),
        })
    }
}

/// The titles of an entry and of those above it in the author's order, outermost first.
fn chain<'t>(
    entry: &Entry<'_>,
    trees: &'t [Tree],
    tree_index: &TreeIndex<'_>,
) -> Option<Vec<&'t str>> {
    let (number, at) = tree_index.get(&entry.article?.stem)?;
    let tree = trees.get(number)?;
    let above = std::iter::once(at).chain(tree.above(at));
    let mut titles: Vec<&str> = above.map(|at| &*tree.nodes[at].title).collect();
    // A text with others below it is in its own group.
    if tree.nodes[at].end > at + 1 {
        titles.insert(0, &tree.nodes[at].title);
    }
    titles.reverse();
    Some(titles)
}

/// How many folders or sections all have in common.
fn shared<'s, P: Iterator<Item = &'s str> + Clone>(mut all: impl Iterator<Item = P>) -> usize {
    let Some(first) = all.next() else {
        return 0;
    };
    let same = |other: P| {
        let pairs = first.clone().zip(other);
        pairs.take_while(|(one, other)| one == other).count()
    };
    all.map(same).min().unwrap_or_else(|| first.clone().count())
}

/// The address of an entry; of a list its kind and its name.
struct Address<'a> {
    /// Separated by `/`; may be empty.
    folders: &'a str,
    name: Cow<'a, str>,
}

impl Address<'_> {
    fn folders(&self) -> impl Iterator<Item = &str> + Clone {
        let folders = (!self.folders.is_empty()).then(|| self.folders.split('/'));
        folders.into_iter().flatten()
    }

    /// The folders, then the name.
    fn parts(&self) -> impl Iterator<Item = &str> + Clone {
        self.folders().chain([&*self.name])
    }
}

fn address<'a>(entry: &Entry<'a>) -> Address<'a> {
    let (folders, name): (&str, Cow<'_, str>) = match entry.route {
        Route::Tag(name, _) => ("Tags", Cow::Borrowed(name)),
        Route::Year(year, _) => ("Years", year.to_string().into()),
        Route::Language(name, _) => ("Languages", Cow::Borrowed(name)),
        Route::Section(name, _) => ("Sections", Cow::Borrowed(name)),
        _ => {
            let path = entry.stem.strip_prefix("/articles/").unwrap_or(entry.stem);
            let path = path.trim_start_matches('/');
            let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
            (folders, name.into())
        }
    };
    Address { folders, name }
}

fn date<'a>(entry: &Entry<'a>) -> Option<&'a Moment> {
    entry.article?.date.as_ref()
}

fn day(date: &Moment) -> String {
    let mut day = date.iso();
    day.truncate(day.floor_char_boundary(DAY));
    day
}

fn cut(text: &str) -> String {
    shorten(text, LONGEST).into_owned()
}

/// The name of a group, and its first and last keys if it has more entries.
fn part_of_group(first: &Mark, last: &Mark, before: Option<&Mark>, after: Option<&Mark>) -> String {
    let group = &first.group;
    match keys(first, last, before, after) {
        keys if group.is_empty() => keys,
        _ if before.is_none() && after.is_none() => group.clone(),
        keys => format!("{group}, {keys}"),
    }
}

/// What the entries `from..=to` of a list are, such as `common, a to c`.
pub(super) fn range(mark: impl Fn(usize) -> Option<Mark>, from: usize, to: usize) -> String {
    let (Some(first), Some(last)) = (mark(from), mark(to)) else {
        return String::new();
    };
    let before = from.checked_sub(1).and_then(&mark);
    let before = before.filter(|before| before.group == first.group);
    let after = mark(to + 1).filter(|after| after.group == last.group);
    let (before, after) = (before.as_ref(), after.as_ref());
    if first.group == last.group {
        return part_of_group(&first, &last, before, after);
    }
    let one = one_end(&first, before);
    let other = one_end(&last, after);
    format!("{one} to {other}")
}

/// The group at an end of a part, with the place in it if the group continues outside.
fn one_end(mark: &Mark, outside: Option<&Mark>) -> String {
    match (&*mark.group, outside) {
        ("", _) => key(mark, outside, None),
        (group, None) => group.to_owned(),
        (group, _) => format!("{group}, {}", key(mark, outside, None)),
    }
}

/// The range from one entry of a group to another.
fn keys(first: &Mark, last: &Mark, before: Option<&Mark>, after: Option<&Mark>) -> String {
    if let (Key::Day(one, first_word), Key::Day(other, last_word)) = (&first.key, &last.key) {
        return days((one, first_word), (other, last_word), before, after);
    }
    to(
        key(first, before, Some(last)),
        key(last, after, Some(first)),
    )
}

/// What names the range from one day and word to another.
fn days(
    (one, first_word): (&String, &String),
    (other, last_word): (&String, &String),
    before: Option<&Mark>,
    after: Option<&Mark>,
) -> String {
    if one != other {
        let (one, other) = (one.min(other), one.max(other));
        return format!("{one} to {other}");
    }
    let same = |mark: Option<&Mark>| match mark.map(|mark| &mark.key) {
        Some(Key::Day(day, word)) if day == one => Some(word.clone()),
        _ => None,
    };
    let (before, after) = (same(before), same(after));
    if before.is_none() && after.is_none() {
        return one.clone();
    }
    let words = to(
        prefix(first_word, [before.as_deref(), Some(last_word)]),
        prefix(last_word, [after.as_deref(), Some(first_word)]),
    );
    format!("{one}, {words}")
}

fn to(one: String, other: String) -> String {
    match one == other {
        true => one,
        false => format!("{one} to {other}"),
    }
}

/// Where an entry is in its group: a title, a day, or as much of a word as tells it from these.
fn key(mark: &Mark, outside: Option<&Mark>, end: Option<&Mark>) -> String {
    fn word(mark: &Mark) -> Option<&str> {
        match &mark.key {
            Key::Word(word) => Some(word),
            _ => None,
        }
    }
    match &mark.key {
        Key::Title(title) => title.clone(),
        Key::Day(day, _) => day.clone(),
        Key::Word(own) => prefix(own, [outside.and_then(word), end.and_then(word)]),
    }
}

/// The shortest beginning of a word that the others do not have.
fn prefix(word: &str, others: [Option<&str>; 2]) -> String {
    let common = |other: &str| {
        let pairs = word.chars().zip(other.chars());
        pairs.take_while(|(one, other)| one == other).count()
    };
    let longest = others.into_iter().flatten().map(common).max().unwrap_or(0);
    let beginning: String = word.chars().take(longest + 1).collect();
    let whole = beginning.trim_end_matches(['-', '_', '.']);
    cut(if whole.is_empty() { word } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[(&str, &str)]) -> Vec<Mark> {
        let mark = |(group, word): &(&str, &str)| Mark {
            group: (*group).to_owned(),
            key: Key::Word((*word).to_owned()),
        };
        all.iter().map(mark).collect()
    }

    #[test]
    fn a_range_is_named_by_groups_and_by_as_few_letters_as_tell_it_apart() {
        let marks = words(&[
            ("Common", "apt"),
            ("Common", "cargo"),
            ("Common", "cat"),
            ("Common", "zip"),
            ("Linux", "apk"),
            ("Linux", "ip"),
            ("Windows", "cls"),
        ]);
        for (from, to, expected) in [
            (0, 1, "Common, a to car"),
            (2, 3, "Common, cat to z"),
            (0, 3, "Common"),
            (4, 5, "Linux"),
            (2, 4, "Common, cat to Linux, a"),
            (4, 6, "Linux to Windows"),
            (0, 6, "Common to Windows"),
            (6, 6, "Windows"),
        ] {
            assert_eq!(
                range(|at| marks.get(at).cloned(), from, to),
                expected,
                "{from} {to}"
            );
        }
        let numbered = words(&[
            ("", "article-0001"),
            ("", "article-0450"),
            ("", "article-0451"),
        ]);
        assert_eq!(
            range(|at| numbered.get(at).cloned(), 0, 1),
            "article-00 to article-0450"
        );
    }

    #[test]
    fn days_are_in_order_and_one_day_has_letters() {
        let days = [
            ("2024-05-02", "b"),
            ("2024-05-01", "a"),
            ("2024-05-01", "m"),
            ("2024-05-01", "z"),
        ];
        let mark = |(day, word): &(&str, &str)| Mark {
            group: String::new(),
            key: Key::Day((*day).to_owned(), (*word).to_owned()),
        };
        let marks: Vec<Mark> = days.iter().map(mark).collect();
        assert_eq!(
            range(|at| marks.get(at).cloned(), 0, 1),
            "2024-05-01 to 2024-05-02"
        );
        assert_eq!(
            range(|at| marks.get(at).cloned(), 1, 2),
            "2024-05-01, a to m"
        );
        assert_eq!(range(|at| marks.get(at).cloned(), 1, 3), "2024-05-01");
    }
}
