//! What one file may cost while it is read: how long, and how deep.
//!
//! Time that grows with a file's size is bounded by the size that the caller lets in. This is the
//! net below it, for a file that takes the square of that all the same: it is set aside and named,
//! and the others go on. The crate reads no clock: the caller gives one with the sources.

use std::cell::Cell;
use std::time::Duration;

/// What one file may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How deep elements may be nested; deeper ones are removed, and their text stays.
    pub nesting: usize,
    /// How long one file may take.
    pub time: Duration,
    /// The time that the calling thread has worked so far; without it nothing takes too long.
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

/// The bounds of the file that this thread reads, as far as they are used up. A value of the
/// thread, because the bounded work is below parsers that do not know of it.
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

/// Only every so many questions look at the clock.
const SELDOM: u32 = 256;

/// Does the work within these bounds; `None`: it took too long, and its result is incomplete.
pub(crate) fn within<T>(bounds: &Bounds, work: impl FnOnce() -> T) -> Option<T> {
    /// Gives back what was before, also when the work panics.
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

/// Whether the file that is read has taken too long. Loops over all of a file ask, and end.
pub(crate) fn is_over() -> bool {
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

/// As [`is_over`], with a look at the clock each time: for questions between steps that may take
/// long.
pub(crate) fn is_over_now() -> bool {
    let mut current = CURRENT.get();
    current.over |= current.end.is_some_and(|(clock, end)| clock() > end);
    CURRENT.set(current);
    current.over
}

/// How deep elements may be nested here.
pub(crate) fn nesting() -> usize {
    CURRENT.get().nesting
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });

    /// A clock on which every look takes a second.
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
