//! The life of one connection: HTTP/1.1 or HTTP/2, over TLS by ALPN and without it by prior knowledge, watched so that nobody holds it for nothing.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use diglot_edition::Edition;
use diglot_http::Payload;
use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_rustls::server::TlsStream;

use super::door::Place;
use super::flood::Allowance;
use super::wire::{LINGER, Line, Refusal, Wire};
use super::{Family, Limits, Live, Setup, Tls, Visit, manners, service, tls};

/// What all connections share.
pub(super) struct Shared {
    live: Live,
    setup: Setup,
    stopped: watch::Receiver<bool>,
    crowded: watch::Receiver<u64>,
    builders: Builders,
    refusal: Refusal,
}

/// One configured builder for each way in which a connection says which protocol it speaks.
struct Builders {
    /// Without TLS: HTTP/2 when the first bytes are its preface (RFC 9113 section 3.3), else HTTP/1.1.
    by_preface: Builder<TokioExecutor>,
    /// ALPN chose `h2`: a client that then speaks anything else has broken its word.
    http2: Builder<TokioExecutor>,
    /// ALPN chose `http/1.1`, or there was none.
    http1: Builder<TokioExecutor>,
}

impl Shared {
    pub(super) fn new(live: Live, setup: Setup, stopped: watch::Receiver<bool>, crowded: watch::Receiver<u64>) -> Arc<Self> {
        let builder = builder(&setup.limits);
        let builders = Builders { http1: builder.clone().http1_only(), http2: builder.clone().http2_only(), by_preface: builder };
        let refusal = {
            let (live, observers) = (Arc::clone(&live), setup.observers.clone());
            Arc::new(move |status| {
                observers.iter().for_each(|observer| observer.visited(&Visit::refused(status)));
                refusal(&live, status)
            })
        };
        Arc::new(Self { live, setup, stopped, crowded, builders, refusal })
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

/// hyper's settings, each from our limits.
fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // hyper's own header timer allocates on every request; the watchdog below does its work.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(limits.head_bytes).max_headers(limits.head_fields);
    builder
        .http2()
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
            let _ = timeout(REFUSAL_TIME, refuse(&shared, &mut socket, StatusCode::SERVICE_UNAVAILABLE)).await;
        }
        return;
    };
    let Some(speaker) = &shared.setup.tls else {
        return converse(&shared, &shared.builders.by_preface, socket, peer).await;
    };
    let mut stopped = shared.stopped.clone();
    let secured = tokio::select! {
        secured = timeout(shared.limits().handshake_time, secure(&shared, speaker, socket)) => secured.ok().flatten(),
        // Who has not asked for anything yet loses nothing.
        _ = stopped.wait_for(|stopped| *stopped) => None,
    };
    if let Some(stream) = secured {
        let builder = if tls::is_http2(&stream) { &shared.builders.http2 } else { &shared.builders.http1 };
        // Of all that a connection needs this is by far the largest part, and plain ones need not have room for it.
        Box::pin(converse(&shared, builder, stream, peer)).await;
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
            Err(mut socket) => {
                let _ = part(&mut socket).await;
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

/// Answers the requests of one connection until it ends.
async fn converse<S>(shared: &Arc<Shared>, builder: &Builder<TokioExecutor>, stream: S, peer: IpAddr)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let line = Arc::new(Line::default());
    let wire = Wire::new(stream, Arc::clone(&line), Arc::clone(&shared.refusal), shared.allowance());
    let service = Answers { shared: Arc::clone(shared), line: Arc::clone(&line), peer };
    let mut connection = pin!(builder.serve_connection(TokioIo::new(wire), service));
    let mut stopped = shared.stopped.clone();
    let mut crowded = shared.crowded.clone();
    crowded.mark_unchanged();
    let mut watchdog = Watchdog::new(shared.limits(), Arc::clone(&line));
    let mut closing = false;
    loop {
        tokio::select! {
            biased;
            // How a connection ends is the peer's business; there is nothing to tell the author about it.
            _ = connection.as_mut() => return,
            _ = stopped.wait_for(|stopped| *stopped), if !closing => {
                closing = true;
                connection.as_mut().graceful_shutdown();
            }
            () = line.spent.notified(), if !closing => {
                closing = true;
                connection.as_mut().graceful_shutdown();
            }
            Ok(()) = crowded.changed(), if !closing => if watchdog.rests() {
                closing = true;
                connection.as_mut().graceful_shutdown();
            },
            () = sleep_until(watchdog.next) => match watchdog.look() {
                Verdict::Fine => {}
                Verdict::Idle if !closing => {
                    closing = true;
                    connection.as_mut().graceful_shutdown();
                }
                Verdict::Idle | Verdict::Stuck => return,
            },
        }
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
        let number = self.line.requests.fetch_add(1, Relaxed) + 1;
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
            self.line.spent.notify_one();
            service::close(&mut answer);
        }
        ready(Ok(answer))
    }
}

/// Looks from time to time whether anything moves.
struct Watchdog {
    line: Arc<Line>,
    head_time: Duration,
    idle_time: Duration,
    next: Instant,
    head: u64,
    progress: u64,
    moved: Instant,
    /// The progress when there was no room the last time.
    crowded: Option<u64>,
}

enum Verdict {
    /// Bytes move, or not for long enough yet.
    Fine,
    /// Nothing has moved for [`Limits::idle_time`].
    Idle,
    /// The head of one request has taken longer than [`Limits::head_time`].
    Stuck,
}

impl Watchdog {
    fn new(limits: &Limits, line: Arc<Line>) -> Self {
        let now = Instant::now();
        Self {
            line,
            head_time: limits.head_time,
            idle_time: limits.idle_time,
            next: now + limits.head_time,
            head: 0,
            progress: 0,
            moved: now,
            crowded: None,
        }
    }

    /// There is no room: whether nothing has moved here since that was said the last time.
    fn rests(&mut self) -> bool {
        let progress = self.line.progress.load(Relaxed);
        self.crowded.replace(progress) == Some(progress)
    }

    fn look(&mut self) -> Verdict {
        let now = Instant::now();
        self.next = now + self.head_time;
        let (head, progress) = (self.line.head.load(Relaxed), self.line.progress.load(Relaxed));
        // The same head at two looks, or no request at all by the first one: that peer is too slow, whatever it trickles.
        let stuck = (head != 0 && head == self.head) || self.line.requests.load(Relaxed) == 0;
        if progress != self.progress {
            self.moved = now;
        }
        (self.head, self.progress) = (head, progress);
        match (stuck, now.duration_since(self.moved) >= self.idle_time) {
            (true, _) => Verdict::Stuck,
            (false, true) => Verdict::Idle,
            (false, false) => Verdict::Fine,
        }
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
