//! How a configuration writes names in addresses, where that is not how its kind does.

use crate::model::date;

/// How much of a name stays in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// All of it.
    AsWritten,
    /// All but the signs that a file system or an address cannot have.
    Safe,
    /// All in lower case, with `-` for white space.
    Lower,
    /// Letters and digits of ASCII in lower case, with `-` for white space.
    Ascii,
    /// All, with `-` for white space and words for signs. Some signs are left out.
    Dashed,
    /// All but the number before its first dot, in lower case, with `-` for white space.
    Unnumbered,
}

impl Spelling {
    /// A part of a path as an address has it.
    pub fn spell(self, part: &str) -> String {
        match self {
            Self::AsWritten => undated(part).to_owned(),
            Self::Lower => part.to_lowercase().replace(char::is_whitespace, "-"),
            Self::Ascii => ascii(part),
            Self::Dashed => part
                .replace(char::is_whitespace, "-")
                .replace('&', "-and-")
                .replace('%', "-percent")
                .replace(['?', '#'], ""),
            Self::Unnumbered => unnumbered(part)
                .to_lowercase()
                .replace(char::is_whitespace, "-"),
            Self::Safe => undated(part)
                .trim_end_matches([' ', '.'])
                .replace(['<', '>', ':', '"', '/', '\\', '|', '?', '*'], ""),
        }
    }
}

/// A part of a path without the number that only orders it: `1.start`. Versions keep theirs.
fn unnumbered(part: &str) -> &str {
    let is_version = part
        .split('.')
        .all(|number| number == "x" || number.bytes().all(|byte| byte.is_ascii_digit()));
    match part.split_once('.') {
        Some((number, rest))
            if !is_version
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            rest
        }
        _ => part,
    }
}

/// A part of a path without its date.
pub fn undated(part: &str) -> &str {
    match date::in_name(part) {
        Some((_, rest)) if !rest.is_empty() => rest,
        _ => part,
    }
}

/// Words as `unidecode` and most blogs in Python spell them: other signs than `-` and `_` are left out.
fn ascii(words: &str) -> String {
    let mut text = String::new();
    let mut rest = words;
    while let Some(first) = rest.chars().next() {
        let is_same = |c: &char| c.is_ascii() == first.is_ascii();
        let length = rest.chars().take_while(is_same).map(char::len_utf8).sum();
        let (run, after) = rest.split_at(length);
        match first.is_ascii() {
            true => text.push_str(run),
            false => text.push_str(&slug::slugify(run)),
        }
        rest = after;
    }
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let text: String = text.chars().filter(is_kept).collect();
    let parts = text.split([' ', '-']).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spelled_in_ascii() {
        for (words, expected) in [
            ("Été, c'est C++!", "ete-cest-c"),
            ("  A -- b_c ", "a-b_c"),
            ("日本", "ri-ben"),
            ("?", ""),
        ] {
            assert_eq!(Spelling::Ascii.spell(words), expected, "{words}");
        }
    }
}
