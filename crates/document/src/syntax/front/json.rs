//! JSON front matter: one object in braces at the beginning of the file.

use serde_json::{Map, Value as Json};

use super::{Block, Entry, Key, Node, Reading, Value, yaml};

/// The length of the JSON object at the beginning of a text; `None` for anything else (a template
/// tag, an invalid object).
pub fn length(text: &str) -> Option<usize> {
    let second = text[1..].trim_start();
    if !second.starts_with(['"', '}']) {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    objects.next()?.ok()?;
    Some(objects.byte_offset())
}

/// Parses the object as YAML, which gives places and differs from JSON only in some escapes. If
/// that fails, parses it as JSON, and every value has the object's first line.
pub fn read(block: Block<'_>) -> Option<Reading> {
    if let Some(reading) = yaml::read(block)
        && !reading
            .problems
            .iter()
            .any(|problem| problem.message.contains("YAML"))
    {
        return Some(reading);
    }
    let Ok(Json::Object(object)) = serde_json::from_str(block.text) else {
        return None;
    };
    Some(Reading {
        entries: entries(object, block.first_line),
        ..Reading::default()
    })
}

fn entries(object: Map<String, Json>, line: u32) -> Vec<Entry> {
    let entry = |(text, value)| Entry {
        key: Key {
            text,
            line,
            column: 1,
        },
        node: node(value, line),
    };
    object.into_iter().map(entry).collect()
}

/// A value without its own place. The JSON parser bounds the depth.
fn node(value: Json, line: u32) -> Node {
    let value = match value {
        Json::String(text) => Value::Scalar { text, plain: false },
        Json::Array(items) => Value::List(items.into_iter().map(|item| node(item, line)).collect()),
        Json::Object(object) => Value::Map(entries(object, line)),
        other => Value::Scalar {
            text: other.to_string(),
            plain: true,
        },
    };
    Node {
        value,
        line,
        column: 1,
    }
}
