//! The `Date` of answers after the clock was set back.
//!
//! hyper writes the field, and writes it anew once the clock has passed the second that it wrote last. A clock that was set back passes it hours or years later, and until then
//! every answer would lie in the future. So such answers get the field from us.

use std::cell::Cell;
use std::time::{SystemTime, UNIX_EPOCH};

use http::HeaderValue;
use jiff::Timestamp;

thread_local! {
    /// hyper remembers what it wrote by thread, too.
    static LATEST: Cell<i64> = const { Cell::new(i64::MIN) };
}

/// The `Date` of an answer that is made now, if hyper's would be wrong.
pub(super) fn own() -> Option<HeaderValue> {
    let now = match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs().cast_signed(),
        Err(before) => -before.duration().as_secs().cast_signed() - 1,
    };
    LATEST.with(|latest| at(latest, now))
}

/// As [`own`], in this second.
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
        assert_eq!((written(1_000), written(1_000), written(1_001)), (None, None, None));
        assert_eq!(written(60).as_deref(), Some("Thu, 01 Jan 1970 00:01:00 GMT"));
        assert_eq!(written(1_000).as_deref(), Some("Thu, 01 Jan 1970 00:16:40 GMT"));
        assert_eq!((written(1_001), written(1_002)), (None, None));
    }
}
