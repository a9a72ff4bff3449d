//! Clocks for what happens at every request. On Linux they lag by up to 10 ms, and take 13 ns to
//! read instead of 54: an answer reads three, which is a hundredth of its time.

use std::time::Duration;

/// The time since an arbitrary moment, by a clock that is never set.
#[cfg(target_os = "linux")]
pub(super) fn monotonic() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
    Duration::try_from(now).unwrap_or_default()
}

/// Whole seconds since 1970, by the clock of the system.
#[cfg(target_os = "linux")]
pub(super) fn unix_seconds() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    now.tv_sec
}

/// The time since an arbitrary moment, by a clock that is never set.
#[cfg(not(target_os = "linux"))]
pub(super) fn monotonic() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// Whole seconds since 1970, by the clock of the system.
#[cfg(not(target_os = "linux"))]
pub(super) fn unix_seconds() -> i64 {
    jiff::Timestamp::now().as_second()
}
