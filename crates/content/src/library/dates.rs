//! The dates of one article: front matter, file name, address, history.

use jiff::Timestamp;

use super::Kind;
use super::describe::Known;
use super::folder::{DATE_KEYS, UPDATED_KEYS};
use crate::library::visibility::Window;
use crate::model::date::{self, DateError, Moment, Order, Written, in_name, in_path};
use crate::model::problem::Problem;
use crate::model::sources::{ChangeOrigin, SourceFile};
use crate::syntax::front::{Entry, Front};

/// The dates of one article.
#[derive(Clone, Debug)]
pub(crate) struct Dates {
    pub date: Known<Option<Moment>>,
    pub updated: Known<Moment>,
    /// Whether only the file's time knows when it was updated.
    pub by_file_time: bool,
    pub window: Window,
    /// Whether the last change is said to be in the future, and so is taken to be now, whenever that is.
    pub clamped: bool,
}

/// Reads dates and says what is wrong with them.
pub(crate) struct Reader<'a> {
    pub front: &'a Front,
    pub path: &'a str,
    pub order: Option<Order>,
    pub problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    pub fn read(mut self, file: &SourceFile, kind: Kind, now: Timestamp) -> Dates {
        let said = self.first(&DATE_KEYS).map(|date| (date, "a key of its front matter"));
        let updated = self.first(&UPDATED_KEYS);
        let address = || ["permalink", "url", "path"].into_iter().find_map(|key| in_path(self.front.text(&[key])?));
        let date = said
            .or_else(|| named(self.path).map(|date| (date, "its file name")))
            .or_else(|| address().map(|date| (date, "its old address")))
            .or_else(|| in_path(self.path).filter(|_| kind == Kind::Article).map(|date| (date, "its folders")))
            .or_else(|| updated.map(|date| (date, "the date of its last change")))
            .or_else(|| file.dates.created.map(|date| (Moment::second(date), "the git history")).filter(|_| kind == Kind::Article));
        let date = date.map_or(Known { value: None, why: "nothing says one" }, |(date, why)| Known { value: Some(date), why });
        let publish = self.first(&["publishDate", "publish_date", "publishdate"]);
        let until = self.first(&["expires", "expirydate", "expiryDate", "expiry", "expiration", "expiration_date", "unpublishdate"]);
        let window = Window { from: publish.or(date.value), until };
        let (Known { value: changed, why }, by_file_time) = last_change(updated, date.value, file);
        let updated = Known { value: changed.clamped(now), why };
        Dates { date, updated, by_file_time, window, clamped: changed.at > now }
    }

    /// The moment of the first key that has one. A bool (`published: true`) is no date and no mistake.
    fn first(&mut self, keys: &[&str]) -> Option<Moment> {
        keys.iter().find_map(|key| {
            let entry = self.front.get(key).filter(|entry| entry.node.text().is_some() && entry.node.bool().is_none())?;
            self.moment(entry)
        })
    }

    fn moment(&mut self, entry: &Entry) -> Option<Moment> {
        let text = entry.node.text()?;
        let read = match date::read(text) {
            Ok(Written::Moment(moment)) => return Some(moment),
            Ok(Written::Slashed(slashed)) => match self.order.or_else(|| slashed.proves()) {
                Some(order) => slashed.settle(order),
                None => Err(DateError::Impossible("no date in this folder proves which number is the day; write `YYYY-MM-DD`".to_owned())),
            },
            Err(error) => Err(error),
        };
        let error = match read {
            Ok(moment) => return Some(moment),
            Err(error) => error,
        };
        let name = named(self.path).map(|moment| format!("the file name says `{}`", moment.iso()));
        let why = match error {
            DateError::NotADate => None,
            DateError::Impossible(why) => Some(why),
        };
        let hint: Vec<String> = why.into_iter().chain(name).collect();
        let hint = if hint.is_empty() { "write it as `2024-05-31` or `2024-05-31T12:00:00Z`".to_owned() } else { hint.join("; ") };
        let problem = Problem::error(format!("`{}` is not a date: `{}`", entry.key.text, crate::model::text::shorten(text, 60)));
        let problem = problem.at(self.path, entry.node.line, entry.node.column).hint(hint);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        None
    }
}

/// The date in a file's own name, or in its folder's for an `index` file.
fn named(path: &str) -> Option<Moment> {
    let mut parts = path.rsplit('/');
    let name = parts.next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let found = in_name(stem).or_else(|| parts.next().filter(|_| stem == "index").and_then(in_name));
    found.map(|(moment, _)| moment)
}

/// When the content last changed, and whether only the file system knows.
///
/// A history or memory that says so wins over the date of publication; the file's time, which depends on the machine, does not. An article
/// that appeared after its last change (it was scheduled) changed when it appeared.
fn last_change(said: Option<Moment>, date: Option<Moment>, file: &SourceFile) -> (Known<Moment>, bool) {
    let changed = Moment::second(file.dates.changed);
    let (moment, why, by_file_time) = match (said, file.dates.origin, date) {
        (Some(said), ..) => (said, "a key of its front matter", false),
        (None, ChangeOrigin::Git, _) => (changed.max(date.unwrap_or(changed)), "the git history", false),
        (None, ChangeOrigin::Remembered, _) => (changed.max(date.unwrap_or(changed)), "the day its bytes last changed, as remembered", false),
        (None, ChangeOrigin::FirstSeen | ChangeOrigin::FileTime, Some(date)) => (date, "its date", false),
        (None, ChangeOrigin::FirstSeen, None) => (changed, "the file's time when it was first seen, as remembered", false),
        (None, ChangeOrigin::FileTime, None) => (changed, "the file's time", true),
    };
    (Known { value: moment, why }, by_file_time)
}
