//! The activity on one connection: recorded by its socket and its service, read by its
//! [`Reaper`](super::reaper::Reaper).

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use tokio::time::Instant;

use super::clock;

/// The activity of one connection. Times are in milliseconds since it was opened.
pub(super) struct Activity {
    opened: Instant,
    /// The same moment by the clock of what happens at every request.
    opened_coarse: Duration,
    /// When the last byte was read or written.
    last_byte: AtomicU64,
    /// When the current head began; [`NONE`] between heads.
    head_begun: AtomicU64,
    /// Whether a request has started.
    is_asked: AtomicBool,
    /// Requests that reached the service.
    requests: AtomicU64,
    /// The number of the request with ambiguous length, from 1; 0 for none.
    ambiguous: AtomicU64,
}

const NONE: u64 = u64::MAX;

impl Activity {
    pub fn new() -> Self {
        Self {
            opened: Instant::now(),
            opened_coarse: clock::monotonic(),
            last_byte: AtomicU64::new(0),
            head_begun: AtomicU64::new(NONE),
            is_asked: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            ambiguous: AtomicU64::new(0),
        }
    }

    fn now(&self) -> u64 {
        let open_for = clock::monotonic().saturating_sub(self.opened_coarse);
        u64::try_from(open_for.as_millis()).unwrap_or(NONE)
    }

    fn moment(&self, milliseconds: u64) -> Instant {
        self.opened + Duration::from_millis(milliseconds)
    }

    /// Records that bytes were read or written.
    pub fn note_bytes(&self) {
        self.last_byte.store(self.now(), Relaxed);
    }

    /// Records that a head of HTTP/1.1 begins (`true`) or is complete.
    pub fn note_head(&self, begins: bool) {
        self.is_asked.store(true, Relaxed);
        self.head_begun
            .store(if begins { self.now() } else { NONE }, Relaxed);
    }

    /// Records that the length of this request, counted from 1, is ambiguous.
    pub fn note_ambiguous(&self, number: u64) {
        self.ambiguous.store(number, Relaxed);
    }

    /// Records that a request reached the service; returns its number, from 1.
    pub fn note_request(&self) -> u64 {
        self.is_asked.store(true, Relaxed);
        self.requests.fetch_add(1, Relaxed) + 1
    }

    pub fn last_byte(&self) -> Instant {
        self.moment(self.last_byte.load(Relaxed))
    }

    /// When the current head began, or the wait for a connection's first request.
    pub fn head_begun(&self) -> Option<Instant> {
        if self.requests() == 0 {
            return Some(self.opened);
        }
        match self.head_begun.load(Relaxed) {
            NONE => None,
            begun => Some(self.moment(begun)),
        }
    }

    /// Whether a request has started.
    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Relaxed)
    }

    pub fn requests(&self) -> u64 {
        self.requests.load(Relaxed)
    }

    pub fn is_ambiguous(&self, number: u64) -> bool {
        self.ambiguous.load(Relaxed) == number
    }
}
