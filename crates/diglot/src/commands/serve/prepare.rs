//! Runs before the first thread: opens sockets, reads secrets, and gives up all other rights.
//!
//! Landlock confines a thread and those that it spawns. So nothing here may spawn one, and every
//! port or file elsewhere is opened here.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
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

/// Where to listen if nothing is asked for.
const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// The last port that is tried if the default one is taken.
const LAST_PORT: u16 = 8099;

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
    let asked = args.listen.unwrap_or(DEFAULT_ADDRESS);
    let failure = |error: io::Error| cannot_listen(asked, &error);
    let address = match &given {
        Some(listener) => listener.local_addr().map_err(failure)?,
        None => asked,
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
    if args.drafts && !preview {
        let failure = Failure::usage("`--drafts` is for a preview, and a base URL is set");
        return Err(failure.hint("leave out `--drafts`, or serve without a base URL"));
    }
    let listener = match given {
        Some(listener) => listener,
        None if preview && args.listen.is_none() => bind_free()?,
        None => bind(asked)?,
    };
    listener.set_nonblocking(true).map_err(failure)?;
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
    // Connections wait in the queue of the socket until the first edition is made. Once confined,
    // this process could not start a browser that has its usual rights.
    if args.open {
        open(&prepared, args).map_err(failure)?;
    }
    if !args.no_sandbox {
        confine(args, folder)?;
    }
    Ok(prepared)
}

/// Opens the site in the browser: without a base URL the page that reloads itself.
fn open(prepared: &Prepared, args: &cli::Serve) -> io::Result<()> {
    let address = prepared.listener.local_addr()?;
    let path = match prepared.preview && !args.no_reload {
        true => format!("{}/", serve::PREVIEW),
        false => "/".to_owned(),
    };
    let url = format!("{}://{address}{path}", prepared.scheme());
    if let Err(error) = ::open::that_detached(&url) {
        let why = reason(&error);
        report::say(format!("warning: no browser opens `{url}`: {why}"));
    }
    Ok(())
}

pub(super) fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::machine(format!("cannot listen on `{address}`: {}", reason(error)))
}

/// Opens the default port, or the next free one.
fn bind_free() -> Result<TcpListener, Failure> {
    let first = DEFAULT_ADDRESS.port();
    let first_failure = match bind(DEFAULT_ADDRESS) {
        Ok(listener) => return Ok(listener),
        Err(failure) => failure,
    };
    for port in first + 1..=LAST_PORT {
        if let Ok(listener) = bind(SocketAddr::new(DEFAULT_ADDRESS.ip(), port)) {
            report::say(format!("port {first} is taken: {port} is used instead"));
            return Ok(listener);
        }
    }
    Err(first_failure.hint("name a free port with `--listen`"))
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
