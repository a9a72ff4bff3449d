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
