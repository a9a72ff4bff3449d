//! Dates as authors write them and in the formats of the output. Reads no clock.

mod clock;
mod cursor;
mod name;
mod read;

pub use name::{in_name, in_path};
pub use read::{DateError, Order, Slashed, Written, read};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use serde::Serialize;

/// The precision of a [`Moment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Known to the day: the instant is midnight UTC of that day.
    Day,
    /// Known to the second.
    Second,
}

/// An instant and its precision. Ordered by the instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Moment {
    /// The instant, whole seconds.
    pub at: Timestamp,
    /// Day or second.
    pub precision: Precision,
}

impl Moment {
    /// An instant known to the second.
    pub fn second(at: Timestamp) -> Self {
        let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
        Self {
            at,
            precision: Precision::Second,
        }
    }

    /// ISO 8601: `2024-05-01` or `2024-05-01T10:00:00Z`.
    pub fn iso(&self) -> String {
        match self.precision {
            Precision::Day => self.day().to_string(),
            Precision::Second => format!("{:.0}Z", Offset::UTC.to_datetime(self.at)),
        }
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

    /// The year in UTC.
    pub fn year(&self) -> i16 {
        self.day().year()
    }

    /// The day in UTC.
    pub fn day(&self) -> Date {
        Offset::UTC.to_datetime(self.at).date()
    }

    /// The same moment, or `now` if it is in the future.
    #[must_use]
    pub fn clamped(self, now: Timestamp) -> Self {
        if self.at > now {
            Self::second(now)
        } else {
            self
        }
    }
}
