//! Regular expressions in the common subset of PCRE and RE2, without characters that a
//! configuration language interprets.

/// A regular expression. Text from a site is always a literal in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    /// Starts with a constant expression.
    pub(super) fn new(ours: &'static str) -> Self {
        Self(ours.to_owned())
    }

    /// Appends a constant expression.
    pub(super) fn then(mut self, ours: &'static str) -> Self {
        self.0.push_str(ours);
        self
    }

    /// Appends another pattern.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.push_str(&other.0);
        self
    }

    /// Appends a literal. Characters that a configuration language may interpret are written as
    /// character codes.
    pub(super) fn literal(mut self, text: &str) -> Self {
        for letter in text.chars() {
            match letter {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '_' | '-' => self.0.push(letter),
                '.' | '+' | '*' | '?' | '(' | ')' | '[' | ']' | '|' | '^' => {
                    self.0.extend(['\\', letter])
                }
                _ if letter.is_ascii() => self.0.push_str(&format!(r"\x{:02X}", u32::from(letter))),
                _ => self.0.push(letter),
            }
        }
        self
    }

    /// The expression.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A pattern of one literal.
pub(super) fn literal(text: &str) -> Pattern {
    Pattern::new("").literal(text)
}
