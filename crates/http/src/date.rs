//! HTTP dates (RFC 9110 section 5.6.7): one format written, three read.

use http::HeaderValue;
use jiff::{Timestamp, civil::DateTime, fmt::strtime::BrokenDownTime, tz::Offset};

/// IMF-fixdate, the one to write, and the two obsolete formats that recipients must understand: RFC 850's and asctime's.
const FORMATS: [&str; 3] = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

const DAYS: [&[u8; 3]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
const MONTHS: [&[u8; 3]; 12] = [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// Reads an HTTP date in any of the three formats. Content may be older than 1970, so its dates are read as well.
///
/// A year of two digits is one from 1969 to 2068: "more than 50 years in the future" would need a clock.
pub fn parse(text: &[u8]) -> Option<Timestamp> {
    if let Some(moment) = imf_fixdate(text) {
        return Some(moment);
    }
    let read = |format| Offset::UTC.to_timestamp(BrokenDownTime::parse(format, text).ok()?.to_datetime().ok()?).ok();
    FORMATS.into_iter().find_map(read)
}

/// Reads an IMF-fixdate that is written as we write it: nearly every one, since clients send back what they were given.
fn imf_fixdate(text: &[u8]) -> Option<Timestamp> {
    let text: &[u8; 29] = text.try_into().ok()?;
    let number = |at: usize, length: usize| {
        let digits = &text[at..at + length];
        digits.iter().try_fold(0_i16, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i16::from(digit - b'0')))
    };
    let small = |at| number(at, 2).and_then(|number| i8::try_from(number).ok());
    let month = MONTHS.iter().position(|month| text[8..11] == month[..])?;
    let date = DateTime::new(number(12, 4)?, i8::try_from(month + 1).ok()?, small(5)?, small(17)?, small(20)?, small(23)?, 0).ok()?;
    let moment = Offset::UTC.to_timestamp(date).ok()?;
    // Whatever else may be wrong, the day of the week or a sign between, shows when it is written again.
    (write(moment)?.as_bytes() == text).then_some(moment)
}

/// Writes an IMF-fixdate; `None` for a year that has no four digits.
pub fn write(moment: Timestamp) -> Option<HeaderValue> {
    let date = Offset::UTC.to_datetime(moment);
    let year = u16::try_from(date.year()).ok()?;
    let mut text = *b"Mon, 01 Jan 1970 00:00:00 GMT";
    text[..3].copy_from_slice(DAYS[usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())]);
    two_digits(&mut text[5..], date.day().unsigned_abs().into());
    text[8..11].copy_from_slice(MONTHS[usize::from(date.month().unsigned_abs()) - 1]);
    two_digits(&mut text[12..], year / 100);
    two_digits(&mut text[14..], year % 100);
    two_digits(&mut text[17..], date.hour().unsigned_abs().into());
    two_digits(&mut text[20..], date.minute().unsigned_abs().into());
    two_digits(&mut text[23..], date.second().unsigned_abs().into());
    HeaderValue::from_bytes(&text).ok()
}

fn two_digits(text: &mut [u8], number: u16) {
    for (digit, value) in text.iter_mut().zip([number / 10, number % 10]) {
        *digit = b'0' + (value % 10) as u8;
    }
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
        check("Wed, 01 Jul 1959 00:00:00 GMT", Some("1959-07-01T00:00:00Z"));
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
        assert_eq!(write(moment("0999-01-01T00:00:00Z")).unwrap(), "Tue, 01 Jan 0999 00:00:00 GMT");
    }

    proptest! {
        #[test]
        fn the_short_way_reads_what_the_long_one_does(
            text in "(Mon|Tue|Sun|mon), [0-3 ][0-9][ -](Jan|Feb|Dec|dec) (19|20|00)[0-9]{2} [0-2][0-9]:[0-6][0-9]:[0-6][0-9] (GMT|UTC)",
            second in -9_999_999_999_i64..99_999_999_999,
        ) {
            let long = |text: &[u8]| FORMATS.into_iter().find_map(|format| Offset::UTC.to_timestamp(BrokenDownTime::parse(format, text).ok()?.to_datetime().ok()?).ok());
            let short = imf_fixdate(text.as_bytes());
            prop_assert!(short.is_none() || short == long(text.as_bytes()), "{text}");
            let moment = Timestamp::from_second(second).unwrap();
            let written = write(moment).unwrap();
            prop_assert_eq!(imf_fixdate(written.as_bytes()), Some(moment));
        }

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
