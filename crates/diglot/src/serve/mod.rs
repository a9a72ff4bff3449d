//! The server: sockets around [`diglot_http::respond`]. [`run`] accepts connections until it is
//! told to stop, then lets open requests finish.
//!
//! Each request is answered from exactly one edition: the one in [`Live`] when the request's head
//! is complete.

mod activity;
mod admission;
mod answers;
mod checks;
mod clock;
mod connection;
mod date;
mod exchange;
mod families;
mod flood;
mod network;
mod preview;
mod proxies;
mod rate_limit;
mod reaper;
mod redirect;
mod shared;
mod tls;
mod wire;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use admission::{Admission, Permit};
use arc_swap::ArcSwap;
use diglot_edition::Edition;
use http::HeaderValue;
use reaper::Signal;
use shared::Shared;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use crate::limits::Limits;
pub use exchange::{Exchange, Observer};
pub use families::{Family, Kind};
pub use network::Network;
pub use preview::{Preview, ROOT as PREVIEW};
pub use proxies::{ClientHeader, Proxies};
pub use rate_limit::{Rate, RateLimits};
pub use redirect::Redirect;
pub use tls::{Challenge, Challenges, Files, Tls};

/// The live edition; replaced as a whole.
pub type Live = Arc<ArcSwap<Edition>>;

/// The configuration of a server.
#[derive(Clone, Default)]
pub struct Setup {
    /// What a client may cost.
    pub limits: Limits,
    /// The TLS endpoint; plain HTTP without it.
    pub tls: Option<Tls>,
    /// Servers in front of this one, which act for many clients.
    pub proxies: Proxies,
    /// The rate limits of clients.
    pub rate_limits: Option<Arc<RateLimits>>,
    /// What a preview has beside the site.
    pub preview: Preview,
    /// On the port of plain HTTP: where clients are sent instead of getting an answer.
    pub redirect: Option<Redirect>,
    /// `Strict-Transport-Security` of every answer over TLS.
    pub hsts: Option<HeaderValue>,
    /// Called for every request.
    pub observers: Vec<Arc<dyn Observer>>,
}

/// The queue of connections that are not yet accepted.
const BACKLOG: u32 = 1024;

/// Opens the listening socket.
///
/// # Errors
/// The system's: the address is in use, is not local, or may not be used.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    }?;
    // A restart must not wait until the old process's last connections time out.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `shutdown` is ready, over TLS if there is a certificate; then accepts nothing more,
/// lets open requests finish within [`Limits::drain_time`], and returns.
pub async fn run(
    listener: TcpListener,
    live: Live,
    setup: Setup,
    shutdown: impl Future<Output = ()>,
) {
    let (signal, signals) = watch::channel(Signal::Serving);
    let Limits {
        connections,
        connections_per_address,
        drain_time,
        ..
    } = setup.limits;
    let admission = Admission::new(
        connections,
        connections_per_address,
        setup.proxies.clone(),
        signal.clone(),
    );
    let shared = Shared::new(live, setup, signals);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(_) = connections.join_next() => {}
            accepted = accept(&listener, &admission) => match accepted {
                Ok((socket, address, mut permit)) => {
                    let address = Some(address.ip()).filter(|address| admission.admits(*address, &mut permit));
                    connections.spawn(connection::serve(Arc::clone(&shared), socket, address, permit));
                }
                Err(error) => pause(&error).await,
            },
        }
    }
    drop(listener);
    signal.send_replace(Signal::Stopping);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(drain_time, drained).await.is_err() {
        connections.shutdown().await;
    }
}

/// The next connection, once there is room for it. Cancel-safe: connections that are not accepted
/// stay in the system's queue.
async fn accept(
    listener: &TcpListener,
    admission: &Admission,
) -> io::Result<(TcpStream, SocketAddr, Permit)> {
    let permit = admission.room().await;
    let (socket, address) = listener.accept().await?;
    Ok((socket, address, permit))
}

/// After an error of a single connection the next is accepted at once; if descriptors or memory
/// have run out, only waiting helps.
async fn pause(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    ) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
