//! Where the next part of a result begins.

use std::fmt;

/// How many characters of an edition's id a cursor has.
const ID: usize = 16;

/// A place in the pages of one edition. It is written as `page.line.edition`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The number of the page, from 0.
    pub(crate) page: usize,
    /// The number of the line, from 0.
    pub(crate) line: usize,
    edition: String,
}

impl Cursor {
    pub(crate) fn new(page: usize, line: usize, id: &str) -> Self {
        let edition = id.chars().take(ID).collect();
        Self {
            page,
            line,
            edition,
        }
    }

    /// The place that a result named; without one the beginning.
    ///
    /// # Errors
    /// It is not a cursor, or one of another edition.
    pub(crate) fn parse(text: Option<&str>, id: &str) -> Result<Self, String> {
        let Some(text) = text else {
            return Ok(Self::new(0, 0, id));
        };
        let mut parts = text.splitn(3, '.');
        let mut number = || parts.next().and_then(|part| part.parse().ok());
        let (page, line) = (number(), number());
        let (Some(page), Some(line), Some(edition)) = (page, line, parts.next()) else {
            return Err("`cursor` is not one of this server's".to_owned());
        };
        let cursor = Self::new(page, line, id);
        match cursor.edition == edition {
            true => Ok(cursor),
            false => Err("the site has changed since: start again without `cursor`".to_owned()),
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.page, self.line, self.edition)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cursor_is_read_as_it_was_written(page: usize, line: usize, id in "[0-9a-f]{0,40}") {
            let cursor = Cursor::new(page, line, &id);
            prop_assert_eq!(Cursor::parse(Some(&cursor.to_string()), &id), Ok(cursor));
        }

        #[test]
        fn no_cursor_panics(text in ".*") {
            let _ = Cursor::parse(Some(&text), "0123456789abcdef");
        }
    }

    #[test]
    fn a_cursor_of_another_edition_is_refused() {
        let cursor = Cursor::new(1, 2, "aaaa").to_string();
        let refused = Cursor::parse(Some(&cursor), "bbbb").unwrap_err();
        assert!(refused.contains("has changed"), "{refused}");
        assert!(Cursor::parse(Some("1.2"), "bbbb").is_err());
    }
}
