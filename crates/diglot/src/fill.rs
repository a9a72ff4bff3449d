//! The background thread that computes content-codings once an edition is live.
//!
//! It has the lowest priority, so that answers do not wait for it. Cheap codings of all resources
//! are computed first, Brotli last. For each coding, small resources precede large ones: they are
//! requested most and finished soonest. A newer edition ends the work on an older one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use diglot_edition::{Coding, Edition, Resource};

use crate::return_memory;

/// Merged documents up to this size are joined. Larger ones stay slices of what the edition holds
/// anyway.
const JOINED: u64 = 16 << 20;

/// How long a thread that computed the codings of an edition waits for the next.
const QUIET: Duration = Duration::from_secs(2);

/// The name of the thread.
const NAME: &str = "diglot-codings";

/// Passes editions to the thread; only the newest counts.
#[derive(Clone, Debug)]
pub struct Filler {
    work: Arc<Work>,
}

#[derive(Debug, Default)]
struct Work {
    newest: Mutex<Option<Arc<Edition>>>,
    /// Notified of a newer edition.
    newer: Condvar,
    /// Whether a coding is still missing.
    open: AtomicBool,
}

impl Filler {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system's, if the thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let work = Arc::new(Work::default());
        let filler = Self {
            work: Arc::clone(&work),
        };
        thread::Builder::new().name(NAME.into()).spawn(move || {
            be_modest();
            work.run();
        })?;
        Ok(filler)
    }

    /// Whether every coding of the last submitted edition is computed.
    pub fn is_done(&self) -> bool {
        !self.work.open.load(Ordering::Relaxed)
    }

    /// Submits the live edition.
    pub fn fill(&self, edition: &Arc<Edition>) {
        let mut newest = self.work.newest();
        *newest = Some(Arc::clone(edition));
        self.work.open.store(true, Ordering::Relaxed);
        self.work.newer.notify_one();
    }
}

impl Work {
    fn newest(&self) -> MutexGuard<'_, Option<Arc<Edition>>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Never returns.
    fn run(&self) {
        loop {
            self.wait();
            thread::scope(|scope| {
                // mimalloc keeps the memory that the largest documents took until their thread ends.
                let own = thread::Builder::new().name(NAME.into());
                if own.spawn_scoped(scope, || self.fill_until_quiet()).is_err() {
                    self.fill_until_quiet();
                }
            });
        }
    }

    /// Waits for an edition.
    fn wait(&self) {
        let newest = self
            .newer
            .wait_while(self.newest(), |newest| newest.is_none());
        drop(newest);
    }

    /// Computes the codings of the newest edition and of those that soon follow it.
    ///
    /// A thread for each of many editions would cost a server of 40 pages 60 MB: mimalloc returns
    /// nothing of the blocks in which an ended thread left a coding.
    fn fill_until_quiet(&self) {
        while let Some(edition) = self.next() {
            fill(&edition, || self.newest().is_some());
            // Dropped so that the thread does not hold this edition while it waits.
            drop(edition);
            let newest = self.newest();
            self.open.store(newest.is_some(), Ordering::Relaxed);
        }
        return_memory::soon();
    }

    /// Waits for the newest edition, but not for long.
    fn next(&self) -> Option<Arc<Edition>> {
        let (mut newest, _) = self
            .newer
            .wait_timeout_while(self.newest(), QUIET, |newest| newest.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        newest.take()
    }
}

/// Fills every slot of an edition, until there is a newer one.
fn fill(edition: &Edition, is_old: impl Fn() -> bool) {
    edition.prepare();
    let mut order: Vec<&Arc<Resource>> = Vec::new();
    for resource in &edition.resources {
        resource.body.join(&*edition.store, JOINED);
        // After an edit most resources are those of the previous edition, with all their codings.
        let is_open = Coding::ALL
            .into_iter()
            .any(|coding| !resource.codings.is_decided(coding));
        if is_open && resource.route.compressible() {
            order.push(resource);
        }
    }
    order.sort_by_key(|resource| resource.body.len());
    for coding in [Coding::Gzip, Coding::Zstd, Coding::Br] {
        for resource in &order {
            if is_old() {
                return;
            }
            resource.fill_in(&*edition.store, coding);
        }
    }
}

/// Gives this thread the lowest priority, on systems with thread priorities.
fn be_modest() {
    #[cfg(target_os = "linux")]
    {
        // Without permission the thread keeps its priority, which is harmless.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
    }
}
