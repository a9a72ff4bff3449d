//! Values of template logic: literals, what literals were assigned to, and the page's front matter.
//! Everything else is unknown.

use rustc_hash::FxHashMap;

use super::expressions::{MOST_WORDS, spaced, split, unquoted, words};
use super::names::{Names, Value, quoted};
use crate::dialects::template_names::TemplateLanguage;

/// The largest value, in bytes.
const LARGEST: usize = 100_000;
/// The maximum number of filters of an expression, and of parts of a condition.
const MOST: usize = 20;
/// The values that are known at a place of a text.
pub struct Values<'a> {
    names: Names<'a>,
    assigned: FxHashMap<String, Value>,
}

impl<'a> Values<'a> {
    pub fn new(names: Names<'a>) -> Self {
        Self {
            names,
            assigned: FxHashMap::default(),
        }
    }

    /// Whether something was assigned to a name.
    pub fn has(&self, name: &str) -> bool {
        self.assigned.contains_key(name)
    }

    pub fn assign(&mut self, name: &str, value: Value) {
        self.assigned.insert(name.to_owned(), value);
    }

    /// The value of an expression with its filters.
    pub fn expression(&self, text: &str) -> Value {
        let mut parts = split(text, "|").into_iter();
        let name = parts.next().unwrap_or_default().trim();
        let mut value = self.operand(name);
        let mut parts = parts.peekable();
        if value == Value::Some && parts.next_if(|filter| filter.trim() == "size").is_some() {
            value = self.operand(&format!("{name}.size"));
        }
        for filter in parts.take(MOST) {
            value = self.filtered(value, filter.trim());
        }
        match value {
            Value::Text(text) if text.len() > LARGEST => Value::Unknown,
            Value::Zero => Value::Text("0".to_owned()),
            value => value,
        }
    }

    /// A value as its templates show it.
    pub fn shown(&self, value: String) -> String {
        match self.is_jinja() && value == "true" {
            true => "True".to_owned(),
            false => value,
        }
    }

    /// The texts of an expression such as `"Version " + space.vars.version`, joined.
    pub fn sum(&self, text: &str) -> Option<String> {
        let mut whole = String::new();
        let parts = split(text, "+");
        if parts.len() > MOST {
            return None;
        }
        let mut follows_number = false;
        for part in parts {
            let value = self.operand(part);
            let value = value.text()?;
            let is_number = quoted(part.trim()).is_none() && value.parse::<f64>().is_ok();
            // A script adds numbers.
            let is_too_long = whole.len() + value.len() > LARGEST;
            if is_too_long || follows_number && is_number {
                return None;
            }
            follows_number = is_number;
            whole.push_str(value);
        }
        Some(whole)
    }

    /// The value of a literal or a name.
    fn operand(&self, text: &str) -> Value {
        let text = text.trim();
        // Liquid knows these words as names alone.
        let is_name = matches!(text, "True" | "False" | "None") && !self.is_jinja();
        if let Some(literal) = literal(text).filter(|_| !is_name) {
            return literal;
        }
        if let Some(value) = self.assigned.get(text) {
            return value.clone();
        }
        self.names.value(text)
    }

    fn filtered(&self, value: Value, filter: &str) -> Value {
        let (name, arguments) = call(filter);
        let arguments: Vec<Value> = split(arguments, ",")
            .into_iter()
            .map(|argument| self.operand(argument))
            .collect();
        let text = |at: usize| match arguments.get(at) {
            Some(value) => value.text(),
            None => None,
        };
        let own = match (&value, name) {
            (Value::Text(code) | Value::Template(code), "highlight") => {
                return Value::Text(code_block(code, text(0)));
            }
            (Value::Unknown, "default") => {
                return text(0).map_or(Value::Unknown, |text| Value::Text(text.to_owned()));
            }
            (value, "default") if value.is_false() => {
                return arguments.into_iter().next().unwrap_or(Value::Unknown);
            }
            (_, "default") => return value,
            (value, _) => match value.text() {
                Some(own) => own,
                None => return Value::Unknown,
            },
        };
        let put = match name {
            "append" => text(0).map(|more| format!("{own}{more}")),
            "prepend" => text(0).map(|more| format!("{more}{own}")),
            "replace" => text(0)
                .filter(|from| !from.is_empty())
                .map(|from| own.replace(from, text(1).unwrap_or_default())),
            "remove" => text(0)
                .filter(|from| !from.is_empty())
                .map(|from| own.replace(from, "")),
            "downcase" => Some(own.to_lowercase()),
            "upcase" => Some(own.to_uppercase()),
            "strip" => Some(own.trim().to_owned()),
            "size" => Some(own.chars().count().to_string()),
            "plus" | "minus" => sum(own, text(0), name == "minus"),
            "escape" | "escape_once" | "xml_escape" | "markdownify" | "smartify" | "safe"
            | "relative_url" | "absolute_url" | "url" => Some(own.to_owned()),
            _ => None,
        };
        put.map_or(Value::Unknown, Value::Text)
    }

    /// Whether a name is known to have nothing that a loop could go through.
    pub fn is_nothing(&self, name: &str) -> bool {
        self.operand(name) == Value::Empty || self.is_true(name) == Some(false)
    }

    /// Whether a branch is shown, by the name and the condition of its tag, if none before it is.
    pub fn of_branch(&self, name: &str, case: Option<&str>, condition: &str) -> Option<bool> {
        match (name, case) {
            // In Markdoc a condition may follow.
            ("else", _) if condition.contains('$') => self.holds(condition),
            ("else", _) => Some(true),
            ("unless", _) => self.holds(condition).map(|holds| !holds),
            ("when", Some(case)) => self.is_one_of(case, condition),
            ("ifversion" | "ifequal" | "ifnotequal", _) => None,
            _ => self.holds(condition),
        }
    }

    /// Whether a condition holds; `None`: that is not known.
    pub fn holds(&self, condition: &str) -> Option<bool> {
        let condition = spaced(condition);
        let words = words(&condition);
        let parts = words.split(|word| is_joint(word) || is_script_joint(word));
        if words.len() == MOST_WORDS || parts.count() > MOST || has_groups(&condition) {
            return None;
        }
        match words.iter().any(|word| is_script_joint(word)) {
            true => self.holds_in_script(&words),
            false => self.holds_in_template(&words),
        }
    }

    /// As in JavaScript, `&&` binds more tightly than `||`.
    fn holds_in_script(&self, words: &[&str]) -> Option<bool> {
        let alternatives = words.split(|word| *word == "||").map(|words| {
            let parts = words.split(|word| *word == "&&");
            joined(false, parts.map(|part| self.comparison(part)))
        });
        joined(true, alternatives)
    }

    /// As in Liquid, `and` and `or` are read from the right.
    fn holds_in_template(&self, words: &[&str]) -> Option<bool> {
        let mut parts = words
            .rsplit(|word| is_joint(word))
            .map(|part| self.comparison(part));
        let joints = words.iter().rev().filter(|word| is_joint(word));
        let mut whole = parts.next().flatten();
        for (joint, left) in joints.zip(parts) {
            whole = joined(*joint == "or", [left, whole].into_iter());
        }
        whole
    }

    /// Whether a comparison or a single value holds, after any number of `not` and `!`.
    fn comparison(&self, words: &[&str]) -> Option<bool> {
        let negations = words.iter().take_while(|word| **word == "not").count();
        let (holds, negations) = match words[negations..] {
            [name] => {
                let bare = name.trim_start_matches('!');
                (self.is_true(bare), negations + name.len() - bare.len())
            }
            [name, "is", ref test @ ..] if self.names.language().has_bare_keys() => {
                (self.passes(name, test), negations)
            }
            [item, "in", list] if self.names.language().has_bare_keys() => {
                (self.compared(list, "contains", item), negations)
            }
            [left, sign, right] => (self.compared(left, sign, right), negations),
            _ => return None,
        };
        holds.map(|holds| holds == negations.is_multiple_of(2))
    }

    /// Whether a value passes a test of Jinja or Nunjucks: `x is defined`.
    fn passes(&self, name: &str, test: &[&str]) -> Option<bool> {
        let (is_negated, test) = match test {
            ["not", test] => (true, *test),
            [test] => (false, *test),
            _ => return None,
        };
        let passes = match (self.operand(name), test) {
            (Value::Unknown, _) => return None,
            (value, "defined") => value != Value::Undefined,
            (value, "undefined") => value == Value::Undefined,
            (value, "none" | "None") => value == Value::Nil,
            (value, "false") => value == Value::No,
            // Whether it is a yes or a text is not known.
            (Value::Text(text), "true") if text == "true" => return None,
            (_, "true") => false,
            _ => return None,
        };
        Some(passes != is_negated)
    }

    fn is_jinja(&self) -> bool {
        self.names.language() == TemplateLanguage::Jinja
    }

    fn is_true(&self, name: &str) -> Option<bool> {
        let has_empty_values = self.names.language().has_empty_values();
        match self.operand(name) {
            Value::Unknown => None,
            Value::Empty => Some(!self.is_jinja()),
            Value::Text(text) if has_empty_values && text.is_empty() => Some(false),
            Value::Zero => Some(!has_empty_values),
            // A number is false, a text is not.
            Value::Text(text) if has_empty_values && text.parse() == Ok(0.0) => None,
            value => Some(!value.is_false()),
        }
    }

    fn compared(&self, left: &str, sign: &str, right: &str) -> Option<bool> {
        let values = (self.operand(left), self.operand(right));
        if matches!(sign, "<" | ">" | "<=" | ">=") {
            return ordered(&values.0, sign, &values.1);
        }
        if sign == "contains"
            && let (Value::Some, Value::Text(item)) = &values
        {
            return self.names.list_contains(left, item);
        }
        let same = match values {
            (Value::Empty, _) if right == "empty" => Some(true),
            // Python tells what has no value from `none`, and a script where the types must be the same.
            (Value::Undefined, Value::Nil) | (Value::Nil, Value::Undefined) => {
                Some(!self.is_jinja() && matches!(sign, "==" | "!=" | "<>"))
            }
            (left, right) => same(&left, &right, sign == "contains"),
        };
        by_sign(sign, same)
    }

    /// Whether one of the values of a `when` is that of its `case`.
    pub fn is_one_of(&self, case: &str, when: &str) -> Option<bool> {
        let case = self.operand(case);
        let mut result = Some(false);
        for one in split(&when.replace(" or ", ","), ",")
            .into_iter()
            .take(MOST)
        {
            match same(&case, &self.operand(one), false) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => result = None,
            }
        }
        result
    }
}

/// Whether a condition depends on who the visitor is, however that is written.
pub fn names_claim(condition: &str) -> bool {
    super::names::CLAIMS
        .split('.')
        .all(|part| condition.contains(part))
}

/// Whether a condition names a variable of Markdoc, to which a program may give a value.
pub fn names_variable(condition: &str) -> bool {
    unquoted(condition).any(|(_, c)| c == '$')
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "or")
}

fn is_script_joint(word: &str) -> bool {
    matches!(word, "&&" | "||")
}

/// Whether a condition has parentheses, a choice or the like outside quotes.
fn has_groups(condition: &str) -> bool {
    unquoted(condition).any(|(_, c)| "(){}?`;".contains(c))
}

/// What several conditions say together: one that is `decides` decides.
pub fn joined(decides: bool, mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let first = parts.next()?;
    parts.fold(first, |whole, part| {
        if whole == Some(decides) || part == Some(decides) {
            Some(decides)
        } else {
            whole.and(part)
        }
    })
}

/// The name and the arguments of a filter: `append: '/x'` of Liquid, `highlight("js")` of Nunjucks.
fn call(filter: &str) -> (&str, &str) {
    let end = filter.find([':', '(']).unwrap_or(filter.len());
    let (name, arguments) = filter.split_at(end);
    let arguments = match arguments.strip_prefix('(') {
        Some(inner) => inner.trim_end().strip_suffix(')').unwrap_or(inner),
        None => arguments.strip_prefix(':').unwrap_or_default(),
    };
    (name.trim(), arguments)
}

/// Code as HTML on one line: it does not end a block of HTML around it, and no tag is read again.
fn code_block(code: &str, language: Option<&str>) -> String {
    let mut html = String::from("<pre><code");
    if let Some(language) = language {
        html.push_str(" class=\"language-");
        html.extend(language.chars().filter(|c| is_in_language(*c)));
        html.push('"');
    }
    html.push('>');
    for c in code.chars() {
        match c {
            '\n' => html.push_str("&#10;"),
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '{' => html.push_str("&#123;"),
            '%' => html.push_str("&#37;"),
            c => html.push(c),
        }
    }
    html + "</code></pre>"
}

fn is_in_language(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#' | '_' | '.')
}

/// Whether two numbers are in this order. Nothing is neither less nor more than anything.
fn ordered(left: &Value, sign: &str, right: &Value) -> Option<bool> {
    let (left, right) = match (left, right) {
        (left, _) if left.is_false() => return Some(false),
        (left, right) if left.text().is_some() && right.is_false() => return Some(false),
        (left, right) => {
            let number = |value: &Value| value.text()?.parse::<f64>().ok();
            (number(left)?, number(right)?)
        }
    };
    Some(match sign {
        "<" => left < right,
        ">" => left > right,
        "<=" => left <= right,
        _ => left >= right,
    })
}

/// Whether a comparison with this sign holds. `same`: whether its values are equal, or the first contains
/// the second.
fn by_sign(sign: &str, same: Option<bool>) -> Option<bool> {
    match sign {
        "==" | "===" | "contains" => same,
        "!=" | "!==" | "<>" => same.map(|same| !same),
        _ => None,
    }
}

/// The sum or the difference of two whole numbers.
fn sum(left: &str, right: Option<&str>, is_difference: bool) -> Option<String> {
    let (left, right): (i64, i64) = (left.parse().ok()?, right?.parse().ok()?);
    let sum = match is_difference {
        true => left.checked_sub(right),
        false => left.checked_add(right),
    };
    Some(sum?.to_string())
}

/// Whether two values are equal, or the first contains the second.
fn same(left: &Value, right: &Value, contains: bool) -> Option<bool> {
    match (left, right) {
        (Value::Nil | Value::Undefined, Value::Nil | Value::Undefined) | (Value::No, Value::No) => {
            Some(!contains)
        }
        (Value::Empty, Value::Text(_)) if contains => Some(false),
        (Value::Unknown | Value::Some | Value::Empty | Value::Template(_), _)
        | (_, Value::Unknown | Value::Some | Value::Empty | Value::Template(_)) => None,
        (left, right) => Some(match (left.text(), right.text()) {
            (Some(left), Some(right)) if contains => left.contains(right),
            (Some(left), Some(right)) => left == right,
            _ => left == right && !contains,
        }),
    }
}

/// The value of a literal.
pub fn literal(text: &str) -> Option<Value> {
    if let Some(inner) = quoted(text) {
        return Some(Value::Text(inner.to_owned()));
    }
    match text {
        "false" | "False" => return Some(Value::No),
        "nil" | "null" | "None" | "none" => return Some(Value::Nil),
        "undefined" => return Some(Value::Undefined),
        "true" | "True" => return Some(Value::Text("true".to_owned())),
        "empty" | "blank" => return Some(Value::Text(String::new())),
        _ => {}
    }
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.len() < 20
        && text.parse::<f64>().is_ok();
    is_number.then(|| Value::Text(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::dialects::config::SiteValue;
    use crate::syntax::front::Front;

    fn values(front: &Front) -> Values<'_> {
        static SITE: BTreeMap<String, SiteValue> = BTreeMap::new();
        let mut values = Values::new(Names::open(front, &SITE));
        values.assign("base", Value::Text("/docs".to_owned()));
        values
    }

    #[test]
    fn rule_53_literal_values_are_known() {
        let front =
            crate::syntax::front::split("---\ntitle: T\noff: false\ntags: [a]\n---\n", "a.md")
                .front;
        let values = values(&front);
        let text = |text: &str| Value::Text(text.to_owned());
        for (expression, expected) in [
            ("'a | b'", text("a | b")),
            ("base | append: \"/x\" | prepend: '/y'", text("/y/docs/x")),
            ("other | default: \"d\"", text("d")),
            ("base | default: \"d\"", text("/docs")),
            ("page.title | upcase", text("T")),
            ("page.none | default: base", text("/docs")),
            ("page.tags", Value::Some),
            ("page.url", Value::Unknown),
            ("site.title", Value::Unknown),
            ("base | unheard", Value::Unknown),
            ("base | replace: \"docs\", \"d\" | remove: '/'", text("d")),
            ("3", text("3")),
        ] {
            assert_eq!(values.expression(expression), expected, "{expression}");
        }
    }

    #[test]
    fn rule_53_conditions_hold_as_far_as_they_are_known() {
        let front =
            crate::syntax::front::split("---\ntitle: T\noff: false\ntags: [a]\n---\n", "a.md")
                .front;
        let values = values(&front);
        for (condition, expected) in [
            ("page.title", Some(true)),
            ("page.off or page.none", Some(false)),
            ("page.tags and page.title == \"T\"", Some(true)),
            ("page.title != 'T'", Some(false)),
            ("base contains 'doc'", Some(true)),
            ("site.x", None),
            ("site.x and page.none", Some(false)),
            ("site.x or page.title", Some(true)),
            ("not page.none", Some(true)),
            ("page.weight > 3", Some(false)),
            ("5 > 3 and 3<=3", Some(true)),
            ("page.title > 3", None),
            ("page.tags contains 'a'", Some(true)),
            ("page.tags contains 'b'", Some(false)),
            ("", None),
        ] {
            assert_eq!(values.holds(condition), expected, "{condition}");
        }
        for (condition, expected) in [
            ("visitor.claims.beta", Some(false)),
            ("!visitor.claims.beta", Some(true)),
            ("visitor.claims.unsigned.x === true", Some(false)),
            ("visitor.claims.plan == \"pro\" || page.title", Some(true)),
            ("[\"a\"].includes(visitor.claims.plan)", None),
            ("!visitor.claims.a&&visitor.claims.b", Some(false)),
            ("visitor.claims.plan!==\"pro\"", Some(true)),
            ("visitor?.claims?.plan", Some(false)),
            (
                "!visitor.claims.a || visitor.claims.b && page.none",
                Some(true),
            ),
            ("(visitor.claims.a || page.title)", None),
            (
                "visitor.claims.a && (page.title || page.title || page.title)",
                None,
            ),
            ("!(visitor.claims.a || page.title || page.title)", None),
            ("visitor.claims.a && !page.old)", None),
            ("visitor.claims.unsigned.beta === false", Some(false)),
            ("visitor.claims.beta !== false", Some(true)),
            ("visitor.claims.beta == false", Some(false)),
            ("visitor.claims.plan === null", Some(false)),
            ("visitor.claims.plan == null", Some(true)),
            ("visitor.claims.plan === undefined", Some(true)),
            ("visitor[\"claims\"].beta", None),
            ("visitor .claims.beta", None),
            ("!!visitor.claims.beta", Some(false)),
            ("not not page.title", Some(true)),
            ("page.title==\"T\"", Some(true)),
        ] {
            assert_eq!(values.holds(condition), expected, "{condition}");
        }
        assert_eq!(values.is_one_of("base", "'a', '/docs'"), Some(true));
        assert_eq!(values.is_one_of("base", "'a' or 'b'"), Some(false));
        assert_eq!(values.is_one_of("site.x", "'a'"), None);
    }

    #[test]
    fn a_condition_of_more_parts_than_the_limit_is_not_known() {
        let front = Front::default();
        let values = values(&front);
        for (joint, number) in [(" && ", MOST), (" and ", MOST), (" && ", 10 * MOST)] {
            let condition = format!("base{joint}").repeat(number);
            assert_eq!(values.holds(&format!("{condition}nil")), None, "{joint}");
        }
        assert_eq!(values.holds("base && nil"), Some(false));
    }

    #[test]
    fn a_condition_of_many_negations_takes_no_stack() {
        let front = Front::default();
        let values = values(&front);
        let condition = "!".repeat(1_000_000) + "base";
        assert_eq!(values.holds(&condition), Some(true));
        assert_eq!(values.holds(&format!("!{condition}")), Some(false));
    }

    proptest::proptest! {
        #[test]
        fn no_expression_panics(text in "(a|page\\.b|\\||'|\"|append: | and | or |==|&&|!|\\?\\.|visitor\\.claims|,|é| ){0,30}") {
            let front = Front::default();
            let values = values(&front);
            values.expression(&text);
            values.holds(&text);
            values.is_one_of(&text, &text);
        }
    }
}
