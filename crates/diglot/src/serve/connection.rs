//! The life of one connection: HTTP/1.1 or HTTP/2, over TLS by ALPN and without it by prior knowledge, watched so that nobody holds it for nothing.

use std::convert::Infallible;
use std::future::{Ready, poll_fn, ready};
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use diglot_edition::Edition;
use diglot_http::Payload;
use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;

use super::door::Place;
use super::flood::Allowance;
use super::line::{Command, Line};
use super::patrol::Patrol;
use super::wire::{LINGER, Refusal, Wire};
use super::{Family, Limits, Live, Setup, Tls, Visit, manners, service, tls};

/// What all connections share.
pub(super) struct Shared {
    live: Live,
    setup: Setup,
    stopped: watch::Receiver<bool>,
    pub patrol: Arc<Patrol>,
    builders: Builders,
    refusal: Refusal,
}

/// One configured builder for each way in which a connection says which protocol it speaks.
struct Builders {
    /// The beginning of the preface was seen, and may go on as anything.
    by_preface: auto::Builder<TokioExecutor>,
    /// ALPN chose `h2`, or the whole preface was seen: a client that then speaks anything else has broken its word.
    http2: http2::Builder<TokioExecutor>,
    /// ALPN chose `http/1.1`, or there was none; without TLS, the first bytes were no preface.
    http1: http1::Builder,
}

impl Shared {
    pub(super) fn new(live: Live, setup: Setup, stopped: watch::Receiver<bool>) -> Arc<Self> {
        let (builders, patrol) = (Builders::new(&setup.limits), Patrol::new(&setup.limits));
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

    /// How long this client has to wait before it asks again; `None` when it need not.
    fn wait(&self, edition: &Edition, request: &Request<Incoming>, peer: IpAddr) -> Option<Duration> {
        let manners = self.setup.manners.as_ref()?;
        let path = request.uri().path();
        if manners::is_exempt(path.strip_prefix(edition.site.base.path()).unwrap_or(path)) {
            return None;
        }
        let client = manners::client(peer, request.headers(), &self.setup.trusted);
        // A server in front that names nobody, and this machine, speak for many.
        if client.is_loopback() || self.setup.trusted.iter().any(|network| network.contains(client)) {
            return None;
        }
        manners.count(client, Family::of(request.headers()), std::time::Instant::now()).err()
    }

    fn tell(&self, edition: &Edition, request: &Request<Incoming>, answer: &Response<Payload>, time: Duration) {
        let visit = Visit::of(edition, request, answer, time);
        self.setup.observers.iter().for_each(|observer| observer.visited(&visit));
    }

    fn limits(&self) -> &Limits {
        &self.setup.limits
    }

    fn allowance(&self) -> Allowance {
        Allowance { resets: self.limits().resets, frames: self.limits().frames }
    }
}

/// The initial flow-control window of HTTP/2 (RFC 9113 section 6.9.2).
const FIRST_WINDOW: u32 = 65_535;
/// h2's own default, stated because we rely on it.
const PENDING_RESETS: usize = 20;
/// hyper's own default: streams beyond those allowed count as well, and a client may open some before it has read how many those are.
const ERROR_RESETS: usize = 1024;

/// How long a connection that is not admitted may take to hear so.
const REFUSAL_TIME: Duration = Duration::from_secs(2);

/// hyper's settings for HTTP/1.1, each from our limits: one list for its own builder and the one that looks at the preface.
macro_rules! http1_settings {
    ($builder:expr, $limits:expr) => {
        // hyper's own header timer allocates on every request; the patrol does its work.
        $builder.header_read_timeout(None).max_buf_size($limits.head_bytes).max_headers($limits.head_fields)
    };
}

/// The same for HTTP/2.
macro_rules! http2_settings {
    ($builder:expr, $limits:expr) => {
        $builder
            .timer(TokioTimer::new())
            .max_concurrent_streams($limits.streams)
            // What waits to be sent on one stream. The bytes are the edition's own, so a slow reader costs little more than this bookkeeping.
            .max_send_buf_size($limits.send_bytes)
            // Nothing here takes a body: a client may send as much as RFC 9113 section 6.9.2 lets it before it has heard from us, and no more.
            .initial_stream_window_size(FIRST_WINDOW)
            .initial_connection_window_size(FIRST_WINDOW)
            // Streams reset by the client before the service saw them, and streams reset by us for errors of the client; beyond, GOAWAY with ENHANCE_YOUR_CALM.
            // Resets after an answer are counted by the wire.
            .max_pending_accept_reset_streams(PENDING_RESETS)
            .max_local_error_reset_streams(Some(ERROR_RESETS))
            // Twice our limit: between the two the service refuses with our own 431, beyond it h2 does, with a bare one and without keeping the fields.
            .max_header_list_size(u32::try_from($limits.head_bytes.saturating_mul(2)).unwrap_or(u32::MAX))
    };
}

impl Builders {
    fn new(limits: &Limits) -> Self {
        let (mut http1, mut http2) = (http1::Builder::new(), http2::Builder::new(TokioExecutor::new()));
        let mut by_preface = auto::Builder::new(TokioExecutor::new());
        http1_settings!(http1, limits);
        http2_settings!(http2, limits);
        http1_settings!(by_preface.http1(), limits);
        http2_settings!(by_preface.http2(), limits);
        Self { by_preface, http2, http1 }
    }
}

/// Serves one connection until it ends; one without a `peer` is not admitted, and told so. It gives its place back at its end.
pub(super) async fn serve(shared: Arc<Shared>, mut socket: TcpStream, peer: Option<IpAddr>, _place: Place) {
    let _open = Open::new(&shared);
    // Answers are written whole; waiting for more to send would only delay their last part.
    let _ = socket.set_nodelay(true);
    let Some(peer) = peer else {
        if shared.setup.tls.is_none() {
            let _ = timeout(REFUSAL_TIME, refuse(&shared, &mut socket, StatusCode::SERVICE_UNAVAILABLE)).await;
        }
        return;
    };
    if shared.setup.tls.is_some() {
        // Of all that a connection needs this is by far the largest part, and plain ones need not have room for it.
        return Box::pin(serve_secured(&shared, socket, peer)).await;
    }
    let line = shared.patrol.line();
    match protocol(&socket, &line).await {
        Some(Protocol::Http1) => converse_http1(&shared, socket, peer, line).await,
        Some(Protocol::Http2) => Box::pin(converse_http2(&shared, socket, peer, line)).await,
        Some(Protocol::Unknown) => Box::pin(converse_unknown(&shared, socket, peer, line)).await,
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
            Box::pin(converse_http2(shared, stream, peer, line)).await;
        } else {
            Box::pin(converse_http1(shared, stream, peer, line)).await;
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
    tokio::io::copy(&mut socket.take(LINGER), &mut tokio::io::sink()).await.map(drop)
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
    /// The first bytes may become the preface of HTTP/2 (RFC 9113 section 3.4), and there are too few to tell.
    Unknown,
}

/// What a client of HTTP/2 sends first.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What the first bytes say, once there are some; `None` when the connection ends before, or is told to.
async fn protocol(socket: &TcpStream, line: &Line) -> Option<Protocol> {
    let mut first = [0; PREFACE.len()];
    waited(line, |cx| socket.poll_read_ready(cx)).await?.ok()?;
    let count = socket.peek(&mut first).await.ok()?;
    Some(match &first[..count] {
        [] => return None,
        first if first == PREFACE => Protocol::Http2,
        first if PREFACE.starts_with(first) => Protocol::Unknown,
        _ => Protocol::Http1,
    })
}

/// Waits for something on a connection that has nothing to finish; `None` when it is told to end.
async fn waited<T>(line: &Line, mut ready: impl FnMut(&mut Context<'_>) -> Poll<T>) -> Option<T> {
    let mut known = None;
    poll_fn(|cx| {
        line.wakes(&mut known, cx.waker());
        if line.command() >= Command::Close { Poll::Ready(None) } else { ready(cx).map(Some) }
    })
    .await
}

/// What hyper is given: the socket under watch, and what answers.
fn ends<S>(shared: &Arc<Shared>, stream: S, peer: IpAddr, line: &Arc<Line>) -> (Wire<S>, Answers) {
    let wire = Wire::new(stream, Arc::clone(line), Arc::clone(&shared.refusal), shared.allowance());
    (wire, Answers { shared: Arc::clone(shared), line: Arc::clone(line), peer })
}

/// Answers the requests of one connection until it ends. Not inline where connections of HTTP/1.1 live: it is the largest by far.
async fn converse_http2<S: Stream>(shared: &Arc<Shared>, stream: S, peer: IpAddr, line: Arc<Line>) {
    let (wire, service) = ends(shared, stream, peer, &line);
    let mut connection = Box::pin(shared.builders.http2.serve_connection(TokioIo::new(wire), service));
    attend(&mut connection, &line, |connection| connection.as_mut().graceful_shutdown()).await;
}

/// The same where the preface has begun and may go on as anything.
async fn converse_unknown<S: Stream>(shared: &Arc<Shared>, stream: S, peer: IpAddr, line: Arc<Line>) {
    let (wire, service) = ends(shared, stream, peer, &line);
    let mut connection = Box::pin(shared.builders.by_preface.serve_connection(TokioIo::new(wire), service));
    attend(&mut connection, &line, |connection| connection.as_mut().graceful_shutdown()).await;
}

/// The same for HTTP/1.1. hyper keeps two buffers of 8 KiB for every connection: while nothing comes, only the socket is kept.
async fn converse_http1<S: Stream>(shared: &Arc<Shared>, stream: S, peer: IpAddr, line: Arc<Line>) {
    let (mut wire, mut service) = ends(shared, stream, peer, &line);
    let line = &*line;
    loop {
        let mut connection = Box::new(shared.builders.http1.serve_connection(TokioIo::new(wire), service));
        let shut_down = |connection: &mut &mut http1::Connection<_, _>| Pin::new(&mut **connection).graceful_shutdown();
        if attend(&mut &mut *connection, line, shut_down).await == Attended::Ended {
            return;
        }
        let http1::Parts { io, read_buf, service: answers, .. } = connection.into_parts();
        // Between requests there may be empty lines, which mean nothing (RFC 9112 section 2.2).
        if read_buf.iter().any(|byte| !b"\r\n".contains(byte)) {
            return;
        }
        // It is what shall not be kept.
        drop(read_buf);
        (wire, service) = (io.into_inner(), answers);
        if waited(line, |cx| wire.socket().poll_readable(cx)).await.is_none() {
            // As hyper does: over TLS the end is said, and what comes too late is read.
            let _ = timeout(REFUSAL_TIME, wire.shutdown()).await;
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
                Command::End => return Poll::Ready(Attended::Ended),
                Command::Close if !closing => {
                    closing = true;
                    close(connection);
                }
                // Something may have come since it was told to.
                Command::Park if line.rests() => return Poll::Ready(Attended::Parked),
                Command::Park => {
                    line.unpark();
                    return Poll::Pending;
                }
                Command::Close | Command::None => return Poll::Pending,
            }
        }
    })
    .await
}

/// A stream that says when there is something to read without reading it.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;
}

impl Stream for TcpStream {
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_read_ready(cx)
    }
}

impl Stream for TlsStream<TcpStream> {
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // What came before has been read: whoever rests has read all there was.
        self.get_ref().0.poll_read_ready(cx)
    }
}

/// Answers the requests of one connection.
struct Answers {
    shared: Arc<Shared>,
    line: Arc<Line>,
    peer: IpAddr,
}

impl Service<Request<Incoming>> for Answers {
    type Response = Response<Payload>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let begun = (!self.shared.setup.observers.is_empty()).then(std::time::Instant::now);
        let number = Line::add(&self.line.requests, 1);
        let ambiguous = self.line.ambiguous.load(Relaxed) == number;
        let edition = self.shared.live.load();
        let mut answer = match self.shared.wait(&edition, &request, self.peer) {
            None => service::answer(&edition, &request, ambiguous, self.shared.limits()),
            Some(time) => service::later(&edition, &request, time),
        };
        if let Some(begun) = begun {
            self.shared.tell(&edition, &request, &answer, begun.elapsed());
        }
        if number >= self.shared.limits().requests_per_connection {
            self.line.tell(Command::Close);
            service::close(&mut answer);
        }
        ready(Ok(answer))
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
