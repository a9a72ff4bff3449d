//! The background thread that computes content-codings once an edition is live.
//!
//! It has the lowest priority, so that answers do not wait for it. Cheap codings of all resources
//! are computed first, Brotli last. For each coding, small resources precede large ones: they are
//! requested most and finished soonest. A newer edition ends the work on an older one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use diglot_edition::{Coding, Edition, Resource};

use crate::return_memory;

/// Merged documents up to this size are joined. Larger ones stay slices of what the edition holds
/// anyway.
const JOINED: u64 = 16 << 20;

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
            let edition = self.next();
            let fill = || {
                fill(&edition, || self.newest().is_some());
                return_memory::soon();
            };
            thread::scope(|scope| {
                // mimalloc keeps the memory that the largest documents took until their thread ends.
                let own = thread::Builder::new().name(NAME.into());
                if own.spawn_scoped(scope, fill).is_err() {
                    fill();
                }
            });
            // Dropped so that the thread does not hold this edition while it waits.
            drop(edition);
            let newest = self.newest();
            self.open.store(newest.is_some(), Ordering::Relaxed);
        }
    }

    /// Waits for the newest edition.
    fn next(&self) -> Arc<Edition> {
        let mut newest = self.newest();
        loop {
            match newest.take() {
                Some(edition) => return edition,
                None => {
                    newest = self
                        .newer
                        .wait(newest)
                        .unwrap_or_else(PoisonError::into_inner)
                }
            }
        }
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
