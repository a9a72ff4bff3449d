//! `Range` (RFC 9110 section 14): serves at most one part of a representation.

use std::ops::Range;

use http::{HeaderMap, header};

/// The effect of a `Range` field on a representation of a given length.
#[derive(Debug, PartialEq, Eq)]
pub enum Requested {
    /// 200: no field, a malformed one, another unit, or several ranges (section 14.2 lets a server
    /// ignore any).
    Whole,
    /// 206: this part, never empty.
    Part(Range<u64>),
    /// 416: a range that starts past the end.
    Unsatisfiable,
}

/// Parses a request's `Range` field. A repeated field is malformed.
pub fn requested(headers: &HeaderMap, length: u64) -> Requested {
    let mut lines = headers.get_all(header::RANGE).iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => parse(line.as_bytes(), length),
        _ => Requested::Whole,
    }
}

/// Parses a `ranges-specifier` (section 14.1.1). Numbers that overflow saturate.
pub fn parse(field: &[u8], length: u64) -> Requested {
    let Some(equals) = field.iter().position(|&byte| byte == b'=') else {
        return Requested::Whole;
    };
    let (unit, set) = (&field[..equals], &field[equals + 1..]);
    if !unit.trim_ascii().eq_ignore_ascii_case(b"bytes") {
        return Requested::Whole;
    }
    let mut specs = set
        .split(|&byte| byte == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|spec| !spec.is_empty());
    match (specs.next(), specs.next()) {
        (Some(only), None) => spec(only, length),
        _ => Requested::Whole,
    }
}

fn suffix_range(suffix: u64, length: u64) -> Requested {
    match suffix {
        0 => Requested::Unsatisfiable,
        // A suffix of an empty representation is all of it, which `Content-Range` cannot express.
        _ if length == 0 => Requested::Whole,
        _ => Requested::Part(length.saturating_sub(suffix)..length),
    }
}

/// One `int-range` or `suffix-range` (section 14.1.2).
fn spec(spec: &[u8], length: u64) -> Requested {
    let Some(dash) = spec.iter().position(|&byte| byte == b'-') else {
        return Requested::Whole;
    };
    let (first, last) = (&spec[..dash], &spec[dash + 1..]);
    match (number(first), number(last)) {
        (None, Some(suffix)) if first.is_empty() => suffix_range(suffix, length),
        (Some(first), Some(last)) if last < first => Requested::Whole,
        (Some(_), None) if !last.is_empty() => Requested::Whole,
        (Some(first), _) if first >= length => Requested::Unsatisfiable,
        (Some(first), Some(last)) => Requested::Part(first..last.saturating_add(1).min(length)),
        (Some(first), None) => Requested::Part(first..length),
        (None, _) => Requested::Whole,
    }
}

/// Parses a number; `None` unless the input is one or more digits.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut number: u64 = 0;
    for digit in digits {
        number = number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Requested::{Part, Unsatisfiable, Whole};
    use super::*;

    fn check(field: &str, expected: Requested) {
        assert_eq!(parse(field.as_bytes(), 100), expected, "Range: {field}");
    }

    #[test]
    fn one_range() {
        for (field, part) in [
            ("bytes=0-9", 0..10),
            ("bytes=0-0", 0..1),
            ("bytes=7-", 7..100),
            ("bytes=-7", 93..100),
            ("bytes=99-", 99..100),
            ("bytes=3-1100", 3..100),
            ("bytes=-1100", 0..100),
            ("bytes=0-1000000000000000000000000000000", 0..100),
            ("bytes=-1000000000000000000000000000000", 0..100),
            ("BYTES=0-9", 0..10),
            ("bytes= 0-9", 0..10),
            ("bytes=,0-9,", 0..10),
            ("bytes=000-009", 0..10),
        ] {
            check(field, Part(part));
        }
    }

    #[test]
    fn ranges_behind_the_end_are_unsatisfiable() {
        for field in [
            "bytes=100-",
            "bytes=105-109",
            "bytes=-0",
            "bytes=1000000000000000000000000000000-",
            "bytes=99999999999999999999-99999999999999999999",
        ] {
            check(field, Unsatisfiable);
        }
    }

    #[test]
    fn malformed_and_several_ranges_are_ignored() {
        for field in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=abc",
            "bytes=5-2",
            "bytes=100-2",
            "bytes=1-2-3",
            "bytes=+1-2",
            "bytes=1 - 2",
            "bytes=--1",
            "items=0-1",
            "0-5",
            "=0-5",
            "bytes=0-1,5-6",
            "bytes=0-1,x",
            "bytes:0-1",
        ] {
            check(field, Whole);
        }
    }

    #[test]
    fn an_empty_representation_has_no_part() {
        assert_eq!(parse(b"bytes=0-", 0), Unsatisfiable);
        assert_eq!(parse(b"bytes=-5", 0), Whole);
    }

    #[test]
    fn a_repeated_field_is_ignored() {
        let mut headers = HeaderMap::new();
        assert_eq!(requested(&headers, 100), Whole);
        headers.append(header::RANGE, "bytes=0-9".parse().unwrap());
        assert_eq!(requested(&headers, 100), Part(0..10));
        headers.append(header::RANGE, "bytes=0-9".parse().unwrap());
        assert_eq!(requested(&headers, 100), Whole);
    }

    proptest! {
        #[test]
        fn a_part_is_never_empty_and_always_inside(field in "bytes=[0-9,x -]{0,30}", length in 0u64..1000) {
            if let Part(part) = parse(field.as_bytes(), length) {
                prop_assert!(part.start < part.end && part.end <= length, "{part:?}");
            }
        }

        #[test]
        fn no_input_panics(field in prop::collection::vec(any::<u8>(), 0..60), length in any::<u64>()) {
            parse(&field, length);
        }
    }
}
