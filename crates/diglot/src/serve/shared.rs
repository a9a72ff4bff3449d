//! The state shared by the connections of a server, and by the parts of one connection.

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_LENGTH};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::watch;

use super::activity::Activity;
use super::reaper::Signal;
use super::{Exchange, Limits, Live, Setup};

/// The state shared by all connections.
pub(super) struct Shared {
    pub live: Live,
    pub setup: Setup,
    pub signals: watch::Receiver<Signal>,
    pub http1: http1::Builder,
    pub http2: http2::Builder<TokioExecutor>,
}

/// The state shared by the socket, the service and the reaper of one connection.
pub(super) struct Client {
    pub shared: Arc<Shared>,
    pub activity: Activity,
    /// The peer's address.
    pub address: IpAddr,
}

impl Client {
    pub(super) fn new(shared: &Arc<Shared>, address: IpAddr) -> Arc<Self> {
        Arc::new(Self {
            shared: Arc::clone(shared),
            activity: Activity::new(),
            address,
        })
    }
}

impl Shared {
    pub(super) fn new(live: Live, setup: Setup, signals: watch::Receiver<Signal>) -> Arc<Self> {
        let (http1, http2) = (http1_builder(&setup.limits), http2_builder(&setup.limits));
        Arc::new(Self {
            live,
            setup,
            signals,
            http1,
            http2,
        })
    }

    /// The answer to a connection of whose request at most the method is known, as bytes. The form
    /// that it asks for is not, so the body is the shortest.
    pub(super) fn refusal(&self, status: StatusCode, method: Method) -> Bytes {
        for observer in &self.setup.observers {
            observer.answered(&Exchange::refused(status));
        }
        let mut request = Request::new(());
        *request.method_mut() = method;
        let accept = HeaderValue::from_static("application/problem+json");
        request.headers_mut().insert(ACCEPT, accept);
        serialized(diglot_http::refuse(&self.live.load(), &request, status))
    }
}

/// The last answer of an HTTP/1.1 connection, as hyper would write it.
fn serialized(answer: Response<diglot_http::Payload>) -> Bytes {
    let status = answer.status();
    let (parts, body) = answer.into_parts();
    let body = body.to_bytes();
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\n",
        status.as_str(),
        status.canonical_reason().unwrap_or_default()
    )
    .into_bytes();
    for (name, value) in &parts.headers {
        push_field(&mut bytes, name, value);
    }
    if !parts.headers.contains_key(CONTENT_LENGTH) {
        bytes.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        bytes.extend_from_slice(b"retry-after: 5\r\n");
    }
    let date = diglot_content::Moment::second(jiff::Timestamp::now()).http();
    bytes.extend_from_slice(format!("connection: close\r\ndate: {date}\r\n\r\n").as_bytes());
    bytes.extend_from_slice(&body);
    bytes.into()
}

fn push_field(bytes: &mut Vec<u8>, name: &HeaderName, value: &HeaderValue) {
    for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
        bytes.extend_from_slice(part);
    }
}

/// The initial flow-control window of HTTP/2 (RFC 9113 section 6.9.2).
pub(super) const FIRST_WINDOW: u32 = 65_535;
/// h2's default, set explicitly because we rely on it.
const PENDING_RESETS: usize = 20;
/// hyper's default: streams beyond the limit count as well, and a client may open some before it
/// receives the limit.
const ERROR_RESETS: usize = 1024;

/// hyper's settings for HTTP/1.1, each from our limits.
fn http1_builder(limits: &Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // The reaper does this.
        .header_read_timeout(None)
        // A client that closes its write side after a request still waits for the answer (RFC 9112
        // section 9.6).
        .half_close(true)
        // The first limits the buffer of a head, the second the size of a head that arrived in a
        // larger read.
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
        // Data queued on one stream. The bytes are the edition's own, so a slow reader costs little
        // more than this bookkeeping.
        .max_send_buf_size(limits.send_bytes)
        // No resource accepts a body: a client may send as much as RFC 9113 section 6.9.2 allows
        // before it receives our settings, and no more.
        .initial_stream_window_size(FIRST_WINDOW)
        .initial_connection_window_size(FIRST_WINDOW)
        // Streams reset by the client before the service saw them, and streams that we reset for
        // the client's errors; beyond these, GOAWAY with ENHANCE_YOUR_CALM. Resets after an answer
        // are counted by `flood`.
        .max_pending_accept_reset_streams(PENDING_RESETS)
        .max_local_error_reset_streams(Some(ERROR_RESETS))
        // Twice our limit: between the two the service answers with our own 431; beyond it h2 sends
        // a bare one and drops the fields.
        .max_header_list_size(
            u32::try_from(limits.head_bytes.saturating_mul(2)).unwrap_or(u32::MAX),
        );
    builder
}
