//! Titles of tabs and boxes that stand on lines of their own: `@tab` of VuePress, `[label]` of a fence in `::: code-group`, `<!-- tab Title -->` of Hexo,
//! `/// note | Title` of pymdownx.

use super::{Line, Walk};

/// One of them is in every text that has such a line.
pub(super) const SIGNS: [&str; 5] = ["@tab", "code-group", "<!-- tab", "<!-- endtab", "/// "];

/// Writes such a line; `false`: it is none.
pub(super) fn line(line: &Line<'_>, number: usize, walk: &mut Walk) -> bool {
    let rest = line.rest.trim_end();
    let colons = rest.len() - rest.trim_start_matches(':').len();
    if let Some(count) = walk.code_group {
        if rest.starts_with("```") {
            if let Some((_, title)) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
                walk.label(line, title, number);
            }
            return false;
        }
        if colons == count && colons == rest.len() {
            walk.code_group = None;
        }
    }
    if line.code {
        return false;
    }
    if colons >= 3 && rest[colons..].trim_start().starts_with("code-group") {
        walk.code_group = Some(colons);
        return false;
    }
    if let Some(title) = rest.strip_prefix("@tab") {
        let title = title.strip_prefix(":active").unwrap_or(title);
        let Some(title) = title.strip_prefix(' ') else { return false };
        walk.label(line, title.split(['#', '@']).next().unwrap_or_default().trim(), number);
        return true;
    }
    if let Some(title) = rest.strip_prefix("<!-- tab ").and_then(|rest| rest.strip_suffix("-->")) {
        walk.label(line, title.split('@').next().unwrap_or_default().trim(), number);
        return true;
    }
    slashes(line, rest, number, walk)
}

/// `/// name | Title`, its options, and `///`: as colons, which the next step knows.
fn slashes(line: &Line<'_>, rest: &str, number: usize, walk: &mut Walk) -> bool {
    if std::mem::take(&mut walk.options) && !rest.is_empty() && line.prefix.ends_with("    ") && rest.contains(':') {
        walk.options = true;
        walk.push("", number);
        return true;
    }
    let words = rest.trim_start_matches('/');
    let count = rest.len() - words.len();
    if count < 3 {
        return false;
    }
    let colons = ":".repeat(count);
    if words.is_empty() {
        walk.push(format!("{}{colons}", line.prefix), number);
        return true;
    }
    let Some(words) = words.strip_prefix(' ') else { return false };
    let (name, title) = words.split_once('|').map_or((words.trim(), ""), |(name, title)| (name.trim(), title.trim()));
    let name = name.to_ascii_lowercase();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if !is_name {
        return false;
    }
    // The title of a box of HTML is its element.
    let title = if name == "html" { "" } else { title };
    walk.push(format!("{}{colons} {name} {title}", line.prefix).trim_end().to_owned(), number);
    walk.options = true;
    true
}

#[cfg(test)]
mod tests {
    use crate::dialects::passes::directives::check;

    #[test]
    fn rule_12_titles_of_tabs_in_every_spelling() {
        check(":::: tabs\n@tab npm\na\n@tab:active pnpm\nb\n::::", ":::: tabs\n\n**npm:**\n\na\n\n**pnpm:**\n\nb\n::::");
        check(
            "::: code-group\n\n```js [a.js]\nx\n```\n\n:::\n```js [b]\n```",
            "::: code-group\n\n\n**a.js:**\n\n```js [a.js]\nx\n```\n\n:::\n```js [b]\n```",
        );
        check("<!-- tab One@icon -->\na\n<!-- endtab -->", "\n**One:**\n\na\n<!-- endtab -->");
        check("/// note | T\na\n///\n/// details | S\n    open: True\n\nb\n///", "::: note T\na\n:::\n::: details S\n\n\nb\n:::");
        check("/// tab | A\na\n///\n/// html | div.x\nb\n///", "::: tab A\na\n:::\n::: html\nb\n:::");
        for text in ["```\n@tab x\n/// note\n```", "@table", "////comment", "/// | x"] {
            check(text, text);
        }
    }
}
