//! Whether what a program computes from the data of a text is `false`, as far as that is known.

use super::names::Names;
use super::value::{Values, joined};
use crate::dialects::config::Config;
use crate::dialects::script::{Falsehood, keys};
use crate::syntax::front::{Front, Node};

/// Whether a computed value is `false` for a text with this front matter; `None`: that is not known.
pub fn is_false(node: &Node, front: &Front, config: &Config) -> Option<bool> {
    let Some(found) = Falsehood::of(node) else {
        return Some(node.bool() == Some(false));
    };
    if found.perhaps {
        return Some(true);
    }
    // Such a text has keys of what it is made for.
    if front.get("pagination").is_some() {
        return None;
    }
    let text = Text { front, config };
    let conditions = found.conditions.iter();
    let conditions = conditions.map(|(condition, holds)| match holds {
        true => text.holds(condition),
        false => text.fails(condition),
    });
    let otherwise = found.otherwise.then_some(None);
    joined(true, conditions.chain(otherwise))
}

struct Text<'a> {
    front: &'a Front,
    config: &'a Config,
}

impl Text<'_> {
    /// Whether a condition holds. What the environment says is expected to hold as well.
    fn holds(&self, condition: &str) -> Option<bool> {
        let alternatives = condition.split("||").map(|alternative| {
            let parts = alternative.split("&&");
            let parts: Vec<_> = parts.map(|part| (part, self.part(part))).collect();
            let is = |value| parts.iter().any(|(_, part)| *part == value);
            let is_expected = |part: &str| keys(part).next().is_none() && !part.contains('(');
            let mut each = parts.iter();
            let mut all = || each.all(|(part, holds)| *holds == Some(true) || is_expected(part));
            match is(Some(false)) {
                true => Some(false),
                false => (is(Some(true)) && all()).then_some(true),
            }
        });
        joined(true, alternatives)
    }

    /// Whether a condition does not hold. What the environment says is expected not to hold either.
    fn fails(&self, condition: &str) -> Option<bool> {
        let alternatives = condition.split("||").map(|alternative| {
            let parts = alternative.split("&&").map(|part| self.part(part));
            joined(false, parts)
        });
        let alternatives: Vec<Option<bool>> = alternatives.collect();
        if alternatives.contains(&Some(true)) {
            return Some(false);
        }
        alternatives.contains(&Some(false)).then_some(true)
    }

    /// Whether a part of a condition holds.
    fn part(&self, part: &str) -> Option<bool> {
        let is_other = |key: &str| {
            let is_of_site = || self.config.values.contains_key(&format!(".{key}"));
            self.front.get(key).is_none() && (self.config.given_keys.contains(&key) || is_of_site())
        };
        if keys(part).any(is_other) {
            return None;
        }
        Values::new(Names::open(self.front, &self.config.values)).holds(part)
    }
}
