//! Decoding of bytes into text.

use std::borrow::Cow;

use super::{Lines, has_byte};
use crate::model::problem::{Cause, Problem};

/// Decodes any bytes as text: UTF-8 (or UTF-16 with a byte order mark). Drops the byte order mark,
/// normalises line ends to `\n` and removes characters that XML forbids. Every repair except of
/// line ends is reported as a problem with its place.
pub fn decode<'a>(bytes: &'a [u8], path: &str) -> (Cow<'a, str>, Vec<Problem>) {
    let mut problems = Vec::new();
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        _ => utf8(
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            path,
            &mut problems,
        ),
    };
    let is_suspicious =
        |byte: u8| ((byte < 0x20) & (byte != b'\n') & (byte != b'\t')) | (byte == 0xef);
    let text = if has_byte(&text, is_suspicious) {
        clean(&text, path, &mut problems).into()
    } else {
        text
    };
    (text, problems)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks();
    let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    String::from_utf16_lossy(&units)
}

fn utf8<'a>(bytes: &'a [u8], path: &str, problems: &mut Vec<Problem>) -> Cow<'a, str> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(bytes);
    let byte = bytes[error.valid_up_to()];
    let (line, column) = Lines::new(&text).place(error.valid_up_to());
    let problem = Problem::warning(format!(
        "the text is not valid UTF-8: byte `0x{byte:02x}` is shown as `\u{fffd}`"
    ));
    problems.push(
        problem
            .at(path, line, column)
            .cause(Cause::Encoding)
            .hint("save the file as UTF-8"),
    );
    text
}

/// Normalises line ends to `\n` and removes characters that XML forbids.
fn clean(text: &str, path: &str, problems: &mut Vec<Problem>) -> String {
    let mut clean = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(at) = clean.find('\0') {
        let before: String = clean[..at].replace(forbidden_in_xml, "");
        let (line, column) = Lines::new(&before).place(before.len());
        problems.push(
            Problem::warning("the text holds a NUL character, which is left out")
                .at(path, line, column)
                .cause(Cause::Encoding),
        );
    }
    clean.retain(|character| !forbidden_in_xml(character));
    clean
}

/// Whether XML 1.0 forbids the character (section 2.2), for example form feed and NUL.
fn forbidden_in_xml(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_whatever_they_hold() {
        let check = |bytes: &[u8], text: &str, problems: &[&str]| {
            let (came, told) = decode(bytes, "a.md");
            assert_eq!(came, text);
            assert_eq!(
                told.iter()
                    .map(ToString::to_string)
                    .map(|t| t.lines().next().unwrap_or_default().to_owned())
                    .collect::<Vec<_>>(),
                problems
            );
        };
        check(b"\xef\xbb\xbfa\r\nb\rc", "a\nb\nc", &[]);
        check(b"a\x0cb", "ab", &[]);
        check(
            b"a\nb\0c\0",
            "a\nbc",
            &["a.md:2:2: warning: the text holds a NUL character, which is left out"],
        );
        check(
            b"a\nb\xffc",
            "a\nb\u{fffd}c",
            &["a.md:2:2: warning: the text is not valid UTF-8: byte `0xff` is shown as `\u{fffd}`"],
        );
        check(b"\xff\xfea\0\n\0", "a\n", &[]);
        check("日本".as_bytes(), "日本", &[]);
    }
}
