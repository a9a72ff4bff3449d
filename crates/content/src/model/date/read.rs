//! The many spellings of a date.

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

use super::{Moment, Precision};

/// What an author's text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// One moment.
    Moment(Moment),
    /// `03/04/2015`: which number is the day, the folder must prove.
    Slashed(Slashed),
}

/// A date whose day and month only the rest of the folder can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slashed {
    first: i8,
    second: i8,
    year: i16,
    clock: Option<Clock>,
}

/// Which number of `03/04/2015` comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `MM/DD/YYYY`
    MonthFirst,
    /// `DD/MM/YYYY`
    DayFirst,
}

/// Why a text is no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateError {
    /// It does not look like one.
    NotADate,
    /// It looks like one, and there is no such day or hour; says why.
    Impossible(String),
}

/// A time of day and its distance from UTC in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clock {
    hour: i8,
    minute: i8,
    second: i8,
    offset: i32,
}

const MONTHS: [&str; 12] = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Reads a date in any spelling that authors use: ISO 8601 with and without `T`, one-digit parts, `/` and `.`, a zone in any spelling,
/// `March 3, 2015`, `3 March 2015`, RFC 822, `20150303`, seconds or milliseconds since 1970. Without a zone a time is taken as UTC.
///
/// # Errors
/// [`DateError`] says whether it is no date at all or an impossible one.
pub fn read(text: &str) -> Result<Written, DateError> {
    let mut cursor = Cursor { rest: text.trim().trim_matches(['"', '\'']).trim() };
    if let Some(name) = cursor.rest.split(|c: char| !c.is_ascii_alphabetic()).next().filter(|name| named(name, &DAYS).is_some()) {
        cursor.rest = cursor.rest[name.len()..].trim_start_matches([',', '.', ' ']);
    }
    let (first, length) = cursor.number();
    match length {
        0 => month_first(cursor),
        1 | 2 => day_or_month_first(first, cursor),
        4 => year_first(first, cursor),
        8 if !cursor.rest.starts_with(|c: char| c.is_alphanumeric() && c != 'T') => {
            let clock = clock(cursor)?;
            moment(first / 10_000, first / 100 % 100, first % 100, clock)
        }
        10 | 13 if cursor.rest.is_empty() => {
            let seconds = if length == 13 { first / 1000 } else { first };
            jiff::Timestamp::from_second(seconds).map(|at| Written::Moment(Moment::second(at))).map_err(|_| DateError::NotADate)
        }
        _ => Err(DateError::NotADate),
    }
}

impl Slashed {
    /// The order that this date alone proves: a number over 12 is a day.
    pub fn proves(&self) -> Option<Order> {
        match (self.first > 12, self.second > 12) {
            (true, false) => Some(Order::DayFirst),
            (false, true) => Some(Order::MonthFirst),
            _ => None,
        }
    }

    /// The moment under an order.
    ///
    /// # Errors
    /// There is no such day.
    pub fn settle(&self, order: Order) -> Result<Moment, DateError> {
        let (month, day) = if order == Order::MonthFirst { (self.first, self.second) } else { (self.second, self.first) };
        match moment(self.year.into(), month.into(), day.into(), self.clock)? {
            Written::Moment(moment) => Ok(moment),
            Written::Slashed(_) => Err(DateError::NotADate),
        }
    }
}

/// What is not read yet.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// The number that comes next and how many digits it has; more than 13 digits are none.
    fn number(&mut self) -> (i64, usize) {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let value = if length <= 13 { self.rest[..length].parse().unwrap_or(0) } else { 0 };
        self.rest = &self.rest[length..];
        (value, length)
    }

    fn take(&mut self, characters: &[char]) -> Option<char> {
        let next = self.rest.chars().next().filter(|next| characters.contains(next))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn word(&mut self) -> &str {
        let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        word
    }
}

/// The position of a name in a list that holds its lower-case whole; three letters are enough.
fn named(name: &str, names: &[&str]) -> Option<i64> {
    let lower = name.to_ascii_lowercase();
    let at = names.iter().position(|whole| lower.len() >= 3 && (whole.starts_with(&lower) || lower == "sept" && *whole == "september"))?;
    i64::try_from(at).ok()
}

/// `2015-03-19`, `2015/3/9`, `2015.03.19`, `2015-03`, `2015`, with a time behind a whole date.
fn year_first(year: i64, mut cursor: Cursor) -> Result<Written, DateError> {
    if cursor.rest.is_empty() {
        return moment(year, 1, 1, None);
    }
    let separator = cursor.take(&['-', '/', '.', '_', ' ']).ok_or(DateError::NotADate)?;
    let (month, length) = cursor.number();
    let month = match length {
        0 => named(cursor.word(), &MONTHS).ok_or(DateError::NotADate)? + 1,
        1 | 2 => month,
        _ => return Err(DateError::NotADate),
    };
    if cursor.rest.is_empty() {
        return moment(year, month, 1, None);
    }
    cursor.take(&[separator]).ok_or(DateError::NotADate)?;
    let (day, length) = cursor.number();
    if !matches!(length, 1 | 2) {
        return Err(DateError::NotADate);
    }
    moment(year, month, day, clock(cursor)?)
}

/// `03/04/2015`, `3.4.2015`, `3 March 2015`, `03-Mar-2015`, `3rd of March, 2015`.
fn day_or_month_first(first: i64, mut cursor: Cursor) -> Result<Written, DateError> {
    let separator = cursor.take(&['/', '.', '-']);
    let (second, length) = cursor.number();
    if let (Some(separator), 1 | 2) = (separator, length) {
        cursor.take(&[separator]).ok_or(DateError::NotADate)?;
        let (year, length) = cursor.number();
        if length != 4 {
            return Err(DateError::NotADate);
        }
        let clock = clock(cursor)?;
        if separator == '.' {
            return moment(year, second, first, clock);
        }
        let small = |value: i64| i8::try_from(value).map_err(|_| DateError::NotADate);
        let year = i16::try_from(year).map_err(|_| DateError::NotADate)?;
        return Ok(Written::Slashed(Slashed { first: small(first)?, second: small(second)?, year, clock }));
    }
    if length > 0 {
        return Err(DateError::NotADate);
    }
    let day = first;
    let mut word = cursor.word().to_ascii_lowercase();
    while matches!(word.as_str(), "st" | "nd" | "rd" | "th" | "of" | "") && cursor.take(&[' ', ',', '.', '-']).is_some() {
        word = cursor.word().to_ascii_lowercase();
    }
    let month = named(&word, &MONTHS).ok_or(DateError::NotADate)? + 1;
    cursor.rest = cursor.rest.trim_start_matches([' ', ',', '.', '-']);
    let (year, length) = cursor.number();
    if length == 4 { moment(year, month, day, clock(cursor)?) } else { Err(DateError::NotADate) }
}

/// `March 3, 2015`, `Mar. 3rd 2015`, `March 2015`.
fn month_first(mut cursor: Cursor) -> Result<Written, DateError> {
    let month = named(cursor.word(), &MONTHS).ok_or(DateError::NotADate)? + 1;
    cursor.rest = cursor.rest.trim_start_matches([' ', ',', '.', '-']);
    let (day, length) = cursor.number();
    if length == 4 && cursor.rest.is_empty() {
        return moment(day, month, 1, None);
    }
    if !matches!(length, 1 | 2) || !matches!(cursor.word().to_ascii_lowercase().as_str(), "" | "st" | "nd" | "rd" | "th") {
        return Err(DateError::NotADate);
    }
    cursor.rest = cursor.rest.trim_start_matches([' ', ',', '-']);
    let (year, length) = cursor.number();
    if length == 4 { moment(year, month, day, clock(cursor)?) } else { Err(DateError::NotADate) }
}

/// The time of day behind a date, and nothing else behind it. `None`: there is none.
fn clock(mut cursor: Cursor) -> Result<Option<Clock>, DateError> {
    if cursor.rest.trim().is_empty() {
        return Ok(None);
    }
    let before = cursor.rest.len();
    cursor.rest = cursor.rest.trim_start_matches([' ', ',', 'T', 't', '\u{a0}']);
    cursor.rest = cursor.rest.strip_prefix("at ").unwrap_or(cursor.rest);
    let (mut hour, length) = cursor.number();
    if before == cursor.rest.len() + length || !matches!(length, 1 | 2) {
        return Err(DateError::NotADate);
    }
    let mut parts = [0, 0];
    for part in &mut parts {
        if cursor.take(&[':']).is_none() {
            break;
        }
        let (value, length) = cursor.number();
        if !matches!(length, 1 | 2) {
            return Err(DateError::NotADate);
        }
        *part = value;
    }
    if cursor.take(&['.', ',']).is_some() {
        cursor.number();
    }
    let [minute, second] = parts;
    cursor.rest = cursor.rest.trim_start();
    let half = cursor.rest.get(..2).map(str::to_ascii_lowercase).filter(|half| half == "am" || half == "pm");
    if let Some(half) = half {
        cursor.rest = cursor.rest[2..].trim_start();
        if !(1..=12).contains(&hour) {
            return Err(DateError::Impossible("hours before `am` and `pm` go from 1 to 12".to_owned()));
        }
        hour = hour % 12 + if half == "pm" { 12 } else { 0 };
    }
    let offset = zone(cursor.rest)?;
    if hour > 23 || minute > 59 || second > 60 {
        return Err(DateError::Impossible("a time goes from `00:00:00` to `23:59:59`".to_owned()));
    }
    let small = |value: i64| i8::try_from(value).unwrap_or(0);
    Ok(Some(Clock { hour: small(hour), minute: small(minute), second: small(second.min(59)), offset }))
}

/// Seconds east of UTC: `Z`, `UTC`, `-4`, `-0500`, `+05:30`, `GMT+0100 (CET)`, `EST`, `+01:00[Europe/Paris]`; nothing is UTC.
fn zone(text: &str) -> Result<i32, DateError> {
    const NAMES: [(&str, i32); 14] = [
        ("z", 0),
        ("utc", 0),
        ("gmt", 0),
        ("ut", 0),
        ("est", -5),
        ("edt", -4),
        ("cst", -6),
        ("cdt", -5),
        ("mst", -7),
        ("mdt", -6),
        ("pst", -8),
        ("pdt", -7),
        ("cet", 1),
        ("cest", 2),
    ];
    let bare = text.split(['[', '(']).next().unwrap_or_default().trim();
    let mut cursor = Cursor { rest: bare };
    let word = cursor.word().to_ascii_lowercase();
    let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, hours)| hours * 3600);
    let base = if word.is_empty() { 0 } else { named.ok_or(DateError::NotADate)? };
    let sign = match cursor.take(&['+', '-', '−']) {
        None => return if cursor.rest.is_empty() { Ok(base) } else { Err(DateError::NotADate) },
        Some('+') => 1,
        Some(_) => -1,
    };
    let (value, length) = cursor.number();
    let (hours, minutes) = match length {
        1 | 2 if cursor.take(&[':']).is_some() => (value, cursor.number().0),
        1 | 2 => (value, 0),
        3 | 4 => (value / 100, value % 100),
        _ => return Err(DateError::NotADate),
    };
    if !cursor.rest.is_empty() || hours > 23 || minutes > 59 {
        return Err(DateError::NotADate);
    }
    i32::try_from(sign * (hours * 3600 + minutes * 60)).map(|offset| base + offset).map_err(|_| DateError::NotADate)
}

/// The moment of a day by its numbers; `None`: there is no such day.
pub(super) fn day(year: i64, month: i64, day: i64) -> Option<Moment> {
    match moment(year, month, day, None) {
        Ok(Written::Moment(moment)) => Some(moment),
        _ => None,
    }
}

/// The moment of a day and maybe a time, or why there is no such day.
fn moment(year: i64, month: i64, day: i64, clock: Option<Clock>) -> Result<Written, DateError> {
    if !(1..=12).contains(&month) {
        return Err(DateError::Impossible(format!("there is no month {month}")));
    }
    let year = i16::try_from(year).ok().filter(|year| (1..=9999).contains(year)).ok_or(DateError::NotADate)?;
    let month = i8::try_from(month).map_err(|_| DateError::NotADate)?;
    let length = Date::new(year, month, 1).map_err(|_| DateError::NotADate)?.days_in_month();
    if !(1..=i64::from(length)).contains(&day) {
        let mut name = MONTHS[usize::from(month.unsigned_abs()) - 1].to_owned();
        name[..1].make_ascii_uppercase();
        return Err(DateError::Impossible(format!("{name} {year} has {length} days")));
    }
    let day = i8::try_from(day).map_err(|_| DateError::NotADate)?;
    let (time, offset) = clock.map_or(((0, 0, 0), 0), |clock| ((clock.hour, clock.minute, clock.second), clock.offset));
    let local = DateTime::new(year, month, day, time.0, time.1, time.2, 0).map_err(|_| DateError::NotADate)?;
    let offset = Offset::from_seconds(offset).map_err(|_| DateError::NotADate)?;
    let at = TimeZone::fixed(offset).to_ambiguous_timestamp(local).unambiguous().map_err(|_| DateError::NotADate)?;
    let precision = if clock.is_some() { Precision::Second } else { Precision::Day };
    let moment = Moment { at, precision };
    // East of Greenwich the first hours of the year 1 lie in the year 0 of UTC, which nobody could read again.
    if moment.year() < 1 { Err(DateError::NotADate) } else { Ok(Written::Moment(moment)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match read(text) {
            Ok(Written::Moment(moment)) => moment.iso(),
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
    fn rule_20_impossible_dates_say_why() {
        let check = |text: &str, why: &str| assert_eq!(shown(text), why, "{text}");
        check("2017-02-29", "February 2017 has 28 days");
        check("2017-13-01", "there is no month 13");
        check("2017-04-31 10:00", "April 2017 has 30 days");
        check("2017-04-30 25:00", "a time goes from `00:00:00` to `23:59:59`");
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
                let _ = (slashed.settle(Order::DayFirst), slashed.settle(Order::MonthFirst));
            }
        }
    }
}
