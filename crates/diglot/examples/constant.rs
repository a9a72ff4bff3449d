//! hyper answering every request with the same fields and bytes: what Diglot's own work is measured
//! against.
//!
//! `constant ADDRESS ANSWERS-FILE [CERTIFICATE KEY]`: the file holds whole answers one after the
//! other, head and content, as some server sent them; of several, each request gets one at random.
//! With a certificate, over TLS.

#![allow(
    clippy::disallowed_methods,
    reason = "a measuring tool that reads and writes what it made"
)]
#![allow(clippy::unwrap_used, reason = "a measuring tool that may fail")]

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use bytes::Bytes;
use diglot_http::Payload;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let address = arguments
        .next()
        .unwrap_or_else(|| panic!("usage: constant ADDRESS ANSWERS-FILE"));
    let answers = Bytes::from(std::fs::read(arguments.next().unwrap()).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let tasks = tokio::task::LocalSet::new();
    let tls = arguments
        .next()
        .map(|certificate| acceptor(&certificate, &arguments.next().unwrap()));
    tasks.block_on(&runtime, serve(address, all(answers), tls));
}

fn acceptor(certificate: &str, key: &str) -> TlsAcceptor {
    let chain = CertificateDer::pem_file_iter(certificate)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let key = PrivateKeyDer::from_pem_file(key).unwrap();
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let mut config = builder
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(std::sync::Arc::new(config))
}

/// The answers as hyper takes them.
fn all(mut bytes: Bytes) -> Vec<Response<Bytes>> {
    let mut answers = Vec::new();
    while !bytes.is_empty() {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap();
        let head = bytes.split_to(end + 4);
        let mut answer = parsed(std::str::from_utf8(&head[..end]).unwrap());
        let length = answer.headers().get("content-length");
        let length: usize = match answer.status() {
            StatusCode::NOT_MODIFIED => 0,
            _ => length.unwrap().to_str().unwrap().parse().unwrap(),
        };
        *answer.body_mut() = bytes.split_to(length);
        answers.push(answer);
    }
    answers
}

/// An answer without its content; `Date` and the fields of the connection are hyper's own.
fn parsed(head: &str) -> Response<Bytes> {
    let mut lines = head.split("\r\n");
    let status: StatusCode = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = status;
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        if !["date", "connection"].contains(&name.to_ascii_lowercase().as_str()) {
            response.headers_mut().insert(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
    }
    response
}

/// The next of a fixed sequence of numbers without a pattern (xorshift).
fn next(number: &Cell<u64>) -> u64 {
    let mut next = number.get();
    next ^= next << 13;
    next ^= next >> 7;
    next ^= next << 17;
    number.set(next);
    next
}

async fn serve(address: String, answers: Vec<Response<Bytes>>, tls: Option<TlsAcceptor>) {
    let listener = TcpListener::bind(address).await.unwrap();
    let answers = Rc::new((answers, Cell::new(1)));
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            continue;
        };
        let _ = socket.set_nodelay(true);
        let (answers, tls) = (Rc::clone(&answers), tls.clone());
        tokio::task::spawn_local(async move {
            let service = service_fn(move |_| {
                let (answers, number) = &*answers;
                let answer = match answers.as_slice() {
                    [answer] => answer,
                    answers => &answers[next(number) as usize % answers.len()],
                };
                let mut response = Response::new(Payload::from(answer.body().clone()));
                *response.status_mut() = answer.status();
                *response.headers_mut() = answer.headers().clone();
                std::future::ready(Ok::<_, Infallible>(response))
            });
            let Some(tls) = tls else {
                let _ = http1::Builder::new()
                    .serve_connection(TokioIo::new(socket), service)
                    .await;
                return;
            };
            let Ok(stream) = tls.accept(socket).await else {
                return;
            };
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                let _ = http2::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            } else {
                let _ = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            }
        });
    }
}
