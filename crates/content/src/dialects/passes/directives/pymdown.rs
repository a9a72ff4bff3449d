//! Syntax of pymdownx and related extensions: icons (`:material-x:{ .lg }`), attributes on lines of
//! their own (`{ .annotate }`), abbreviations (`*[HTML]: …`), CriticMarkup (`{--x--}`,
//! `{>>comment<<}`), keys (`++ctrl+c++`), mkdocstrings (`::: package.module`).

use super::state::{State, outside_spans};
use crate::dialects::scan::Line;
use crate::model::text::Marks;

const ICONS: [&str; 4] = [":material-", ":octicons-", ":fontawesome-", ":simple-"];

/// The beginnings of inline markers, except keys.
const INSIDE: [&str; 9] = [
    ":material-",
    ":octicons-",
    ":fontawesome-",
    ":simple-",
    "{~~",
    "{--",
    "{>>",
    "{++",
    "{==",
];
/// The beginnings of markers with a line of their own.
const ALONE: [&str; 5] = ["*[", "{ .", "{.", "{ #", "{#"];
/// Every text with such a line contains one of these, or [`has_keys`].
pub const SIGNS: [&[&str]; 2] = [&INSIDE, &ALONE];

/// Text between markers, and the part of it that is shown; `None`: they are not markers.
type Pair = (&'static str, &'static str, fn(&str) -> Option<&str>);

/// CriticMarkup, and keys.
const PAIRS: [Pair; 6] = [
    ("{--", "--}", |_| Some("")),
    ("{>>", "<<}", |_| Some("")),
    ("{++", "++}", |added| Some(added)),
    ("{==", "==}", |marked| Some(marked)),
    ("{~~", "~~}", |changed| {
        Some(changed.split_once("~>").map_or(changed, |(_, new)| new))
    }),
    ("++", "++", |keys| are_keys(keys).then_some(keys)),
];

/// Whether a text may contain keys: two `++` with only characters of key names between them. `C++`
/// alone does not count, however often it occurs.
pub fn has_keys(text: &str) -> bool {
    // Bytes that no `++` closes are scanned once: the next `++` is after them.
    memchr::memmem::find_iter(text.as_bytes(), b"++").any(|at| {
        let behind = &text.as_bytes()[at + 2..];
        let length = behind.iter().take_while(|byte| is_key(**byte)).count();
        memchr::memmem::find(&behind[..length], b"++").is_some()
    })
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-_\"".contains(&byte)
}

fn are_keys(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_alphanumeric()) && text.bytes().all(is_key)
}

/// Writes a line with these markers; `false`: it has none.
pub fn line(line: &Line<'_>, number: usize, state: &mut State<'_>) -> bool {
    if line.block {
        return false;
    }
    let rest = line.rest.trim_end();
    if state.inside_docs && (rest.is_empty() || line.prefix.ends_with("    ")) {
        state.out.push("", number);
        return true;
    }
    state.inside_docs = false;
    if let Some(name) = rest.strip_prefix("::: ")
        && is_identifier(name)
    {
        state.inside_docs = true;
        state.out.push(format!("{}`{name}`", line.prefix), number);
        return true;
    }
    // A list with an id gives it to its block, in another step.
    if is_attributes(rest) && !has_id(rest) || is_abbreviation(rest) {
        state.out.push(line.prefix.trim_end(), number);
        return true;
    }
    static ANY: Marks = Marks::new(&[&INSIDE]);
    if !(ANY.any(rest) || has_keys(rest)) {
        return false;
    }
    let own = outside_spans(
        &outside_spans(rest, &mut |part| without_icons(part)),
        &mut |part| without_marks(part),
    );
    if own == rest {
        return false;
    }
    state.out.push(format!("{}{own}", line.prefix), number);
    true
}

/// `package.module`: a name with a dot inside and no other text.
fn is_identifier(name: &str) -> bool {
    name.contains('.') && name.split('.').all(is_part)
}

fn is_part(part: &str) -> bool {
    part.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !part.is_empty()
        && !part.as_bytes()[0].is_ascii_digit()
}

/// `{ .class #id key=value }` alone.
fn is_attributes(rest: &str) -> bool {
    let Some(inner) = rest
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return false;
    };
    let inner = inner.trim();
    inner.starts_with(['.', '#']) && !inner.contains(['{', '}', '%']) && inner.len() > 1
}

/// Whether a list has an id. `{# text #}` is a comment.
pub fn has_id(rest: &str) -> bool {
    let inner = rest.trim_matches(['{', '}', ' ']);
    let is_id = |word: &str| {
        let id = word.strip_prefix('#').unwrap_or_default();
        id.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    !inner.ends_with('#') && inner.split_whitespace().any(is_id)
}

/// `*[HTML]: Hyper Text Markup Language`
fn is_abbreviation(rest: &str) -> bool {
    let Some((short, _)) = rest
        .strip_prefix("*[")
        .and_then(|rest| rest.split_once("]: "))
    else {
        return false;
    };
    (1..60).contains(&short.len()) && !short.contains(['[', ']'])
}

fn without_icons(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(':') {
        let name = &rest[at + 1..];
        if !ICONS.iter().any(|icon| rest[at..].starts_with(icon)) {
            out.push_str(&rest[..=at]);
            rest = name;
            continue;
        }
        let end = name
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .unwrap_or(name.len());
        out.push_str(&rest[..at]);
        let Some(behind) = name[end..].strip_prefix(':') else {
            out.push_str(&rest[at..at + 1 + end]);
            rest = &name[end..];
            continue;
        };
        let behind = without_attributes(behind);
        // The space after it belonged to the icon.
        rest = behind.strip_prefix(' ').unwrap_or(behind);
    }
    out.push_str(rest);
    out
}

/// A text without its leading list of attributes.
fn without_attributes(text: &str) -> &str {
    // A list contains no other brace, so the search stops at the first.
    let Some(end) = text
        .strip_prefix('{')
        .and_then(|inner| inner.find(['{', '}', '%']))
    else {
        return text;
    };
    let (list, behind) = text.split_at(end + 2);
    if is_attributes(list) { behind } else { text }
}

fn without_marks(text: &str) -> String {
    let mut text = text.to_owned();
    for pair in PAIRS {
        if text.contains(pair.0) {
            text = without_pair(&text, pair);
        }
    }
    text
}

fn without_pair(text: &str, (open, close, shown): Pair) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(open)
        && let Some((inner, after)) = behind.split_once(close)
    {
        // `C++` ends no keys and begins none.
        let begins = open != close || !before.ends_with(char::is_alphanumeric);
        out.push_str(before);
        match shown(inner) {
            Some(shown) if begins && open == close => out.push_str(&shown.replace('"', "")),
            Some(shown) if begins => out.push_str(shown),
            _ => {
                out.push_str(open);
                rest = behind;
                continue;
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use crate::dialects::passes::directives::check;

    #[test]
    fn a_language_that_is_called_so_is_no_key() {
        assert!(!super::has_keys("C++ and C++17, `i++` + j++ in C++"));
        assert!(super::has_keys("C++ and ++a++") && super::has_keys("+++++"));
    }

    #[test]
    fn rule_16_marks_of_pymdownx() {
        check(
            "- :material-clock-fast:{ .lg .middle } __Fast__ :octicons-x-24:",
            "- __Fast__ ",
        );
        check("a\n{ .annotate }\n\n*[HTML]: Hyper Text\nb", "a\n\n\n\nb");
        check(
            "a {--gone--}{++new++} {~~one~>two~~} {==mark==}{>>CANARY<<} `{--x--}`",
            "a new two mark `{--x--}`",
        );
        check(
            "press ++ctrl+alt+del++ in C++ and C++17 or i++",
            "press ctrl+alt+del in C++ and C++17 or i++",
        );
        check(
            "::: package.module\n    options:\n      x: true\n\nb",
            "`package.module`\n\n\n\nb",
        );
        for text in [
            "```\n{ .x }\n:material-a:\n```",
            "{: .x }",
            ":smile: a",
            "*[a] b",
            "::: note\na\n:::",
            "{{ .x }}",
            "{%x%}",
        ] {
            check(text, text);
        }
    }
}
