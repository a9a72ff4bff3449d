//! The front matter of every twin: YAML with a fixed key order, every text quoted.

use std::fmt::Write;

use diglot_content::text::has_byte;

/// YAML front matter under construction. Unknown values are omitted.
#[derive(Debug)]
pub(super) struct Front(String);

impl Front {
    pub(super) fn new() -> Self {
        Self("---\n".to_owned())
    }

    /// `key: "text"`, omitted if the text is empty.
    pub(super) fn text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.0.push_str(key);
            self.0.push_str(": ");
            quote(&mut self.0, text);
            self.0.push('\n');
        }
    }

    /// `key: ["one", "two"]`, omitted if there are none.
    pub(super) fn list<'a>(&mut self, key: &str, texts: impl Iterator<Item = &'a str>) {
        let start = self.0.len();
        let mut count = 0;
        self.0.push_str(key);
        for text in texts {
            self.0.push_str(if count == 0 { ": [" } else { ", " });
            quote(&mut self.0, text);
            count += 1;
        }
        if count == 0 {
            self.0.truncate(start)
        } else {
            self.0.push_str("]\n")
        }
    }

    /// The finished front matter with its closing line.
    pub(super) fn finish(mut self) -> String {
        self.0.push_str("---\n");
        self.0
    }
}

/// A double-quoted scalar (YAML 1.2 section 7.3.1) that is also valid JSON. A plain scalar could be
/// read as a number, date or bool.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    // Most texts contain nothing to escape.
    let special = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\') | (byte >= 0x7f);
    if !has_byte(text, special) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Characters that YAML does not print, or treats as line breaks.
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        quote(&mut out, text);
        assert_eq!(out, expected);
        assert_eq!(
            serde_json::from_str::<String>(&out).unwrap(),
            text,
            "a JSON reader reads the same"
        );
    }

    #[test]
    fn every_text_is_quoted() {
        check("no", r#""no""#);
        check("2024-05-01", r#""2024-05-01""#);
        check(r#"a "b" \c"#, r#""a \"b\" \\c""#);
        check("a\u{85}b\u{2028}c\u{0}", r#""a\u0085b\u2028c\u0000""#);
        check("--- # : { [ 漢字", r#""--- # : { [ 漢字""#);
    }

    #[test]
    fn unknown_is_left_out() {
        let mut front = Front::new();
        front.text("title", "T");
        front.text("description", "");
        front.list("tags", std::iter::empty());
        front.list("author", ["A", "B"].into_iter());
        assert_eq!(
            front.finish(),
            "---\ntitle: \"T\"\nauthor: [\"A\", \"B\"]\n---\n"
        );
    }
}
