//! The rest of a text that is being parsed.

#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    pub rest: &'t str,
}

impl<'t> Cursor<'t> {
    fn split(&mut self, length: usize) -> &'t str {
        let (part, rest) = self.rest.split_at(length);
        self.rest = rest;
        part
    }

    /// Takes the leading digits.
    pub fn digits(&mut self) -> &'t str {
        self.split(self.rest.bytes().take_while(u8::is_ascii_digit).count())
    }

    /// Takes the leading ASCII letters.
    pub fn word(&mut self) -> &'t str {
        self.split(
            self.rest
                .bytes()
                .take_while(u8::is_ascii_alphabetic)
                .count(),
        )
    }

    /// Takes four digits.
    pub fn year(&mut self) -> Option<i16> {
        let digits = self.digits();
        if digits.len() == 4 {
            digits.parse().ok()
        } else {
            None
        }
    }

    /// Takes one of these characters.
    pub fn take(&mut self, characters: &[char]) -> Option<char> {
        let next = self
            .rest
            .chars()
            .next()
            .filter(|next| characters.contains(next))?;
        self.split(next.len_utf8());
        Some(next)
    }

    /// Skips any number of these characters.
    pub fn skip(&mut self, characters: &[char]) {
        self.rest = self.rest.trim_start_matches(characters);
    }
}

/// The value of one or two digits.
pub fn number(digits: &str) -> Option<i8> {
    let fits = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if fits { digits.parse().ok() } else { None }
}
