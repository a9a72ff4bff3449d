//! Thousands of idle connections while others are answered.

use std::net::TcpStream;
use std::time::Instant;

use super::good::Wish;
use super::ledger::{Ledger, Wrong};
use super::process::Process;
use crate::figures::{megabytes, thousands};
use crate::wire::Connection;

/// Descriptors that both sides need in addition to those of the idle connections.
const BESIDE: u64 = 1_000;

/// Raises the descriptor limit of this process, and of the servers that it starts, to the hard
/// limit.
pub fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // If that is refused there are fewer connections, and the table says how many.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// How many of the wanted idle connections the limit allows.
fn allowed(wanted: usize) -> usize {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile)
            .current
            .unwrap_or(u64::MAX);
        usize::try_from(limit.saturating_sub(BESIDE))
            .unwrap_or(usize::MAX)
            .min(wanted)
    }
    #[cfg(not(unix))]
    {
        let _ = BESIDE;
        wanted.min(100)
    }
}

/// Keeps idle connections open while `work` runs (for less than a minute, since they may be closed
/// then), then sends a request on each of them. Returns a note.
///
/// # Errors
/// They cannot be opened.
pub fn hold(
    server: &Process,
    ledger: &Ledger,
    wanted: usize,
    work: impl FnOnce(),
) -> Result<String, String> {
    let (count, before, begun) = (allowed(wanted), server.memory(), Instant::now());
    let wish = Wish {
        method: "GET",
        path: "/robots.txt".to_owned(),
        ..Wish::default()
    };
    let mut held = Vec::with_capacity(count);
    for _ in 0..count {
        let mut connection = Connection::to(&server.authority)
            .map_err(|error| format!("after {} connections: {error}", held.len()))?;
        let answer = wish
            .ask(&mut connection)
            .map_err(|error| format!("after {} connections: {error}", held.len()))?;
        wish.judge(answer, None, ledger);
        held.push(connection);
    }
    let each = server.memory().saturating_sub(before) / count.max(1) as u64;
    let opened = begun.elapsed();
    work();
    for connection in &mut held {
        match wish.ask(connection) {
            Ok(answer) => drop(wish.judge(answer, None, ledger)),
            Err(error) => ledger.complain(Wrong::Failed, || format!("an idle connection: {error}")),
        }
    }
    let (held, more) = (held.len(), TcpStream::connect(&server.authority).is_ok());
    if !more {
        ledger.complain(Wrong::Promise, || {
            "with idle connections there is no room for another".to_owned()
        });
    }
    Ok(format!(
        "{} ({} bytes each; {} in all), opened in {:.1} s",
        thousands(held),
        each,
        megabytes(server.memory()),
        opened.as_secs_f64()
    ))
}
