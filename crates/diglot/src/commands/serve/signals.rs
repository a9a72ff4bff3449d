//! What signals request: a graceful stop, or a reload.

use std::io::{self, IsTerminal};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::watch::{Waker, Watch};

/// Whether a reload of folder and certificate was requested.
#[derive(Default)]
pub(super) struct Reload {
    asked: AtomicBool,
    /// Wakes the thread that reloads.
    waker: Mutex<Option<Waker>>,
}

impl Reload {
    /// Requests a reload.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only a signal asks"))]
    pub(super) fn ask(&self) {
        self.asked.store(true, Ordering::Release);
        if let Some(waker) = self
            .waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
        {
            waker.wake();
        }
    }

    /// Whether a reload was requested since the last call.
    pub(super) fn take(&self) -> bool {
        self.asked.swap(false, Ordering::AcqRel)
    }

    /// From now on a request ends the waiting of this watch.
    pub(super) fn wakes(&self, watch: &Watch) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch.waker());
    }
}

/// The signals that are handled. SIGHUP is handled from the beginning, so that it does not end a
/// server that is still building its first edition.
pub(super) struct Signals {
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    /// Whether there is a terminal that can hang up.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there is no such signal"))]
    in_terminal: bool,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            hangup: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?,
            in_terminal: io::stdin().is_terminal(),
        })
    }

    /// Ready at the first Ctrl-C or SIGTERM, or when the terminal of this process is closed; the
    /// second signal ends the process at once. Any other SIGHUP requests a reload.
    #[cfg(unix)]
    pub(super) fn listen(mut self, reload: Arc<Reload>) -> io::Result<impl Future<Output = ()>> {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut terminate, mut interrupt) = (
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
        );
        let (told, asked) = oneshot::channel();
        tokio::spawn(async move {
            let mut told = Some(told);
            loop {
                let hung_up = tokio::select! {
                    _ = terminate.recv() => false,
                    _ = interrupt.recv() => false,
                    _ = self.hangup.recv() => true,
                };
                if hung_up && !self.in_terminal {
                    reload.ask();
                } else {
                    stop(&mut told);
                }
            }
        });
        Ok(async { asked.await.unwrap_or_default() })
    }

    /// Ready at the first Ctrl-C; the second ends the process at once.
    #[cfg(not(unix))]
    pub(super) fn listen(self, _: Arc<Reload>) -> io::Result<impl Future<Output = ()>> {
        let (told, asked) = oneshot::channel();
        tokio::spawn(async move {
            let mut told = Some(told);
            loop {
                let _ = tokio::signal::ctrl_c().await;
                stop(&mut told);
            }
        });
        Ok(async { asked.await.unwrap_or_default() })
    }
}

/// Stops the server; ends the process if it was already told to stop.
fn stop(told: &mut Option<oneshot::Sender<()>>) {
    match told.take() {
        Some(told) => drop(told.send(())),
        None => process::exit(0),
    }
}
