//! The time of day after a date, and its zone.

use jiff::civil::Time;
use jiff::tz::Offset;

use super::DateError;
use super::cursor::{Cursor, number};
use super::zone::fixed;

/// A time of day and its offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub time: Time,
    /// `None`: none is written.
    pub offset: Option<Offset>,
    pub has_seconds: bool,
}

/// Parses the time of day after a date, to the end of the text. `None`: there is none.
pub fn clock(mut cursor: Cursor<'_>) -> Result<Option<Clock>, DateError> {
    if cursor.rest.trim().is_empty() {
        return Ok(None);
    }
    let ([hour, minute, second], has_seconds) = time(&mut cursor).ok_or(DateError::NotADate)?;
    let hour = half_day(hour, &mut cursor)?;
    let offset = match cursor.rest.trim() {
        "" => None,
        written => Some(fixed(written).ok_or(DateError::NotADate)?),
    };
    match Time::new(hour, minute, if second == 60 { 59 } else { second }, 0) {
        Ok(time) => Ok(Some(Clock {
            time,
            offset,
            has_seconds,
        })),
        Err(_) => Err(DateError::Impossible(
            "a time goes from `00:00:00` to `23:59:59`".to_owned(),
        )),
    }
}

/// The hour of the day, adjusted by a following `am` or `pm`.
fn half_day(hour: i8, cursor: &mut Cursor<'_>) -> Result<i8, DateError> {
    let half = cursor
        .rest
        .get(..2)
        .unwrap_or_default()
        .to_ascii_lowercase();
    if half != "am" && half != "pm" {
        return Ok(hour);
    }
    if !(1..=12).contains(&hour) {
        return Err(DateError::Impossible(
            "hours before `am` and `pm` go from 1 to 12".to_owned(),
        ));
    }
    cursor.rest = &cursor.rest[2..];
    Ok(hour % 12 + if half == "pm" { 12 } else { 0 })
}

/// Parses `T14`, ` 14:05`, `, 14:05:00`, ` at 14:05:00.123` as hour, minute and second, with the
/// white space after it; and whether it has seconds.
fn time(cursor: &mut Cursor<'_>) -> Option<([i8; 3], bool)> {
    let whole = cursor.rest;
    cursor.skip(&[' ', ',', 'T', 't', '\u{a0}']);
    cursor.rest = cursor.rest.strip_prefix("at ").unwrap_or(cursor.rest);
    if cursor.rest.len() == whole.len() {
        return None;
    }
    let mut time = [number(cursor.digits())?, 0, 0];
    let mut parts = 1;
    while parts < time.len() && cursor.take(&[':']).is_some() {
        time[parts] = number(cursor.digits())?;
        parts += 1;
    }
    if cursor.take(&['.', ',']).is_some() {
        cursor.digits();
    }
    cursor.rest = cursor.rest.trim_start();
    Some((time, parts == time.len()))
}
