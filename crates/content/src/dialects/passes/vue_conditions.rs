//! Elements that Vue shows only if a condition holds: `v-if`, `v-else-if`, `v-else`, `v-show`. One that
//! `v-for` repeats over nothing is not shown. Only literals are evaluated. What depends on anything else is not shown, and neither are its other
//! branches.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::mdx::Tag;
use super::splice::Splice;
use crate::dialects::code::Code;
use crate::dialects::lines::{Lines, Remark};
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::{one_line, shorten};
use crate::syntax::html::is_void;

/// What the names of all conditions have.
const SIGNS: [&str; 4] = ["v-if", "v-else", "v-show", "v-for"];

/// Removes the elements whose conditions do not hold.
pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let literals = lines.literals();
    let elements = elements(text, Code::from_literals(&literals));
    let mut splice = Splice::new(text);
    // The state of a chain of branches, by the place of the next one.
    let mut chains: FxHashMap<usize, Truth> = FxHashMap::default();
    let mut undecided = Vec::new();
    let comments = Comments::find(text);
    for element in elements {
        let Element {
            range,
            condition,
            is_repeated,
        } = element;
        if range.start < splice.done() {
            continue;
        }
        let mut is_shown = is_repeated;
        if let Some(condition) = condition {
            let before = chains.remove(&range.start);
            let (holds, chain) = condition.decide(before);
            if let Some(reason) = condition.open(before) {
                undecided.push((range.start, format!("`{condition}` {reason}")));
            }
            chains.insert(comments.behind(text, range.end), chain);
            is_shown &= holds;
        }
        if !is_shown {
            splice.put(range, "");
        }
    }
    let remarks: Vec<Remark> = undecided
        .into_iter()
        .take(MOST_OF_ONE_FILE + 1)
        .map(|(at, why)| lines.remark(at, format!("the element is not shown: {why}")))
        .collect();
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    lines.remarks.extend(remarks);
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    fn evaluate(expression: &str) -> Self {
        let expression = expression.trim();
        let bare = expression.trim_start_matches('!');
        let is_negated = (expression.len() - bare.len()) % 2 == 1;
        match literal(bare.trim_start()) {
            Some(holds) if holds != is_negated => Self::Yes,
            Some(_) => Self::No,
            None => Self::Unknown,
        }
    }
}

/// Whether a literal counts as true: a text that is not empty, a number that is not 0. `None`: it is
/// anything else.
fn literal(expression: &str) -> Option<bool> {
    match expression {
        "true" => return Some(true),
        "false" | "null" | "undefined" | "NaN" => return Some(false),
        _ => {}
    }
    if let Some(quote) = expression.chars().next().filter(|c| "'\"`".contains(*c)) {
        let inner = expression[1..].strip_suffix(quote)?;
        let is_whole = !inner.contains(quote) && !inner.contains(['\\', '$']);
        return is_whole.then_some(!inner.is_empty());
    }
    let digits = expression.strip_prefix('-').unwrap_or(expression);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    digits.parse::<f64>().ok().map(|number| number != 0.0)
}

/// Where the HTML comments of a text end.
struct Comments {
    ends: Vec<usize>,
}

impl Comments {
    fn find(text: &str) -> Self {
        let marks = text.match_indices("-->");
        Self {
            ends: marks.map(|(at, mark)| at + mark.len()).collect(),
        }
    }

    /// The place behind white space and comments.
    fn behind(&self, text: &str, mut at: usize) -> usize {
        loop {
            let rest = &text[at..];
            at += rest.len() - rest.trim_start().len();
            let begins = text[at..].starts_with("<!--");
            let end = self.ends.partition_point(|end| *end < at + "<!---->".len());
            match self.ends.get(end).filter(|_| begins) {
                Some(end) => at = *end,
                None => return at,
            }
        }
    }
}

/// The condition of an element.
enum Condition<'a> {
    If(&'a str),
    ElseIf(&'a str),
    Else,
    Show(&'a str),
}

impl<'a> Condition<'a> {
    fn from_tag(tag: &Tag<'a>) -> Option<Self> {
        let value = |name: &str| tag.attribute(name);
        let other = || match value("v-else") {
            Some(_) => Some(Self::Else),
            None => value("v-show").map(Self::Show),
        };
        let first = value("v-if").map(Self::If);
        first
            .or_else(|| value("v-else-if").map(Self::ElseIf))
            .or_else(other)
    }

    /// Whether the element is shown, and what the branches behind it find: whether one before them
    /// is shown.
    fn decide(&self, before: Option<Truth>) -> (bool, Truth) {
        let truth = match (self, before) {
            (Self::Show(expression), _) => {
                return (Truth::evaluate(expression) != Truth::No, Truth::Unknown);
            }
            (Self::If(expression), _) | (Self::ElseIf(expression), Some(Truth::No)) => {
                Truth::evaluate(expression)
            }
            (Self::Else, Some(Truth::No)) => Truth::Yes,
            // A branch before this one is shown, or may be.
            (_, before) => return (false, before.unwrap_or(Truth::Unknown)),
        };
        (truth == Truth::Yes, truth)
    }

    /// What the author is told about this branch, if it is not decided.
    fn open(&self, before: Option<Truth>) -> Option<&'static str> {
        let (expression, is_asked) = match self {
            Self::If(expression) => (*expression, true),
            Self::ElseIf(expression) => (*expression, before == Some(Truth::No)),
            Self::Else => ("true", false),
            Self::Show(_) => return None,
        };
        if !matches!(self, Self::If(_)) && before.is_none() {
            return Some("has no element with `v-if` before it");
        }
        (is_asked && Truth::evaluate(expression) == Truth::Unknown).then_some("is not known")
    }
}

impl std::fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, expression) = match self {
            Self::If(expression) => ("v-if", expression),
            Self::ElseIf(expression) => ("v-else-if", expression),
            Self::Show(expression) => ("v-show", expression),
            Self::Else => return f.write_str("v-else"),
        };
        write!(f, "{name}=\"{}\"", shorten(&one_line(expression), 60))
    }
}

/// An element outside code, from its tag to its end.
struct Element<'a> {
    range: Range<usize>,
    condition: Option<Condition<'a>>,
    /// Whether `v-for` shows it at least once, as far as that is known.
    is_repeated: bool,
}

/// Whether what `v-for` goes through, a literal, has nothing in it: `i in 0`, `x of []`.
fn is_over_nothing(expression: &str) -> bool {
    let separators = [" in ", " of "].into_iter();
    let mut parts = separators.filter_map(|separator| expression.split_once(separator));
    parts.any(|(_, over)| {
        let over: String = over.split_whitespace().collect();
        matches!(
            over.as_str(),
            "0" | "[]" | "{}" | "''" | "``" | "null" | "undefined"
        )
    })
}

/// All elements in the order of their tags. One without an end ends with the text.
fn elements<'a>(text: &'a str, mut code: Code<'_>) -> Vec<Element<'a>> {
    let mut elements: Vec<Element<'a>> = Vec::new();
    let mut open: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut at = 0;
    while let Some((start, tag)) = Tag::next(text, &mut code, at) {
        let end = start + tag.length;
        if tag.closes {
            let last = open.get_mut(tag.name).and_then(Vec::pop);
            if let Some(element) = last.and_then(|last| elements.get_mut(last)) {
                element.range.end = end;
            }
        } else {
            let is_whole = tag.empty || is_void(tag.name);
            if !is_whole {
                open.entry(tag.name).or_default().push(elements.len());
            }
            elements.push(Element {
                range: start..if is_whole { end } else { text.len() },
                condition: Condition::from_tag(&tag),
                is_repeated: !tag.attribute("v-for").is_some_and(is_over_nothing),
            });
        }
        at = end;
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    #[track_caller]
    fn check(text: &str, expected: &str, remarks: &[&str]) {
        testing::check(rewrite, text, expected);
        let lines = Lines::after(text, rewrite);
        let found = lines.remarks.iter();
        let found: Vec<String> = found
            .map(|one| format!("{}:{} {}", one.line + 1, one.column, one.message))
            .collect();
        assert_eq!(found, remarks, "{text}");
    }

    #[test]
    fn rule_12_an_element_is_shown_if_its_condition_holds() {
        check("a <b v-if=\"false\">x</b> c", "a  c", &[]);
        check(
            "<div v-if=\"false\">\n\n<div>x</div>\n\n`</div>`\n\n</div>\n\nb",
            "\n\nb",
            &[],
        );
        check(
            "<p v-if='0'>x</p>\n<p v-else>b</p>",
            "\n<p v-else>b</p>",
            &[],
        );
        check(
            "<p v-if=\"true\">a</p>\n<p v-else-if=\"true\">x</p> <p v-else>x</p>.",
            "<p v-if=\"true\">a</p>\n .",
            &[],
        );
        check("<Badge v-if=\"false\" text=\"x\" />a", "a", &[]);
        check(
            "<p v-show=\"false\">x</p><p v-show=\"y\">a</p>",
            "<p v-show=\"y\">a</p>",
            &[],
        );
        check(
            "`<b v-if=\"false\">a</b>`",
            "`<b v-if=\"false\">a</b>`",
            &[],
        );
    }

    #[test]
    fn rule_12_an_element_repeated_over_nothing_is_not_shown() {
        check("a <p v-for=\"i in 0\">x</p>b", "a b", &[]);
        check("<li v-for='x of [ ]'>x</li>a", "a", &[]);
        check("<li v-for=\"(x, i) in {}\">x</li>a", "a", &[]);
        let shown =
            "<p v-for=\"i in 3\">a</p><p v-for=\"x in [1]\">b</p><p v-for=\"x in rows\">c</p>";
        check(shown, shown, &[]);
        check(
            "<p v-if=\"true\" v-for=\"i in 0\">x</p><p v-else>x</p>a",
            "a",
            &[],
        );
    }

    #[test]
    fn contract_6_an_element_whose_condition_is_unknown_is_not_shown() {
        check(
            "a\n\nb <p v-if=\"member\">x</p>\n<p v-else>x</p>\nc",
            "a\n\nb \n\nc",
            &["3:3 the element is not shown: `v-if=\"member\"` is not known"],
        );
        check(
            "<p v-if=\"false\">x</p><p v-else-if=\"n > 1\">x</p>a",
            "a",
            &["1:22 the element is not shown: `v-else-if=\"n > 1\"` is not known"],
        );
        check(
            "<p v-else>x</p>a",
            "a",
            &["1:1 the element is not shown: `v-else` has no element with `v-if` before it"],
        );
        check(
            "a <p v-if=\"x\">x",
            "a ",
            &["1:3 the element is not shown: `v-if=\"x\"` is not known"],
        );
    }

    #[test]
    fn rule_12_comments_between_branches_change_nothing() {
        check(
            "<p v-if=\"false\">x</p>\n<!-- one -->\n<!-- two --><p v-else>b</p>",
            "\n<!-- one -->\n<!-- two --><p v-else>b</p>",
            &[],
        );
        check(
            "<p v-if=\"true\">a</p><!-- c --><p v-else>x</p>",
            "<p v-if=\"true\">a</p><!-- c -->",
            &[],
        );
        let text = "<p v-if=\"true\">a</p><!--".repeat(20_000) + "-->";
        Lines::after(&text, rewrite);
    }

    #[test]
    fn rule_12_literals_in_conditions_count_as_in_javascript() {
        for literal in [
            "'yes'", "5", "0.5", "-1", "!0", "!''", "!!1", "`a`", "!null",
        ] {
            assert_eq!(Truth::evaluate(literal), Truth::Yes, "{literal}");
        }
        for literal in ["''", "0", "0.0", "null", "undefined", "!'no'", "!5", "!!0"] {
            assert_eq!(Truth::evaluate(literal), Truth::No, "{literal}");
        }
        for other in [
            "'a' === 'b'",
            "1 === 1",
            "yes",
            "",
            "'",
            "`${a}`",
            "5px",
            "!a",
        ] {
            assert_eq!(Truth::evaluate(other), Truth::Unknown, "{other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_condition_panics(text in "(<|>|/|b|p| v-if=| v-else|\"false\"|\"x\"|`|\n|é|</p>|<p>){0,40}") {
            let lines = Lines::after(&text, rewrite);
            proptest::prop_assert!(lines.come_from(&text));
        }
    }
}
