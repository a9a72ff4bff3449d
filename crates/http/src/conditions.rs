//! Preconditions (RFC 9110 section 13).

use std::cmp::Ordering;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;

use crate::date;

/// The validators of the representation that a request selects (RFC 9110 section 8.8).
#[derive(Clone, Copy, Debug)]
pub struct Validators<'a> {
    /// The strong entity tag, with its quotes.
    pub tag: &'a [u8],
    /// The last modification in whole seconds. If `None`, every condition on a date is ignored.
    pub modified: Option<Timestamp>,
}

/// The outcome of a request's preconditions.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Send the normal answer.
    Proceed,
    /// 304.
    NotModified,
    /// 412.
    Failed,
}

/// Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 section 13.2.2. Its fifth
/// step, `Range` and `If-Range`, follows in [`if_range`].
pub fn evaluate(headers: &HeaderMap, validators: Validators<'_>) -> Outcome {
    // All names begin with `if-`. Most requests have none, and need no look-up for each of them.
    if !headers.keys().any(|name| name.as_str().starts_with("if-")) {
        return Outcome::Proceed;
    }
    let Validators { tag, modified } = validators;
    // 1. and 2.: If-Match, and only without it If-Unmodified-Since.
    let met = if headers.contains_key(header::IF_MATCH) {
        names(headers, header::IF_MATCH, |listed| listed.is(tag))
    } else {
        compare(headers, header::IF_UNMODIFIED_SINCE, modified).is_none_or(Ordering::is_le)
    };
    if !met {
        return Outcome::Failed;
    }
    // 3. and 4.: If-None-Match, and only without it If-Modified-Since.
    let known = if headers.contains_key(header::IF_NONE_MATCH) {
        names(headers, header::IF_NONE_MATCH, |listed| {
            listed.is_weakly(tag)
        })
    } else {
        compare(headers, header::IF_MODIFIED_SINCE, modified).is_some_and(Ordering::is_le)
    };
    if known {
        Outcome::NotModified
    } else {
        Outcome::Proceed
    }
}

/// Whether `Range` may be honoured: there is no `If-Range`, or it matches this representation (RFC
/// 9110 section 13.1.5).
///
/// The comparison is strong, also for a date: it must equal the `Last-Modified` sent, which depends
/// on the content and not on when its bytes were built.
pub fn if_range(headers: &HeaderMap, validators: Validators<'_>) -> bool {
    let Some(field) = headers.get(header::IF_RANGE) else {
        return true;
    };
    match EntityTag::parse(field.as_bytes().trim_ascii()) {
        Some((tag, b"")) => tag.is(validators.tag),
        _ => compare(headers, header::IF_RANGE, validators.modified) == Some(Ordering::Equal),
    }
}

/// Whether a field is `*` or lists a matching entity tag.
fn names(headers: &HeaderMap, field: HeaderName, matches: impl Fn(EntityTag<'_>) -> bool) -> bool {
    let mut lines = headers.get_all(field).iter().map(HeaderValue::as_bytes);
    lines.any(|line| line.trim_ascii() == b"*" || entity_tags(line).any(&matches))
}

/// Compares the last modification with a date field. `None`: the condition is ignored, because the
/// field is absent, repeated or not a date, or there is no modification date.
fn compare(
    headers: &HeaderMap,
    field: HeaderName,
    modified: Option<Timestamp>,
) -> Option<Ordering> {
    let mut lines = headers.get_all(field).iter();
    let (line, None) = (lines.next()?, lines.next()) else {
        return None;
    };
    let date = date::parse(line.as_bytes().trim_ascii())?;
    Some(modified?.cmp(&date))
}

/// An entity tag of a request (RFC 9110 section 8.8.3).
#[derive(Debug, PartialEq, Eq)]
pub struct EntityTag<'a> {
    /// Whether it began with `W/`.
    pub weak: bool,
    /// The quoted part, with its quotes. It has no escapes and may contain commas.
    pub opaque: &'a [u8],
}

impl<'a> EntityTag<'a> {
    /// Parses an entity tag at the start of `text`; also returns the rest.
    fn parse(text: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (weak, rest) = text
            .strip_prefix(b"W/")
            .map_or((false, text), |rest| (true, rest));
        let inner = rest
            .strip_prefix(b"\"")?
            .iter()
            .position(|&byte| byte == b'"')?;
        let (opaque, after) = rest.split_at(inner + 2);
        Some((Self { weak, opaque }, after))
    }

    /// Strong comparison with a strong tag (section 8.8.3.2).
    fn is(&self, tag: &[u8]) -> bool {
        !self.weak && self.opaque == tag
    }

    /// Weak comparison.
    fn is_weakly(&self, tag: &[u8]) -> bool {
        self.opaque == tag
    }
}

/// The entity tags of a list. Skips empty elements and invalid tags.
pub fn entity_tags(line: &[u8]) -> impl Iterator<Item = EntityTag<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_ascii_start();
            if rest.is_empty() {
                return None;
            }
            let (tag, after) =
                EntityTag::parse(rest).map_or((None, rest), |(tag, after)| (Some(tag), after));
            let comma = after
                .iter()
                .position(|&byte| byte == b',')
                .unwrap_or(after.len());
            rest = after.get(comma + 1..).unwrap_or_default();
            // `"a"b` is not an entity tag.
            if let Some(tag) = tag.filter(|_| after[..comma].trim_ascii().is_empty()) {
                return Some(tag);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Outcome::{Failed, NotModified, Proceed};
    use super::*;

    const AT: &str = "Tue, 15 Nov 1994 12:45:26 GMT";
    const BEFORE: &str = "Mon, 14 Nov 1994 12:45:26 GMT";
    const AFTER: &str = "Wed, 16 Nov 1994 12:45:26 GMT";

    fn headers(fields: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        headers
    }

    fn validators(dated: bool) -> Validators<'static> {
        Validators {
            tag: br#""abc-br1""#,
            modified: date::parse(AT.as_bytes()).filter(|_| dated),
        }
    }

    fn check(fields: &[(&'static str, &str)], expected: Outcome) {
        assert_eq!(
            evaluate(&headers(fields), validators(true)),
            expected,
            "{fields:?}"
        );
    }

    #[test]
    fn if_none_match_compares_weakly_in_lists() {
        for (value, expected) in [
            (r#""abc-br1""#, NotModified),
            (r#""a", "abc-br1", "b""#, NotModified),
            (r#""a,b" ,,"abc-br1""#, NotModified),
            ("*", NotModified),
            (r#"W/"abc-br1""#, NotModified),
            (r#""other""#, Proceed),
            (r#""abc-br""#, Proceed),
            ("abc-br1", Proceed),
            (r#"w/"abc-br1""#, Proceed),
            (r#""a, "abc-br1""#, Proceed),
            (r#""abc-br1"x"#, Proceed),
            (r#"x"abc-br1", *"#, Proceed),
            ("", Proceed),
        ] {
            check(&[("if-none-match", value)], expected);
        }
        check(
            &[
                ("if-none-match", r#""a""#),
                ("if-none-match", r#""abc-br1""#),
            ],
            NotModified,
        );
    }

    #[test]
    fn if_match_compares_strongly() {
        for (value, expected) in [
            (r#""abc-br1""#, Proceed),
            ("*", Proceed),
            (r#""a", "abc-br1""#, Proceed),
            (r#""other""#, Failed),
            (r#"W/"abc-br1""#, Failed),
            ("", Failed),
        ] {
            check(&[("if-match", value)], expected);
        }
    }

    #[test]
    fn dates_in_three_formats() {
        for (value, expected) in [
            (AT, NotModified),
            (AFTER, NotModified),
            (BEFORE, Proceed),
            ("yesterday", Proceed),
            ("Tuesday, 15-Nov-94 12:45:26 GMT", NotModified),
            ("Tue Nov 15 12:45:26 1994", NotModified),
        ] {
            check(&[("if-modified-since", value)], expected);
        }
        for (value, expected) in [
            (AT, Proceed),
            (AFTER, Proceed),
            (BEFORE, Failed),
            ("yesterday", Proceed),
        ] {
            check(&[("if-unmodified-since", value)], expected);
        }
        check(
            &[("if-modified-since", AT), ("if-modified-since", AT)],
            Proceed,
        );
    }

    #[test]
    fn the_order_is_that_of_13_2_2() {
        check(
            &[("if-none-match", r#""other""#), ("if-modified-since", AT)],
            Proceed,
        );
        check(
            &[
                ("if-none-match", r#""abc-br1""#),
                ("if-modified-since", BEFORE),
            ],
            NotModified,
        );
        check(
            &[
                ("if-match", r#""abc-br1""#),
                ("if-unmodified-since", BEFORE),
            ],
            Proceed,
        );
        check(
            &[
                ("if-match", r#""other""#),
                ("if-none-match", r#""abc-br1""#),
            ],
            Failed,
        );
        check(
            &[
                ("if-match", r#""abc-br1""#),
                ("if-none-match", r#""abc-br1""#),
            ],
            NotModified,
        );
        check(
            &[
                ("if-unmodified-since", BEFORE),
                ("if-none-match", r#""abc-br1""#),
            ],
            Failed,
        );
        check(
            &[("if-none-match", "bad"), ("if-modified-since", AT)],
            Proceed,
        );
    }

    #[test]
    fn without_a_date_no_condition_on_dates_counts() {
        for field in ["if-modified-since", "if-unmodified-since"] {
            for date in [BEFORE, AT, AFTER] {
                assert_eq!(
                    evaluate(&headers(&[(field, date)]), validators(false)),
                    Proceed
                );
            }
        }
        assert!(!if_range(&headers(&[("if-range", AT)]), validators(false)));
    }

    #[test]
    fn if_range_is_strong() {
        let check = |value, expected| {
            assert_eq!(
                if_range(&headers(&[("if-range", value)]), validators(true)),
                expected,
                "{value}"
            )
        };
        for (value, expected) in [
            (r#""abc-br1""#, true),
            (r#"W/"abc-br1""#, false),
            (r#""other""#, false),
            (r#""abc-br1", "b""#, false),
            (AT, true),
            (BEFORE, false),
            (AFTER, false),
            ("", false),
        ] {
            check(value, expected);
        }
        assert!(if_range(&HeaderMap::new(), validators(true)));
    }

    proptest! {
        #[test]
        fn every_tag_of_a_list_is_found(
            tags in prop::collection::vec(("[!#-~]{0,12}", any::<bool>()), 0..8),
            gaps in prop::collection::vec("[, \t]{0,3}", 9),
        ) {
            let mut line = gaps[0].clone();
            for ((opaque, weak), gap) in tags.iter().zip(&gaps[1..]) {
                line += &format!("{}\"{opaque}\" ,{gap}", if *weak { "W/" } else { "" });
            }
            let found: Vec<_> = entity_tags(line.as_bytes()).map(|tag| (String::from_utf8(tag.opaque.to_vec()).unwrap(), tag.weak)).collect();
            let tags: Vec<_> = tags.into_iter().map(|(opaque, weak)| (format!("\"{opaque}\""), weak)).collect();
            prop_assert_eq!(found, tags);
        }

        #[test]
        fn no_input_panics(line in prop::collection::vec(any::<u8>(), 0..80)) {
            prop_assert!(entity_tags(&line).count() <= line.len());
        }
    }
}
