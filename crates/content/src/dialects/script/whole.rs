//! Texts that are data as a whole.

use crate::syntax::front::{self, Node, Syntax, Value};

/// A whole text in a syntax for data, also a list at the top.
pub fn whole(text: &str, path: &str, syntax: Syntax) -> Option<Node> {
    const KEY: &str = "all";
    let text = text.trim_start_matches('\u{feff}');
    let (wrapped, lines) = match syntax {
        Syntax::Json => (format!("{{\"{KEY}\":{text}\n}}"), 0),
        _ => {
            let inside = text
                .strip_prefix("---")
                .filter(|rest| rest.trim_start_matches([' ', '\r']).starts_with('\n'));
            let body = inside.unwrap_or(text);
            let is_list = body
                .lines()
                .map(str::trim_end)
                .find(|line| !line.is_empty() && !line.starts_with('#'))
                .is_some_and(|line| line.starts_with(['-', '[']));
            // In TOML a bracket opens a table.
            if !is_list || matches!(syntax, Syntax::Toml) {
                let (front, _) = front::read(text, path, syntax);
                return (!front.entries.is_empty()).then_some(Node {
                    value: Value::Map(front.entries),
                    line: 1,
                    column: 1,
                });
            }
            (format!("{KEY}:\n{body}"), u32::from(inside.is_none()))
        }
    };
    let (front, _) = front::read(&wrapped, path, syntax);
    let entry = front
        .entries
        .into_iter()
        .find(|entry| entry.key.text == KEY)?;
    let mut node = entry.node;
    shift(&mut node, lines);
    Some(node)
}

/// Moves the places of a value up by some lines. The depth of values is bounded by their parsers.
fn shift(node: &mut Node, lines: u32) {
    node.line = node.line.saturating_sub(lines);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, lines)),
        Value::Map(entries) => entries
            .iter_mut()
            .for_each(|entry| shift(&mut entry.node, lines)),
        Value::Scalar { .. } => {}
    }
}
