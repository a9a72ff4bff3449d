//! The dates of one article: front matter, file name, address, history.

use std::hash::Hash;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{
    article::Kind,
    explained::Explained,
    fields,
    paths::{folder, name, without_suffix},
    visibility::{Unreadable, Window, shown},
};
use crate::model::{
    date::{self, DateError, Moment, Order, Written, Zone, in_name, in_path},
    problem::{Cause, Problem},
    sources::{ChangeOrigin, SourceFile},
    text::shorten,
};
use crate::syntax::front::{Entry, Front, Node, is_same_word};

/// The dates of one article.
#[derive(Clone, Debug)]
pub struct Dates {
    pub date: Explained<Option<Moment>>,
    pub updated: Explained<Moment>,
    /// Whether the modification date is that of the file system.
    pub by_file_time: bool,
    pub window: Window,
    /// Whether the modification date is in the future and therefore clamped to the current time.
    pub clamped: bool,
}

/// What the whole folder says about its dates.
#[derive(Debug, Default)]
pub struct Calendar {
    /// Which number of `03/04/2015` is the month, if the folder proves it.
    pub order: Option<Order>,
    /// The zone of dates that are written without one.
    pub zone: Option<Zone>,
    /// Whether its articles are dated, as those of a blog are: only then has one without a date
    /// that of its first commit.
    pub dated: bool,
}

impl Calendar {
    /// All that a description depends on.
    pub fn key(&self) -> impl Hash {
        let Self { order, zone, dated } = self;
        let zone = zone.as_ref().map(Zone::key);
        (
            *order,
            zone.map(|(name, utc)| (name.to_owned(), utc)),
            *dated,
        )
    }
}

impl Dates {
    /// Whether the author gave the publication date: in front matter, a name or an address.
    pub fn is_given(&self) -> bool {
        let Explained { value, why } = &self.date;
        value.is_some() && !matches!(*why, FROM_UPDATED | FROM_GIT)
    }
}

/// Why the publication date is that of the last change.
const FROM_UPDATED: &str = "the date of its last change";
/// Why the publication date is that of the first commit.
const FROM_GIT: &str = "the git history";

/// Reads the dates of one article.
pub fn read(
    front: &Front,
    file: &SourceFile,
    kind: Kind,
    calendar: &Calendar,
    now: Timestamp,
    problems: &mut Vec<Problem>,
) -> Dates {
    let mut reader = Reader {
        front,
        path: &file.path,
        calendar,
        now,
        unreadable: None,
        problems,
    };
    let given = reader.first(&fields::DATE);
    let updated = reader.first(&fields::UPDATED);
    let dated = calendar.dated && kind == Kind::Article;
    let date = publication_date(front, file, kind, (given, updated), dated);
    let window = reader.window(date.value);
    let (mut updated, by_file_time) = last_change(updated, date.value, file);
    let clamped = updated.value.at > now;
    updated.value = updated.value.clamped(now);
    Dates {
        date,
        updated,
        by_file_time,
        window,
        clamped,
    }
}

/// Reads date keys and reports invalid values.
struct Reader<'a> {
    front: &'a Front,
    path: &'a str,
    calendar: &'a Calendar,
    now: Timestamp,
    /// The first date that cannot be read and may withhold the text.
    unreadable: Option<Unreadable>,
    problems: &'a mut Vec<Problem>,
}

/// Words in place of a date that some generators fill in when they build, and words for "never".
const NO_DATES: [&str; 9] = [
    "created",
    "git created",
    "git last modified",
    "last modified",
    "last-modified",
    "never",
    "none",
    "now",
    "today",
];

/// Calls in the inline R of R Markdown that give the time of a build.
const CALLS: [&str; 4] = ["Sys.Date()", "Sys.time()", "today()", "now()"];

/// Whether a text in place of a date is one of these words, or inline R with one of these calls.
fn is_of_build(text: &str) -> bool {
    let is_call = || text.starts_with("`r ") && CALLS.iter().any(|call| text.contains(call));
    NO_DATES.contains(&&*text.to_ascii_lowercase()) || is_call()
}

impl Reader<'_> {
    /// When the text is public.
    fn window(mut self, date: Option<Moment>) -> Window {
        let from = self.first(&fields::PUBLISH).or(date);
        Window {
            from: self.publish().or(from),
            until: self.first(&fields::EXPIRES),
            unreadable: self.unreadable,
        }
    }

    /// The moment of the first key with a date. A bool (`published: true`) is not a date, and not
    /// an error.
    fn first(&mut self, keys: &[&str]) -> Option<Moment> {
        for key in keys {
            let Some(entry) = self.front.spelled(key) else {
                continue;
            };
            let Some(text) = entry.node.text() else {
                if decides(&entry.key.text) && !entry.node.is_null() && !has_dates(&entry.node) {
                    self.report(entry, shown(&entry.node), DateError::NotADate);
                }
                continue;
            };
            if entry.node.bool().is_some() || is_of_build(text) {
                continue;
            }
            match self.moment(text) {
                Ok(moment) => return Some(moment),
                Err(error) => self.report(entry, text, error),
            }
        }
        None
    }

    /// The moment in `publish` or `scheduled`, which are mostly a yes or no.
    fn publish(&self) -> Option<Moment> {
        let texts = ["publish", "scheduled"].map(|key| self.front.text(&[key]));
        let mut moments = texts.into_iter().flatten().map(|text| self.moment(text));
        moments.find_map(Result::ok)
    }

    fn moment(&self, text: &str) -> Result<Moment, DateError> {
        let zone = self.calendar.zone.as_ref();
        let slashed = match date::read_in(text, zone)? {
            Written::Moment(moment) => return Ok(moment),
            Written::Slashed(slashed) => slashed,
        };
        let Some(order) = self.calendar.order.or_else(|| slashed.proves()) else {
            let why = "no date in this folder proves which number is the day; write `YYYY-MM-DD`";
            return Err(DateError::Impossible(why.to_owned()));
        };
        slashed.settle(order, zone)
    }

    fn report(&mut self, entry: &Entry, text: &str, error: DateError) {
        let mut message = format!(
            "`{}` is not a date: `{}`",
            entry.key.text,
            shorten(text, 60)
        );
        let mut cause = Cause::Date;
        if let Some(unreadable) = self.withholds(entry, text, &message) {
            message.insert_str(0, "withheld: ");
            cause = Cause::UnreadableVisibility;
            self.unreadable.get_or_insert(unreadable);
        }
        let problem = Problem::error(message)
            .at(self.path, entry.node.line, entry.node.column)
            .cause(cause)
            .hint(hint(self.path, error));
        // Two fields may read the same key.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

impl Reader<'_> {
    /// Whether a date that cannot be read may withhold the text now: a text may have expired at any
    /// time, and one whose date may be in the future is not published yet.
    fn withholds(&self, entry: &Entry, text: &str, why: &str) -> Option<Unreadable> {
        // The head of an HTML page, and the defaults of a configuration.
        if entry.node.line == 0 {
            return None;
        }
        let is = |keys: &[&str]| keys.iter().any(|key| is_same_word(key, &entry.key.text));
        let until = if is(&fields::EXPIRES) {
            None
        } else if is(&fields::APPEARS) {
            latest(text)
        } else {
            return None;
        };
        until
            .is_none_or(|until| until > self.now)
            .then(|| Unreadable {
                why: why.to_owned(),
                until,
            })
    }
}

/// Whether a key has no use but that of a date that may withhold a text.
fn decides(key: &str) -> bool {
    let keys = fields::PUBLISH.iter().chain(&fields::EXPIRES);
    keys.chain(&["date"]).any(|known| is_same_word(known, key))
}

/// Whether a key gives a date of a text.
pub fn is_date(key: &str) -> bool {
    let keys = fields::DATE.iter().chain(&fields::UPDATED);
    let keys = keys.chain(&fields::PUBLISH).chain(&fields::EXPIRES);
    keys.into_iter().any(|known| is_same_word(known, key))
}

/// Whether a date for many texts decides when they are public, and cannot be read.
pub fn is_unclear(Entry { key, node }: &Entry) -> bool {
    let is_no_date =
        |text: &str| !is_of_build(text) && !matches!(date::read(text), Ok(Written::Moment(_)));
    decides(&key.text)
        && node.bool().is_none()
        && !node.is_null()
        && !has_dates(node)
        && node.text().is_none_or(is_no_date)
}

/// Whether a map has dates under keys of its own, as `date: {created: 2024-01-31}`.
fn has_dates(node: &Node) -> bool {
    ["created", "updated"]
        .iter()
        .any(|key| node.get(key).is_some())
}

/// How to correct a date.
fn hint(path: &str, error: DateError) -> String {
    let mut hints = Vec::new();
    if let DateError::Impossible(why) = error {
        hints.push(why);
    }
    if let Some(moment) = in_file_name(path) {
        hints.push(format!("the file name says `{}`", moment.iso()));
    }
    if hints.is_empty() {
        hints.push("write it as `2024-05-31` or `2024-05-31T12:00:00Z`".to_owned());
    }
    hints.join("; ")
}

/// When a date that cannot be read has passed, however it is read: the end of the year in it.
fn latest(text: &str) -> Option<Timestamp> {
    if let Ok(Written::Slashed(slashed)) = date::read(text) {
        let orders = [Order::MonthFirst, Order::DayFirst].into_iter();
        let moments = orders.filter_map(|order| slashed.settle(order, None).ok());
        if let Some(latest) = moments.max() {
            return Some(latest.at);
        }
    }
    let year = last_year(text)?;
    let next = Date::new(year.checked_add(1)?, 1, 1).ok()?;
    Some(next.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The last year in a text.
fn last_year(text: &str) -> Option<i16> {
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    let years = numbers.filter(|number| number.len() == 4);
    years.filter_map(|year| year.parse::<i16>().ok()).max()
}

/// The publication date: from front matter, else from the name or the addresses; among dated
/// articles also the date of the last change, or of the first commit.
fn publication_date(
    front: &Front,
    file: &SourceFile,
    kind: Kind,
    (given, updated): (Option<Moment>, Option<Moment>),
    dated: bool,
) -> Explained<Option<Moment>> {
    if given.is_some() {
        return Explained::new(given, "a key of its front matter");
    }
    if let Some(date) = in_file_name(&file.path) {
        return Explained::new(date, "its file name");
    }
    if let Some(date) = in_old_address(front) {
        return Explained::new(Some(date), "its old address");
    }
    if kind == Kind::Article
        && let Some(date) = in_path(&file.path)
    {
        return Explained::new(date, "its folders");
    }
    if dated && updated.is_some() {
        return Explained::new(updated, FROM_UPDATED);
    }
    if dated && let Some(created) = file.dates.created {
        return Explained::new(Moment::second(created), FROM_GIT);
    }
    Explained {
        value: None,
        why: "nothing says one",
    }
}

fn in_old_address(front: &Front) -> Option<Moment> {
    let mut keys = fields::ADDRESS.iter();
    keys.find_map(|key| in_path(front.text(&[key])?))
}

/// The date in the file name, or in the folder name for an `index` file.
fn in_file_name(path: &str) -> Option<Moment> {
    let stem = without_suffix(name(path));
    let found = match in_name(stem) {
        None if stem == "index" => in_name(name(folder(path))),
        found => found,
    };
    found.map(|(moment, _)| moment)
}

/// When the content last changed, and whether only the file system knows it.
///
/// History and memory win over the publication date; the file's time, which depends on the machine,
/// does not. An article that appeared after its last change (it was scheduled) changed when it
/// appeared.
fn last_change(
    given: Option<Moment>,
    date: Option<Moment>,
    file: &SourceFile,
) -> (Explained<Moment>, bool) {
    if let Some(given) = given {
        return (Explained::new(given, "a key of its front matter"), false);
    }
    let changed = Moment::second(file.dates.changed);
    let not_before_date = changed.max(date.unwrap_or(changed));
    let time = Moment::of_file(file.dates.changed);
    let explained = match (file.dates.origin, date) {
        (ChangeOrigin::Git, _) => Explained::new(not_before_date, "the git history"),
        (ChangeOrigin::Remembered, _) => Explained::new(
            not_before_date,
            "the day its bytes last changed, as remembered",
        ),
        (ChangeOrigin::FirstSeen | ChangeOrigin::FileTime, Some(date)) => {
            Explained::new(date, "its date")
        }
        (ChangeOrigin::FirstSeen, None) => Explained::new(
            time,
            "the file's time when it was first seen, as remembered",
        ),
        (ChangeOrigin::FileTime, None) => {
            return (Explained::new(time, "the file's time"), true);
        }
    };
    (explained, false)
}

/// Whether a text has a date of its own: in its front matter, its name or its folders.
pub fn is_dated(front: &Front, path: &str) -> bool {
    let given = fields::DATE.iter().filter_map(|key| front.spelled(key));
    let mut given = given.filter_map(|entry| entry.node.text());
    given.any(|text| date::read(text).is_ok())
        || in_file_name(path).is_some()
        || in_path(path).is_some()
}

/// The orders of day and month that some dates prove.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderEvidence {
    month_first: bool,
    day_first: bool,
}

impl OrderEvidence {
    /// What the dates of one text prove.
    pub fn from_front(front: &Front) -> Self {
        let mut evidence = Self::default();
        for key in fields::DATE.iter().chain(&fields::UPDATED) {
            let Some(text) = front.spelled(key).and_then(|entry| entry.node.text()) else {
                continue;
            };
            // Most dates begin with a year.
            if !text.bytes().take(3).any(|byte| matches!(byte, b'/' | b'-')) {
                continue;
            }
            let Ok(Written::Slashed(slashed)) = date::read(text) else {
                continue;
            };
            match slashed.proves() {
                Some(Order::MonthFirst) => evidence.month_first = true,
                Some(Order::DayFirst) => evidence.day_first = true,
                None => {}
            }
        }
        evidence
    }

    pub fn add(&mut self, other: Self) {
        self.month_first |= other.month_first;
        self.day_first |= other.day_first;
    }

    /// A day over 12 proves an order; two contradicting dates prove none.
    pub fn order(self) -> Option<Order> {
        match (self.month_first, self.day_first) {
            (true, false) => Some(Order::MonthFirst),
            (false, true) => Some(Order::DayFirst),
            _ => None,
        }
    }
}
