//! The result of a tool.

/// The most bytes that a message quotes.
const MOST_QUOTED: usize = 1_000;
/// The most bytes of a message about what is wrong: all that it quotes and names.
const MOST_REFUSED: usize = 16 << 10;

/// What a tool says: a text of the site, and a note about it for the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The result.
    pub text: String,
    /// How to get the rest, or what else to know; empty if there is nothing.
    pub note: String,
}

/// The beginning of what a caller gave, for a message: a result has a bound, whatever was given.
pub(crate) fn quoted(text: &str) -> String {
    cut(text, MOST_QUOTED)
}

/// A message about what is wrong, which may be another program's.
pub(crate) fn refused(text: &str) -> String {
    cut(text, MOST_REFUSED)
}

fn cut(text: &str, most: usize) -> String {
    let short = &text[..text.floor_char_boundary(most)];
    let mark = if short.len() < text.len() { "…" } else { "" };
    [short, mark].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_has_a_bound() {
        assert_eq!(quoted("größe"), "größe");
        let long = quoted(&"é".repeat(1_000));
        assert_eq!((long.len(), long.ends_with("é…")), (1_003, true));
        assert!(quoted(&"a\u{20ac}".repeat(1_000)).len() <= 1_003);
    }
}
