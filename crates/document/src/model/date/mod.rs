//! Dates as authors write them and in the formats of the output. Reads no clock.

mod clock;
mod cursor;
mod name;
mod read;
mod zone;

pub use name::{in_name, in_path};
pub use read::{MONTHS, Order, Slashed, WEEKDAYS, Written, read, read_in};
pub use zone::Zone;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use serde::Serialize;

/// Why a text is not a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateError {
    /// It is not in any date format.
    NotADate,
    /// It has the format of a date, but the day or hour does not exist; with the reason.
    Impossible(String),
}

/// The precision of a [`Moment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Known to the day: the instant is midnight UTC of that day.
    Day,
    /// Known to the second.
    Second,
    /// Only the time of a file, which says little about its text: no person is shown it.
    File,
}

/// An instant, its precision and the zone that its author wrote. Ordered by the instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Moment {
    /// The instant, whole seconds.
    pub at: Timestamp,
    /// Day or second.
    pub precision: Precision,
    /// Seconds east of UTC, as the author wrote them: a day is the author's day.
    pub offset: i32,
}

impl Moment {
    /// An instant known to the second.
    pub fn second(at: Timestamp) -> Self {
        let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
        Self {
            at,
            precision: Precision::Second,
            offset: 0,
        }
    }

    /// A day: midnight UTC.
    pub fn of_day(at: Timestamp) -> Self {
        Self {
            precision: Precision::Day,
            ..Self::second(at)
        }
    }

    /// The time of a file.
    pub fn of_file(at: Timestamp) -> Self {
        Self {
            precision: Precision::File,
            ..Self::second(at)
        }
    }

    /// Whether more is known than the time of a file.
    pub fn is_known(&self) -> bool {
        self.precision != Precision::File
    }

    /// ISO 8601: `2024-05-01`, `2024-05-01T10:00:00Z` or `2024-05-01T10:00:00+02:00`.
    pub fn iso(&self) -> String {
        if self.precision == Precision::Day {
            return self.day().to_string();
        }
        let local = self.zone().to_datetime(self.at);
        let minutes = self.zone().seconds() / 60;
        if minutes == 0 {
            return format!("{local:.0}Z");
        }
        let sign = if minutes < 0 { '-' } else { '+' };
        let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
        format!("{local:.0}{sign}{hours:02}:{minutes:02}")
    }

    fn zone(&self) -> Offset {
        Offset::from_seconds(self.offset).unwrap_or(Offset::UTC)
    }

    /// RFC 822, as required by RSS 2.0: `Wed, 01 May 2024 10:00:00 +0000`.
    pub fn rfc822(&self) -> String {
        self.at
            .to_zoned(TimeZone::UTC)
            .strftime("%a, %d %b %Y %H:%M:%S +0000")
            .to_string()
    }

    /// IMF-fixdate (RFC 9110 section 5.6.7): `Wed, 01 May 2024 10:00:00 GMT`.
    pub fn http(&self) -> String {
        self.at
            .to_zoned(TimeZone::UTC)
            .strftime("%a, %d %b %Y %H:%M:%S GMT")
            .to_string()
    }

    /// The year of the author.
    pub fn year(&self) -> i16 {
        self.day().year()
    }

    /// The day of the author.
    pub fn day(&self) -> Date {
        self.zone().to_datetime(self.at).date()
    }

    /// The same moment, or `now` if it is in the future.
    #[must_use]
    pub fn clamped(self, now: Timestamp) -> Self {
        if self.at > now {
            Self {
                precision: self.precision.max(Precision::Second),
                ..Self::second(now)
            }
        } else {
            self
        }
    }
}
