//! Whether a name fits a part of a path pattern.

use super::groups::{NONE_OF, fits_none_of};

/// Opens a set of characters in a pattern of whole paths, where `[` may be a part of a folder.
pub const SET: char = '\u{3}';

/// Marks a character that only fits itself.
pub const LITERAL: char = '\u{6}';

/// A part of a pattern within one name.
enum Unit {
    /// `*`
    Star,
    /// `?`
    Any,
    One(char),
    /// `[a-z]`, and whether it is negated.
    Set(Vec<(char, char)>, bool),
}

impl Unit {
    fn all(pattern: &str) -> Vec<Self> {
        let mut units = Vec::new();
        let mut rest = pattern.chars();
        while let Some(c) = rest.next() {
            units.push(match c {
                '*' => Self::Star,
                '?' => Self::Any,
                SET => Self::set(&mut rest),
                LITERAL => Self::One(rest.next().unwrap_or(c)),
                c => Self::One(c),
            });
        }
        units
    }

    /// The set up to its bracket.
    fn set(rest: &mut std::str::Chars<'_>) -> Self {
        let text = rest.as_str();
        let inner = text.strip_prefix(['!', '^']);
        let (is_negated, inner) = (inner.is_some(), inner.unwrap_or(text));
        let (mut ranges, mut chars) = (Vec::new(), inner.chars());
        while let Some(first) = chars.next().filter(|c| *c != ']' || ranges.is_empty()) {
            let mut after = chars.clone();
            let last = match (after.next(), after.next()) {
                (Some('-'), Some(last)) if last != ']' => {
                    chars = after;
                    last
                }
                _ => first,
            };
            ranges.push((first, last));
        }
        *rest = chars;
        Self::Set(ranges, is_negated)
    }

    fn fits(&self, c: char) -> bool {
        match self {
            Self::Star => false,
            Self::Any => true,
            Self::One(own) => *own == c,
            Self::Set(ranges, is_negated) => {
                let is_in = ranges
                    .iter()
                    .any(|(first, last)| (*first..=*last).contains(&c));
                is_in != *is_negated
            }
        }
    }
}

/// `*`, `?` and sets within one name.
pub fn fits_name(pattern: &str, name: &str) -> bool {
    if pattern.contains(NONE_OF) {
        return fits_none_of(pattern, name, fits_name).unwrap_or(false);
    }
    if !pattern.contains(['*', '?', SET, LITERAL]) {
        return pattern == name;
    }
    let name: Vec<char> = name.chars().collect();
    matches(
        &Unit::all(pattern),
        &name,
        |unit| matches!(unit, Unit::Star),
        |unit, own| unit.fits(*own),
    )
}

/// Whether a pattern matches the whole text. Each star takes as little as possible, and one
/// character more when the rest does not match.
pub fn matches<P, T>(
    pattern: &[P],
    text: &[T],
    is_star: fn(&P) -> bool,
    fits: fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    while t < text.len() {
        match (pattern.get(p), again) {
            (Some(star), _) if is_star(star) => {
                again = Some((p, t));
                p += 1;
            }
            (Some(one), _) if fits(one, &text[t]) => {
                p += 1;
                t += 1;
            }
            (_, Some((at, from))) => {
                again = Some((at, from + 1));
                (p, t) = (at + 1, from + 1);
            }
            (_, None) => return false,
        }
    }
    pattern[p..].iter().all(is_star)
}
