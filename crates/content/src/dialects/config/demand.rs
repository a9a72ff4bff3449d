//! What the programs of a site demand of its texts, and what becomes of those that do not meet it.

use super::{Config, Glob, deciding};
use crate::syntax::front::{Entry, Front, Node, Value};

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// It says something, and not `false`.
    True,
    /// It says something, whatever it is.
    Given,
    /// It is one of these texts. Without any, nothing is.
    OneOf(Vec<String>),
    /// It is a list with this item, or a text with these words.
    Has(String),
}

/// The value of a text that has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usual {
    /// It is not known, and so meets every demand.
    Unknown,
    /// None.
    Nothing,
    Value(String),
}

/// What a text must have, or must not have, at a key of its front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    pub key: String,
    pub test: Test,
    /// Whether the value must pass the test, or must not.
    pub is: bool,
    pub usual: Usual,
}

impl Demand {
    fn is_met(&self, front: &Front) -> bool {
        let own = front.get(&self.key).map(|entry| &entry.node);
        let passes = match (own.filter(|node| !node.is_null()), &self.usual) {
            (Some(node), _) => self.test.passes(node),
            (None, Usual::Unknown) => return true,
            (None, Usual::Nothing) => false,
            (None, Usual::Value(usual)) => self.test.passes(&Node::plain(usual, 0, 0)),
        };
        passes == self.is
    }
}

impl Test {
    fn passes(&self, node: &Node) -> bool {
        match self {
            Self::True => {
                let zero = node.text() == Some("0");
                node.has_value() && node.bool() != Some(false) && !zero
            }
            Self::Given => node.has_value(),
            Self::OneOf(texts) => texts.iter().any(|text| is_text(node, text)),
            Self::Has(word) => match &node.value {
                Value::List(items) => items.iter().any(|item| is_text(item, word)),
                _ => node.text().is_some_and(|text| text.contains(word)),
            },
        }
    }
}

/// Whether a value is a text. `yes` is the text `true`, too.
fn is_text(node: &Node, text: &str) -> bool {
    let as_bool = || node.bool().map(|value| value.to_string());
    node.text() == Some(text) || as_bool().as_deref() == Some(text)
}

impl Config {
    /// Withholds a text that does not meet what is demanded of it.
    pub(super) fn refuse(&self, path: &str, front: &mut Front) {
        const WITHHELD: &str = "unpublished";
        let mut demands = self.demands.iter();
        let fails = |(globs, demands): &(Vec<Glob>, Vec<Demand>)| {
            deciding(globs, path).is_some() && demands.iter().any(|demand| !demand.is_met(front))
        };
        if demands.any(fails) {
            front.entries.retain(|entry| entry.key.text != WITHHELD);
            front.entries.push(Entry::plain(WITHHELD, "true", 0, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::front::split;

    #[test]
    fn demands_are_met_by_values_and_by_what_a_text_without_one_has() {
        let met = |front: &str, test: Test, is: bool, usual: Usual| {
            let text = format!("---\n{front}\n---\n");
            let demand = Demand {
                key: "k".to_owned(),
                test,
                is,
                usual,
            };
            demand.is_met(&split(&text, "a.md").front)
        };
        let one = |text: &str| Test::OneOf(vec![text.to_owned()]);
        let has = |text: &str| Test::Has(text.to_owned());
        let usual = |text: &str| Usual::Value(text.to_owned());
        assert!(met("k: a", Test::True, true, Usual::Nothing));
        assert!(!met("k: false", Test::True, true, Usual::Nothing));
        assert!(!met("k: true", Test::True, false, Usual::Nothing));
        assert!(met("k:", Test::True, false, Usual::Nothing));
        assert!(met("", Test::True, true, usual("true")));
        assert!(!met("", Test::True, true, usual("false")));
        assert!(met("", Test::True, true, Usual::Unknown));
        assert!(met("k: public", one("public"), true, Usual::Nothing));
        assert!(!met("k: review", one("public"), true, Usual::Nothing));
        assert!(!met("", one("public"), true, Usual::Nothing));
        assert!(met("k: yes", one("true"), true, Usual::Nothing));
        assert!(!met("k: [a, b]", has("b"), false, Usual::Nothing));
        assert!(met("k: [a, bb]", has("b"), false, Usual::Nothing));
        assert!(!met("k: words", has("word"), false, Usual::Nothing));
        assert!(!met("k: a", Test::OneOf(Vec::new()), true, Usual::Nothing));
    }
}
