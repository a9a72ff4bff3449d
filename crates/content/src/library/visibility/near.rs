//! Keys that are nearly one of those that decide whether a text is published: `darft: true`.

use jiff::Timestamp;
use strsim::osa_distance;

use super::{
    flags::{UNLISTED, WHEN_FALSE, WHEN_TRUE, yes_or_no},
    status::STATUS,
};
use crate::library::fields::{DATE, EXPIRES, PUBLISH, UPDATED};
use crate::model::date::{self, Written};
use crate::syntax::front::{Entry, Front, Node};

/// What the value of a key must say so that the text is withheld.
#[derive(Clone, Copy)]
enum Withholds {
    Yes,
    No,
    Later,
    Before,
    Never,
}

/// The keys that people mean, and what withholds the text there.
const MEANT: [(&str, Withholds); 11] = [
    ("draft", Withholds::Yes),
    ("private", Withholds::Yes),
    ("headless", Withholds::Yes),
    ("published", Withholds::No),
    ("publish", Withholds::No),
    ("dgpublish", Withholds::No),
    ("publishdate", Withholds::Later),
    ("expirydate", Withholds::Before),
    ("expires", Withholds::Before),
    ("unlisted", Withholds::Never),
    ("hidden", Withholds::Never),
];
/// Keys of their own that are near one of these.
const OTHERS: [&str; 24] = [
    "craft",
    "drafts",
    "drafted",
    "draftdate",
    "drift",
    "expired",
    "graft",
    "raft",
    "polished",
    "primate",
    "privacy",
    "privates",
    "public",
    "publication",
    "publications",
    "publisher",
    "publishers",
    "publishes",
    "publishing",
    "publisheddate",
    "republished",
    "republish",
    "hide",
    "enlisted",
];
/// Longer keys are not compared.
const LONGEST: usize = 16;

/// A key that is nearly another.
pub struct Near<'f> {
    pub entry: &'f Entry,
    pub meant: &'static str,
    /// Whether its value withholds the text under the key that is meant.
    pub withholds: bool,
}

/// The keys of a text that are nearly one that decides.
pub fn keys(front: &Front, now: Timestamp) -> impl Iterator<Item = Near<'_>> {
    front.entries.iter().filter_map(move |entry| {
        let (meant, withholds) = meant(&entry.key.text)?;
        let node = &entry.node;
        let withholds = match withholds {
            Withholds::Yes => says(node, true),
            Withholds::No => says(node, false),
            Withholds::Later => instant(node).is_some_and(|at| at > now),
            Withholds::Before => instant(node).is_some_and(|at| at <= now),
            Withholds::Never => false,
        };
        Some(Near {
            entry,
            meant,
            withholds,
        })
    })
}

/// The key that is meant: one letter away, or two for a long one.
fn meant(key: &str) -> Option<(&'static str, Withholds)> {
    if key.len() > LONGEST || is_known(key) {
        return None;
    }
    let plain = key.chars().filter(|character| character.is_alphanumeric());
    let plain = plain.collect::<String>().to_lowercase();
    if OTHERS.contains(&plain.as_str()) {
        return None;
    }
    let length = plain.chars().count();
    let near = MEANT.into_iter().filter_map(|(meant, withholds)| {
        let most = usize::from(meant.len() > 8) + 1;
        if length.abs_diff(meant.len()) > most {
            return None;
        }
        let distance = osa_distance(&plain, meant);
        (distance <= most).then_some((distance, meant, withholds))
    });
    let (_, meant, withholds) = near.min_by_key(|(distance, ..)| *distance)?;
    // Shown as its generators write it.
    let meant = match meant {
        "dgpublish" => "dg-publish",
        "publishdate" => "publishDate",
        "expirydate" => "expiryDate",
        other => other,
    };
    Some((meant, withholds))
}

/// Whether the key is one that Diglot reads.
fn is_known(key: &str) -> bool {
    let all = WHEN_TRUE.iter().chain(&WHEN_FALSE).chain(&UNLISTED);
    let dates = DATE.iter().chain(&UPDATED).chain(&PUBLISH).chain(&EXPIRES);
    all.chain(dates)
        .chain(&STATUS)
        .any(|known| known.eq_ignore_ascii_case(key))
}

/// Whether a value, or its first word, says this: `true`, `yes please`.
fn says(node: &Node, yes: bool) -> bool {
    let text = node.text().unwrap_or_default();
    let first = text.split(|character: char| !character.is_alphanumeric());
    let first = Node::plain(first.take(1).collect::<String>(), 0, 0);
    yes_or_no(node).or_else(|| yes_or_no(&first)) == Some(yes)
}

fn instant(node: &Node) -> Option<Timestamp> {
    match date::read(node.text()?) {
        Ok(Written::Moment(moment)) => Some(moment.at),
        _ => None,
    }
}
