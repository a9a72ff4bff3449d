//! The checks: one small file a group, every check a function over what was gathered, none of which asks anything.

mod api;
mod caches;
mod codings;
mod errors;
mod feed;
mod llms;
mod maps;
mod negotiation;
mod pages;
mod parity;
mod resources;
mod security;
mod signals;
mod twins;
mod validators;

use super::evidence::Evidence;
use super::verdict::Verdict;

/// One thing that must hold.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name: the group, a dot, one word.
    pub id: &'static str,
    /// What must hold, as a sentence.
    pub what: &'static str,
    /// Who suffers when it does not.
    pub why: &'static str,
    /// What to do, in one plain sentence.
    pub advice: &'static str,
    /// Judges what was gathered.
    pub judge: fn(&Evidence, &mut Verdict),
}

/// Checks that belong together.
#[derive(Clone, Copy)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// Its checks, in order.
    pub checks: &'static [Check],
}

/// All checks, in the order of the card.
pub const GROUPS: &[Group] = &[
    Group { name: "resources", checks: resources::CHECKS },
    Group { name: "negotiation", checks: negotiation::CHECKS },
    Group { name: "caches", checks: caches::CHECKS },
    Group { name: "validators", checks: validators::CHECKS },
    Group { name: "codings", checks: codings::CHECKS },
    Group { name: "signals", checks: signals::CHECKS },
    Group { name: "api", checks: api::CHECKS },
    Group { name: "feed", checks: feed::CHECKS },
    Group { name: "sitemaps", checks: maps::CHECKS },
    Group { name: "llms", checks: llms::CHECKS },
    Group { name: "pages", checks: pages::CHECKS },
    Group { name: "twins", checks: twins::CHECKS },
    Group { name: "parity", checks: parity::CHECKS },
    Group { name: "errors", checks: errors::CHECKS },
    Group { name: "security", checks: security::CHECKS },
];

/// A field's value for a message: `none` where there is none.
fn or_none(value: &str) -> &str {
    if value.is_empty() { "none" } else { value }
}

/// A list for a message: its first members.
fn some<T: AsRef<str>>(items: &[T]) -> String {
    let mut text = items.iter().take(3).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if items.len() > 3 {
        text.push_str(&format!(" and {} more", items.len() - 3));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_check_has_one_name_and_says_what_to_do() {
        let mut seen = BTreeSet::new();
        for group in GROUPS {
            for check in group.checks {
                assert!(seen.insert(check.id), "{} twice", check.id);
                assert!(check.id.starts_with(&format!("{}.", group.name)), "{} in {}", check.id, group.name);
                for text in [check.what, check.why, check.advice] {
                    assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('\n'), "{}: {text}", check.id);
                }
            }
        }
    }
}
