//! Marks of pymdownx and its relatives inside lines: icons (`:material-x:{ .lg }`), attributes on lines of their own (`{ .annotate }`), abbreviations
//! (`*[HTML]: …`), CriticMarkup (`{--x--}`, `{>>comment<<}`), keys (`++ctrl+c++`), mkdocstrings (`::: package.module`).

use super::{Line, Walk};
use crate::model::text::Marks;

const ICONS: [&str; 4] = [":material-", ":octicons-", ":fontawesome-", ":simple-"];
/// What CriticMarkup opens and closes, and whether what it holds is shown.
const CRITIC: [(&str, &str, bool); 4] = [("{--", "--}", false), ("{>>", "<<}", false), ("{++", "++}", true), ("{==", "==}", true)];

/// What begins such a mark inside a line, but for keys.
const INSIDE: [&str; 9] = [":material-", ":octicons-", ":fontawesome-", ":simple-", "{~~", "{--", "{>>", "{++", "{=="];
/// One of these, or of [`INSIDE`], or keys are in every text that has such a line.
const ALONE: [&str; 4] = ["*[", "{ .", "{.", "{ #"];
/// One of them, or [`has_keys`], is in every text that has such a line.
pub(super) const SIGNS: [&[&str]; 2] = [&INSIDE, &ALONE];

/// Whether a text may have keys: two `++` with nothing between them that no key is called. `C++` alone has not, however often it is named.
pub(in crate::dialects) fn has_keys(text: &str) -> bool {
    // What no `++` ends is passed once: the next one stands behind it.
    memchr::memmem::find_iter(text.as_bytes(), b"++").any(|at| {
        let behind = &text.as_bytes()[at + 2..];
        let length = behind.iter().take_while(|byte| is_key(**byte)).count();
        memchr::memmem::find(&behind[..length], b"++").is_some()
    })
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-_\"".contains(&byte)
}

/// Writes such a line; `false`: it has no such mark.
pub(super) fn line(line: &Line<'_>, number: usize, walk: &mut Walk) -> bool {
    if line.code {
        return false;
    }
    let rest = line.rest.trim_end();
    if walk.inside_docs && (rest.is_empty() || line.prefix.ends_with("    ")) {
        walk.push("", number);
        return true;
    }
    walk.inside_docs = false;
    if let Some(name) = rest.strip_prefix("::: ").filter(|name| is_identifier(name)) {
        walk.inside_docs = true;
        walk.push(format!("{}`{name}`", line.prefix), number);
        return true;
    }
    if is_attributes(rest) || is_abbreviation(rest) {
        walk.push(line.prefix.trim_end(), number);
        return true;
    }
    static ANY: Marks = Marks::of(&[&INSIDE]);
    if !(ANY.any(rest) || has_keys(rest)) {
        return false;
    }
    let mut own = super::outside_spans(rest, without_icons);
    own = super::outside_spans(&own, without_marks);
    if own == rest {
        return false;
    }
    walk.push(format!("{}{own}", line.prefix), number);
    true
}

/// `package.module`: a name with a dot in it, and nothing else.
fn is_identifier(name: &str) -> bool {
    name.contains('.')
        && name.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

/// `{ .class #id key=value }` alone.
fn is_attributes(rest: &str) -> bool {
    let inner = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::trim);
    inner.is_some_and(|inner| inner.starts_with(['.', '#']) && !inner.contains(['{', '}', '%']) && inner.len() > 1)
}

/// `*[HTML]: Hyper Text Markup Language`
fn is_abbreviation(rest: &str) -> bool {
    rest.strip_prefix("*[")
        .and_then(|rest| rest.split_once("]: "))
        .is_some_and(|(short, _)| !short.is_empty() && short.len() < 60 && !short.contains(['[', ']']))
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
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(name.len());
        out.push_str(&rest[..at]);
        if !name[end..].starts_with(':') {
            out.push_str(&rest[at..at + 1 + end]);
            rest = &name[end..];
            continue;
        }
        rest = &name[end + 1..];
        // A list holds no other brace: none is passed on the way to its end.
        let close = rest.strip_prefix('{').and_then(|rest| rest.find(['{', '}', '%'])).map(|close| close + 1);
        if let Some(close) = close.filter(|close| is_attributes(&rest[..=*close])) {
            rest = &rest[close + 1..];
        }
        // The room behind it was the icon's.
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    out.push_str(rest);
    out
}

fn without_marks(text: &str) -> String {
    let mut text = text.to_owned();
    for (open, close, shown) in CRITIC {
        text = between(&text, open, close, |inner| if shown { inner.to_owned() } else { String::new() });
    }
    text = between(&text, "{~~", "~~}", |inner| inner.split_once("~>").map_or(inner, |(_, new)| new).to_owned());
    let are_keys = |inner: &str| inner.contains(|c: char| c.is_ascii_alphanumeric()) && inner.bytes().all(is_key);
    between_if(&text, "++", "++", are_keys, |keys| keys.replace('"', ""))
}

fn between(text: &str, open: &str, close: &str, put: impl Fn(&str) -> String) -> String {
    between_if(text, open, close, |_| true, put)
}

/// Puts something in place of each part between two marks for which the test holds.
fn between_if(text: &str, open: &str, close: &str, test: impl Fn(&str) -> bool, put: impl Fn(&str) -> String) -> String {
    if !text.contains(open) {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(open) {
        let Some((inner, after)) = behind.split_once(close) else { break };
        // `C++` ends no keys and begins none.
        let begins = open != close || !before.ends_with(|c: char| c.is_alphanumeric());
        out.push_str(before);
        if begins && test(inner) {
            out.push_str(&put(inner));
            rest = after;
        } else {
            out.push_str(open);
            rest = behind;
        }
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
        check("- :material-clock-fast:{ .lg .middle } __Fast__ :octicons-x-24:", "- __Fast__ ");
        check("a\n{ .annotate }\n\n*[HTML]: Hyper Text\nb", "a\n\n\n\nb");
        check("a {--gone--}{++new++} {~~one~>two~~} {==mark==}{>>CANARY<<} `{--x--}`", "a new two mark `{--x--}`");
        check("press ++ctrl+alt+del++ in C++ and C++17 or i++", "press ctrl+alt+del in C++ and C++17 or i++");
        check("::: package.module\n    options:\n      x: true\n\nb", "`package.module`\n\n\n\nb");
        for text in ["```\n{ .x }\n:material-a:\n```", "{: .x }", ":smile: a", "*[a] b", "::: note\na\n:::", "{{ .x }}", "{%x%}"] {
            check(text, text);
        }
    }
}
