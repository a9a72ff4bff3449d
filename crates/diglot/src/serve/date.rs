//! The `Date` of answers after the clock was set back.
//!
//! hyper writes the field, and renews it only once the clock has passed the last written second.
//! After the clock was set back that may take hours or years, and until then every answer would
//! have a date in the future. Such answers get the field from us.

use std::cell::Cell;

use http::HeaderValue;
use jiff::Timestamp;

use super::clock;

thread_local! {
    /// Per thread, as hyper's own cache.
    static LATEST: Cell<i64> = const { Cell::new(i64::MIN) };
}

/// The `Date` of an answer at this moment, if hyper's would be wrong.
pub(super) fn own() -> Option<HeaderValue> {
    LATEST.with(|latest| at(latest, clock::unix_seconds()))
}

/// As [`own`], at this second.
fn at(latest: &Cell<i64>, now: i64) -> Option<HeaderValue> {
    if latest.get() <= now {
        latest.set(now);
        return None;
    }
    diglot_http::date::write(Timestamp::from_second(now).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_ours_until_the_clock_has_passed_the_latest() {
        let latest = Cell::new(i64::MIN);
        let written = |now| at(&latest, now).map(|date| date.to_str().unwrap().to_owned());
        assert_eq!(
            (written(1_000), written(1_000), written(1_001)),
            (None, None, None)
        );
        assert_eq!(
            written(60).as_deref(),
            Some("Thu, 01 Jan 1970 00:01:00 GMT")
        );
        assert_eq!(
            written(1_000).as_deref(),
            Some("Thu, 01 Jan 1970 00:16:40 GMT")
        );
        assert_eq!((written(1_001), written(1_002)), (None, None));
    }
}
