//! Memory that the system can use at once. Under some hypervisors the guest's free memory returns
//! to the host within seconds and is given back page by page, which takes several times as long as
//! using a page that is already there. A start that needs gigabytes then measures the host: how
//! much of its memory the guest happens to hold.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use memmap2::MmapMut;

/// One and a half times the memory of a start for each article: for its source, both forms, the
/// caches, and memory that is free again at its end.
const EACH: usize = 64 << 10;
/// How much is freed each second: somewhat more than a start takes, so that some is always
/// available.
const PACE: usize = 800 << 20;
/// How much is freed at once.
const PIECE: usize = 8 << 20;
/// How much is freed before the start.
const AHEAD: usize = 512 << 20;

/// Memory of this process that is freed piece by piece, just before another process needs it.
pub struct ReservedMemory(Vec<MmapMut>);

impl ReservedMemory {
    /// Allocates as much as a start with this many articles needs, and writes to every page.
    ///
    /// # Errors
    /// The system does not have that much.
    pub fn for_start(articles: usize) -> Result<Self, String> {
        let piece = |_| {
            let mut piece = MmapMut::map_anon(PIECE)?;
            piece.fill(1);
            Ok(piece)
        };
        let pieces = (articles * EACH).div_ceil(PIECE);
        (0..pieces)
            .map(piece)
            .collect::<io::Result<_>>()
            .map(Self)
            .map_err(|error| format!("no memory to be held at hand: {error}"))
    }

    /// Begins to free it; joining the returned handle waits until all is freed.
    pub fn free_gradually(mut self) -> JoinHandle<()> {
        let (begun, all) = (Instant::now(), self.0.len());
        self.free_due(all, Duration::ZERO);
        thread::spawn(move || {
            while !self.0.is_empty() {
                thread::sleep(Duration::from_millis(5));
                self.free_due(all, begun.elapsed());
            }
        })
    }

    /// Frees what is due by now, out of `all` pieces.
    fn free_due(&mut self, all: usize, elapsed: Duration) {
        let due = AHEAD + elapsed.as_millis() as usize * PACE / 1_000;
        self.0.truncate(all.saturating_sub(due / PIECE));
    }
}
