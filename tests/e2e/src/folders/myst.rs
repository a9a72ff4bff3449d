//! Reads MyST by simple rules on lines, without Diglot's own: what directives and roles add to
//! Markdown is left out, so that words and code are those that readers must find.

/// Directives whose first line has a path or a language, not words.
const WITHOUT_WORDS: [&str; 3] = ["code-cell", "figure", "image"];
/// Directives whose content readers do not see as it is.
const NOT_SHOWN: [&str; 6] = [
    "include",
    "literalinclude",
    "math",
    "raw",
    "toctree",
    "todo",
];

/// What a fence opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Markdown,
    Code,
    Nothing,
}

/// An open fence.
struct Open<'t> {
    signs: &'t str,
    content: Content,
    /// Whether options may follow.
    options: bool,
}

/// A text without the syntax of MyST.
pub fn plain(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut around: Vec<Open<'_>> = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        let signs = signs(bare);
        let behind = &bare[signs.len()..];
        if let Some(open) = around.last_mut() {
            if !signs.is_empty() && behind.is_empty() && signs.starts_with(open.signs) {
                let is_code = open.content == Content::Code;
                out.extend(is_code.then(|| "```".to_owned()));
                around.pop();
                continue;
            }
            let is_option = open.options && bare.starts_with(':') && signs.is_empty();
            open.options &= is_option;
            if is_option || open.content == Content::Nothing {
                continue;
            }
            if open.content == Content::Code {
                out.push(line.to_owned());
                continue;
            }
        }
        if signs.is_empty() {
            out.extend(prose(line));
            continue;
        }
        let directive = behind
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'));
        let (name, words) = directive.unwrap_or(("", behind));
        let content = match name {
            "" | "code" | "code-block" => Content::Code,
            name if NOT_SHOWN.contains(&name) => Content::Nothing,
            _ => Content::Markdown,
        };
        match content {
            Content::Code => out.push(format!("```{}", words.trim())),
            Content::Nothing => {}
            Content::Markdown if WITHOUT_WORDS.contains(&name) => {}
            Content::Markdown => out.push(words.to_owned()),
        }
        around.push(Open {
            signs,
            content,
            options: !name.is_empty(),
        });
    }
    out.join("\n")
}

/// The signs of a fence that a line begins with.
fn signs(bare: &str) -> &str {
    let first = bare.chars().next().filter(|c| matches!(c, '`' | ':' | '~'));
    let rest = first.map_or(bare, |first| bare.trim_start_matches(first));
    let signs = &bare[..bare.len() - rest.len()];
    if signs.len() < 3 { "" } else { signs }
}

/// A line of prose without roles; none of a comment or a label.
fn prose(line: &str) -> Option<String> {
    if line.starts_with('%') || line.ends_with(")=") {
        return None;
    }
    if line.starts_with("$$") {
        return Some("$$".to_owned());
    }
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, behind)) = rest.split_once("}`") {
        let Some((kept, _)) = before.rsplit_once('{') else {
            break;
        };
        out.push_str(kept);
        rest = behind.split_once('`').map_or("", |(_, rest)| rest);
    }
    Some(out + rest)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_readers_see_is_kept() {
        for (text, expected) in [
            ("```{note} A\n:class: b\n\nC\n```\nD", " A\n\nC\nD"),
            ("```{code-block} sh\n:a: b\n\nx\n```", "```sh\n\nx\n```"),
            ("```py\n:a: b\n```", "```py\n:a: b\n```"),
            ("::::{x}\n:::{todo}\nA\n:::\nB\n::::", "\nB"),
            ("% a\n(b)=\nA {ref}`b <c>`, D", "A , D"),
            ("$$\na\n$$ (b)", "$$\na\n$$"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
