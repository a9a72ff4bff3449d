//! Keys whose value is a state, such as `status: draft`, and whether a folder uses `status` for
//! states of publication at all.

use std::collections::BTreeSet;

use strsim::osa_distance;

use crate::syntax::front::{Entry, Front, Node};

/// Keys of the state of a text.
pub const STATUS: [&str; 5] = [
    "status",
    "state",
    "post_status",
    "publish_status",
    "publication_status",
];
/// States of a text that is not published.
const WITHHELD: [&str; 10] = [
    "draft",
    "drafts",
    "private",
    "pending",
    "unpublished",
    "trash",
    "trashed",
    "scheduled",
    "future",
    "skip",
];
/// Those that count wherever they are in a value.
const ANYWHERE: [&str; 3] = ["draft", "drafts", "unpublished"];
/// States of a text that is published.
const PUBLISHED: [&str; 6] = [
    "publish",
    "published",
    "public",
    "live",
    "hidden",
    "unlisted",
];
/// States of publication that a misspelling may mean.
const MEANT: [&str; 4] = ["draft", "private", "pending", "unpublished"];
/// Words near one of those that mean something else.
const OTHERS: [&str; 9] = [
    "craft", "drift", "graft", "raft", "daft", "drafty", "primate", "privacy", "spending",
];
/// Values of `visibility` of a text that not everybody may read.
const NOT_PUBLIC: [&str; 11] = [
    "private",
    "draft",
    "members",
    "paid",
    "tiers",
    "password",
    "protected",
    "internal",
    "secret",
    "none",
    "false",
];
/// The maximum number of values that are compared.
const MOST_VALUES: usize = 10_000;

/// What a state says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The text is not published.
    Withheld,
    /// No list names the text.
    Unlisted,
    /// It is nearly a state that withholds the text.
    Misspelled,
}

/// The key and what its state says, if it says something. `counts`: `status` and the like are
/// states of publication.
pub fn read(front: &Front, counts: bool) -> Option<(&Entry, State)> {
    let keys = if counts { &STATUS[..] } else { &[] };
    let states = keys.iter().filter_map(|key| front.get(key));
    let found = states.filter_map(|entry| Some((entry, state(entry)?)));
    // One that withholds wins over one that hides.
    let found = found.min_by_key(|(_, state)| *state != State::Withheld);
    let visibility = || {
        let entry = front.get("visibility")?;
        let texts = entry.node.items().iter().filter_map(Node::text);
        let says = texts.filter_map(|text| match text.to_lowercase().as_str() {
            "unlisted" | "hidden" => Some(State::Unlisted),
            text => NOT_PUBLIC.contains(&text).then_some(State::Withheld),
        });
        // One that withholds wins over one that hides.
        let state = says.min_by_key(|state| *state != State::Withheld)?;
        Some((entry, state))
    };
    match found {
        Some((_, State::Withheld)) => found,
        _ => visibility().or(found),
    }
}

/// Whether the state of a text withholds it where states count.
pub fn withholds(front: &Front) -> bool {
    matches!(read(front, true), Some((_, State::Withheld)))
}

/// What the words of a state say: `draft`, `"[[draft]]"`, `pending review`, `[draft, idea]`.
fn state(entry: &Entry) -> Option<State> {
    let mut said = None;
    for text in entry.node.items().iter().filter_map(|node| node.text()) {
        for (at, word) in words(text).enumerate() {
            // `future` in the middle of a sentence says nothing; `draft` does.
            let decides = at == 0 || ANYWHERE.contains(&word.as_str());
            if decides && WITHHELD.contains(&word.as_str()) {
                return Some(State::Withheld);
            }
            if at == 0 && matches!(word.as_str(), "hidden" | "unlisted") {
                said = said.or(Some(State::Unlisted));
            } else if at == 0 && is_misspelled(&word) {
                said = Some(State::Misspelled);
            }
        }
    }
    said
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(20)
        .map(str::to_lowercase)
}

fn is_misspelled(word: &str) -> bool {
    let near = |meant: &&str| word.len() <= meant.len() + 1 && osa_distance(word, meant) == 1;
    !OTHERS.contains(&word) && MEANT.iter().any(near)
}

/// The values of `status` in a folder.
#[derive(Debug, Default)]
pub struct Values {
    /// Those that are states of publication.
    publication: BTreeSet<String>,
    /// All others.
    others: BTreeSet<String>,
}

impl Values {
    /// Adds the value of one text.
    pub fn add(&mut self, front: &Front) {
        let Some(text) = front.text(&STATUS[..1]) else {
            return;
        };
        let is_state =
            |word: &String| WITHHELD.contains(&word.as_str()) || PUBLISHED.contains(&word.as_str());
        let values = if words(text).any(|word| is_state(&word)) {
            &mut self.publication
        } else {
            &mut self.others
        };
        if values.len() < MOST_VALUES {
            values.insert(text.to_lowercase());
        }
    }

    /// Whether most values are not states of publication.
    pub fn are_of_another_meaning(&self) -> bool {
        self.others.len() > self.publication.len()
    }

    /// Some values that are not states of publication, as examples.
    pub fn examples(&self) -> impl Iterator<Item = &String> {
        self.others.iter().take(3)
    }
}
