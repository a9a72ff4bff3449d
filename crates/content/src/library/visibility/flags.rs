//! The keys that say whether a text is published, and how their values are read.

use super::status::{self, State};
use crate::library::fields;
use crate::model::date::{self, DateError};
use crate::syntax::front::{self, Entry, Front, Node};

/// Keys of a text that is not published if they are true.
pub const WHEN_TRUE: [&str; 9] = [
    "draft",
    "_draft",
    "is_draft",
    "isDraft",
    "is-draft",
    "extra.draft",
    "headless",
    "private",
    "unpublished",
];
/// Keys of a text that is not published if they are false.
pub const WHEN_FALSE: [&str; 4] = ["published", "publish", "dg-publish", "extra.published"];
/// Keys that also have values of another kind: only `true` withholds.
const ALSO_WHEN_TRUE: [&str; 2] = ["ignore", "eleventyComputed.draft"];
/// Keys that also have values of another kind, such as an address: only `false` withholds.
const ALSO_WHEN_FALSE: [&str; 5] = [
    "permalink",
    "permalink.build",
    "render",
    "url",
    "eleventyComputed.permalink",
];
/// Keys of a text that no list names if they are true.
pub const UNLISTED: [&str; 3] = ["unlisted", "hidden", "eleventyExcludeFromCollections"];
/// Keys with the password that a text asks for.
const PASSWORD: [&str; 2] = ["password", "post_password"];
const RENDER: [&str; 2] = ["build.render", "_build.render"];
const LIST: [&str; 2] = ["build.list", "_build.list"];

/// What the keys of a text say.
pub enum Says<'f> {
    /// It is not published.
    Draft(&'f Entry),
    /// Only those who know its password may read it.
    Protected(&'f Entry),
    /// It is unknown, because of this value.
    Unreadable(Value<'f>),
    /// It is published.
    Nothing,
}

/// A value that its key may not have.
#[derive(Clone, Copy)]
pub struct Value<'f> {
    pub entry: &'f Entry,
    /// What is wrong with it.
    pub why: &'static str,
    /// How to write it, with `KEY` for the key.
    pub right: &'static str,
}

/// A key that is neither yes nor no.
const FLAG: (&str, &str) = ("neither yes nor no", "write `KEY: true` or `KEY: false`");
/// A key of Hugo that says whether a page is made.
const MADE: (&str, &str) = (
    "neither `always`, `link` nor `never`",
    "write `KEY: always` or `KEY: never`",
);
/// A key with two values, of which one withholds the text.
const TWICE: (&str, &str) = ("given twice", "keep one line with `KEY`");
/// A key that YAML reads as a part of the value above it.
const MISPLACED: (&str, &str) = (
    "in a line that belongs to the key above it",
    "write `KEY` at the beginning of its line",
);
/// A state with a typing error.
const STATE: (&str, &str) = (
    "nearly a state that withholds the text",
    "write `KEY: draft`, or a word that is not so near",
);

/// A value that a program computes.
const COMPUTED: (&str, &str) = (
    "not a literal",
    "write a text, a number, `true` or `false` as its value",
);
/// An object that may have any key.
const SPREAD: (&str, &str) = (
    "an object whose keys are not read",
    "write its keys and values here",
);
/// Front matter in another language.
const LANGUAGE: (&str, &str) = (
    "followed by a language that is not read",
    "write YAML between `---`, TOML between `+++`, JSON, or literals of JavaScript behind `---js`",
);
/// Front matter in braces that is not valid JSON.
const NO_JSON: (&str, &str) = (
    "the beginning of front matter that is not valid JSON",
    "check commas and quotes; JSON has no comments, and no comma after the last value",
);
/// The key of Eleventy below which functions make the values of other keys.
const COMPUTED_BELOW: &str = "eleventyComputed";

/// Reads all keys: one that clearly withholds wins over one that cannot be read.
pub fn read(front: &Front, status_counts: bool) -> Says<'_> {
    let mut unreadable: Option<Value<'_>> = None;
    let mut note = |entry, (why, right)| {
        unreadable.get_or_insert(Value { entry, why, right });
    };
    for entry in &front.unread {
        match &*entry.key.text {
            front::FENCE => note(entry, LANGUAGE),
            front::OBJECT => note(entry, NO_JSON),
            front::SPREAD => note(entry, SPREAD),
            key if decides(key, status_counts) => note(entry, COMPUTED),
            _ => {}
        }
    }
    let flags = [(&WHEN_TRUE[..], true), (&WHEN_FALSE[..], false)];
    for (keys, withholds) in flags {
        for entry in keys.iter().filter_map(|key| front.get(key)) {
            match yes_or_no(&entry.node) {
                Some(value) if value == withholds => return Says::Draft(entry),
                Some(_) => {}
                None if entry.node.is_null() || is_another_use(entry, withholds) => {}
                None => note(entry, FLAG),
            }
        }
    }
    let others = [(&ALSO_WHEN_TRUE[..], true), (&ALSO_WHEN_FALSE[..], false)];
    for (keys, withholds) in others {
        let mut entries = keys.iter().filter_map(|key| front.get(key));
        if let Some(entry) = entries.find(|entry| entry.node.bool() == Some(withholds)) {
            return Says::Draft(entry);
        }
    }
    if let Some(entry) = RENDER.iter().find_map(|key| front.get(key)) {
        match (entry.node.text(), yes_or_no(&entry.node)) {
            (Some("never" | "link"), _) | (_, Some(false)) => return Says::Draft(entry),
            (Some("always"), _) | (_, Some(true)) => {}
            _ if entry.node.is_null() => {}
            _ => note(entry, MADE),
        }
    }
    if let Some((entry, state)) = status::read(front, status_counts) {
        match state {
            State::Withheld => return Says::Draft(entry),
            State::Misspelled => note(entry, STATE),
            State::Unlisted => {}
        }
    }
    if let Some((entry, why)) = overruled(front) {
        note(entry, why);
    }
    let protected = password(front).map(Says::Protected);
    let unreadable = || unreadable.map(Says::Unreadable);
    protected.or_else(unreadable).unwrap_or(Says::Nothing)
}

/// The first flag that withholds the text in a place where it does not count, and what is wrong.
fn overruled(front: &Front) -> Option<(&Entry, (&'static str, &'static str))> {
    let repeated = front.repeated.iter().map(|entry| (entry, TWICE));
    let misplaced = front.misplaced.iter().map(|entry| (entry, MISPLACED));
    repeated.chain(misplaced).find(|(entry, _)| {
        let is = |keys: &[&str]| keys.contains(&entry.key.text.as_str());
        let value = yes_or_no(&entry.node);
        is(&WHEN_TRUE) && value == Some(true) || is(&WHEN_FALSE) && value == Some(false)
    })
}

/// The key with a password. An empty one protects nothing.
fn password(front: &Front) -> Option<&Entry> {
    let own = PASSWORD.iter().filter_map(|key| front.get(key));
    let repeated = front.repeated.iter();
    let repeated = repeated.filter(|entry| PASSWORD.contains(&entry.key.text.as_str()));
    own.chain(repeated).find(|entry| entry.node.has_value())
}

/// Whether a key, or one in its value, says whether or when the text is published.
fn decides(key: &str, status_counts: bool) -> bool {
    let key = match key.strip_prefix(COMPUTED_BELOW) {
        Some("") => return true,
        Some(inner) => inner.strip_prefix('.').unwrap_or(key),
        None => key,
    };
    let is = |known: &str| {
        let (outer, inner) = known.split_at_checked(key.len()).unwrap_or((known, ""));
        front::is_same_word(known, key) || inner.starts_with('.') && front::is_same_word(outer, key)
    };
    let flags = WHEN_TRUE.iter().chain(&WHEN_FALSE).chain(&UNLISTED);
    let others = ALSO_WHEN_TRUE.iter().chain(&ALSO_WHEN_FALSE);
    let made = RENDER.iter().chain(&LIST);
    let dates = fields::DATE.iter().chain(&fields::PUBLISH);
    let dates = dates.chain(&fields::APPEARS).chain(&fields::EXPIRES);
    let states = status::STATUS.iter().filter(|_| status_counts);
    let more = ["listed", "visibility", "scheduled"];
    let known = flags.chain(others).chain(made).chain(dates).chain(states);
    let known = known.chain(&PASSWORD);
    known.chain(&more).any(|known| is(known))
}

/// Whether no list names the text. A value that cannot be read counts as yes.
pub fn is_unlisted(front: &Front, status_counts: bool) -> bool {
    let never = LIST
        .iter()
        .any(|key| matches!(front.text(&[key]), Some("never" | "false")));
    let hidden = UNLISTED
        .iter()
        .filter_map(|key| front.get(key))
        .any(|entry| !entry.node.is_null() && yes_or_no(&entry.node) != Some(false));
    let state =
        || status::read(front, status_counts).is_some_and(|(_, state)| state == State::Unlisted);
    never || hidden || front.bool(&["listed"]) == Some(false) || state()
}

/// Whether the files that belong to the text are published only where a text shows them.
pub fn keeps_files(front: &Front) -> bool {
    front.bool(&["build.publishResources", "_build.publishResources"]) == Some(false)
}

/// A yes or a no in any spelling of YAML 1.1, of Go and of C (`1`, `0`), quoted or not.
pub fn yes_or_no(node: &Node) -> Option<bool> {
    match node.text()?.to_ascii_lowercase().as_str() {
        "1" | "t" => Some(true),
        "0" | "f" => Some(false),
        _ => node.bool(),
    }
}

/// Whether the key is used for something else than a yes or no: a date of publication, or a map of
/// private notes.
fn is_another_use(Entry { key, node }: &Entry, when_true: bool) -> bool {
    if when_true {
        key.text.eq_ignore_ascii_case("private") && matches!(node.value, front::Value::Map(_))
    } else {
        is_date(node)
    }
}

/// Whether the value has the form of a date, so that it says when the text is published.
fn is_date(node: &Node) -> bool {
    node.text()
        .is_some_and(|text| !matches!(date::read(text), Err(DateError::NotADate)))
}

/// A value as shown in messages: a list or map by its name.
pub fn shown(node: &Node) -> &str {
    match node.value {
        front::Value::Scalar { .. } => node.text().unwrap_or_default(),
        front::Value::List(_) => "[…]",
        front::Value::Map(_) => "{…}",
    }
}
