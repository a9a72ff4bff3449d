//! Runs before the first thread: opens sockets, reads secrets, and gives up all other rights.
//!
//! Landlock confines a thread and those that it spawns. So nothing here may spawn one, and every
//! port or file elsewhere is opened here.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::{certificate, occupied};
use crate::commands::acme::Asker;
use crate::failure::{Failure, reason};
use crate::metrics::Metrics;
use crate::sandbox::{self, Confined, Needs};
use crate::serve::{self, Tls};
use crate::state::State;
use crate::systemd::{self, Manager};
use crate::{cli, terminal};

/// Where to listen if nothing is asked for.
const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// Where to listen with a certificate from an authority: it looks there (RFC 8737 section 3).
const HTTPS_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 443);
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
    /// The port of plain HTTP beside that of HTTPS.
    pub plain: Option<TcpListener>,
    /// The process that asks for certificates.
    pub asker: Option<Asker>,
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
pub(super) fn prepare(
    args: &cli::Serve,
    preview: bool,
    state: Option<&State>,
    needs: impl FnOnce() -> Result<Needs, Failure>,
) -> Result<Prepared, Failure> {
    require_counts(args, state)?;
    let given = systemd::listener()?;
    let asked = args.listen.unwrap_or(match args.acme.acme {
        Some(_) => HTTPS_ADDRESS,
        None => DEFAULT_ADDRESS,
    });
    let failure = |error: io::Error| cannot_listen(asked, "--listen", &error);
    let address = match &given {
        Some(listener) => listener.local_addr().map_err(failure)?,
        None => asked,
    };
    if preview && !address.ip().is_loopback() {
        let failure = Failure::usage(format!(
            "other machines can reach `{address}`, but no base URL is set"
        ));
        return Err(failure.hint(
            "add `--base-url https://example.org`: pages, feed and sitemaps contain the site's address",
        ));
    }
    if args.drafts && !preview {
        let failure = Failure::usage("`--drafts` is for previews, but a base URL is set");
        return Err(failure.hint("remove `--drafts`, or serve without a base URL"));
    }
    let listener = match given {
        Some(listener) => listener,
        None if preview && args.listen.is_none() => bind_free()?,
        None => bind(asked, "--listen")?,
    };
    listener.set_nonblocking(true).map_err(failure)?;
    let admin = args.admin.map(|address| bind(address, "--admin"));
    let admin = admin.transpose()?;
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let plain = args
        .listen_http
        .map(|address| bind(address, "--listen-http"));
    let plain = plain.transpose()?;
    let asker = Asker::start(args, state)?;
    let tls = match &asker {
        Some(asker) => Some(Tls::awaited(asker.files(), asker.challenges())?),
        None => certificate::load(args)?,
    };
    if tls.is_none() {
        needs_tls(args)?;
    }
    let (manager, metrics) = (Arc::new(Manager::from_env()), Arc::new(Metrics::default()));
    let prepared = Prepared {
        listener,
        admin,
        preview,
        tls,
        plain,
        asker,
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
        let mut needs = needs()?;
        let folder = prepared.asker.as_ref().map(Asker::folder);
        needs.read.extend(folder.map(Path::to_owned));
        confine(args, needs)?;
    }
    Ok(prepared)
}

/// Refuses to count readers without a place for the counts.
pub(super) fn require_counts(args: &cli::Serve, state: Option<&State>) -> Result<(), Failure> {
    if !args.count_readers || state.is_some() {
        return Ok(());
    }
    let failure = Failure::usage("`--count-readers` needs a state folder for the counts");
    Err(failure.hint("name one, such as `--state ~/.local/state/diglot`"))
}

/// Refuses what has no meaning without HTTPS.
fn needs_tls(args: &cli::Serve) -> Result<(), Failure> {
    super::refuse(
        &[
            ("--listen-http", args.listen_http.is_some()),
            ("--hsts", args.hsts.is_some()),
        ],
        "a server with a certificate: `--tls-cert` or `--acme`",
    )
}

/// Opens the site in the browser: without a base URL the page that reloads itself.
fn open(prepared: &Prepared, args: &cli::Serve) -> io::Result<()> {
    let address = prepared.listener.local_addr()?;
    let path = match prepared.preview && !args.no_reload {
        true => format!("{}/", serve::PREVIEW),
        false => "/".to_owned(),
    };
    let host = match &prepared.tls {
        Some(tls) => certificate::reached(tls, "localhost", address),
        None => address.to_string(),
    };
    let url = format!("{}://{host}{path}", prepared.scheme());
    // The errors are those of the programs that were tried.
    if ::open::that_detached(&url).is_err() {
        terminal::say(format!(
            "warning: no browser could be opened: open `{url}` yourself"
        ));
    }
    Ok(())
}

/// The failure of listening on the address that this option gives.
fn cannot_listen(address: SocketAddr, option: &str, error: &io::Error) -> Failure {
    let failure = |why: &str| Failure::machine(format!("cannot listen on `{address}`: {why}"));
    let (ip, port) = (address.ip(), address.port());
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            let why = format!("{} uses the port", occupied::by(address));
            let other = SocketAddr::new(ip, port.checked_add(1).unwrap_or(0));
            failure(&why).hint(format!(
                "choose another port, such as `{option} {other}`, or `{option} {}` for any free port",
                SocketAddr::new(ip, 0)
            ))
        }
        io::ErrorKind::PermissionDenied if port < 1024 => failure(&reason(error)).hint(format!(
            "ports below 1024 need rights: choose another, such as `{option} {}`",
            SocketAddr::new(ip, 8080)
        )),
        io::ErrorKind::AddrNotAvailable => failure("this machine does not have the address")
            .hint("listen on one that it has, such as `127.0.0.1:8080`, or `0.0.0.0:8080` for all"),
        _ => failure(&reason(error)),
    }
}

/// Opens the default port, or the next free one.
fn bind_free() -> Result<TcpListener, Failure> {
    let first = DEFAULT_ADDRESS.port();
    let first_failure = match bind(DEFAULT_ADDRESS, "--listen") {
        Ok(listener) => return Ok(listener),
        Err(failure) => failure,
    };
    for port in first + 1..=LAST_PORT {
        let address = SocketAddr::new(DEFAULT_ADDRESS.ip(), port);
        if let Ok(listener) = bind(address, "--listen") {
            let by = occupied::by(DEFAULT_ADDRESS);
            terminal::say(format!(
                "warning: port {first} is in use by {by}: using {port} instead; \
                 `--listen {address}` always uses that one"
            ));
            return Ok(listener);
        }
    }
    Err(first_failure)
}

/// Opens a socket without the manager. The temporary runtime has no threads.
fn bind(address: SocketAddr, option: &str) -> Result<TcpListener, Failure> {
    let open = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let _inside = runtime.enter();
        serve::listen(address)?.into_std()
    };
    open().map_err(|error| cannot_listen(address, option, &error))
}

fn confine(args: &cli::Serve, mut needs: Needs) -> Result<(), Failure> {
    // A thread that already runs would keep its rights.
    #[cfg(target_os = "linux")]
    debug_assert_eq!(
        std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count),
        1,
        "a thread was spawned before"
    );
    for file in args.tls_cert.iter().chain(&args.tls_key) {
        needs.read.extend(
            sandbox::lookup_folders(file).map_err(|error| Failure::path("read", file, &error))?,
        );
    }
    if let Confined::Less(why) = sandbox::confine(&needs)
        && cfg!(target_os = "linux")
    {
        terminal::say(format!("note: {why}"));
    }
    Ok(())
}

/// Reports liveness from the runtime that answers: if it hangs, the server hangs.
pub(super) fn report_liveness(manager: &Arc<Manager>) {
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
