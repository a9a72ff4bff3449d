//! The delimiters of emphasis (CommonMark 0.31.2, section 6.2).

use super::token::{Delimiter, Token};

/// Removes the delimiters that CommonMark would not parse as such, and joins texts that become
/// adjacent.
pub(super) fn without_unusable(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_delimiter = |token: &Token| matches!(token, Token::Open(_) | Token::Close(_));
    if tokens.iter().any(is_delimiter) {
        let mut usable = usable(&tokens).into_iter();
        tokens.retain(|_| usable.next() == Some(true));
    }
    tokens.dedup_by(|next, last| match (next, last) {
        (Token::Text { text: next, .. }, Token::Text { text: last, .. }) => {
            last.push_str(next);
            true
        }
        _ => false,
    });
    tokens
}

/// Which tokens to keep: drops a delimiter on the wrong side between a letter and punctuation, with
/// its partner. The same applies within a word that looks like a bare address, since readers would
/// parse it as a part of the address.
fn usable(tokens: &[Token]) -> Vec<bool> {
    let mut usable = vec![true; tokens.len()];
    let (mut open, mut word) = (Vec::new(), Word::default());
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Text { text, .. } => word.push(text),
            Token::Open(delimiter) => open.push((
                index,
                !word.is_address && can_open(tokens, index, *delimiter),
            )),
            Token::Close(delimiter) => {
                let (start, opens) = open.pop().unwrap_or((index, false));
                let pair = opens && can_close(tokens, index, *delimiter);
                (usable[start], usable[index]) = (pair, pair);
            }
            _ => word = Word::default(),
        }
    }
    usable
}

/// The current word, across delimiters.
#[derive(Default)]
struct Word {
    /// Its last bytes, one fewer than in an address marker.
    end: String,
    /// Whether it contains `://` or `www.`.
    is_address: bool,
}

impl Word {
    fn push(&mut self, text: &str) {
        if let Some((_, last)) = text.rsplit_once(char::is_whitespace) {
            *self = Self::default();
            return self.push(last);
        }
        self.end.push_str(text);
        self.is_address |= self.end.contains("://") || self.end.contains("www.");
        let cut = self
            .end
            .ceil_char_boundary(self.end.len().saturating_sub(3));
        self.end.drain(..cut);
    }
}

fn can_open(tokens: &[Token], index: usize, delimiter: Delimiter) -> bool {
    flanks(
        before(tokens, index, delimiter),
        after(tokens, index, delimiter),
    )
}

fn can_close(tokens: &[Token], index: usize, delimiter: Delimiter) -> bool {
    flanks(
        after(tokens, index, delimiter),
        before(tokens, index, delimiter),
    )
}

/// Whether emphasis begins with a letter at this edge, or has white space or punctuation outside
/// it.
fn flanks(outside: Option<char>, inside: Option<char>) -> bool {
    let Some(inside) = inside else { return false };
    !inside.is_whitespace()
        && (inside.is_alphanumeric()
            || outside.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation()))
}

/// The character before a run of delimiters.
fn before(tokens: &[Token], index: usize, delimiter: Delimiter) -> Option<char> {
    tokens[..index]
        .iter()
        .rev()
        .find(|token| !is_same_run(token, delimiter))?
        .last_char()
}

/// The character after a run of delimiters.
fn after(tokens: &[Token], index: usize, delimiter: Delimiter) -> Option<char> {
    tokens[index + 1..]
        .iter()
        .find(|token| !is_same_run(token, delimiter))?
        .first_char()
}

/// Whether a token is a delimiter of the same character.
fn is_same_run(token: &Token, delimiter: Delimiter) -> bool {
    let (Token::Open(other) | Token::Close(other)) = token else {
        return false;
    };
    (*other == Delimiter::Strikethrough) == (delimiter == Delimiter::Strikethrough)
}
