//! HTTP dates (RFC 9110 section 5.6.7): writes one format, parses three.

use http::HeaderValue;
use jiff::fmt::{rfc2822::DateTimePrinter, strtime::BrokenDownTime};
use jiff::{Timestamp, tz::Offset};

/// IMF-fixdate, then the two obsolete formats that recipients must accept: RFC 850 and asctime.
const FORMATS: [&str; 3] = [
    "%a, %d %b %Y %H:%M:%S GMT",
    "%A, %d-%b-%y %H:%M:%S GMT",
    "%a %b %e %H:%M:%S %Y",
];

/// Parses an HTTP date in any of the three formats. Also accepts dates before 1970, which the crate
/// `httpdate` does not: content may be older.
///
/// A two-digit year means 1969 to 2068: "more than 50 years in the future" would need a clock.
pub fn parse(text: &[u8]) -> Option<Timestamp> {
    let read = |format| {
        Offset::UTC
            .to_timestamp(
                BrokenDownTime::parse(format, text)
                    .ok()?
                    .to_datetime()
                    .ok()?,
            )
            .ok()
    };
    FORMATS.into_iter().find_map(read)
}

/// Writes an IMF-fixdate; `None` unless the year has four digits.
pub fn write(moment: Timestamp) -> Option<HeaderValue> {
    HeaderValue::try_from(
        DateTimePrinter::new()
            .timestamp_to_rfc9110_string(&moment)
            .ok()?,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(parse(text.as_bytes()), expected.map(moment), "{text}");
    }

    #[test]
    fn three_formats_are_read() {
        let expected = Some("1994-11-06T08:49:37Z");
        check("Sun, 06 Nov 1994 08:49:37 GMT", expected);
        check("Sunday, 06-Nov-94 08:49:37 GMT", expected);
        check("Sun Nov  6 08:49:37 1994", expected);
        check(
            "Wed, 01 Jul 1959 00:00:00 GMT",
            Some("1959-07-01T00:00:00Z"),
        );
    }

    #[test]
    fn what_is_no_http_date_is_not_read() {
        for text in [
            "",
            "yesterday",
            "0",
            "1994-11-06T08:49:37Z",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 31 Feb 2021 00:00:00 GMT",
        ] {
            check(text, None);
        }
        assert_eq!(parse(b"\xff\xfe"), None);
    }

    #[test]
    fn years_without_four_digits_are_not_written() {
        assert_eq!(write(moment("-000001-01-01T00:00:00Z")), None);
        assert_eq!(
            write(moment("0999-01-01T00:00:00Z")).unwrap(),
            "Tue, 01 Jan 0999 00:00:00 GMT"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(second in -30_610_224_000i64..253_402_300_799) {
            let moment = Timestamp::from_second(second).unwrap();
            let text = write(moment).unwrap();
            prop_assert_eq!(text.to_str().unwrap(), moment.strftime(FORMATS[0]).to_string());
            prop_assert_eq!(parse(text.as_bytes()), Some(moment));
        }

        #[test]
        fn no_input_panics(text in prop::collection::vec(any::<u8>(), 0..60)) {
            parse(&text);
        }
    }
}
