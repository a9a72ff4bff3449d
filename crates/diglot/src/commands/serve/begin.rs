//! What happens before the first thread: sockets are opened, secrets are read, and the rest is given up.
//!
//! Landlock confines a thread and all that it spawns. So nothing here may spawn one, and whatever needs a port or a file elsewhere is opened here.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use super::secure;
use crate::commands::folder::Folder;
use crate::failure::{Failure, reason};
use crate::metrics::Metrics;
use crate::sandbox::{self, Confined};
use crate::serve::{self, Tls};
use crate::systemd::{self, Manager};
use crate::{cli, report};

/// What the server begins with.
pub(super) struct Begun {
    pub listener: TcpListener,
    /// The private one, for numbers.
    pub admin: Option<TcpListener>,
    /// Whether no base URL is set.
    pub preview: bool,
    pub tls: Option<Tls>,
    pub manager: Manager,
    pub meter: Metrics,
    /// How many threads a pool should have.
    pub threads: usize,
}

/// Opens everything, then confines this thread and all to come.
pub(super) fn begin(args: &cli::Serve, folder: &Folder) -> Result<Begun, Failure> {
    let cannot_listen = |error: std::io::Error| cannot_listen(args.listen, &error);
    let given = systemd::listener()?;
    let address = given.as_ref().map_or(Ok(args.listen), TcpListener::local_addr).map_err(cannot_listen)?;
    let preview = !folder.has_base_url();
    if preview && !address.ip().is_loopback() {
        let failure = Failure::usage(format!("`{address}` can be reached from other machines, and no base URL is set"));
        return Err(failure.hint("give `--base-url https://example.org`: every page and document names its address"));
    }
    let listener = given.map_or_else(|| bound(args.listen), Ok).map_err(cannot_listen)?;
    listener.set_nonblocking(true).map_err(cannot_listen)?;
    let admin = args.admin.map(|address| bound(address).map_err(|error| self::cannot_listen(address, &error))).transpose()?;
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let begun = Begun { listener, admin, preview, tls: secure::load(args)?, manager: Manager::from_env(), meter: Metrics::default(), threads };
    if !args.no_sandbox {
        confine(args, folder)?;
    }
    Ok(begun)
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Failure {
    Failure::machine(format!("cannot listen on `{address}`: {}", reason(error)))
}

/// A socket that we open ourselves. A runtime is needed for a moment; this kind has no threads.
fn bound(address: SocketAddr) -> std::io::Result<TcpListener> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _inside = runtime.enter();
    serve::listen(address)?.into_std()
}

fn confine(args: &cli::Serve, folder: &Folder) -> Result<(), Failure> {
    // What runs already would keep its rights.
    #[cfg(target_os = "linux")]
    debug_assert_eq!(std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count), 1, "a thread was spawned before");
    let mut needs = folder.needs()?;
    for file in args.tls_cert.iter().chain(&args.tls_key) {
        needs.read.extend(sandbox::roads(file).map_err(|error| Failure::path("read", file, &error))?);
    }
    if let Confined::Less(why) = sandbox::confine(&needs)
        && cfg!(target_os = "linux")
    {
        report::say(format!("note: {why}"));
    }
    Ok(())
}

/// Tells the manager that we live, from the runtime that answers: when that hangs, so do we.
pub(super) fn keep_alive(manager: &Arc<Manager>) {
    let Some(often) = manager.watchdog else { return };
    let manager = Arc::clone(manager);
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(often);
        loop {
            ticks.tick().await;
            manager.alive();
        }
    });
}
