//! Looking through a folder every now and then, where it cannot be watched.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::read::glance;

/// Between two looks at a small folder.
const OFTEN: Duration = Duration::from_secs(1);
/// Between two looks at the largest.
const SELDOM: Duration = Duration::from_secs(60);
/// After a look we wait for so many times what it took: looking costs a twentieth of a processor at most.
const SHARE: u32 = 20;
/// Nothing must change for so long until a change is told.
const SETTLED: Duration = Duration::from_millis(250);
/// What changes all the time is told after this.
const LONGEST: Duration = Duration::from_secs(2);

/// What a folder looked like.
#[derive(Debug)]
pub(super) struct Looks {
    root: PathBuf,
    /// So many files it may hold.
    most: usize,
    seen: [u8; 32],
    next: Instant,
}

impl Looks {
    /// Looks at a folder (a canonical path) for the first time.
    pub(super) fn new(root: &Path, most: usize) -> Self {
        let mut looks = Self { root: root.to_owned(), most, seen: [0; 32], next: Instant::now() };
        looks.look();
        looks
    }

    /// Waits until the folder looks different and has settled, or `time` is over; whether it does.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            thread::sleep(self.next.min(end).saturating_duration_since(Instant::now()));
            if self.next > end {
                return false;
            }
            if self.look() {
                break;
            }
        }
        let begun = Instant::now();
        while begun.elapsed() < LONGEST {
            thread::sleep(SETTLED);
            if !self.look() {
                break;
            }
        }
        true
    }

    /// Looks again; whether it is another sight.
    fn look(&mut self) -> bool {
        let begun = Instant::now();
        let seen = glance(&self.root, self.most);
        self.next = Instant::now() + (begun.elapsed() * SHARE).clamp(OFTEN, SELDOM);
        std::mem::replace(&mut self.seen, seen) != seen
    }
}
