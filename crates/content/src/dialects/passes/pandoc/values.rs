//! `{{< meta key >}}` and `{{< var key >}}`: values of the page and of the site, also in code and in
//! addresses. `{{{< … >}}}` shows a shortcode.

use super::Values;
use crate::dialects::attributes::Conditions;
use crate::dialects::lines::Lines;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::Arguments;
use crate::model::text::Next;

/// The longest such shortcode, in bytes.
const LONGEST: usize = 200;

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    let text = lines.text.as_str();
    if !text.contains("{{<") {
        return;
    }
    let found = lines.literals();
    let mut close = Next::new(">}}", text);
    let mut splice = Splice::new(text);
    let mut at = 0;
    while let Some(step) = text[at..].find("{{<") {
        let start = at + step;
        at = start + 3;
        let Some(end) = close.from(at) else { break };
        let inner = &text[at..end];
        if inner.len() > LONGEST || inner.contains('\n') {
            continue;
        }
        let mut range = start..end + 3;
        if text[..start].ends_with('{') && text[range.end..].starts_with('}') {
            range = start - 1..range.end + 1;
            let shown = if found.is_code(start) {
                format!("{{{{<{inner}>}}}}")
            } else {
                format!("{{{{</*{inner}*/>}}}}")
            };
            splice.put(range.clone(), &shown);
            at = range.end;
        } else if let Some(value) = value(inner, values) {
            splice.put(range.clone(), &value);
            at = range.end;
        }
    }
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
}

fn value(inner: &str, values: &Values<'_>) -> Option<String> {
    let (name, rest) = inner.trim().split_once(char::is_whitespace)?;
    let arguments = Arguments::parse(rest);
    let key = arguments.first()?;
    let value = match name {
        "meta" => values.said.meta(key)?,
        "var" => values.variable(key)?,
        _ => return None,
    };
    // A value is text on one line, and no further shortcode.
    Some(value.replace(['\n', '\r'], " ").replace("{{<", "{{"))
}
