//! Polls a folder that cannot be watched.

use std::mem;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::read::fingerprint;

/// The interval between two scans of a small folder.
const OFTEN: Duration = Duration::from_secs(1);
/// The interval between two scans of the largest.
const SELDOM: Duration = Duration::from_secs(60);
/// The wait after a scan, as a multiple of its duration: scans take at most a twentieth of a
/// processor.
const SHARE: u32 = 20;
/// How long the folder must be unchanged before a change is reported.
const SETTLED: Duration = Duration::from_millis(250);
/// A folder that keeps changing is reported after this.
const LONGEST: Duration = Duration::from_secs(2);

/// The last scan of a folder.
#[derive(Debug)]
pub(super) struct Poll {
    root: PathBuf,
    /// The limit of files in the folder.
    files: usize,
    fingerprint: [u8; 32],
    next: Instant,
}

impl Poll {
    /// Scans a folder (a canonical path) for the first time.
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

    /// Waits until the folder has changed and settled, or `time` is over; returns whether it has.
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

    /// Whether the folder has changed since the last scan.
    fn has_changed(&mut self) -> bool {
        let begun = Instant::now();
        let now = fingerprint(&self.root, self.files);
        self.next = Instant::now() + (begun.elapsed() * SHARE).clamp(OFTEN, SELDOM);
        mem::replace(&mut self.fingerprint, now) != now
    }
}
