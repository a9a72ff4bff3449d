//! Memory that is at hand. Under some hypervisors what the system has free goes back to the host
//! within seconds, and is lent again page by page, which takes several times as long as a page that
//! is there. A start of gigabytes then measures the host: how much of its memory happens to be
//! lent.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use memmap2::MmapMut;

/// As much as a start takes for each article, and half as much again: for its source, both forms,
/// what it remembers, and what is free again at its end.
const EACH: usize = 64 << 10;
/// What is let go of for each second: somewhat more than a start takes, so that there is always
/// some.
const PACE: usize = 800 << 20;
/// What is let go of at once.
const PIECE: usize = 8 << 20;
/// What is let go of before the start.
const AHEAD: usize = 512 << 20;

/// Memory of this process that the system can have for others: it is given up piece by piece, just
/// before somebody wants it.
pub struct AtHand(Vec<MmapMut>);

impl AtHand {
    /// Takes as much as a start of so many articles will want, and writes to every page.
    ///
    /// # Errors
    /// The system has not that much.
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

    /// Begins to give it up; the rest goes when what comes back is joined.
    pub fn give_up(mut self) -> JoinHandle<()> {
        let (begun, all) = (Instant::now(), self.0.len());
        self.let_go(all, Duration::ZERO);
        thread::spawn(move || {
            while !self.0.is_empty() {
                thread::sleep(Duration::from_millis(5));
                self.let_go(all, begun.elapsed());
            }
        })
    }

    /// Lets go of what is due by now, of as many pieces as there were.
    fn let_go(&mut self, all: usize, elapsed: Duration) {
        let due = AHEAD + elapsed.as_millis() as usize * PACE / 1_000;
        self.0.truncate(all.saturating_sub(due / PIECE));
    }
}
