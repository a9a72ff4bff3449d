//! Titles of tabs and boxes on lines of their own: `@tab` of VuePress, `[label]` of a fence in
//! `::: code-group`, `<!-- tab Title -->` of Hexo, `/// note | Title` of pymdownx.

use super::state::State;
use crate::dialects::scan::Line;

/// Every text with such a line contains one of these.
pub const SIGNS: [&str; 5] = ["@tab", "code-group", "<!-- tab", "<!-- endtab", "/// "];

/// Writes a line with this syntax; `false`: it has none.
pub fn line(line: &Line<'_>, number: usize, state: &mut State<'_>) -> bool {
    let rest = line.rest.trim_end();
    let words = rest.trim_start_matches(':');
    let colons = rest.len() - words.len();
    if let Some(count) = state.code_group {
        if rest.starts_with("```") {
            if let Some(title) = label(rest) {
                state.label(line, title, number);
            }
            return false;
        }
        if colons == count && words.is_empty() {
            state.code_group = None;
        }
    }
    if line.block {
        return false;
    }
    if colons >= 3 && words.trim_start().starts_with("code-group") {
        state.code_group = Some(colons);
        return false;
    }
    if let Some(title) = rest.strip_prefix("@tab") {
        let title = title.strip_prefix(":active").unwrap_or(title);
        let Some(title) = title.strip_prefix(' ') else {
            return false;
        };
        state.label(line, before(title, &['#', '@']), number);
        return true;
    }
    if let Some(title) = rest.strip_prefix("<!-- tab ")
        && let Some(title) = title.strip_suffix("-->")
    {
        state.label(line, before(title, &['@']), number);
        return true;
    }
    slashes(line, rest, number, state)
}

/// The label in ```` ```js [label] ````.
fn label(fence: &str) -> Option<&str> {
    let (_, label) = fence.strip_suffix(']')?.rsplit_once('[')?;
    Some(label)
}

/// A title up to the first of these.
fn before<'t>(title: &'t str, marks: &[char]) -> &'t str {
    let end = title.find(marks).unwrap_or(title.len());
    title[..end].trim()
}

/// `/// name | Title`, its options, and `///`, rewritten with colons for the next step.
fn slashes(line: &Line<'_>, rest: &str, number: usize, state: &mut State<'_>) -> bool {
    if std::mem::take(&mut state.options)
        && !rest.is_empty()
        && line.prefix.ends_with("    ")
        && rest.contains(':')
    {
        state.options = true;
        state.out.push("", number);
        return true;
    }
    let words = rest.trim_start_matches('/');
    let count = rest.len() - words.len();
    if count < 3 {
        return false;
    }
    let fence = format!("{}{}", line.prefix, ":".repeat(count));
    if words.is_empty() {
        state.out.push(fence, number);
        return true;
    }
    let Some(words) = words.strip_prefix(' ') else {
        return false;
    };
    let (name, title) = words.split_once('|').unwrap_or((words, ""));
    let name = name.trim().to_ascii_lowercase();
    if !is_name(&name) {
        return false;
    }
    // In an HTML box the text after `|` is the element, not a title.
    let title = if name == "html" { "" } else { title.trim() };
    state
        .out
        .push(format!("{fence} {name} {title}").trim_end(), number);
    state.options = true;
    true
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

#[cfg(test)]
mod tests {
    use crate::dialects::passes::directives::check;

    #[test]
    fn rule_12_titles_of_tabs_in_every_spelling() {
        check(
            ":::: tabs\n@tab npm\na\n@tab:active pnpm\nb\n::::",
            ":::: tabs\n\n**npm:**\n\na\n\n**pnpm:**\n\nb\n::::",
        );
        check(
            "::: code-group\n\n```js [a.js]\nx\n```\n\n:::\n```js [b]\n```",
            "::: code-group\n\n\n**a.js:**\n\n```js [a.js]\nx\n```\n\n:::\n```js [b]\n```",
        );
        check(
            "<!-- tab One@icon -->\na\n<!-- endtab -->",
            "\n**One:**\n\na\n<!-- endtab -->",
        );
        check(
            "/// note | T\na\n///\n/// details | S\n    open: True\n\nb\n///",
            "::: note T\na\n:::\n::: details S\n\n\nb\n:::",
        );
        check(
            "/// tab | A\na\n///\n/// html | div.x\nb\n///",
            "::: tab A\na\n:::\n::: html\nb\n:::",
        );
        for text in [
            "```\n@tab x\n/// note\n```",
            "@table",
            "////comment",
            "/// | x",
        ] {
            check(text, text);
        }
    }
}
