//! Parsing of dates in their many notations.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use super::clock::{Clock, clock};
use super::cursor::{Cursor, number};
use super::zone::Zone;
use super::{DateError, Moment, Precision};

/// The meaning of an author's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// An unambiguous date.
    Moment(Moment),
    /// `03/04/2015`: only the rest of the folder can show which number is the day.
    Slashed(Slashed),
}

/// A date whose day and month can be told apart only by other dates in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slashed {
    first: i8,
    second: i8,
    year: i16,
    clock: Option<Clock>,
}

/// Which number of `03/04/2015` is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `MM/DD/YYYY`
    MonthFirst,
    /// `DD/MM/YYYY`
    DayFirst,
}

/// The numbers of a date as written.
struct Day {
    year: i16,
    month: i8,
    day: i8,
    /// Whether `month` and `day` may be swapped.
    slashed: bool,
}

impl Day {
    const fn known(year: i16, month: i8, day: i8) -> Self {
        Self {
            year,
            month,
            day,
            slashed: false,
        }
    }
}

/// The names of the months in English.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The names of the days of a week in English; Monday is the first.
pub const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const ORDINALS: [&str; 5] = ["", "st", "nd", "rd", "th"];

/// Parses a date in any common notation: ISO 8601 with and without `T`, one-digit parts, `/` and
/// `.`, any notation of the zone, `March 3, 2015`, `3 March 2015`, RFC 822, `20150303`, seconds or
/// milliseconds since 1970. A time without a zone is UTC.
///
/// # Errors
/// [`DateError`] says whether it is not a date or an impossible one.
pub fn read(text: &str) -> Result<Written, DateError> {
    read_in(text, None)
}

/// As [`read`]; a time without a zone is in this one.
///
/// # Errors
/// [`DateError`] says whether it is not a date or an impossible one.
pub fn read_in(text: &str, zone: Option<&Zone>) -> Result<Written, DateError> {
    let mut cursor = Cursor {
        rest: text.trim().trim_matches(['"', '\'']).trim(),
    };
    let mut behind = cursor;
    if position(behind.word(), &WEEKDAYS).is_some() {
        behind.skip(&[',', '.', ' ']);
        cursor = behind;
    }
    if let Some(at) = timestamp(cursor.rest) {
        return Ok(Written::Moment(Moment::second(at)));
    }
    let Day {
        year,
        month,
        day,
        slashed,
    } = date(&mut cursor).ok_or(DateError::NotADate)?;
    let clock = clock(cursor)?;
    if slashed {
        return Ok(Written::Slashed(Slashed {
            first: month,
            second: day,
            year,
            clock,
        }));
    }
    moment((year, month, day), clock, zone).map(Written::Moment)
}

impl Slashed {
    /// The order that follows from this date alone: a number over 12 is a day.
    pub fn proves(&self) -> Option<Order> {
        match (self.first > 12, self.second > 12) {
            (true, false) => Some(Order::DayFirst),
            (false, true) => Some(Order::MonthFirst),
            _ => None,
        }
    }

    /// The moment, given the order.
    ///
    /// # Errors
    /// The day does not exist.
    pub fn settle(&self, order: Order, zone: Option<&Zone>) -> Result<Moment, DateError> {
        let (month, day) = match order {
            Order::MonthFirst => (self.first, self.second),
            Order::DayFirst => (self.second, self.first),
        };
        moment((self.year, month, day), self.clock, zone)
    }
}

/// The index of a name in a list; its first three letters suffice.
fn position(name: &str, names: &[&str]) -> Option<usize> {
    let is_it = |whole: &&str| {
        whole
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    if name.len() < 3 {
        None
    } else {
        names.iter().position(is_it)
    }
}

/// Seconds or milliseconds since 1970.
fn timestamp(text: &str) -> Option<Timestamp> {
    if !matches!(text.len(), 10 | 13) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Timestamp::from_second(text[..10].parse().ok()?).ok()
}

/// Parses the date and leaves the rest.
fn date(cursor: &mut Cursor<'_>) -> Option<Day> {
    let digits = cursor.digits();
    match digits.len() {
        0 => month_first(cursor),
        1 | 2 => day_or_month_first(number(digits)?, cursor),
        4 => year_first(digits.parse().ok()?, cursor),
        8 if !cursor
            .rest
            .starts_with(|c: char| c.is_alphanumeric() && c != 'T') =>
        {
            let (year, month, day) = (
                digits[..4].parse().ok()?,
                number(&digits[4..6])?,
                number(&digits[6..])?,
            );
            Some(Day::known(year, month, day))
        }
        _ => None,
    }
}

/// `2015-03-19`, `2015/3/9`, `2015.03.19`, `2015-03`, `2015`.
fn year_first(year: i16, cursor: &mut Cursor<'_>) -> Option<Day> {
    if cursor.rest.is_empty() {
        return Some(Day::known(year, 1, 1));
    }
    let separator = cursor.take(&['-', '/', '.', '_', ' '])?;
    let digits = cursor.digits();
    let month = if digits.is_empty() {
        month(cursor.word())?
    } else {
        number(digits)?
    };
    if cursor.rest.is_empty() {
        return Some(Day::known(year, month, 1));
    }
    cursor.take(&[separator])?;
    Some(Day::known(year, month, number(cursor.digits())?))
}

/// `03/04/2015` (the month first), `3.4.2015` (the day first).
fn all_digits(first: i8, separator: char, second: i8, cursor: &mut Cursor<'_>) -> Option<Day> {
    cursor.take(&[separator])?;
    let year = cursor.year()?;
    let slashed = separator != '.';
    let (month, day) = if slashed {
        (first, second)
    } else {
        (second, first)
    };
    Some(Day {
        year,
        month,
        day,
        slashed,
    })
}

/// `03/04/2015`, `3.4.2015`, `3 March 2015`, `03-Mar-2015`, `3rd of March, 2015`.
fn day_or_month_first(first: i8, cursor: &mut Cursor<'_>) -> Option<Day> {
    let separator = cursor.take(&['/', '.', '-']);
    let digits = cursor.digits();
    if !digits.is_empty() {
        return all_digits(first, separator?, number(digits)?, cursor);
    }
    let mut word = cursor.word();
    while (is_ordinal(word) || word.eq_ignore_ascii_case("of"))
        && cursor.take(&[' ', ',', '.', '-']).is_some()
    {
        word = cursor.word();
    }
    let month = month(word)?;
    cursor.skip(&[' ', ',', '.', '-']);
    Some(Day::known(cursor.year()?, month, first))
}

/// `March 3, 2015`, `Mar. 3rd 2015`, `March 2015`.
fn month_first(cursor: &mut Cursor<'_>) -> Option<Day> {
    let month = month(cursor.word())?;
    cursor.skip(&[' ', ',', '.', '-']);
    let digits = cursor.digits();
    if digits.len() == 4 && cursor.rest.is_empty() {
        return Some(Day::known(digits.parse().ok()?, month, 1));
    }
    let day = number(digits)?;
    if !is_ordinal(cursor.word()) {
        return None;
    }
    cursor.skip(&[' ', ',', '-']);
    Some(Day::known(cursor.year()?, month, day))
}

fn month(name: &str) -> Option<i8> {
    i8::try_from(position(name, &MONTHS)? + 1).ok()
}

fn is_ordinal(word: &str) -> bool {
    ORDINALS
        .iter()
        .any(|ordinal| ordinal.eq_ignore_ascii_case(word))
}

/// The moment of a day and an optional time, or why the day does not exist. A time without an
/// offset is in this zone, else UTC.
pub fn moment(
    (year, month, day): (i16, i8, i8),
    clock: Option<Clock>,
    zone: Option<&Zone>,
) -> Result<Moment, DateError> {
    let date = civil(year, month, day)?;
    let (precision, local, offset) = match clock {
        Some(clock) => {
            let local = date.to_datetime(clock.time);
            let offset = clock
                .offset
                .or_else(|| Some(zone?.offset(local, clock.has_seconds)));
            (Precision::Second, local, offset.unwrap_or(Offset::UTC))
        }
        None => (
            Precision::Day,
            date.to_datetime(Time::midnight()),
            Offset::UTC,
        ),
    };
    let at = offset
        .to_timestamp(local)
        .map_err(|_| DateError::NotADate)?;
    // East of Greenwich the first hours of the year 1 are in the year 0 of UTC, which does not
    // parse again.
    if Offset::UTC.to_datetime(at).year() < 1 {
        return Err(DateError::NotADate);
    }
    Ok(Moment {
        at,
        precision,
        offset: offset.seconds(),
    })
}

fn civil(year: i16, month: i8, day: i8) -> Result<Date, DateError> {
    let Some(name) = usize::try_from(month - 1)
        .ok()
        .and_then(|index| MONTHS.get(index))
    else {
        return Err(DateError::Impossible(format!("{month} is not a month")));
    };
    if year < 1 {
        return Err(DateError::NotADate);
    }
    Date::new(year, month, day).map_err(|_| {
        let days = Date::new(year, month, 1).map_or(31, Date::days_in_month);
        DateError::Impossible(format!("{name} {year} has {days} days"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match read(text) {
            Ok(Written::Moment(moment)) => Moment {
                offset: 0,
                ..moment
            }
            .iso(),
            Ok(Written::Slashed(slashed)) => format!("slashed {:?}", slashed.proves()),
            Err(DateError::NotADate) => "not a date".to_owned(),
            Err(DateError::Impossible(why)) => why,
        }
    }

    #[test]
    fn rule_3_dates_are_read_in_every_spelling() {
        let check = |text: &str, iso: &str| assert_eq!(shown(text), iso, "{text}");
        for text in [
            "2015-03-09",
            "2015-3-9",
            "'2015-03-09'",
            "2015/03/09",
            "2015.03.09",
            "20150309",
            "March 9, 2015",
            "Mar. 9th 2015",
            "9 March 2015",
            "9th of March, 2015",
            "09-Mar-2015",
            "2015-Mar-09",
            "9.3.2015",
            "Monday, March 9, 2015",
            " 2015-03-09 ",
        ] {
            check(text, "2015-03-09");
        }
        for text in [
            "2015-03-09T14:05:00Z",
            "2015-03-09 14:05",
            "2015-03-09 14:05:00 +0000",
            "2015-03-09T14:05:00.123Z",
            "2015-03-09T10:05:00-04:00",
            "2015-03-09 10:05:00 -4",
            "2015-03-09 9:05:00 -0500",
            "2015-03-09T19:35+05:30",
            "Mon, 09 Mar 2015 14:05:00 GMT",
            "Mon Mar 09 2015 15:05:00 GMT+0100 (CET)",
            "2015-03-09 2:05 PM",
            "March 9, 2015 at 2:05pm",
            "2015-03-09T15:05:00+01:00[Europe/Paris]",
            "1425909900",
            "1425909900000",
            "2015-03-09 09:05 EST",
            "20150309T14:05",
        ] {
            check(text, "2015-03-09T14:05:00Z");
        }
        check("2015-03", "2015-03-01");
        check("2015", "2015-01-01");
        check("03/09/2015", "slashed None");
        check("03/19/2015", "slashed Some(MonthFirst)");
        check("19/03/2015", "slashed Some(DayFirst)");
    }

    #[test]
    fn rule_42_a_day_is_the_author_s_day() {
        let moment = |text: &str, zone: Option<Zone>| match read_in(text, zone.as_ref()) {
            Ok(Written::Moment(moment)) => {
                format!("{} {} {}", moment.day(), moment.iso(), moment.rfc822())
            }
            other => format!("{other:?}"),
        };
        assert_eq!(
            moment("2023-12-08 23:30 -0500", None),
            "2023-12-08 2023-12-08T23:30:00-05:00 Sat, 09 Dec 2023 04:30:00 +0000"
        );
        assert_eq!(
            moment("2023-12-08T00:10:00+05:30", None),
            "2023-12-08 2023-12-08T00:10:00+05:30 Thu, 07 Dec 2023 18:40:00 +0000"
        );
        assert_eq!(
            moment("2023-12-08", Zone::named("Asia/Tokyo", false)),
            "2023-12-08 2023-12-08 Fri, 08 Dec 2023 00:00:00 +0000"
        );
        for (zone, offset) in [
            ("America/New_York", "-05:00"),
            ("EST", "-05:00"),
            ("Europe/Paris", "+01:00"),
            ("+05:30", "+05:30"),
            ("UTC", "Z"),
        ] {
            let shown = moment("2023-12-08 23:30:00", Zone::named(zone, false));
            assert!(
                shown.starts_with(&format!("2023-12-08 2023-12-08T23:30:00{offset} ")),
                "{zone}: {shown}"
            );
        }
        let summer = moment("2023-07-08 23:30:00", Zone::named("Europe/Paris", false));
        assert!(summer.contains("T23:30:00+02:00"), "{summer}");
        let ruby = moment("2023-12-08 23:30:00", Zone::named("Asia/Tokyo", true));
        assert!(ruby.contains("T23:30:00Z"), "{ruby}");
        let ruby = moment("2023-12-08 23:30", Zone::named("Asia/Tokyo", true));
        assert!(ruby.contains("T23:30:00+09:00"), "{ruby}");
        assert!(Zone::named("Nowhere/Else", false).is_none());
    }

    #[test]
    fn rule_20_impossible_dates_say_why() {
        let check = |text: &str, why: &str| assert_eq!(shown(text), why, "{text}");
        check("2017-02-29", "February 2017 has 28 days");
        check("2017-13-01", "13 is not a month");
        check("2017-04-31 10:00", "April 2017 has 30 days");
        check(
            "2017-04-30 25:00",
            "a time goes from `00:00:00` to `23:59:59`",
        );
        for text in [
            "",
            "soon",
            "true",
            "2015-03-09x",
            "2015-03-091",
            "v1.2.3",
            "12",
            "2015-03-09 later",
            "99999999999999999999",
            "0001-01-01x",
            "0001-01-01 00:30 +0100",
            "２０１５",
        ] {
            check(text, "not a date");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,30}") {
            let _ = read(&text);
        }

        #[test]
        fn near_dates_do_not_panic(text in "[0-9TZ:/. +-]{0,30}") {
            if let Ok(Written::Slashed(slashed)) = read(&text) {
                let _ = (slashed.settle(Order::DayFirst, None), slashed.settle(Order::MonthFirst, None));
            }
        }
    }
}
