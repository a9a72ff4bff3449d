//! The second, private address: liveness, readiness and metrics.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::metrics::Metrics;

/// Connections at once; further ones wait.
const MOST: usize = 32;
/// How long one connection may last.
const LONGEST: Duration = Duration::from_secs(60);
/// How long the head of a request may take, and how large it may be.
const HEAD_TIME: Duration = Duration::from_secs(10);
const HEAD_BYTES: usize = 16 * 1024;

/// Answers until it is dropped.
pub async fn run(listener: TcpListener, metrics: Arc<Metrics>) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = serve(socket, Arc::clone(&metrics));
        tokio::spawn(async move {
            let _ = tokio::time::timeout(LONGEST, connection).await;
            drop(permit);
        });
    }
}

async fn serve(socket: TcpStream, metrics: Arc<Metrics>) -> hyper::Result<()> {
    let service = service_fn(|request: Request<Incoming>| {
        ready(Ok::<_, Infallible>(answer(
            &metrics,
            request.method(),
            request.uri().path(),
        )))
    });
    let mut builder = http1::Builder::new();
    // Health checks often close their side right after the request.
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .half_close(true);
    builder
        .serve_connection(TokioIo::new(socket), service)
        .await
}

/// A push: the store is asked for a new edition now.
fn look(metrics: &Metrics) -> String {
    if let Some(following) = metrics.following() {
        following.order("look");
    }
    "looking for a new edition\n".to_owned()
}

fn answer(metrics: &Metrics, method: &Method, path: &str) -> Response<Payload> {
    let is_push = *method == Method::POST && path == "/look" && metrics.following().is_some();
    let (status, text) = match (path, metrics.is_ready()) {
        _ if is_push => (StatusCode::ACCEPTED, look(metrics)),
        _ if !matches!(*method, Method::GET | Method::HEAD) => (
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET and HEAD\n".to_owned(),
        ),
        ("/healthz", _) => (StatusCode::OK, "ok\n".to_owned()),
        ("/readyz", true) => (StatusCode::OK, format!("ok\n{}", metrics.edition_lines())),
        ("/readyz", false) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("not ready\n{}", metrics.edition_lines()),
        ),
        ("/metrics", _) => (StatusCode::OK, metrics.prometheus()),
        _ => (
            StatusCode::NOT_FOUND,
            "here are /healthz, /readyz and /metrics\n".to_owned(),
        ),
    };
    // The version is that of the format of metrics.
    let media_type = match path {
        "/metrics" => "text/plain; version=0.0.4; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    };
    let mut answer = Response::new(Payload::from(bytes::Bytes::from(text)));
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    answer
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
