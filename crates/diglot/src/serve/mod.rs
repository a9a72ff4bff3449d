//! The server: sockets around [`diglot_http::respond`]. One [`run`] accepts connections until it is told to stop, then lets open requests finish.
//!
//! A request sees exactly one edition: whichever [`Live`] holds at the moment the request's head is complete.

mod connection;
mod flood;
mod framing;
mod limits;
mod service;
mod tls;
mod wire;

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use diglot_edition::Edition;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use limits::Limits;
pub use tls::{Files, Tls};

/// The edition that is served now; replaced as a whole.
pub type Live = Arc<ArcSwap<Edition>>;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Opens the listening socket.
///
/// # Errors
/// The system's: the address is in use, is not ours, or may not be used.
pub fn listen(address: std::net::SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restart must not wait for the last connections of the old process to be forgotten.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `shutdown` is ready, over TLS where there is a certificate; then accepts nothing more, lets open requests finish within [`Limits::drain_time`], and returns.
pub async fn run(listener: TcpListener, live: Live, limits: Limits, tls: Option<Tls>, shutdown: impl Future<Output = ()>) {
    let (stop, stopped) = watch::channel(false);
    let shared = connection::Shared::new(live, limits, tls, stopped);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((socket, _)) => {
                    connections.spawn(connection::serve(Arc::clone(&shared), socket));
                }
                Err(error) => pause(&error).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let _ = stop.send(true);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(shared.limits.drain_time, drained).await.is_err() {
        connections.shutdown().await;
    }
}

/// After an error that concerns one connection the next is accepted at once; when descriptors or memory have run out, waiting is all that helps.
async fn pause(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
