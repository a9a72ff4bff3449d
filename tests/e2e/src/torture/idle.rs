//! Thousands of connections that lie idle while others are answered.

use std::net::TcpStream;
use std::time::Instant;

use super::good::Wish;
use super::ledger::{Ledger, Wrong};
use super::process::Process;
use crate::figures::{megabytes, thousands};
use crate::wire::Connection;

/// Descriptors that both sides need beside those of the idle connections.
const BESIDE: u64 = 1_000;

/// Allows this process, and the servers that it starts, as many descriptors as the system lets it.
pub fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where that is refused there are fewer connections, and the table says how many.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// How many idle connections are allowed, of those wanted.
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

/// Holds idle connections while `work` is done (for less than a minute, since they may be closed
/// then), then asks something on every one of them. What is to be said about it.
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
