//! Looking through a folder every now and then, where it cannot be watched.

use std::mem;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::read::fingerprint;

/// Between two looks at a small folder.
const OFTEN: Duration = Duration::from_secs(1);
/// Between two looks at the largest.
const SELDOM: Duration = Duration::from_secs(60);
/// After a look we wait for so many times what it took: looking costs a twentieth of a processor at
/// most.
const SHARE: u32 = 20;
/// Nothing must change for so long until a change is told.
const SETTLED: Duration = Duration::from_millis(250);
/// What changes all the time is told after this.
const LONGEST: Duration = Duration::from_secs(2);

/// What a folder looked like.
#[derive(Debug)]
pub(super) struct Poll {
    root: PathBuf,
    /// So many files it may hold.
    files: usize,
    fingerprint: [u8; 32],
    next: Instant,
}

impl Poll {
    /// Looks at a folder (a canonical path) for the first time.
    pub(super) fn new(root: &Path, files: usize) -> Self {
        let mut poll = Self {
            root: root.to_owned(),
            files,
            fingerprint: [0; 32],
            next: Instant::now(),
        };
        poll.has_changed();
        poll
    }

    /// Waits until the folder has changed and settled, or `time` is over; whether it has.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            thread::sleep(self.next.min(end).saturating_duration_since(Instant::now()));
            if self.next > end {
                return false;
            }
            if self.has_changed() {
                break;
            }
        }
        let begun = Instant::now();
        while begun.elapsed() < LONGEST {
            thread::sleep(SETTLED);
            if !self.has_changed() {
                break;
            }
        }
        true
    }

    /// Whether the folder has changed since the last look.
    fn has_changed(&mut self) -> bool {
        let begun = Instant::now();
        let now = fingerprint(&self.root, self.files);
        self.next = Instant::now() + (begun.elapsed() * SHARE).clamp(OFTEN, SELDOM);
        mem::replace(&mut self.fingerprint, now) != now
    }
}
