//! The life of one connection: HTTP/1.1 or HTTP/2, over TLS by ALPN and without it by prior knowledge, watched so that nobody holds it for nothing.

use std::future::{Future, poll_fn};
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use http::{Request, StatusCode};
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;

use super::admission::Place;
use super::answers::Answers;
use super::flood::Allowance;
use super::line::{Command, Line};
use super::reaper::Reaper;
use super::wire::{LINGER_BYTES, LINGER_TIME, Refusal, Wire};
use super::{Limits, Live, Setup, Tls, Visit, tls};

/// What all connections share.
pub(super) struct Shared {
    pub live: Live,
    pub setup: Setup,
    stopped: watch::Receiver<bool>,
    pub patrol: Arc<Reaper>,
    builders: Builders,
    refusal: Refusal,
}

/// One configured builder for each protocol.
struct Builders {
    /// ALPN chose `h2`, or the whole preface was seen: a client that then speaks anything else has broken its word.
    http2: http2::Builder<TokioExecutor>,
    /// ALPN chose `http/1.1`, or there was none; without TLS, the first bytes were no preface.
    http1: http1::Builder,
}

impl Shared {
    pub(super) fn new(live: Live, setup: Setup, stopped: watch::Receiver<bool>) -> Arc<Self> {
        let (builders, patrol) = (Builders::new(&setup.limits), Reaper::new(&setup.limits));
        let refusal = {
            let (live, observers) = (Arc::clone(&live), setup.observers.clone());
            Arc::new(move |status| {
                observers.iter().for_each(|observer| observer.visited(&Visit::refused(status)));
                refusal(&live, status)
            })
        };
        Arc::new(Self { live, setup, stopped, patrol, builders, refusal })
    }

    pub(super) fn drain_time(&self) -> Duration {
        self.setup.limits.drain_time
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.setup.limits
    }

    fn allowance(&self) -> Allowance {
        Allowance { resets: self.limits().resets, frames: self.limits().frames }
    }
}

/// The initial flow-control window of HTTP/2 (RFC 9113 section 6.9.2).
pub(super) const FIRST_WINDOW: u32 = 65_535;
/// h2's own default, stated because we rely on it.
const PENDING_RESETS: usize = 20;
/// hyper's own default: streams beyond those allowed count as well, and a client may open some before it has read how many those are.
const ERROR_RESETS: usize = 1024;

impl Builders {
    fn new(limits: &Limits) -> Self {
        Self { http2: http2_builder(limits), http1: http1_builder(limits) }
    }
}

/// hyper's settings for HTTP/1.1, each from our limits.
fn http1_builder(limits: &Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // hyper's own header timer allocates on every request; the patrol does its work.
        .header_read_timeout(None)
        // A client that closes its side after a request still waits for the answer (RFC 9112 section 9.6).
        .half_close(true)
        // The first bounds what is kept of a head, the second what is taken of one that came in a larger read.
        .max_buf_size(limits.head_bytes)
        .max_header_size(limits.head_bytes)
        .max_headers(limits.head_fields);
    builder
}

/// The same for HTTP/2.
fn http2_builder(limits: &Limits) -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        // What waits to be sent on one stream. The bytes are the edition's own, so a slow reader costs little more than this bookkeeping.
        .max_send_buf_size(limits.send_bytes)
        // Nothing here takes a body: a client may send as much as RFC 9113 section 6.9.2 lets it before it has heard from us, and no more.
        .initial_stream_window_size(FIRST_WINDOW)
        .initial_connection_window_size(FIRST_WINDOW)
        // Streams reset by the client before the service saw them, and streams reset by us for errors of the client; beyond, GOAWAY with ENHANCE_YOUR_CALM.
        // Resets after an answer are counted by the wire.
        .max_pending_accept_reset_streams(PENDING_RESETS)
        .max_local_error_reset_streams(Some(ERROR_RESETS))
        // Twice our limit: between the two the service refuses with our own 431, beyond it h2 does, with a bare one and without keeping the fields.
        .max_header_list_size(u32::try_from(limits.head_bytes.saturating_mul(2)).unwrap_or(u32::MAX));
    builder
}

/// Serves one connection until it ends; one without a `peer` is not admitted, and told so. It gives its place back at its end.
pub(super) async fn serve(shared: Arc<Shared>, mut socket: TcpStream, peer: Option<IpAddr>, _place: Place) {
    let _open = Open::new(&shared);
    // Answers are written whole; waiting for more to send would only delay their last part.
    let _ = socket.set_nodelay(true);
    let Some(peer) = peer else {
        if shared.setup.tls.is_none() {
            let _ = timeout(LINGER_TIME, refuse(&shared, &mut socket, StatusCode::SERVICE_UNAVAILABLE)).await;
        }
        return;
    };
    if shared.setup.tls.is_some() {
        // Of all that a connection needs this is by far the largest part, and plain ones need not have room for it.
        return Box::pin(serve_secured(&shared, socket, peer)).await;
    }
    let line = shared.patrol.line();
    match protocol(&mut socket, &line).await {
        Some((Protocol::Http1, read)) => converse_http1(&shared, socket, read, peer, line).await,
        Some((Protocol::Http2, read)) => Box::pin(converse_http2(&shared, socket, read, peer, line)).await,
        None => {}
    }
}

async fn serve_secured(shared: &Arc<Shared>, socket: TcpStream, peer: IpAddr) {
    let Some(speaker) = &shared.setup.tls else { return };
    let mut stopped = shared.stopped.clone();
    let handshake = Box::pin(timeout(shared.limits().handshake_time, secure(shared, speaker, socket)));
    let secured = tokio::select! {
        secured = handshake => secured.ok().flatten(),
        // Who has not asked for anything yet loses nothing.
        _ = stopped.wait_for(|stopped| *stopped) => None,
    };
    drop(stopped);
    if let Some(stream) = secured {
        let line = shared.patrol.line();
        if tls::is_http2(&stream) {
            Box::pin(converse_http2(shared, stream, Bytes::new(), peer, line)).await;
        } else {
            Box::pin(converse_http1(shared, stream, Bytes::new(), peer, line)).await;
        }
    }
}

/// A connection as observers count it.
struct Open<'a>(&'a Shared);

impl<'a> Open<'a> {
    fn new(shared: &'a Shared) -> Self {
        shared.setup.observers.iter().for_each(|observer| observer.connections(1));
        Self(shared)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.setup.observers.iter().for_each(|observer| observer.connections(-1));
    }
}

/// The handshake; `None` when there was none. Plain HTTP is told so, in plain HTTP.
async fn secure(shared: &Shared, speaker: &Tls, mut socket: TcpStream) -> Option<TlsStream<TcpStream>> {
    let mut first = [0];
    match socket.peek(&mut first).await {
        Ok(1) if tls::is_handshake(first[0]) => match speaker.accept(socket).await {
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

/// Takes what was sent before the socket goes, so that our last words (an answer, an alert) are not lost in a reset (RFC 9112 section 9.6).
async fn part(socket: &mut TcpStream) -> std::io::Result<()> {
    socket.shutdown().await?;
    tokio::io::copy(&mut socket.take(LINGER_BYTES), &mut tokio::io::sink()).await.map(drop)
}

/// Answers a connection without reading what it asks.
async fn refuse(shared: &Shared, socket: &mut TcpStream, status: StatusCode) -> std::io::Result<()> {
    socket.write_all(&(shared.refusal)(status)).await?;
    part(socket).await
}

/// Which protocol a connection speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
}

impl Protocol {
    /// What the first bytes say; `None` when they may become the preface, and are too few to tell.
    fn of(first: &[u8]) -> Option<Self> {
        match first {
            first if first == PREFACE => Some(Self::Http2),
            first if PREFACE.starts_with(first) => None,
            _ => Some(Self::Http1),
        }
    }
}

/// What a client of HTTP/2 sends first (RFC 9113 section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Which protocol the first bytes say, and those that had to be read to know; `None` when the connection ends before, or is told to.
async fn protocol(socket: &mut TcpStream, line: &Line) -> Option<(Protocol, Bytes)> {
    let mut first = [0; PREFACE.len()];
    let count = waited(line, |cx| socket.poll_peek(cx, &mut ReadBuf::new(&mut first))).await?.ok()?;
    if let Some(protocol) = Protocol::of(&first[..count]) {
        return Some((protocol, Bytes::new()));
    }
    let mut filled = 0;
    loop {
        let mut room = ReadBuf::new(&mut first[filled..]);
        waited(line, |cx| Pin::new(&mut *socket).poll_read(cx, &mut room)).await?.ok()?;
        match room.filled().len() {
            0 => return None,
            count => filled += count,
        }
        if let Some(protocol) = Protocol::of(&first[..filled]) {
            return Some((protocol, Bytes::copy_from_slice(&first[..filled])));
        }
    }
}

/// Waits for something on a connection that has nothing to finish; `None` when it is told to end.
async fn waited<T>(line: &Line, mut ready: impl FnMut(&mut Context<'_>) -> Poll<T>) -> Option<T> {
    let mut known = None;
    poll_fn(|cx| {
        line.wakes(&mut known, cx.waker());
        if line.command() >= Command::Finish { Poll::Ready(None) } else { ready(cx).map(Some) }
    })
    .await
}

/// What hyper is given: the socket under watch, and what answers.
fn ends<S: Stream>(shared: &Arc<Shared>, stream: S, read: Bytes, peer: IpAddr, line: &Arc<Line>) -> (Wire<S>, Answers) {
    let wire = Wire::new(stream, read, Arc::clone(line), Arc::clone(&shared.refusal), shared.allowance(), S::SECURED);
    (wire, Answers::new(Arc::clone(shared), Arc::clone(line), peer))
}

/// Answers the requests of one connection until it ends. Not inline where connections of HTTP/1.1 live: it is the largest by far.
async fn converse_http2<S: Stream>(shared: &Arc<Shared>, stream: S, read: Bytes, peer: IpAddr, line: Arc<Line>) {
    let (wire, service) = ends(shared, stream, read, peer, &line);
    let mut connection = Box::pin(shared.builders.http2.serve_connection(TokioIo::new(wire), service));
    attend(&mut connection, &line, |connection| connection.as_mut().graceful_shutdown()).await;
}

/// The same for HTTP/1.1. hyper keeps two buffers of 8 KiB for every connection: while nothing comes, only the socket is kept.
async fn converse_http1<S: Stream>(shared: &Arc<Shared>, stream: S, read: Bytes, peer: IpAddr, line: Arc<Line>) {
    let (mut wire, mut service) = ends(shared, stream, read, peer, &line);
    let line = &*line;
    loop {
        let mut connection = Box::new(shared.builders.http1.serve_connection(TokioIo::new(wire), service));
        let shut_down = |connection: &mut &mut http1::Connection<_, _>| Pin::new(&mut **connection).graceful_shutdown();
        let attended = attend(&mut &mut *connection, line, shut_down).await;
        if attended == Attended::Cut {
            return;
        }
        let http1::Parts { io, read_buf, service: answers, .. } = connection.into_parts();
        (wire, service) = (io.into_inner(), answers);
        // Between requests there may be empty lines, which mean nothing (RFC 9112 section 2.2).
        let parked = attended == Attended::Parked && read_buf.iter().all(|byte| b"\r\n".contains(byte));
        // It is what shall not be kept.
        drop(read_buf);
        if !parked || waited(line, |cx| wire.socket().poll_readable(cx)).await.is_none() {
            // hyper does not close connections that were asked to change the protocol, or that end with an error: over TLS the end is said, and what comes too late is read.
            let _ = timeout(LINGER_TIME, wire.shutdown()).await;
            return;
        }
        line.unpark();
    }
}

/// How attending a connection ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attended {
    /// It is over.
    Ended,
    /// It rests.
    Parked,
    /// It was told to end at once.
    Cut,
}

/// Drives a connection, and does meanwhile what the line is told.
async fn attend<C: Future + Unpin>(connection: &mut C, line: &Line, close: impl Fn(&mut C)) -> Attended {
    let (mut known, mut closing) = (None, false);
    poll_fn(|cx| {
        line.wakes(&mut known, cx.waker());
        loop {
            // How a connection ends is the peer's business; there is nothing to tell the author about it.
            if Pin::new(&mut *connection).poll(cx).is_ready() {
                return Poll::Ready(Attended::Ended);
            }
            match line.command() {
                Command::End => return Poll::Ready(Attended::Cut),
                // Whoever has not asked for anything yet loses nothing. hyper would wait for the rest of a head, for an answer to a PING.
                Command::Finish | Command::Close if line.is_unasked() => return Poll::Ready(Attended::Ended),
                Command::Finish | Command::Close if !closing => {
                    closing = true;
                    close(connection);
                }
                // Something may have come since it was told to.
                Command::Park if line.rests() => return Poll::Ready(Attended::Parked),
                Command::Park => {
                    line.unpark();
                    return Poll::Pending;
                }
                Command::Finish | Command::Close | Command::None => return Poll::Pending,
            }
        }
    })
    .await
}

/// A stream that says when there is something to read without reading it.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// Whether it is TLS.
    const SECURED: bool;

    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;
}

impl Stream for TcpStream {
    const SECURED: bool = false;

    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_read_ready(cx)
    }
}

impl Stream for TlsStream<TcpStream> {
    const SECURED: bool = true;

    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // What came before has been read: whoever rests has read all there was.
        self.get_ref().0.poll_read_ready(cx)
    }
}

/// The answer to what hyper could not parse, as bytes: nobody knows the request, so the body is plain problem details.
fn refusal(live: &Live, status: StatusCode) -> Bytes {
    let mut request = Request::new(());
    request.headers_mut().insert(http::header::ACCEPT, http::HeaderValue::from_static("application/problem+json"));
    let (parts, body) = diglot_http::refuse(&live.load(), &request, status).into_parts();
    let mut bytes = BytesMut::new();
    bytes.put_slice(format!("HTTP/1.1 {} {}\r\n", status.as_str(), status.canonical_reason().unwrap_or_default()).as_bytes());
    for (name, value) in &parts.headers {
        bytes.put_slice(name.as_str().as_bytes());
        bytes.put_slice(b": ");
        bytes.put_slice(value.as_bytes());
        bytes.put_slice(b"\r\n");
    }
    let body = body.to_bytes();
    if !parts.headers.contains_key(http::header::CONTENT_LENGTH) {
        bytes.put_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        bytes.put_slice(b"retry-after: 5\r\n");
    }
    let date = diglot_content::Moment::second(jiff::Timestamp::now()).http();
    bytes.put_slice(format!("connection: close\r\ndate: {date}\r\n\r\n").as_bytes());
    bytes.put_slice(&body);
    bytes.freeze()
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

    use super::super::{Files, Proxies, admission::Admission};
    use super::*;

    /// What a client gets that is not admitted. That cannot be asked for through the port: the loopback address is never counted (`connections-per-address`).
    async fn answer(tls: Option<Tls>, request: &[u8]) -> String {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let site = Arc::new(Settings::default().into_site("Notes", BaseUrl::parse("https://example.org").unwrap()).unwrap());
        let edition = Edition::build(&Library::build(&Sources::default(), &site, now), site, &Theme::new(&[]).unwrap(), now).unwrap();
        let (_stop, stopped) = watch::channel(false);
        let shared = Shared::new(Arc::new(ArcSwap::from_pointee(edition)), Setup { tls, ..Setup::default() }, stopped);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        client.write_all(request).await.unwrap();
        client.shutdown().await.unwrap();
        let socket = listener.accept().await.unwrap().0;
        serve(shared, socket, None, Admission::new(1, 0, Proxies::default()).room().await).await;
        let mut answer = String::new();
        // With TLS it may be a reset: nothing was read.
        let _ = client.read_to_string(&mut answer).await;
        answer
    }

    #[tokio::test]
    async fn whoever_is_not_admitted_is_told_where_that_is_possible() {
        for request in [&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], PREFACE] {
            let answer = answer(None, request).await;
            assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("\r\nretry-after: 5\r\n"), "{answer}");
        }
        let file = |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name);
        let tls = Tls::load(Files { certificate: file("first.pem"), key: file("first.key") }).unwrap();
        assert_eq!(answer(Some(tls), b"\x16\x03\x01\x02\x00\x01").await, "");
    }
}
