//! Whether and when an article is visible: one decision, used by every output.

mod flags;
mod near;
pub mod status;

use jiff::Timestamp;
use serde::Serialize;

use super::fields::quoted;
use crate::dialects::is_for_everyone;
use crate::model::date::Moment;
use crate::model::format::is_markdown;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Front, Node, Value::Scalar};
use flags::{Says, Value};
pub use flags::{is_unlisted, keeps_files, shown};
use near::Near;

/// The visibility of an article.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Pages, lists, feed.
    Published,
    /// Its pages exist, but no list contains it.
    Unlisted,
    /// Not visible; with the key and value that made it a draft.
    Draft(String),
    /// Not visible, because a key that decides cannot be read; with the reason.
    Withheld(String),
    /// Not visible before this time.
    Scheduled(Timestamp),
    /// Expired since this time.
    Expired(Timestamp),
}

impl Visibility {
    /// Whether the article currently has pages.
    pub fn is_visible(&self) -> bool {
        matches!(self, Self::Published | Self::Unlisted)
    }
}

/// What only a preview shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unpublished {
    /// A draft.
    Draft,
    /// It appears at this time.
    Scheduled(Timestamp),
}

impl Unpublished {
    /// Whether a text with this visibility is shown in a preview.
    pub fn from_visibility(visibility: &Visibility) -> Option<Self> {
        match visibility {
            Visibility::Draft(_) => Some(Self::Draft),
            Visibility::Scheduled(at) => Some(Self::Scheduled(*at)),
            Visibility::Published
            | Visibility::Unlisted
            | Visibility::Withheld(_)
            | Visibility::Expired(_) => None,
        }
    }

    /// A title that says so: in both forms, in every list and in every theme.
    pub fn marked(self, title: &str) -> String {
        match self {
            Self::Draft => format!("[Draft] {title}"),
            Self::Scheduled(at) => format!("[Scheduled: {}] {title}", at.strftime("%Y-%m-%d")),
        }
    }
}

/// The dates that limit visibility.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// When it appears: the publication date if given, else its date.
    pub from: Option<Moment>,
    /// When it expires.
    pub until: Option<Moment>,
    /// One of them that cannot be read, and may withhold the text now.
    pub unreadable: Option<Unreadable>,
}

/// A date that cannot be read and may withhold a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its key and value as written, and what is wrong.
    pub why: String,
    /// When it is in the past however it is read, if that is known.
    pub until: Option<Timestamp>,
}

impl Window {
    /// The next instant after `now` at which something changes.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let unreadable = self.unreadable.as_ref().and_then(|date| date.until);
        [self.from, self.until]
            .into_iter()
            .flatten()
            .map(|moment| moment.at)
            .chain(unreadable)
            .filter(|at| *at > now)
            .min()
    }
}

/// The state of a folder that a decision depends on, in addition to the text.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The current time.
    pub now: Timestamp,
    /// Whether `status` is a state of publication in this folder.
    pub status_counts: bool,
    /// The key without which no note is published.
    pub key: Option<&'static str>,
    /// The key that says who sees a text.
    pub audience: Option<&'static str>,
}

/// Decides the visibility: draft wins over what cannot be read, that over expired, expired over
/// scheduled, scheduled over unlisted. `problems` are those of the text at `path`.
pub fn decide(
    front: &Front,
    window: &Window,
    path: &str,
    Context {
        now,
        status_counts,
        key,
        audience,
    }: Context,
    problems: &mut Vec<Problem>,
) -> Visibility {
    let unreadable = match flags::read(front, status_counts) {
        Says::Draft(entry) => return Visibility::Draft(written(entry)),
        Says::Protected(entry) => {
            // What protects many texts is reported once, where it is written.
            problems.extend((entry.node.line > 0).then(|| protected(entry, path)));
            return Visibility::Withheld(format!("`{}` protects it", entry.key.text));
        }
        Says::Unreadable(value) => Some(value),
        Says::Nothing => None,
    };
    if let Some(key) = key.filter(|_| unreadable.is_none() && is_markdown(path))
        && !says_yes(front, key)
    {
        return Visibility::Draft(format!("no `{key}: true`"));
    }
    if let Some(entry) = audience.and_then(|key| front.get(key))
        && !is_open(&entry.node, front)
    {
        return Visibility::Draft(written(entry));
    }
    if let Some(why) = withheld((front, path), window, unreadable, now, problems) {
        return Visibility::Withheld(why);
    }
    match at_time(window, now) {
        Visibility::Published if flags::is_unlisted(front, status_counts) => Visibility::Unlisted,
        visibility => visibility,
    }
}

/// Whether the condition of a page is known to hold for everyone. An empty condition does not count.
fn is_open(condition: &Node, front: &Front) -> bool {
    match condition.text() {
        // In a script 0 is false.
        Some(text) => text.parse() != Ok(0.0) && is_for_everyone(text, front),
        None => matches!(condition.value, Scalar { .. }),
    }
}

fn at_time(window: &Window, now: Timestamp) -> Visibility {
    match (window.from, window.until) {
        (_, Some(until)) if until.at <= now => Visibility::Expired(until.at),
        (Some(from), _) if from.at > now => Visibility::Scheduled(from.at),
        _ => Visibility::Published,
    }
}

fn says_yes(front: &Front, key: &str) -> bool {
    let entry = front.get(key);
    entry.and_then(|entry| flags::yes_or_no(&entry.node)) == Some(true)
}

/// Why a text is withheld, since it is unknown whether it is to be published.
fn withheld(
    (front, path): (&Front, &str),
    window: &Window,
    unreadable: Option<flags::Value<'_>>,
    now: Timestamp,
    problems: &mut Vec<Problem>,
) -> Option<String> {
    let mut withheld = window.unreadable.as_ref().map(|date| date.why.clone());
    if withheld.is_none()
        && let Some(value) = unreadable
    {
        problems.push(unreadable_value(&value, path));
        withheld = Some(format!("{} is {}", written(value.entry), value.why));
    }
    for near in near::keys(front, now) {
        problems.push(near_key(&near, path));
        if near.withholds && withheld.is_none() {
            withheld = Some(format!(
                "{} is nearly `{}`",
                written(near.entry),
                near.meant
            ));
        }
    }
    withheld
}

/// A key and its value as written.
fn written(Entry { key, node }: &Entry) -> String {
    format!("`{}: {}`", key.text, quoted(flags::shown(node)))
}

fn unreadable_value(Value { entry, why, right }: &Value<'_>, path: &str) -> Problem {
    let Entry { key, node } = entry;
    let message = format!(
        "withheld: `{}` is {why}: `{}`",
        key.text,
        quoted(flags::shown(node))
    );
    Problem::error(message)
        .at(path, node.line, node.column)
        .hint(right.replace("KEY", &key.text))
        .cause(Cause::UnreadableVisibility)
}

/// The password itself is in no message.
fn protected(Entry { key, node }: &Entry, path: &str) -> Problem {
    let message = format!(
        "withheld: `{}` protects this text, and Diglot shows texts to everyone",
        key.text
    );
    Problem::warning(message)
        .at(path, node.line, node.column)
        .hint(format!(
            "remove `{}` to publish the text, or write `draft: true`",
            key.text
        ))
        .cause(Cause::Value)
}

fn near_key(near: &Near<'_>, path: &str) -> Problem {
    let Entry { key, .. } = near.entry;
    let problem = if near.withholds {
        Problem::error(format!(
            "withheld: {} is nearly `{}`",
            written(near.entry),
            near.meant
        ))
        .hint(format!(
            "write `{}`, or give the key a name of its own",
            near.meant
        ))
        .cause(Cause::UnreadableVisibility)
    } else {
        Problem::warning(format!("the key `{}` may be misspelled", key.text))
            .hint(format!("did you mean `{}`?", near.meant))
            .cause(Cause::NearKey)
    };
    problem.at(path, key.line, key.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(front: &str, from: Option<&str>, until: Option<&str>, expected: &Visibility) {
        let moment =
            |text: Option<&str>| text.and_then(|text| text.parse().ok()).map(Moment::second);
        let front = crate::syntax::front::split(&format!("---\n{front}\n---\n"), "a.md").front;
        let now = "2024-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(
            &decide(
                &front,
                &Window {
                    from: moment(from),
                    until: moment(until),
                    unreadable: None,
                },
                "a.md",
                Context {
                    now,
                    status_counts: true,
                    key: None,
                    audience: None,
                },
                &mut Vec::new()
            ),
            expected,
            "{front:?}"
        );
    }

    #[test]
    fn contract_6_one_decision() {
        let draft = |why: &str| Visibility::Draft(why.to_owned());
        check("title: x", None, None, &Visibility::Published);
        check(
            "draft: false\npublished: 2015-01-01",
            None,
            None,
            &Visibility::Published,
        );
        check("draft: true", None, None, &draft("`draft: true`"));
        check("published: NO", None, None, &draft("`published: NO`"));
        check("publish: 'false'", None, None, &draft("`publish: false`"));
        check("status: Draft", None, None, &draft("`status: Draft`"));
        check(
            "build:\n  render: never",
            None,
            None,
            &draft("`render: never`"),
        );
        check("unlisted: yes", None, None, &Visibility::Unlisted);
        let later = "2024-06-01T00:00:00Z";
        let before = "2023-06-01T00:00:00Z";
        check(
            "a: b",
            Some(later),
            None,
            &Visibility::Scheduled(later.parse().unwrap()),
        );
        check(
            "a: b",
            Some(later),
            Some(before),
            &Visibility::Expired(before.parse().unwrap()),
        );
        check(
            "draft: true",
            Some(later),
            Some(before),
            &draft("`draft: true`"),
        );
        check("a: b", Some(before), Some(later), &Visibility::Published);
    }
}
