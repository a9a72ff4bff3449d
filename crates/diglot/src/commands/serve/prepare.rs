//! Runs before the first thread: opens sockets, reads secrets, and gives up all other rights.
//!
//! Landlock confines a thread and those that it spawns. So nothing here may spawn one, and every
//! port or file elsewhere is opened here.

use std::io;
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

/// What the server starts with.
pub(super) struct Prepared {
    pub listener: TcpListener,
    /// The private one, for metrics.
    pub admin: Option<TcpListener>,
    /// Whether no base URL is set.
    pub preview: bool,
    pub tls: Option<Tls>,
    pub manager: Arc<Manager>,
    pub metrics: Arc<Metrics>,
    /// The size of a thread pool.
    pub threads: usize,
}

impl Prepared {
    pub(super) fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }
}

/// Opens everything, then confines this thread and all later ones.
pub(super) fn prepare(args: &cli::Serve, folder: &Folder) -> Result<Prepared, Failure> {
    let given = systemd::listener()?;
    let address = match &given {
        Some(listener) => listener
            .local_addr()
            .map_err(|error| cannot_listen(args.listen, &error))?,
        None => args.listen,
    };
    let preview = !folder.has_base_url();
    if preview && !address.ip().is_loopback() {
        let failure = Failure::usage(format!(
            "`{address}` can be reached from other machines, and no base URL is set"
        ));
        return Err(failure.hint(
            "give `--base-url https://example.org`: every page and document names its address",
        ));
    }
    let listener = match given {
        Some(listener) => listener,
        None => bind(args.listen)?,
    };
    listener
        .set_nonblocking(true)
        .map_err(|error| cannot_listen(args.listen, &error))?;
    let admin = args.admin.map(bind).transpose()?;
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let tls = secure::load(args)?;
    let (manager, metrics) = (Arc::new(Manager::from_env()), Arc::new(Metrics::default()));
    let prepared = Prepared {
        listener,
        admin,
        preview,
        tls,
        manager,
        metrics,
        threads,
    };
    if !args.no_sandbox {
        confine(args, folder)?;
    }
    Ok(prepared)
}

pub(super) fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::machine(format!("cannot listen on `{address}`: {}", reason(error)))
}

/// Opens a socket without the manager. The temporary runtime has no threads.
fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    let open = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let _inside = runtime.enter();
        serve::listen(address)?.into_std()
    };
    open().map_err(|error| cannot_listen(address, &error))
}

fn confine(args: &cli::Serve, folder: &Folder) -> Result<(), Failure> {
    // A thread that already runs would keep its rights.
    #[cfg(target_os = "linux")]
    debug_assert_eq!(
        std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count),
        1,
        "a thread was spawned before"
    );
    let mut needs = folder.needs()?;
    for file in args.tls_cert.iter().chain(&args.tls_key) {
        needs.read.extend(
            sandbox::lookup_folders(file).map_err(|error| Failure::path("read", file, &error))?,
        );
    }
    if let Confined::Less(why) = sandbox::confine(&needs)
        && cfg!(target_os = "linux")
    {
        report::say(format!("note: {why}"));
    }
    Ok(())
}

/// Reports liveness from the runtime that answers: if it hangs, the server hangs.
pub(super) fn keep_alive(manager: &Arc<Manager>) {
    let Some(often) = manager.watchdog else {
        return;
    };
    let manager = Arc::clone(manager);
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(often);
        loop {
            ticks.tick().await;
            manager.alive();
        }
    });
}
