//! Resource limits for parsing one file: time and nesting depth.
//!
//! The caller limits file sizes, which bounds work that is linear in the size. These limits are a
//! safety net for files that take quadratic time: such a file is skipped and reported, and the
//! others are published. The crate reads no clock: the caller supplies one with the sources.

use std::cell::Cell;
use std::time::Duration;

/// Resource limits for parsing one file.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Maximum nesting depth of elements; deeper elements are removed, but their text stays.
    pub nesting: usize,
    /// Maximum time for one file.
    pub time: Duration,
    /// The CPU time of the calling thread so far; without it there is no time limit.
    pub clock: Option<fn() -> Duration>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            nesting: 96,
            time: Duration::from_secs(10),
            clock: None,
        }
    }
}

/// The limits of the file that this thread parses, and their use so far. Thread-local, because the
/// limited work runs below parsers that do not know of it.
#[derive(Clone, Copy)]
struct Current {
    nesting: usize,
    end: Option<(fn() -> Duration, Duration)>,
    over: bool,
    asked: u32,
}

const UNBOUNDED: Current = Current {
    nesting: 96,
    end: None,
    over: false,
    asked: 0,
};

thread_local!(static CURRENT: Cell<Current> = const { Cell::new(UNBOUNDED) });

/// The clock is read only once in this many checks.
const SELDOM: u32 = 256;

/// Runs the work within these limits; `None`: it took too long, and its result is incomplete.
pub fn within<T>(bounds: &Bounds, work: impl FnOnce() -> T) -> Option<T> {
    /// Restores the outer limits, also on panic.
    struct Before(Current);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let end = bounds
        .clock
        .map(|clock| (clock, clock().saturating_add(bounds.time)));
    let before = Before(CURRENT.replace(Current {
        nesting: bounds.nesting,
        end,
        over: false,
        asked: 0,
    }));
    let done = work();
    let over = CURRENT.get().over || end.is_some_and(|(clock, end)| clock() > end);
    drop(before);
    (!over).then_some(done)
}

/// Whether the current file has taken too long. Loops over a whole file check this and stop.
pub fn is_over() -> bool {
    let mut current = CURRENT.get();
    let Some((clock, end)) = current.end else {
        return false;
    };
    current.asked = current.asked.wrapping_add(1);
    if !current.over && current.asked.is_multiple_of(SELDOM) {
        current.over = clock() > end;
    }
    CURRENT.set(current);
    current.over
}

/// As [`is_over`], but reads the clock on every call: for checks between steps that may be slow.
pub fn is_over_now() -> bool {
    let mut current = CURRENT.get();
    current.over |= current.end.is_some_and(|(clock, end)| clock() > end);
    CURRENT.set(current);
    current.over
}

/// The maximum nesting depth in the current file.
pub fn nesting() -> usize {
    CURRENT.get().nesting
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });

    /// A clock that advances one second per reading.
    fn clock() -> Duration {
        NOW.set(NOW.get() + 1);
        Duration::from_secs(NOW.get())
    }

    #[test]
    fn work_that_takes_too_long_is_told_so_and_comes_to_nothing() {
        let bounds = Bounds {
            time: Duration::from_secs(10),
            clock: Some(clock),
            nesting: 7,
        };
        let mut rounds = 0_u32;
        let endless = within(&bounds, || {
            while !is_over() {
                rounds += 1;
            }
            nesting()
        });
        assert_eq!((endless, rounds / SELDOM), (None, 10));
        assert_eq!(
            (within(&bounds, nesting), nesting(), is_over()),
            (Some(7), 96, false),
            "and the next one begins anew"
        );
        assert_eq!(
            within(
                &Bounds {
                    time: Duration::ZERO,
                    ..bounds
                },
                || ()
            ),
            None,
            "also if nobody asked"
        );
        assert_eq!(
            within(&Bounds::default(), || (0..10_000).any(|_| is_over())),
            Some(false),
            "without a clock nothing takes too long"
        );
    }
}
