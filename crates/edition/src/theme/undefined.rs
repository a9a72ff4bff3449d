//! What a template probably meant by a name that does not exist.

use std::collections::BTreeSet;

use diglot_content::text::nearest;
use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};
use strsim::jaro_winkler;

/// How deep names are looked for below the values of a template.
const DEPTH: usize = 5;
/// Names less alike than this are not offered (Jaro-Winkler, 0 to 1).
const ALIKE: f64 = 0.8;
/// The same for whole expressions, which often begin alike.
const ALIKE_AS_A_WHOLE: f64 = 0.93;

/// Words of the template language that are not names.
const KEYWORDS: [&str; 10] = [
    "and", "else", "false", "if", "in", "is", "none", "not", "or", "true",
];
/// The filters of the template language. A test calls each.
pub(super) const FILTERS: [&str; 45] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "chain",
    "count",
    "default",
    "dictsort",
    "escape",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
    "zip",
];
/// The tests of the template language.
pub(super) const TESTS: [&str; 22] = [
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "even",
    "false",
    "ge",
    "gt",
    "in",
    "iterable",
    "le",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "startingwith",
    "string",
];
/// The functions.
const FUNCTIONS: [&str; 5] = ["debug", "dict", "namespace", "once", "range"];

/// A name as written, and its parts: `groups`, `0` and `title` of `groups[0].title`.
struct Name<'s> {
    whole: &'s str,
    parts: Vec<Part<'s>>,
}

/// A part of a name.
struct Part<'s> {
    /// The end in the whole name.
    end: usize,
    key: &'s str,
    is_item: bool,
}

/// The expression of an error about an undefined value, as written, such as `page.titel`.
pub(super) fn expression<'e>(error: &'e Error, context: &Value) -> Option<&'e str> {
    if error.kind() != ErrorKind::UndefinedError {
        return None;
    }
    let (source, range) = (error.template_source()?, error.range()?);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '\'' | '"');
    // The place of a filter's error is the filter's name; its value is before the bar.
    if let Some(value) = source.get(..range.start)?.trim_end().strip_suffix('|') {
        let value = value.trim_end();
        let start = value.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        return value.get(start..).filter(|name| !name.is_empty());
    }
    // The place of a part begins with its dot.
    let mut start = range.start;
    if source.get(range.clone())?.starts_with(['.', '[']) {
        let before = source.get(..start)?;
        start = before.rfind(|c| !is_name(c)).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    }
    let names = names(source.get(start..range.end)?);
    let mut unknown = names
        .iter()
        .filter(|name| name.known_in(context) < name.parts.len());
    let misspelt = unknown.clone().find(|name| name.known_in(context) > 0);
    let meant = misspelt.or_else(|| unknown.next()).or(names.first())?;
    Some(meant.whole)
}

/// The names of an expression.
fn names(text: &str) -> Vec<Name<'_>> {
    let mut names = Vec::new();
    let mut at = 0;
    let mut is_filter = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if matches!(c, '\'' | '"') {
            at += rest[1..].find(c).map_or(rest.len(), |end| end + 2);
        } else if c.is_alphabetic() || c == '_' {
            let name = Name::parse(rest);
            at += name.whole.len();
            if !is_filter && !KEYWORDS.contains(&name.whole) {
                names.push(name);
            }
        } else {
            at += c.len_utf8();
        }
        is_filter = c == '|' || is_filter && c == ' ';
    }
    names
}

impl<'s> Name<'s> {
    /// The name at the beginning of a text.
    fn parse(text: &'s str) -> Self {
        let mut parts = Vec::new();
        let mut end = 0;
        let word = |from: usize| {
            let rest = &text[from..];
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..length.unwrap_or(rest.len())]
        };
        loop {
            let rest = &text[end..];
            let (key, length, is_item) = if end == 0 {
                let key = word(0);
                (key, key.len(), false)
            } else if rest.starts_with('.') {
                let key = word(end + 1);
                (key, key.len() + 1, false)
            } else if let Some(inside) = rest.strip_prefix('[')
                && let Some(close) = inside.find(']')
            {
                (inside[..close].trim(), close + 2, true)
            } else {
                break;
            };
            if key.is_empty() {
                break;
            }
            end += length;
            let key = key.trim_matches(['\'', '"']);
            parts.push(Part { end, key, is_item });
        }
        Self {
            whole: &text[..end],
            parts,
        }
    }

    /// How many of its parts lead to a value.
    fn known_in(&self, context: &Value) -> usize {
        let mut value = context.clone();
        for (count, part) in self.parts.iter().enumerate() {
            match part.get_from(&value) {
                Some(inner) => value = inner,
                None => return count,
            }
        }
        self.parts.len()
    }

    /// The value of its first parts.
    fn value(&self, parts: usize, context: &Value) -> Value {
        let mut value = context.clone();
        for part in self.parts.iter().take(parts) {
            value = part.get_from(&value).unwrap_or_default();
        }
        value
    }
}

impl Part<'_> {
    fn get_from(&self, value: &Value) -> Option<Value> {
        let inner = match self.key.parse::<usize>() {
            Ok(index) if self.is_item => value.get_item_by_index(index),
            _ => value.get_item(&Value::from(self.key)),
        };
        inner.ok().filter(|inner| !inner.is_undefined())
    }
}

/// What to write instead of a name that does not exist.
pub(super) fn hint(expression: &str, context: &Value) -> String {
    const DOCS: &str = "docs/themes.md lists the values that templates have";
    let meant = |name: String| format!("did you mean `{name}`?");
    let name = Name::parse(expression);
    let known = name.known_in(context);
    if known == 0 {
        return nearest_name(expression, context).map_or_else(|| DOCS.to_owned(), meant);
    }
    let Some(part) = name.parts.get(known) else {
        let first = name.parts.first().map_or("", |part| part.key);
        return format!(
            "a template that `once` renders has no `{first}`: it is the same on every page"
        );
    };
    let start = name.parts[known - 1].end;
    let (owner, rest) = (&expression[..start], &expression[part.end..]);
    let value = name.value(known, context);
    match value.kind() {
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            let keys: BTreeSet<String> = keys.map(|key| key.to_string()).collect();
            let Some(key) = most_alike(&keys, ALIKE, |key| jaro_winkler(key, part.key)) else {
                return DOCS.to_owned();
            };
            meant(match part.is_item {
                true => format!("{owner}['{key}']{rest}"),
                false => format!("{owner}.{key}{rest}"),
            })
        }
        ValueKind::None => {
            format!("`{owner}` is empty on this page: ask with `{{% if {owner} %}}` first")
        }
        ValueKind::Seq => {
            format!(
                "`{owner}` is a list: write `{{% for item in {owner} %}}`, and use the fields of `item`"
            )
        }
        _ => format!("`{owner}` has no fields"),
    }
}

/// What to write instead of a filter, test, function or template that does not exist.
pub(super) fn hint_for_call<'n>(
    error: &Error,
    templates: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let detail = error.detail()?;
    let word = |at: usize| detail.split_whitespace().nth(at);
    let quoted = || detail.split(['"', '\'']).nth(1);
    let meant = match error.kind() {
        ErrorKind::UnknownFilter => nearest(word(1)?, &FILTERS),
        ErrorKind::UnknownTest => nearest(word(1)?, &TESTS),
        ErrorKind::UnknownFunction => nearest(word(0)?, &FUNCTIONS),
        ErrorKind::TemplateNotFound => nearest(quoted()?, &templates.collect::<Vec<_>>()),
        _ => None,
    };
    meant.map(|meant| format!("did you mean `{meant}`?"))
}

/// The existing name that is most like this one: `page.title` for `pages.title`.
fn nearest_name(expression: &str, context: &Value) -> Option<String> {
    let mut names = BTreeSet::new();
    collect(context, "", 0, &mut names);
    names.remove(expression);
    if let Some(name) = most_alike(&names, ALIKE_AS_A_WHOLE, |name| {
        jaro_winkler(name, expression)
    }) {
        return Some(name.clone());
    }
    // The value is a variable of the template, such as the link of a loop.
    let (owner, last) = expression.rsplit_once('.')?;
    let own = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let name = most_alike(&names, ALIKE, |name| jaro_winkler(&own(name), last))?;
    Some(format!("{owner}.{}", own(name)))
}
/// The name with the highest score, if that is at least `least`.
fn most_alike(
    names: &BTreeSet<String>,
    least: f64,
    score: impl Fn(&str) -> f64,
) -> Option<&String> {
    let scores = names.iter().map(|name| (score(name), name));
    let alike = scores.filter(|(score, _)| *score >= least);
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(best.1)
}

/// The names of all values: `site`, `site.title`, of a list those of its first element.
fn collect(value: &Value, path: &str, depth: usize, names: &mut BTreeSet<String>) {
    if depth > DEPTH {
        return;
    }
    match value.kind() {
        ValueKind::Map => {
            for key in value.try_iter().into_iter().flatten() {
                let (Some(name), Ok(inner)) = (key.as_str(), value.get_item(&key)) else {
                    continue;
                };
                let path = match path {
                    "" => name.to_owned(),
                    path => format!("{path}.{name}"),
                };
                collect(&inner, &path, depth + 1, names);
                names.insert(path);
            }
        }
        ValueKind::Seq => {
            if let Ok(first) = value.get_item_by_index(0) {
                collect(&first, path, depth + 1, names);
            }
        }
        _ => {}
    }
}
