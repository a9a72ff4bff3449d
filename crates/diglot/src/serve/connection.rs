//! The life of one connection: HTTP/1.1 or HTTP/2, over TLS by ALPN and without it by prior
//! knowledge.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, StatusCode};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::select;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;

use super::admission::Permit;
use super::answers::answer;
use super::reaper::{Order, Reaper, Signal};
use super::shared::{Client, Shared};
use super::wire::{LINGER_BYTES, LINGER_TIME, Protocol, Wire};
use super::{Tls, tls};

/// Serves one connection until it ends. Without an `address` it is refused.
pub(super) async fn serve(
    shared: Arc<Shared>,
    mut socket: TcpStream,
    address: Option<IpAddr>,
    _permit: Permit,
) {
    let _open = Open::new(&shared);
    // Answers are written whole, so Nagle's algorithm would only delay their last part.
    let _ = socket.set_nodelay(true);
    let Some(address) = address else {
        if shared.setup.tls.is_none() {
            let _ = timeout(
                LINGER_TIME,
                refuse(&shared, &mut socket, StatusCode::SERVICE_UNAVAILABLE),
            )
            .await;
        }
        return;
    };
    // The largest futures are boxed, so that a plain HTTP/1.1 connection needs no room for them.
    if let Some(tls) = &shared.setup.tls {
        Box::pin(serve_tls(&shared, tls, socket, address)).await;
    } else {
        serve_plain(&shared, socket, address).await;
    }
}

/// A connection in the observers' count.
struct Open<'a>(&'a Shared);

impl<'a> Open<'a> {
    fn new(shared: &'a Shared) -> Self {
        for observer in &shared.setup.observers {
            observer.connections(1);
        }
        Self(shared)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        for observer in &self.0.setup.observers {
            observer.connections(-1);
        }
    }
}

async fn serve_plain(shared: &Arc<Shared>, mut socket: TcpStream, address: IpAddr) {
    let client = Client::new(shared, address);
    let mut reaper = Reaper::new(
        &shared.setup.limits,
        &client.activity,
        shared.signals.clone(),
    );
    let first = select! {
        biased;
        first = first_bytes(&mut socket) => first,
        // There is no request yet, so nothing is lost.
        _ = reaper.order() => return,
    };
    let Ok(Some((protocol, read))) = first else {
        return;
    };
    let wire = Wire::new(socket, read, protocol, false, &client);
    converse(&client, wire, protocol, reaper).await;
}

async fn serve_tls(shared: &Arc<Shared>, tls: &Tls, socket: TcpStream, address: IpAddr) {
    let mut signals = shared.signals.clone();
    let handshake = Box::pin(timeout(
        shared.setup.limits.handshake_time,
        handshake(shared, tls, socket),
    ));
    let stream = select! {
        stream = handshake => stream.ok().flatten(),
        // There is no request yet, so nothing is lost.
        _ = signals.wait_for(|signal| *signal == Signal::Stopping) => None,
    };
    let Some(stream) = stream else { return };
    let client = Client::new(shared, address);
    let reaper = Reaper::new(&shared.setup.limits, &client.activity, signals);
    let protocol = tls::protocol(&stream);
    let wire = Wire::new(stream, Bytes::new(), protocol, true, &client);
    converse(&client, wire, protocol, reaper).await;
}

/// The handshake; `None` if it failed. Plain HTTP is refused in plain HTTP.
async fn handshake(
    shared: &Shared,
    tls: &Tls,
    mut socket: TcpStream,
) -> Option<TlsStream<TcpStream>> {
    let mut first = [0];
    match socket.peek(&mut first).await {
        Ok(1) if tls::is_handshake(first[0]) => match tls.accept(socket).await {
            Ok(stream) => Some(stream),
            Err(socket) => {
                let _ = part(&mut socket?).await;
                None
            }
        },
        Ok(1) if first[0].is_ascii_alphabetic() => {
            let _ = refuse(shared, &mut socket, StatusCode::BAD_REQUEST).await;
            None
        }
        _ => None,
    }
}

/// Reads pending bytes before the socket is closed, so that a reset does not destroy our last bytes
/// (an answer, an alert; RFC 9112 section 9.6).
async fn part(socket: &mut TcpStream) -> io::Result<()> {
    socket.shutdown().await?;
    tokio::io::copy(&mut socket.take(LINGER_BYTES), &mut tokio::io::sink())
        .await
        .map(drop)
}

/// Answers a connection without reading its request.
async fn refuse(shared: &Shared, socket: &mut TcpStream, status: StatusCode) -> io::Result<()> {
    socket
        .write_all(&shared.refusal(status, Method::GET))
        .await?;
    part(socket).await
}

/// The preface of an HTTP/2 client (RFC 9113 section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Reads until the protocol is known; returns it with the bytes read. `None` if the connection ends
/// first.
async fn first_bytes(socket: &mut TcpStream) -> io::Result<Option<(Protocol, Bytes)>> {
    let mut first = [0; PREFACE.len()];
    let mut filled = 0;
    loop {
        match socket.read(&mut first[filled..]).await? {
            0 => return Ok(None),
            count => filled += count,
        }
        let first = &first[..filled];
        if first == PREFACE {
            return Ok(Some((Protocol::Http2, Bytes::copy_from_slice(first))));
        }
        if !PREFACE.starts_with(first) {
            return Ok(Some((Protocol::Http1, Bytes::copy_from_slice(first))));
        }
    }
}

/// Answers the requests of one connection until it ends.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    client: &Arc<Client>,
    mut wire: Wire<'_, S>,
    protocol: Protocol,
    reaper: Reaper<'_>,
) {
    let service =
        service_fn(|request| answer(Arc::clone(client), client.activity.note_request(), request));
    let (shared, io) = (&client.shared, TokioIo::new(&mut wire));
    let ended = match protocol {
        Protocol::Http1 => {
            drive(
                shared.http1.serve_connection(io, service),
                |connection| connection.graceful_shutdown(),
                reaper,
                client,
            )
            .await
        }
        Protocol::Http2 => {
            Box::pin(drive(
                shared.http2.serve_connection(io, service),
                |connection| connection.graceful_shutdown(),
                reaper,
                client,
            ))
            .await
        }
    };
    if ended {
        // hyper does not close connections after an upgrade request or an error. Over TLS the end
        // is announced, and pending bytes are read.
        let _ = timeout(LINGER_TIME, wire.shutdown()).await;
    }
}

/// Drives a connection to its end, and passes it its reaper's orders. `false` if it was cut.
async fn drive<C: Future>(
    connection: C,
    finish: impl Fn(Pin<&mut C>),
    mut reaper: Reaper<'_>,
    client: &Client,
) -> bool {
    let mut connection = pin!(connection);
    loop {
        let order = select! {
            biased;
            // A failed connection is the client's business and is not reported.
            _ = connection.as_mut() => return true,
            order = reaper.order() => order,
        };
        match order {
            Order::Cut => return false,
            // Nothing is lost. hyper would wait for the rest of a head, or for an answer to a PING.
            Order::Finish if !client.activity.is_asked() => return true,
            Order::Finish => finish(connection.as_mut()),
        }
    }
}

#[cfg(test)]
mod tests {
    use arc_swap::ArcSwap;
    use diglot_content::settings::Settings;
    use diglot_content::sources::Sources;
    use diglot_content::{BaseUrl, Library};
    use diglot_edition::Edition;
    use diglot_edition::theme::Theme;
    use tokio::net::TcpListener;
    use tokio::sync::watch;

    use super::super::admission::Admission;
    use super::super::{Files, Proxies, Setup};
    use super::*;

    /// The answer to a client that is not admitted. A test through the port is impossible: the
    /// loopback address is never counted (`connections-per-address`).
    async fn answer(tls: Option<Tls>, request: &[u8]) -> String {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let site = Arc::new(
            Settings::default()
                .into_site("Notes", BaseUrl::parse("https://example.org").unwrap())
                .unwrap(),
        );
        let edition = Edition::build(
            &Library::build(&Sources::default(), &site, now),
            site,
            &Theme::new(&[]).unwrap(),
            now,
        )
        .unwrap();
        let (signal, signals) = watch::channel(Signal::Serving);
        let shared = Shared::new(
            Arc::new(ArcSwap::from_pointee(edition)),
            Setup {
                tls,
                ..Setup::default()
            },
            signals,
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        client.write_all(request).await.unwrap();
        client.shutdown().await.unwrap();
        let socket = listener.accept().await.unwrap().0;
        serve(
            shared,
            socket,
            None,
            Admission::new(1, 0, Proxies::default(), signal)
                .room()
                .await,
        )
        .await;
        let mut answer = String::new();
        // Over TLS this may be a reset, since nothing was read.
        let _ = client.read_to_string(&mut answer).await;
        answer
    }

    #[tokio::test]
    async fn whoever_is_not_admitted_is_told_where_that_is_possible() {
        for request in [&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], PREFACE] {
            let answer = answer(None, request).await;
            assert!(
                answer.starts_with("HTTP/1.1 503 ") && answer.contains("\r\nretry-after: 5\r\n"),
                "{answer}"
            );
        }
        let file = |name: &str| {
            std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/certificates")
                .join(name)
        };
        let tls = Tls::load(Files {
            certificate: file("first.pem"),
            key: file("first.key"),
        })
        .unwrap();
        assert_eq!(answer(Some(tls), b"\x16\x03\x01\x02\x00\x01").await, "");
    }
}
