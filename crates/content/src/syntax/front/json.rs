//! JSON front matter: one object in braces at the beginning of the file.

use serde_json::Value as Json;

use super::{Entry, Key, Node, Reading, Value, yaml};

/// The length of the JSON object that the text begins with; `None` when it is something else (a template tag, a broken object).
pub(super) fn extent(text: &str) -> Option<usize> {
    let second = text[1..].trim_start().chars().next()?;
    if !matches!(second, '"' | '}') {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    objects.next()?.ok()?;
    Some(objects.byte_offset())
}

/// Reads the object: JSON is YAML but for some escapes, and YAML gives places; where it does not, the object's own first line stands for all.
pub(super) fn read(text: &str, path: &str, first_line: u32) -> Option<Reading> {
    let reading = yaml::read(text, path, first_line);
    if let Some(reading) = reading.filter(|reading| !reading.problems.iter().any(|problem| problem.message.contains("YAML"))) {
        return Some(reading);
    }
    let Ok(Json::Object(object)) = serde_json::from_str(text) else { return None };
    let entries = object.into_iter().map(|(key, value)| entry(key, value, first_line)).collect();
    Some(Reading { entries, problems: Vec::new() })
}

fn entry(key: String, value: Json, line: u32) -> Entry {
    Entry { key: Key { text: key, line, column: 1 }, node: node(value, line) }
}

/// A value without places of its own. The depth is bounded by the JSON parser.
fn node(value: Json, line: u32) -> Node {
    let value = match value {
        Json::String(text) => Value::Scalar { text, plain: false },
        Json::Array(items) => Value::List(items.into_iter().map(|item| node(item, line)).collect()),
        Json::Object(object) => Value::Map(object.into_iter().map(|(key, value)| entry(key, value, line)).collect()),
        other => Value::Scalar { text: other.to_string(), plain: true },
    };
    Node { value, line, column: 1 }
}
