//! The second, private address: whether the server lives, whether it is ready, and its numbers.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use diglot_http::Payload;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::metrics::Metrics;

/// How many may look at once; whoever comes then waits.
const MOST: usize = 32;
/// How long one connection may last.
const LONGEST: Duration = Duration::from_secs(60);

/// Answers until it is dropped.
pub async fn run(listener: TcpListener, meter: Arc<Metrics>) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        // It is never closed.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let meter = Arc::clone(&meter);
        tokio::spawn(async move {
            let service =
                service_fn(move |request: Request<Incoming>| ready(Ok::<_, Infallible>(answer(&meter, request.method(), request.uri().path()))));
            let mut builder = http1::Builder::new();
            // Checks of health often close their side once they have asked.
            builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10)).max_buf_size(16 * 1024).half_close(true);
            let _ = tokio::time::timeout(LONGEST, builder.serve_connection(TokioIo::new(socket), service)).await;
            drop(place);
        });
    }
}

fn answer(meter: &Metrics, method: &Method, path: &str) -> Response<Payload> {
    let (status, text) = match (path, meter.is_ready()) {
        _ if !matches!(*method, Method::GET | Method::HEAD) => (StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n".to_owned()),
        ("/healthz", _) | ("/readyz", true) => (StatusCode::OK, "ok\n".to_owned()),
        ("/readyz", false) => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n".to_owned()),
        ("/metrics", _) => (StatusCode::OK, meter.prometheus()),
        _ => (StatusCode::NOT_FOUND, "here are /healthz, /readyz and /metrics\n".to_owned()),
    };
    let mut answer = Response::new(Payload::from(bytes::Bytes::from(text)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
