//! What is no program: elements, style sheets, keys and values, differences, Markdown.

use super::{Class, Code};

/// HTML and XML.
pub(super) fn elements(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        if rest.starts_with("<!--") {
            code.take(rest.find("-->").map_or(rest.len(), |at| at + 3), Class::Comment);
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            code.take(rest.find('>').map_or(rest.len(), |at| at + 1), Class::Keyword);
        } else if rest.starts_with('<') && (code.byte(1).is_ascii_alphabetic() || code.byte(1) == b'/') {
            element(code);
        } else if let Some(length) = entity(rest) {
            code.take(length, Class::Escape);
        } else {
            code.take(1 + rest.bytes().skip(1).take_while(|byte| !matches!(byte, b'<' | b'&')).count(), Class::None);
        }
    }
}

fn element(code: &mut Code<'_, '_>) {
    code.take(if code.byte(1) == b'/' { 2 } else { 1 }, Class::None);
    code.take(code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_' | b'.')), Class::Tag);
    while !code.is_at_end() {
        match code.byte(0) {
            b'>' => return code.take(1, Class::None),
            b'<' => return,
            b'"' | b'\'' => {
                let quote = char::from(code.byte(0));
                let length = code.rest()[1..].find(quote).map_or(1, |at| at + 2);
                code.take(length, Class::String);
            }
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'@' | b'#' | b'v') => {
                let length = code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'@' | b'#' | b'.'));
                let class = if code.previous() == b'=' { Class::String } else { Class::Attribute };
                code.take(length.max(1), class);
            }
            _ => code.take(1, Class::None),
        }
    }
}

/// The length of `&name;` here.
fn entity(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix('&')?.bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    (name > 0 && rest.as_bytes().get(name + 1) == Some(&b';')).then_some(name + 2)
}

/// CSS and its relatives.
pub(super) fn css(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match code.byte(0) {
            b'/' if rest.starts_with("/*") => code.take(rest.find("*/").map_or(rest.len(), |at| at + 2), Class::Comment),
            b'/' if rest.starts_with("//") && code.is_line_start() => code.take_line(Class::Comment),
            quote @ (b'"' | b'\'') => {
                let length = rest[1..].find([char::from(quote), '\n']).map_or(1, |at| at + 2);
                code.take(length, Class::String);
            }
            b'@' => code.take(1 + code_run_after(code, is_name), Class::Keyword),
            b'$' => code.take(1 + code_run_after(code, is_name), Class::Constant),
            b'#' if code.byte(1).is_ascii_hexdigit() && !is_selector(rest) => code.take(1 + code_run_after(code, is_name), Class::Number),
            b'.' | b'#' if code.byte(1).is_ascii_alphabetic() => code.take(1 + code_run_after(code, is_name), Class::Type),
            b'0'..=b'9' => code.take(code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'%')).max(1), Class::Number),
            byte if is_name(byte) || byte >= 0x80 => name(code),
            _ => code.take(1, Class::None),
        }
    }
}

fn name(code: &mut Code<'_, '_>) {
    let length = code.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).max(1);
    let after = &code.rest()[length..];
    let class = if after.trim_start_matches(' ').starts_with(':') && !is_selector(after) {
        Class::Attribute
    } else if after.starts_with('(') {
        Class::Function
    } else if is_selector(after) {
        Class::Tag
    } else {
        Class::None
    };
    code.take(length, class);
}

/// Whether `{` comes before `;` and `}`: then this is part of a selector.
fn is_selector(rest: &str) -> bool {
    let found = rest.bytes().take(200).find(|byte| matches!(byte, b'{' | b';' | b'}' | b'\n' | b','));
    matches!(found, Some(b'{' | b','))
}

fn code_run_after(code: &Code<'_, '_>, is: impl Fn(u8) -> bool) -> usize {
    code.rest()[1..].bytes().take_while(|&byte| is(byte)).count()
}

/// YAML, TOML, INI and their like: a key at the beginning of a line, a value behind it.
pub(super) fn keys(code: &mut Code<'_, '_>) {
    for line in code.text.split('\n') {
        let start = code.at;
        let indent = line.len() - line.trim_start_matches([' ', '-']).len();
        code.take(indent, Class::None);
        let body = &line[indent..];
        if body.starts_with(['#', ';']) {
            code.take(body.len(), Class::Comment);
        } else if body.starts_with('[') && body.trim_end().ends_with(']') {
            code.take(body.len(), Class::Type);
        } else if let Some(length) = key_length(body) {
            code.take(length, Class::Attribute);
        }
        value(code, start + line.len());
        code.take(1, Class::None);
    }
}

fn key_length(body: &str) -> Option<usize> {
    let end = body.find([':', '=']).filter(|&at| body.as_bytes()[at] == b'=' || matches!(body.as_bytes().get(at + 1), None | Some(b' ')))?;
    let key = body[..end].trim_end();
    let plain = !key.is_empty() && !key.starts_with(['"', '\'']) && !key.contains([' ', '{', '[']);
    (plain || key.len() > 1 && key.starts_with(['"', '\'']) && key.ends_with(['"', '\''])).then_some(key.len())
}

/// A value up to the end of its line.
fn value(code: &mut Code<'_, '_>, end: usize) {
    while code.at < end {
        let rest = &code.text[code.at..end];
        match code.byte(0) {
            b'#' if code.previous() == b' ' => code.take(rest.len(), Class::Comment),
            quote @ (b'"' | b'\'') => {
                let length = rest[1..].find(char::from(quote)).map_or(1, |at| at + 2);
                code.take(length, Class::String);
            }
            b'&' | b'*' | b'!' if code.byte(1).is_ascii_alphabetic() => {
                code.take(rest.find([' ', ',', ']', '}']).unwrap_or(rest.len()), Class::Constant);
            }
            _ => {
                let word = rest.find([' ', ',', '[', ']', '{', '}', '"', '\'']).unwrap_or(rest.len()).max(1);
                let text = rest.get(..word).unwrap_or(rest);
                let class = match text {
                    "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "~" => Class::Constant,
                    _ if text.starts_with(|c: char| c.is_ascii_digit()) => Class::Number,
                    _ => Class::None,
                };
                code.take(word, class);
            }
        }
    }
}

/// Differences.
pub(super) fn diff(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        let class = match code.byte(0) {
            b'+' if rest.starts_with("+++") => Class::Keyword,
            b'-' if rest.starts_with("---") => Class::Keyword,
            b'+' | b'>' => Class::Inserted,
            b'-' | b'<' => Class::Deleted,
            b'@' => Class::Comment,
            b'd' | b'i' if rest.starts_with("diff ") || rest.starts_with("index ") => Class::Keyword,
            _ => Class::None,
        };
        code.take_line(class);
        code.take(1, Class::None);
    }
}

/// Markdown shown as code.
pub(super) fn markdown(code: &mut Code<'_, '_>) {
    while !code.is_at_end() {
        let rest = code.rest();
        if code.is_line_start() {
            match code.byte(0) {
                b'#' => code.take_line(Class::Keyword),
                b'>' => code.take_line(Class::Comment),
                b'`' | b'~' if rest.starts_with("```") || rest.starts_with("~~~") => code.take_line(Class::String),
                b'-' | b'*' | b'+' if code.byte(1) == b' ' => code.take(1, Class::Constant),
                _ => {}
            }
        }
        let rest = code.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let (length, class) = if let Some(inner) = line.strip_prefix('`') {
            inner.find('`').map_or((1, Class::None), |at| (at + 2, Class::String))
        } else if let Some(inner) = line.strip_prefix("](") {
            inner.find(')').map_or((2, Class::None), |at| (at + 3, Class::Attribute))
        } else if rest.starts_with("<!--") {
            (rest.find("-->").map_or(rest.len(), |at| at + 3), Class::Comment)
        } else {
            (1 + line.bytes().skip(1).take_while(|byte| !matches!(byte, b'`' | b']' | b'<')).count(), Class::None)
        };
        code.take(length, class);
    }
}
