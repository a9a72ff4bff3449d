//! Regular expressions in the part of their language that PCRE and RE2 share, and that no
//! configuration language reads as its own.

/// A regular expression. What comes from a site is always a literal in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    /// One that begins with this, which is ours.
    pub(super) fn new(ours: &'static str) -> Self {
        Self(ours.to_owned())
    }

    /// With an expression of ours behind it.
    pub(super) fn then(mut self, ours: &'static str) -> Self {
        self.0.push_str(ours);
        self
    }

    /// With another one behind it.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.push_str(&other.0);
        self
    }

    /// With a literal behind it. Characters that a configuration language may take for its own are
    /// written by their number.
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

/// A literal alone.
pub(super) fn literal(text: &str) -> Pattern {
    Pattern::new("").literal(text)
}
