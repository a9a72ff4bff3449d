//! Parser of list-based fields and their weights (RFC 9110 sections 5.6.1 and 12.4.2), shared by
//! `Accept` and `Accept-Encoding`.
//!
//! It does not allocate.

use std::iter;

/// A weight in thousandths: 0 (refused) to 1000. The grammar allows three decimals, so the integer
/// is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u16);

impl Weight {
    /// `q=0`: not acceptable.
    pub const ZERO: Self = Self(0);
    /// `q=1`: the default.
    pub const ONE: Self = Self(1000);

    /// Parses a `qvalue`: `0` or `1` with up to three decimals, at most 1. A malformed or
    /// out-of-range value counts as 0.
    pub fn parse(qvalue: &[u8]) -> Self {
        let (first, decimals) = match qvalue {
            [first] => (first, &[][..]),
            [first, b'.', decimals @ ..] if decimals.len() <= 3 => (first, decimals),
            _ => return Self::ZERO,
        };
        if !matches!(first, b'0' | b'1') || !decimals.iter().all(u8::is_ascii_digit) {
            return Self::ZERO;
        }
        let digit = |at: usize| decimals.get(at).map_or(0, |digit| u16::from(digit - b'0'));
        let thousandths =
            u16::from(first - b'0') * 1000 + digit(0) * 100 + digit(1) * 10 + digit(2);
        if thousandths <= Self::ONE.0 {
            Self(thousandths)
        } else {
            Self::ZERO
        }
    }

    /// Whether this weight is acceptable.
    pub const fn accepts(self) -> bool {
        self.0 > 0
    }
}

/// The elements of a list-based field line (RFC 9110 section 5.6.1.2).
pub fn elements(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    parts(line, b',')
}

/// An element's name without parameters, and its weight. The first `q` parameter counts; the
/// default is 1.
pub fn weighted(element: &[u8]) -> (&[u8], Weight) {
    let mut parts = parts(element, b';');
    let name = parts.next().unwrap_or_default();
    (name, parts.find_map(weight_of).unwrap_or(Weight::ONE))
}

/// The trimmed, non-empty parts between separators outside quoted strings (RFC 9110 section 5.6.4).
fn parts(bytes: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    let next = move || {
        let part;
        (part, rest) = split_once(rest?, separator);
        Some(part.trim_ascii())
    };
    iter::from_fn(next).filter(|part| !part.is_empty())
}

/// The bytes before the first separator outside quoted strings, and those after it, if there is one.
fn split_once(bytes: &[u8], separator: u8) -> (&[u8], Option<&[u8]>) {
    let mut from = 0;
    while let Some(found) = bytes[from..]
        .iter()
        .position(|byte| *byte == separator || *byte == b'"')
    {
        let at = from + found;
        if bytes[at] == separator {
            return (&bytes[..at], Some(&bytes[at + 1..]));
        }
        from = at + quoted_length(&bytes[at..]);
    }
    (bytes, None)
}

/// The length of a quoted string at the start of `bytes`. An unclosed one extends to the end.
fn quoted_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The weight in a parameter; `None` for another parameter. White space around `=` makes it
/// malformed.
fn weight_of(parameter: &[u8]) -> Option<Weight> {
    let [b'q' | b'Q', rest @ ..] = parameter else {
        return None;
    };
    match rest {
        [b'=', qvalue @ ..] => Some(Weight::parse(qvalue)),
        [] | [b' ' | b'\t', ..] => Some(Weight::ZERO),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(qvalue: &str, thousandths: u16) {
        assert_eq!(Weight::parse(qvalue.as_bytes()).0, thousandths, "{qvalue}");
    }

    #[test]
    fn weights_are_thousandths_and_malformed_ones_are_zero() {
        for (qvalue, thousandths) in [
            ("1", 1000),
            ("0", 0),
            ("1.", 1000),
            ("0.", 0),
            ("0.5", 500),
            ("0.05", 50),
            ("0.001", 1),
            ("0.999", 999),
            ("1.000", 1000),
        ] {
            check(qvalue, thousandths);
        }
        for malformed in [
            "", "1.001", "1.5", "2", "0.1234", "oops", "-1", "+1", ".5", "0,5", "1e0", "00.5",
            "01", "0x1", " 1", "1 ", "\"1\"",
        ] {
            check(malformed, 0);
        }
    }

    #[test]
    fn every_weight_survives_writing_and_reading() {
        for thousandths in 0..=1000u16 {
            check(
                &format!("{}.{:03}", thousandths / 1000, thousandths % 1000),
                thousandths,
            );
        }
    }

    fn list(line: &str) -> Vec<&str> {
        elements(line.as_bytes())
            .map(|element| std::str::from_utf8(element).unwrap())
            .collect()
    }

    #[test]
    fn lists_skip_empty_elements_and_respect_quotes() {
        assert_eq!(list("a, b"), ["a", "b"]);
        assert_eq!(list(",,a ,\t, b,,"), ["a", "b"]);
        assert_eq!(list(""), [""; 0]);
        assert_eq!(list(r#"a;x=", b", c"#), [r#"a;x=", b""#, "c"]);
        assert_eq!(list(r#"a;x="\", b", c"#), [r#"a;x="\", b""#, "c"]);
        assert_eq!(list(r#"a;x=", b, c"#), [r#"a;x=", b, c"#]);
    }

    #[test]
    fn the_first_q_is_the_weight() {
        for (element, name, thousandths) in [
            ("a", "a", 1000),
            ("a;q=0.5", "a", 500),
            ("a ; Q=0.5", "a", 500),
            ("a;x=y;q=0.5;q=0.7", "a", 500),
            ("a;quality=0.1", "a", 1000),
            (r#"a;x=";q=0.1";q=0.2"#, "a", 200),
            ("a;q", "a", 0),
            ("a;q=", "a", 0),
            ("a;q =1", "a", 0),
            ("a;q= 1", "a", 0),
        ] {
            let (came, weight) = weighted(element.as_bytes());
            assert_eq!(
                (came, weight.0),
                (name.as_bytes(), thousandths),
                "{element}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_input_panics_and_no_part_is_empty(line in prop::collection::vec(any::<u8>(), 0..200)) {
            for element in elements(&line) {
                prop_assert!(!element.is_empty());
                prop_assert!(weighted(element).1 <= Weight::ONE);
            }
        }
    }
}
