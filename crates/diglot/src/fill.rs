//! The background thread that makes content-codings once an edition is live.
//!
//! It has the lowest priority: an answer never waits for it. Cheap codings of everything come first, Brotli last, each of
//! small resources before large ones, since those are asked for most and done soonest; a newer edition ends the work on an older one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use diglot_edition::{Coding, Edition, Resource};

/// Merged documents of at most so many bytes are put together. Larger ones stay slices of what the edition holds anyway.
const JOINED: u64 = 16 << 20;

/// Where editions are handed to the thread; the newest counts.
#[derive(Clone, Debug)]
pub struct Filler {
    wake: SyncSender<()>,
    newest: Arc<Mutex<Option<Arc<Edition>>>>,
    done: Arc<AtomicBool>,
}

impl Filler {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system's, when there can be no more threads.
    pub fn start() -> io::Result<Self> {
        let (wake, woken) = sync_channel(1);
        let newest = Arc::new(Mutex::new(None));
        let done = Arc::new(AtomicBool::new(true));
        let filler = Self { wake, newest: Arc::clone(&newest), done: Arc::clone(&done) };
        thread::Builder::new().name("diglot-codings".into()).spawn(move || {
            be_modest();
            work(&woken, &newest, &done);
        })?;
        Ok(filler)
    }

    /// Whether every coding of the edition that was handed over last is made.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Hands over the edition that is live now.
    pub fn fill(&self, edition: &Arc<Edition>) {
        {
            let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
            self.done.store(false, Ordering::Relaxed);
            *newest = Some(Arc::clone(edition));
        }
        match self.wake.try_send(()) {
            // Full: it is woken already. Disconnected: the process ends.
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }
}

fn work(woken: &Receiver<()>, newest: &Mutex<Option<Arc<Edition>>>, done: &AtomicBool) {
    let mut again = woken.recv().is_ok();
    while again {
        let edition = newest.lock().unwrap_or_else(PoisonError::into_inner).take();
        again = match edition.map_or(Ok(()), |edition| fill(&edition, || woken.try_recv())) {
            // A newer edition came meanwhile.
            Err(()) => true,
            Ok(()) => {
                let newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
                done.store(newest.is_none(), Ordering::Relaxed);
                drop(newest);
                woken.recv().is_ok()
            }
        };
    }
}

/// Fills every slot of an edition; `Err` when something newer came, or the process ends.
fn fill(edition: &Edition, newer: impl Fn() -> Result<(), TryRecvError>) -> Result<(), ()> {
    edition.prepare();
    // After an edit most resources are those of the edition before, with all their codings.
    let open = |resource: &&Arc<Resource>| Coding::ALL.into_iter().any(|coding| !resource.codings.is_decided(coding));
    edition.resources.iter().for_each(|resource| resource.body.join(&*edition.store, JOINED));
    let compressible = edition.resources.iter().filter(|resource| resource.route.compressible());
    let mut order: Vec<&Arc<Resource>> = compressible.filter(open).collect();
    order.sort_by_key(|resource| resource.body.len());
    for coding in [Coding::Gzip, Coding::Zstd, Coding::Br] {
        for resource in &order {
            if newer() != Err(TryRecvError::Empty) {
                return Err(());
            }
            resource.fill_in(&*edition.store, coding);
        }
    }
    Ok(())
}

/// Gives this thread the lowest priority, where the system has priorities for threads.
fn be_modest() {
    #[cfg(target_os = "linux")]
    {
        // Without the right to it nothing is lost but politeness.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
    }
}
