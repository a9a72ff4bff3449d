//! hyper answering every request with the same fields and bytes: what Diglot's own work is measured against.
//!
//! `constant ADDRESS ANSWER-FILE`: the file holds a whole answer, head and content, as some server sent it.

#![allow(clippy::unwrap_used, reason = "a measuring tool that may fail")]

use std::convert::Infallible;

use bytes::Bytes;
use diglot_http::Payload;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| panic!("usage: constant ADDRESS ANSWER-FILE"));
    let answer = Bytes::from(std::fs::read(arguments.next().unwrap()).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tasks = tokio::task::LocalSet::new();
    tasks.block_on(&runtime, serve(address, parsed(&answer)));
}

/// The answer as hyper takes it; `Date` and the fields of the connection are hyper's own.
fn parsed(answer: &Bytes) -> Response<Bytes> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status: StatusCode = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let mut response = Response::new(answer.slice(end + 4..));
    *response.status_mut() = status;
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        if !["date", "connection"].contains(&name.to_ascii_lowercase().as_str()) {
            response.headers_mut().insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
        }
    }
    response
}

async fn serve(address: String, answer: Response<Bytes>) {
    let listener = TcpListener::bind(address).await.unwrap();
    let answer = std::rc::Rc::new(answer);
    loop {
        let Ok((socket, _)) = listener.accept().await else { continue };
        let _ = socket.set_nodelay(true);
        let answer = std::rc::Rc::clone(&answer);
        tokio::task::spawn_local(async move {
            let service = service_fn(move |_| {
                let mut response = Response::new(Payload::from(answer.body().clone()));
                *response.status_mut() = answer.status();
                *response.headers_mut() = answer.headers().clone();
                std::future::ready(Ok::<_, Infallible>(response))
            });
            let _ = http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
        });
    }
}
