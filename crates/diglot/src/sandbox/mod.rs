//! What the server gives up before it spawns a thread: on Linux the right to gain privileges, and
//! by Landlock all files except the named ones.
//!
//! The server answers from memory, and no request reaches the file system, so this is the second
//! barrier. An attacker who exploits a parser, a codec or the runtime can read only the articles
//! and the folders around them, write only the state, open no port and connect nowhere.

#[cfg(target_os = "linux")]
mod linux;
mod lookup;

use std::env;
use std::path::PathBuf;

pub use lookup::lookup_folders;

/// Where systems keep certificates, libraries for names, and how names are looked up: what a process
/// that connects reads.
pub const SYSTEM: [&str; 7] = [
    "/etc",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/run/systemd/resolve",
    "/usr/lib",
    "/lib",
    "/lib64",
];

/// What the running server still needs. Sockets are opened earlier.
#[derive(Debug)]
pub struct Needs {
    /// Folders and files that are read, including everything below them.
    pub read: Vec<PathBuf>,
    /// Folders in which files are created, written, renamed and removed.
    pub write: Vec<PathBuf>,
    /// Folders in which empty folders are removed.
    pub remove_empty: Vec<PathBuf>,
    /// Which connections are made.
    pub connects: Connects,
}

/// Which TCP connections are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Connects {
    /// None.
    #[default]
    Nowhere,
    /// To these ports of any machine.
    Ports(Vec<u16>),
    /// To every port.
    Anywhere,
}

/// The variables that name certificates to trust.
const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// What a process needs that reads one site: its port, those of redirects on its host and of DNS;
/// certificates and the system's configuration.
pub fn to_connect(url: &str) -> Needs {
    let uri: Option<http::Uri> = url.parse().ok();
    let port = uri.and_then(|uri| uri.port_u16());
    let named = CERTIFICATES.into_iter().filter_map(env::var_os);
    let system = SYSTEM.into_iter().map(PathBuf::from);
    Needs {
        read: system.chain(named.map(PathBuf::from)).collect(),
        write: Vec::new(),
        remove_empty: Vec::new(),
        connects: Connects::Ports(port.into_iter().chain([53, 80, 443]).collect()),
    }
}

/// How much of it the system enforces.
#[derive(Debug, PartialEq)]
pub enum Confined {
    /// Files and ports.
    Wholly,
    /// Only part of the files, or nothing: the reason, in a few words.
    Less(String),
}

/// Runs `confine`, and gives the pool of threads one for each processor afterwards. The system counts
/// processors by files that are out of reach then.
pub fn with_all_processors<T>(confine: impl FnOnce() -> T) -> T {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let confined = confine();
    // An error says that there is a pool already.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    confined
}

/// Irrevocably gives up everything that `needs` does not name, for this thread and all that it
/// spawns.
///
/// This never fails: the result says what could not be given up.
pub fn confine(needs: &Needs) -> Confined {
    #[cfg(target_os = "linux")]
    return linux::confine(needs);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = needs;
        Confined::Less("the server runs without a sandbox: this system has no Landlock".to_owned())
    }
}
