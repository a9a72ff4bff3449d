//! Scanners for languages other than programs: elements, style sheets, keys and values, diffs,
//! Markdown.

use super::{
    ATTRIBUTE, COMMENT, CONSTANT, Code, DELETED, ESCAPE, FUNCTION, INSERTED, KEYWORD, NONE, NUMBER,
    STRING, TAG, TYPE,
};

/// HTML and XML.
pub(super) fn elements(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        if rest.starts_with("<!--") {
            code.take_through("-->", COMMENT);
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            code.take_through(">", KEYWORD);
        } else if rest.starts_with('<')
            && (code.byte(1).is_ascii_alphabetic() || code.byte(1) == b'/')
        {
            tag(code);
        } else if let Some(length) = character_reference(rest) {
            code.take(length, ESCAPE);
        } else {
            code.take(plain(rest, &['<', '&']), NONE);
        }
    }
}

fn tag(code: &mut Code<'_, '_>) {
    code.take(if code.byte(1) == b'/' { 2 } else { 1 }, NONE);
    code.take(code.word(b"-:_."), TAG);
    while !code.is_at_end() {
        match code.byte(0) {
            b'>' => return code.take(1, NONE),
            b'<' => return,
            b'"' | b'\'' => code.take_quoted(code.text.len()),
            byte if byte.is_ascii_alphanumeric() || b"_:@#".contains(&byte) => {
                let class = if code.previous() == b'=' {
                    STRING
                } else {
                    ATTRIBUTE
                };
                code.take(code.word(b"-_:@#."), class);
            }
            _ => code.take(1, NONE),
        }
    }
}

/// The length of `&name;` here.
fn character_reference(rest: &str) -> Option<usize> {
    let end = rest
        .strip_prefix('&')?
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '#')?;
    ((1..=32).contains(&end) && rest[end + 1..].starts_with(';')).then_some(end + 2)
}

/// The length of the text up to one of these characters, not counting its first byte.
fn plain(text: &str, ends: &[char]) -> usize {
    let end = text
        .bytes()
        .skip(1)
        .position(|byte| ends.contains(&char::from(byte)));
    end.map_or(text.len(), |at| at + 1)
}

/// CSS and its relatives.
pub(super) fn css(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        let name = 1 + code.ascii_word_behind(b"-_");
        match code.byte(0) {
            b'/' if rest.starts_with("/*") => code.take_through("*/", COMMENT),
            b'/' if rest.starts_with("//") && code.is_line_start() => code.take_line(COMMENT),
            quote @ (b'"' | b'\'') => code.take(
                rest[1..]
                    .find([char::from(quote), '\n'])
                    .map_or(1, |at| at + 2),
                STRING,
            ),
            b'@' => code.take(name, KEYWORD),
            b'$' => code.take(name, CONSTANT),
            b'#' if code.byte(1).is_ascii_hexdigit() && !is_selector(rest) => {
                code.take(name, NUMBER)
            }
            b'.' | b'#' if code.byte(1).is_ascii_alphabetic() => code.take(name, TYPE),
            b'0'..=b'9' => code.take(code.word(b".%"), NUMBER),
            byte if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || !byte.is_ascii() => {
                css_name(code)
            }
            _ => code.take(1, NONE),
        }
    }
}

fn css_name(code: &mut Code<'_, '_>) {
    let length = code.word(b"-_");
    let after = &code.rest()[length..];
    let class = if after.trim_start_matches(' ').starts_with(':') && !is_selector(after) {
        ATTRIBUTE
    } else if after.starts_with('(') {
        FUNCTION
    } else if is_selector(after) {
        TAG
    } else {
        NONE
    };
    code.take(length, class);
}

/// Whether `{` precedes `;` and `}`: then this is part of a selector.
fn is_selector(rest: &str) -> bool {
    let found = rest
        .bytes()
        .take(200)
        .find(|byte| matches!(byte, b'{' | b';' | b'}' | b'\n' | b','));
    matches!(found, Some(b'{' | b','))
}

/// YAML, TOML, INI and similar: a key at the beginning of a line, then a value.
pub(super) fn keys(code: &mut Code<'_, '_>) {
    for line in code.text.split('\n') {
        let end = code.at + line.len();
        let body = line.trim_start_matches([' ', '-']);
        code.take(line.len() - body.len(), NONE);
        if body.starts_with(['#', ';']) {
            code.take(body.len(), COMMENT);
        } else if body.starts_with('[') && body.trim_end().ends_with(']') {
            code.take(body.len(), TYPE);
        } else if let Some(key) = key(body) {
            code.take(key.len(), ATTRIBUTE);
        }
        while code.at < end {
            value(code, end);
        }
        code.take(1, NONE);
    }
}

/// The key before `=` or `: `.
fn key(body: &str) -> Option<&str> {
    let (key, rest) = body.split_at(body.find([':', '='])?);
    let key = key.trim_end();
    let ends = rest.starts_with('=') || rest == ":" || rest.starts_with(": ");
    let is_key = if key.starts_with(['"', '\'']) {
        key.len() > 1 && key.ends_with(['"', '\''])
    } else {
        !key.is_empty() && !key.contains([' ', '{', '['])
    };
    (ends && is_key).then_some(key)
}

fn class_of_value(word: &str) -> super::Class {
    match word {
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "~" => CONSTANT,
        word if word.starts_with(|c: char| c.is_ascii_digit()) => NUMBER,
        _ => NONE,
    }
}

/// Scans a token of a value whose line ends at `end`.
fn value(code: &mut Code<'_, '_>, end: usize) {
    let rest = &code.text[code.at..end];
    match code.byte(0) {
        b'#' if code.previous() == b' ' => code.take(rest.len(), COMMENT),
        b'"' | b'\'' => code.take_quoted(end),
        b'&' | b'*' | b'!' if code.byte(1).is_ascii_alphabetic() => {
            code.take(
                rest.find([' ', ',', ']', '}']).unwrap_or(rest.len()),
                CONSTANT,
            );
        }
        _ => {
            let word = &rest[..rest
                .find([' ', ',', '[', ']', '{', '}', '"', '\''])
                .unwrap_or(rest.len())];
            code.take(word.len().max(1), class_of_value(word));
        }
    }
}

/// Diffs.
pub(super) fn diff(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        let is_header = ["+++", "---", "diff ", "index "]
            .iter()
            .any(|start| rest.starts_with(start));
        code.take_line(match code.byte(0) {
            _ if is_header => KEYWORD,
            b'+' | b'>' => INSERTED,
            b'-' | b'<' => DELETED,
            b'@' => COMMENT,
            _ => NONE,
        });
        code.take(1, NONE);
    }
}

/// Markdown source.
pub(super) fn markdown(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        if code.is_line_start() {
            let rest = code.rest();
            match code.byte(0) {
                b'#' => code.take_line(KEYWORD),
                b'>' => code.take_line(COMMENT),
                b'`' | b'~' if rest.starts_with("```") || rest.starts_with("~~~") => {
                    code.take_line(STRING)
                }
                b'-' | b'*' | b'+' if code.byte(1) == b' ' => code.take(1, CONSTANT),
                _ => {}
            }
        }
        let rest = code.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        if rest.starts_with("<!--") {
            code.take_through("-->", COMMENT);
        } else if let Some(inner) = line.strip_prefix('`') {
            match inner.find('`') {
                Some(at) => code.take(at + 2, STRING),
                None => code.take(1, NONE),
            }
        } else if line.starts_with("](") {
            match line.find(')') {
                Some(at) => code.take(at + 1, ATTRIBUTE),
                None => code.take(2, NONE),
            }
        } else {
            code.take(plain(line, &['`', ']', '<']).max(1), NONE);
        }
    }
}
