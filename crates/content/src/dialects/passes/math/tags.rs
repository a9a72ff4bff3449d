//! Tags around a formula: `{{< katex >}}…{{< /katex >}}` and the like become its delimiters.

use super::LONGEST;
use crate::dialects::lines::Lines;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::{Inner, Reading, tokens};

const NAMES: [&str; 6] = ["katex", "math", "mathjax", "latex", "tex", "mathjax/block"];

pub fn rewrite(lines: &mut Lines) {
    let text = lines.text.as_str();
    if !text.contains("{{") && !text.contains("{%") || !NAMES.iter().any(|name| text.contains(name))
    {
        return;
    }
    let tokens = tokens(text, &lines.literals(), Reading::default());
    let mut splice = Splice::new(text);
    let mut at = 0;
    while let [open, rest @ ..] = &tokens[at..] {
        at += 1;
        let (Inner::Shortcode(words) | Inner::Tag(words)) = open.inner else {
            continue;
        };
        let (name, arguments) = words.split_once(' ').unwrap_or((words, ""));
        if !NAMES.contains(&name) {
            continue;
        }
        // Two braces here belong to TeX.
        let outputs = rest
            .iter()
            .take_while(|token| matches!(token.inner, Inner::Output(_)))
            .count();
        let Some(close) = rest.get(outputs) else {
            continue;
        };
        let inner = &text[open.range.end..close.range.start];
        if !ends(close.inner, name) || inner.contains("\n\n") || inner.len() > LONGEST {
            continue;
        }
        let display = arguments.contains("display")
            || name.ends_with("block")
            || inner.trim_end_matches([' ', '\t']).ends_with('\n');
        splice.put(
            open.range.start..close.range.end,
            &with_signs(inner, display),
        );
        at += outputs + 1;
    }
    lines.set(splice.finish().0);
}

/// Whether a tag closes the one with this name.
fn ends(inner: Inner<'_>, name: &str) -> bool {
    let (Inner::Shortcode(end) | Inner::Tag(end)) = inner else {
        return false;
    };
    end.trim_start_matches(['/', ' ']) == name || end.strip_prefix("end") == Some(name)
}

/// A formula between delimiters, unless it has its own.
fn with_signs(inner: &str, display: bool) -> String {
    let mut inner = inner;
    if let Some(single) = inner
        .trim()
        .strip_prefix('$')
        .and_then(|own| own.strip_suffix('$'))
        && !single.contains('$')
    {
        inner = single;
    }
    match inner.trim() {
        own if own.starts_with('$') || own.starts_with("\\\\") => inner.to_owned(),
        _ if display => format!("$${inner}$$"),
        _ => format!("\\\\({inner}\\\\)"),
    }
}
