//! What a template probably meant by a name that does not exist.

use std::collections::BTreeSet;

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};
use strsim::jaro_winkler;

/// How deep names are looked for below the values of a template.
const DEPTH: usize = 5;
/// Names less alike than this are not offered (Jaro-Winkler, 0 to 1).
const ALIKE: f64 = 0.8;
/// The same for whole expressions, which often begin alike.
const ALIKE_AS_A_WHOLE: f64 = 0.93;

/// The expression of an error about an undefined value, as written, such as `page.titel`.
pub(super) fn expression(error: &Error) -> Option<&str> {
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
    let text = source.get(range)?.trim_start_matches('{').trim_start();
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    Some(&text[..end]).filter(|name| !name.is_empty())
}

/// The existing name that is most like this one: `page.title` for `page.titel`.
pub(super) fn nearest(expression: &str, context: &Value) -> Option<String> {
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
