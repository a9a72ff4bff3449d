//! What a block holds whose content is shown where it is named.

use super::names::Value;

/// The value of what a `capture` holds.
pub fn captured(content: &str) -> Value {
    let lines = content.trim_start_matches([' ', '\t']);
    // The first line of code keeps its indentation.
    let content = match lines.starts_with(['\r', '\n']) {
        true => lines.trim_start_matches(['\r', '\n']),
        false => lines,
    };
    let whole = content.trim_end();
    let inner = literal_inside(whole).unwrap_or(whole);
    // Tags inside would be read again where the value is used.
    if inner.contains("{%") || inner.contains("{{") {
        Value::Template(inner.to_owned())
    } else {
        Value::Text(inner.to_owned())
    }
}

/// The content of a text that is one `raw`.
fn literal_inside(text: &str) -> Option<&str> {
    let tag = |text: &str, name: &str| {
        let inner = text.trim_start_matches('-').trim_end_matches('-').trim();
        inner == name
    };
    let (first, rest) = text.strip_prefix("{%")?.split_once("%}")?;
    let (content, last) = rest.rsplit_once("{%")?;
    let is_literal = tag(first, "raw") && tag(last.strip_suffix("%}")?, "endraw");
    let content = content.trim_end();
    is_literal.then(|| content.trim_start_matches(['\r', '\n']))
}
