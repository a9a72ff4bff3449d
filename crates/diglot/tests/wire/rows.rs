//! Every row of `docs/limits.md` that is about connections, in each way of speaking with the
//! server: plain and over TLS, HTTP/1.1 and HTTP/2. The limits are set so small that no test waits
//! for long.
//!
//! The other files here look closer at some of them. Only `connections-per-address` is not here,
//! since the loopback address is never counted: `serve/connection.rs` tests it.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use bytes::Bytes;
use diglot::serve::{Exchange, Limits, Observer, Setup, Tls};
use h2::client::SendRequest;
use http::Method;
use rustls::pki_types::ServerName;
use rustls::version::TLS13;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;

use crate::half_closed::edition;
use crate::http2::{frame, get, read, request};
use crate::server::{Server, status};
use crate::tls;

/// How long anything may take that has to happen: only a failure waits for its end.
const PATIENCE: Duration = Duration::from_secs(20);
/// A limit that is over soon, and what is not over as long as a test runs.
const SOON: Duration = Duration::from_millis(300);
const LATE: Duration = Duration::from_secs(600);

/// A way of speaking with the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Http1,
    Http2,
    TlsHttp1,
    TlsHttp2,
}

use Way::{Http1, Http2, TlsHttp1, TlsHttp2};

impl Way {
    fn is_secured(self) -> bool {
        matches!(self, TlsHttp1 | TlsHttp2)
    }

    fn is_http2(self) -> bool {
        matches!(self, Http2 | TlsHttp2)
    }
}

/// The ways in which each limit holds. What HTTP/1.1 or plain connections do not have needs no test
/// there.
const ALL: [Way; 4] = [Http1, Http2, TlsHttp1, TlsHttp2];
const OVER_TLS: [Way; 2] = [TlsHttp1, TlsHttp2];
const OVER_HTTP2: [Way; 2] = [Http2, TlsHttp2];

/// A test for each row: the limits that it sets, and what a client then finds in each of these
/// ways.
macro_rules! rows {
    ($($row:ident in $ways:ident, $($field:ident: $value:expr),+;)*) => {
        $(#[test]
        fn $row() {
            in_each_way(&$ways, &Limits { $($field: $value,)+ ..Limits::default() }, |site| Box::pin(check::$row(site)));
        })*

        const TESTED: &[&str] = &[$(stringify!($row)),*];
    };
}

rows! {
    connections in ALL, connections: 2, head_time: LATE, idle_time: LATE;
    requests_per_connection in ALL, requests_per_connection: 3;
    handshake_time in OVER_TLS, handshake_time: SOON, head_time: LATE, idle_time: LATE;
    head_time in ALL, head_time: SOON, idle_time: LATE;
    idle_time in ALL, head_time: SOON, idle_time: SOON;
    drain_time in ALL, drain_time: SOON, head_time: LATE, idle_time: LATE;
    target_bytes in ALL, target_bytes: 100;
    head_bytes in ALL, head_bytes: 9_000;
    head_fields in ALL, head_fields: 20;
    streams in OVER_HTTP2, streams: 4;
    resets in OVER_HTTP2, resets: 10;
    frames in OVER_HTTP2, frames: 64;
    send_bytes in OVER_HTTP2, send_bytes: 16_384;
}

#[test]
fn every_row_about_connections_is_tested() {
    let table = Limits::markdown();
    let names = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(|name| name.replace('-', "_"));
    // From here on the table is about files.
    let rows: Vec<String> = names
        .take_while(|name| name != "article_bytes")
        .filter(|name| name != "connections_per_address")
        .collect();
    assert_eq!(rows, TESTED);
}

/// What `docs/limits.md` says of bodies, which is not settable.
#[test]
fn bodies() {
    in_each_way(
        &ALL,
        &Limits {
            head_time: LATE,
            ..Limits::default()
        },
        |site| Box::pin(check::bodies(site)),
    );
}

/// A server with these limits, as one kind of client sees it.
struct Site {
    way: Way,
    server: Server,
    open: Arc<Open>,
}

/// How many connections the server holds.
#[derive(Default)]
struct Open(AtomicI64);

impl Observer for Open {
    fn answered(&self, _: &Exchange<'_>) {}

    fn connections(&self, change: i64) {
        self.0.fetch_add(change, SeqCst);
    }
}

/// Runs a check in all of these ways at once, each against a server of its own.
fn in_each_way(
    ways: &[Way],
    limits: &Limits,
    check: impl Fn(Site) -> Pin<Box<dyn Future<Output = ()>>> + Sync,
) {
    let run = |way: Way| {
        let open = Arc::new(Open::default());
        let tls = way
            .is_secured()
            .then(|| Tls::load(tls::files("first.pem", "first.key")).unwrap());
        let observers: Vec<Arc<dyn Observer>> = vec![Arc::clone(&open) as Arc<dyn Observer>];
        let server = Server::over(
            edition(),
            Setup {
                limits: limits.clone(),
                tls,
                observers,
                ..Setup::default()
            },
        );
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let done = runtime
            .block_on(async { timeout(2 * PATIENCE, check(Site { way, server, open })).await });
        done.unwrap_or_else(|_| panic!("{way:?} takes too long"));
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = ways
            .iter()
            .map(|way| (*way, scope.spawn(move || run(*way))))
            .collect();
        for (way, thread) in threads {
            assert!(thread.join().is_ok(), "{way:?}");
        }
    });
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

impl Site {
    async fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.server.address).await.unwrap();
        socket.set_nodelay(true).unwrap();
        socket
    }

    /// A connection on which nothing has been asked. Over TLS the handshake is done.
    async fn dial(&self) -> Box<dyn Stream> {
        let socket = self.connect().await;
        if !self.way.is_secured() {
            return Box::new(socket);
        }
        let config = tls::client(
            &[&TLS13],
            if self.way.is_http2() {
                &["h2"]
            } else {
                &["http/1.1"]
            },
        );
        let name = ServerName::try_from("example.org").unwrap();
        Box::new(
            TlsConnector::from(Arc::new(config))
                .connect(name, socket)
                .await
                .unwrap(),
        )
    }

    /// A connection of HTTP/2 by frames: the preface, these SETTINGS, and an acknowledgement.
    async fn frames(&self, settings: &[u8]) -> Box<dyn Stream> {
        let mut stream = self.dial().await;
        let begin = [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            frame(4, 0, 0, settings),
            frame(4, 1, 0, &[]),
        ]
        .concat();
        stream.write_all(&begin).await.unwrap();
        stream
    }

    /// A client that asks in this way.
    async fn client(&self) -> Client {
        let stream = self.dial().await;
        if !self.way.is_http2() {
            return Client::Http1(stream);
        }
        let (client, connection) = h2::client::handshake(stream).await.unwrap();
        Client::Http2(client, tokio::spawn(connection))
    }

    /// The status of one request on a connection of its own.
    async fn ask(&self, method: Method, path: &str, fields: &[(&str, &str)]) -> u16 {
        self.client()
            .await
            .ask(method, path, fields)
            .await
            .expect("an answer")
    }

    /// Waits until the server holds no connection.
    async fn all_closed(&self) {
        let begun = Instant::now();
        while self.open.0.load(SeqCst) > 0 {
            assert!(
                begun.elapsed() < PATIENCE,
                "{:?}: connections are not closed",
                self.way
            );
            sleep(Duration::from_millis(5)).await;
        }
    }
}

enum Client {
    Http1(Box<dyn Stream>),
    Http2(
        SendRequest<Bytes>,
        tokio::task::JoinHandle<Result<(), h2::Error>>,
    ),
}

impl Client {
    /// Sends a request and reads its answer to the end. `None` when the connection is closed
    /// instead.
    async fn ask(&mut self, method: Method, path: &str, fields: &[(&str, &str)]) -> Option<u16> {
        match self {
            Self::Http1(stream) => ask_http1(stream, &method, path, fields).await,
            Self::Http2(client, _) => {
                let mut ready = client.clone().ready().await.ok()?;
                let mut answer = ready
                    .send_request(request(method, path, fields), true)
                    .ok()?
                    .0
                    .await
                    .ok()?;
                read(answer.body_mut()).await.ok()?;
                Some(answer.status().as_u16())
            }
        }
    }

    /// Asks for more than all buffers hold, and reads nothing of it. The result keeps the
    /// connection open.
    async fn ask_for_much(mut self) -> (Self, Option<h2::RecvStream>) {
        let body = match &mut self {
            Self::Http1(stream) => {
                stream
                    .write_all(&head(&Method::GET, "/large.bin", &[]))
                    .await
                    .unwrap();
                None
            }
            Self::Http2(client, _) => {
                let mut ready = client.clone().ready().await.unwrap();
                let answer = ready
                    .send_request(request(Method::GET, "/large.bin", &[]), true)
                    .unwrap()
                    .0
                    .await
                    .unwrap();
                assert_eq!(answer.status().as_u16(), 200);
                Some(answer.into_body())
            }
        };
        (self, body)
    }
}

fn head(method: &Method, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let fields: String = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("{method} {path} HTTP/1.1\r\nHost: example.org\r\n{fields}\r\n").into_bytes()
}

async fn ask_http1(
    stream: &mut dyn Stream,
    method: &Method,
    path: &str,
    fields: &[(&str, &str)],
) -> Option<u16> {
    stream.write_all(&head(method, path, fields)).await.ok()?;
    answered(stream).await
}

/// The status of the next answer of HTTP/1.1, which is read to its end.
async fn answered(stream: &mut dyn Stream) -> Option<u16> {
    let mut came = Vec::new();
    while !came.ends_with(b"\r\n\r\n") {
        came.push(stream.read_u8().await.ok()?);
    }
    let text = String::from_utf8_lossy(&came).into_owned();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().unwrap());
    stream.read_exact(&mut vec![0; length]).await.ok()?;
    Some(status(&came))
}

/// Reads frames up to one of this type; returns its payload. `None` if the connection ends before.
async fn next_frame(stream: &mut dyn Stream, wanted: u8) -> Option<Vec<u8>> {
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        stream.read_exact(&mut payload).await.ok()?;
        if head[3] == wanted {
            return Some(payload);
        }
    }
}

/// Sends one round of frames after the other, and reads everything. Returns how many rounds it took
/// until the server closed the connection.
async fn rounds_until_closed(
    stream: Box<dyn Stream>,
    most: u32,
    round: impl Fn(u32) -> Vec<u8>,
) -> u32 {
    let (mut reader, mut writer) = tokio::io::split(stream);
    let reader =
        tokio::spawn(async move { while matches!(reader.read(&mut [0; 65536]).await, Ok(1..)) {} });
    for n in 0..most {
        if reader.is_finished() || writer.write_all(&round(n)).await.is_err() {
            return n;
        }
        tokio::task::yield_now().await;
    }
    let ended = timeout(PATIENCE, reader).await;
    if ended.is_ok() { most } else { u32::MAX }
}

/// RST_STREAM with CANCEL.
fn reset(stream: u32) -> Vec<u8> {
    frame(3, 0, stream, &8_u32.to_be_bytes())
}

/// What each row says.
mod check {
    use super::*;

    pub(super) async fn connections(site: Site) {
        let (mut one, mut other) = (site.client().await, site.client().await);
        for client in [&mut one, &mut other] {
            assert_eq!(client.ask(Method::GET, "/robots.txt", &[]).await, Some(200));
        }
        // It waits until an idle one is closed.
        assert_eq!(site.ask(Method::GET, "/robots.txt", &[]).await, 200);
        let mut closed = 0;
        for client in [&mut one, &mut other] {
            closed += usize::from(client.ask(Method::GET, "/robots.txt", &[]).await.is_none());
        }
        assert!(closed > 0, "{:?}", site.way);
    }

    pub(super) async fn requests_per_connection(site: Site) {
        let mut client = site.client().await;
        for expected in [Some(200), Some(200), Some(200), None] {
            assert_eq!(client.ask(Method::GET, "/robots.txt", &[]).await, expected);
        }
        if let Client::Http2(client, connection) = client {
            drop(client);
            let ended = connection.await.unwrap();
            assert!(ended.is_ok(), "GOAWAY without an error: {ended:?}");
        }
    }

    pub(super) async fn handshake_time(site: Site) {
        // Nothing, and the beginning of a ClientHello.
        let (mut silent, mut begun) = (site.connect().await, site.connect().await);
        begun.write_all(b"\x16\x03\x01\x02\x00\x01").await.unwrap();
        for socket in [&mut silent, &mut begun] {
            let _ = socket.read_to_end(&mut Vec::new()).await;
        }
        site.all_closed().await;
    }

    pub(super) async fn head_time(site: Site) {
        // A connection's first request.
        let mut silent = site.dial().await;
        // A head that trickles in: every byte is progress, and the head is not over.
        let mut slow = site.dial().await;
        let begin = if site.way.is_http2() {
            &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..]
        } else {
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
        };
        slow.write_all(begin).await.unwrap();
        let endless = frame(1, 0, 1, b"\x82\x86");
        let trickle = if site.way.is_http2() {
            &endless[..4]
        } else {
            b"xxxx"
        };
        for byte in trickle.iter().cycle().take(4_000) {
            if slow.write_all(&[*byte]).await.is_err() {
                break;
            }
            sleep(Duration::from_millis(5)).await;
            if site.open.0.load(SeqCst) == 0 {
                break;
            }
        }
        let _ = silent.read_to_end(&mut Vec::new()).await;
        site.all_closed().await;
        // The server does not wait for a body that does not arrive.
        match site.client().await {
            Client::Http1(mut stream) => {
                assert_eq!(
                    ask_http1(
                        &mut *stream,
                        &Method::POST,
                        "/",
                        &[("Content-Length", "10")]
                    )
                    .await,
                    Some(405)
                );
                assert!(stream.read_u8().await.is_err(), "that answer is the last");
            }
            Client::Http2(mut client, _) => {
                let (answer, _body) = client
                    .send_request(request(Method::POST, "/", &[]), false)
                    .unwrap();
                assert_eq!(answer.await.unwrap().status().as_u16(), 405);
            }
        }
    }

    pub(super) async fn idle_time(site: Site) {
        let mut idle = site.client().await;
        assert_eq!(idle.ask(Method::GET, "/robots.txt", &[]).await, Some(200));
        // A client that reads nothing is idle as well.
        let _slow = site.client().await.ask_for_much().await;
        site.all_closed().await;
        assert_eq!(idle.ask(Method::GET, "/robots.txt", &[]).await, None);
    }

    pub(super) async fn drain_time(mut site: Site) {
        let _slow = site.client().await.ask_for_much().await;
        let mut first = site.client().await;
        assert_eq!(first.ask(Method::GET, "/robots.txt", &[]).await, Some(200));
        site.server.stop();
        site.all_closed().await;
    }

    pub(super) async fn bodies(site: Site) {
        let post = |length: &str, field: &str, value: &str| {
            head(
                &Method::POST,
                "/",
                &[("content-length", length), (field, value)],
            )
        };
        match site.client().await {
            Client::Http1(mut stream) => {
                stream
                    .write_all(&[post("60001", "x", "1"), vec![b'x'; 60_000]].concat())
                    .await
                    .unwrap();
                assert!(
                    timeout(SOON, stream.read_u8()).await.is_err(),
                    "the body has not ended"
                );
                stream.write_all(b"x").await.unwrap();
                assert_eq!(answered(&mut *stream).await, Some(405));
                assert_eq!(
                    ask_http1(&mut *stream, &Method::GET, "/robots.txt", &[]).await,
                    Some(200),
                    "the connection goes on"
                );
            }
            Client::Http2(mut client, _) => {
                let (answer, mut body) = client
                    .send_request(request(Method::POST, "/", &[]), false)
                    .unwrap();
                body.send_data(Bytes::from(vec![b'x'; 60_000]), false)
                    .unwrap();
                let mut answer = pin!(answer);
                assert!(
                    timeout(SOON, answer.as_mut()).await.is_err(),
                    "the body has not ended"
                );
                body.send_data(Bytes::new(), true).unwrap();
                assert_eq!(answer.await.unwrap().status().as_u16(), 405);
            }
        }
        // More than the first window of HTTP/2 is not waited for, and a client that asks whether to
        // send is answered at once.
        for (field, value, bytes) in [("x", "1", 70_000), ("expect", "100-continue", 0)] {
            match site.client().await {
                Client::Http1(mut stream) => {
                    stream
                        .write_all(&[post("100000", field, value), vec![b'x'; bytes]].concat())
                        .await
                        .unwrap();
                    assert_eq!(answered(&mut *stream).await, Some(405), "{field}");
                    let _ = stream.read_to_end(&mut Vec::new()).await;
                }
                Client::Http2(mut client, _) => {
                    let (answer, mut body) = client
                        .send_request(request(Method::POST, "/", &[(field, value)]), false)
                        .unwrap();
                    body.send_data(Bytes::from(vec![b'x'; bytes]), false)
                        .unwrap();
                    assert_eq!(answer.await.unwrap().status().as_u16(), 405, "{field}");
                }
            }
        }
    }

    pub(super) async fn target_bytes(site: Site) {
        let path = |length: usize| format!("/{}", "a".repeat(length - 1));
        assert_eq!(site.ask(Method::GET, &path(100), &[]).await, 404);
        assert_eq!(site.ask(Method::GET, &path(101), &[]).await, 414);
    }

    pub(super) async fn head_bytes(site: Site) {
        for (length, expected) in [(8_000, 200), (9_000, 431), (17_000, 431)] {
            assert_eq!(
                site.ask(
                    Method::GET,
                    "/robots.txt",
                    &[("x-large", &"x".repeat(length))]
                )
                .await,
                expected,
                "{length}"
            );
        }
    }

    pub(super) async fn head_fields(site: Site) {
        let names: Vec<String> = (0..21).map(|n| format!("x-{n}")).collect();
        let fields: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
        // HTTP/1.1 has `Host` beside them.
        assert_eq!(
            site.ask(Method::GET, "/robots.txt", &fields[..19]).await,
            200
        );
        assert_eq!(site.ask(Method::GET, "/robots.txt", &fields).await, 431);
    }

    pub(super) async fn streams(site: Site) {
        // Without a window for bodies (SETTINGS_INITIAL_WINDOW_SIZE 0) every stream stays open.
        let mut stream = site.frames(&[0, 4, 0, 0, 0, 0]).await;
        let asked: Vec<u8> = (0..5)
            .flat_map(|n| get(2 * n + 1, "/llms-full.txt"))
            .collect();
        stream.write_all(&asked).await.unwrap();
        assert_eq!(
            next_frame(&mut *stream, 3).await,
            Some(7_u32.to_be_bytes().to_vec()),
            "REFUSED_STREAM"
        );
    }

    pub(super) async fn resets(site: Site) {
        let stream = site.frames(&[0, 4, 0, 0, 0, 0]).await;
        let rounds = rounds_until_closed(stream, 2_000, |n| {
            [get(2 * n + 1, "/llms-full.txt"), reset(2 * n + 1)].concat()
        })
        .await;
        assert!(rounds <= 2_000, "{rounds}");
        site.all_closed().await;
    }

    pub(super) async fn frames(site: Site) {
        let ping = frame(6, 0, 0, b"12345678");
        let rounds = rounds_until_closed(site.frames(&[]).await, 20_000, |_| ping.repeat(10)).await;
        assert!(rounds <= 20_000, "{rounds}");
        site.all_closed().await;
    }

    pub(super) async fn send_bytes(site: Site) {
        let (Client::Http2(client, _connection), Some(mut body)) =
            site.client().await.ask_for_much().await
        else {
            panic!("HTTP/2 was asked for")
        };
        let expected = site
            .server
            .live
            .load()
            .get("/large.bin")
            .unwrap()
            .body
            .len();
        // What the client does not read is kept, and arrives once it reads.
        let mut came = 0;
        while let Some(part) = body.data().await {
            came += part.unwrap().len() as u64;
            let taken = body.flow_control().used_capacity();
            body.flow_control().release_capacity(taken).unwrap();
        }
        assert_eq!(came, expected);
        drop(client);
    }
}
