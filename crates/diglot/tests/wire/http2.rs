//! HTTP/2 (RFC 9113): what a well-behaved client gets, by the client of the `h2` crate, and what an
//! abusive one gets, by frames written by hand.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::Bytes;
use diglot::serve::Limits;
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use http::{HeaderMap, Method, Request, Response};

use crate::server::Server;
use crate::site;

fn start() -> Server {
    start_with(Limits::default())
}

fn start_with(limits: Limits) -> Server {
    Server::with(site::edition("https://example.org"), limits)
}

/// Runs a client to its end.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(20), work)
            .await
            .expect("the server answers in time")
    })
}

pub async fn connect(
    server: &Server,
) -> (
    SendRequest<Bytes>,
    tokio::task::JoinHandle<Result<(), h2::Error>>,
) {
    let socket = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    let (client, connection) = h2::client::Builder::new()
        .max_header_list_size(1 << 20)
        .initial_max_send_streams(100)
        .handshake(socket)
        .await
        .unwrap();
    (client, tokio::spawn(connection))
}

pub fn request(method: Method, path: &str, fields: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder()
        .method(method)
        .uri(format!("https://example.org{path}"))
        .version(http::Version::HTTP_2);
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap()
}

/// One request without a body, and its whole answer.
pub async fn ask(
    client: &mut SendRequest<Bytes>,
    request: Request<()>,
) -> (Response<()>, Vec<u8>, Option<HeaderMap>) {
    let answer = client.send_request(request, true).unwrap().0.await.unwrap();
    let (parts, mut body) = answer.into_parts();
    let bytes = read(&mut body).await.unwrap();
    let trailers = body.trailers().await.unwrap();
    (Response::from_parts(parts, ()), bytes, trailers)
}

pub async fn read(body: &mut RecvStream) -> Result<Vec<u8>, h2::Error> {
    let mut bytes = Vec::new();
    while let Some(part) = body.data().await {
        let part = part?;
        let _ = body.flow_control().release_capacity(part.len());
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

#[test]
fn head_conditions_ranges_and_errors_are_those_of_http1() {
    let server = start();
    let whole = server
        .live
        .load()
        .get("/llms-full.txt")
        .unwrap()
        .body
        .to_bytes();
    block_on(async {
        let (mut client, _) = connect(&server).await;
        let (full, body, trailers) =
            ask(&mut client, request(Method::GET, "/llms-full.txt", &[])).await;
        assert_eq!(
            (full.status().as_u16(), &body[..], trailers),
            (200, &whole[..], None)
        );
        for hop in ["connection", "transfer-encoding", "keep-alive"] {
            assert!(
                !full.headers().contains_key(hop),
                "RFC 9113 section 8.2.2 has no `{hop}`"
            );
        }
        let (head, body, _) = ask(&mut client, request(Method::HEAD, "/llms-full.txt", &[])).await;
        assert_eq!((head.status().as_u16(), body.len()), (200, 0));
        assert_eq!(head.headers()["content-length"], whole.len().to_string());
        assert_eq!(head.headers()["etag"], full.headers()["etag"]);
        let tag = full.headers()["etag"].to_str().unwrap();
        let (same, body, _) = ask(
            &mut client,
            request(Method::GET, "/llms-full.txt", &[("if-none-match", tag)]),
        )
        .await;
        assert_eq!((same.status().as_u16(), body.len()), (304, 0));
        assert!(same.headers().contains_key("etag") && same.headers().contains_key("date"));
        let (part, body, _) = ask(
            &mut client,
            request(Method::GET, "/llms-full.txt", &[("range", "bytes=5-9")]),
        )
        .await;
        assert_eq!((part.status().as_u16(), &body[..]), (206, &whole[5..10]));
        let (none, body, _) = ask(&mut client, request(Method::HEAD, "/none", &[])).await;
        assert_eq!((none.status().as_u16(), body.len()), (404, 0));
        let (not, _, _) = ask(&mut client, request(Method::DELETE, "/", &[])).await;
        assert_eq!(
            (
                not.status().as_u16(),
                not.headers()["allow"].to_str().unwrap()
            ),
            (405, "GET, HEAD, OPTIONS")
        );
        for length in [9_000, 40_000] {
            let path = format!("/{}", "a".repeat(length));
            let (long, _, _) = ask(&mut client, request(Method::GET, &path, &[])).await;
            assert_eq!(long.status().as_u16(), 414, "{length}");
        }
    });
}

#[test]
fn every_other_method_gets_405_and_the_connection_goes_on() {
    let server = start();
    block_on(async {
        let (mut client, _) = connect(&server).await;
        let connect = Request::builder()
            .method(Method::CONNECT)
            .uri("example.org:443")
            .version(http::Version::HTTP_2)
            .body(())
            .unwrap();
        let methods = ["POST", "TRACE", "PRI", "PROPFIND", "get"]
            .map(|name| request(Method::from_bytes(name.as_bytes()).unwrap(), "/none", &[]));
        for asked in methods.into_iter().chain([connect]) {
            let method = asked.method().clone();
            let (answer, body, _) = ask(&mut client, asked).await;
            assert_eq!(
                (
                    answer.status().as_u16(),
                    answer.headers()["allow"].to_str().unwrap()
                ),
                (405, "GET, HEAD, OPTIONS"),
                "{method}"
            );
            assert!(!body.is_empty(), "{method}");
        }
        // A tunnel that stays open.
        let connect = Request::builder()
            .method(Method::CONNECT)
            .uri("example.org:443")
            .version(http::Version::HTTP_2)
            .body(())
            .unwrap();
        let (answer, _tunnel) = client.send_request(connect, false).unwrap();
        assert_eq!(answer.await.unwrap().status().as_u16(), 405);
        let asterisk = http::Uri::builder()
            .scheme("http")
            .authority("example.org")
            .path_and_query("*")
            .build()
            .unwrap();
        for (method, expected) in [
            (Method::OPTIONS, 204),
            (Method::GET, 400),
            (Method::POST, 405),
        ] {
            let asked = Request::builder()
                .method(method)
                .uri(asterisk.clone())
                .version(http::Version::HTTP_2)
                .body(())
                .unwrap();
            assert_eq!(ask(&mut client, asked).await.0.status().as_u16(), expected);
        }
        assert_eq!(
            ask(&mut client, request(Method::GET, "/robots.txt", &[]))
                .await
                .0
                .status()
                .as_u16(),
            200
        );
    });
}

#[test]
fn the_authority_is_named_once() {
    let server = start();
    block_on(async {
        let (mut client, _) = connect(&server).await;
        for (host, expected) in [
            ("example.org", 200),
            ("EXAMPLE.org", 200),
            ("other.example", 400),
            ("", 400),
            ("a b", 400),
        ] {
            let (answer, _, _) = ask(
                &mut client,
                request(Method::GET, "/robots.txt", &[("host", host)]),
            )
            .await;
            assert_eq!(answer.status().as_u16(), expected, "{host:?}");
        }
        // No user information, and a scheme of HTTP.
        for target in ["https://u@example.org/", "ftp://example.org/"] {
            let mut asked = request(Method::GET, "/", &[]);
            *asked.uri_mut() = target.parse().unwrap();
            let (answer, _, _) = ask(&mut client, asked).await;
            assert_eq!(answer.status().as_u16(), 400, "{target}");
        }
    });
}

#[test]
fn too_many_or_too_large_fields_get_431_and_the_connection_goes_on() {
    let server = start();
    block_on(async {
        let (mut client, _) = connect(&server).await;
        let large = "x".repeat(40_000);
        let (answer, body, _) = ask(
            &mut client,
            request(Method::GET, "/", &[("x-large", &large)]),
        )
        .await;
        assert_eq!(answer.status().as_u16(), 431);
        assert!(
            answer.headers()["access-control-allow-origin"] == "*" && !body.is_empty(),
            "our own answer: {answer:?}"
        );
        let names: Vec<String> = (0..200).map(|n| format!("x-{n}")).collect();
        let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
        assert_eq!(
            ask(&mut client, request(Method::GET, "/", &many))
                .await
                .0
                .status()
                .as_u16(),
            431
        );
        let huge = "x".repeat(90_000);
        assert_eq!(
            ask(&mut client, request(Method::GET, "/", &[("x-huge", &huge)]))
                .await
                .0
                .status()
                .as_u16(),
            431
        );
        assert_eq!(
            ask(&mut client, request(Method::GET, "/robots.txt", &[]))
                .await
                .0
                .status()
                .as_u16(),
            200
        );
    });
}

/// Counted as RFC 9113 section 6.5.2 does: names, values, and 32 for each field, pseudo-fields
/// among them.
#[test]
fn a_head_may_be_so_large() {
    let server = start_with(Limits {
        head_bytes: 9_000,
        ..Limits::default()
    });
    let pseudo = ":method".len()
        + "GET".len()
        + ":scheme".len()
        + "https".len()
        + ":authority".len()
        + "example.org".len()
        + ":path".len()
        + "/".len();
    let room = 9_000 - pseudo - 4 * 32 - "x-large".len() - 32;
    block_on(async {
        let (mut client, _) = connect(&server).await;
        for (length, expected) in [(room, 200), (room + 1, 431)] {
            let answer = ask(
                &mut client,
                request(Method::GET, "/", &[("x-large", &"x".repeat(length))]),
            )
            .await;
            assert_eq!(answer.0.status().as_u16(), expected, "{length}");
        }
    });
}

#[test]
fn many_streams_are_answered_at_once_and_no_more_than_allowed() {
    let server = start();
    block_on(async {
        let (client, _) = connect(&server).await;
        let asked = (0..1000).map(|_| {
            let client = client.clone();
            async move {
                let mut client = client.ready().await.unwrap();
                ask(
                    &mut client,
                    request(Method::GET, "/llms-full.txt", &[("priority", "u=1, i")]),
                )
                .await
                .0
                .status()
                .as_u16()
            }
        });
        let tasks: Vec<_> = asked.map(tokio::spawn).collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 200);
        }
        assert_eq!(client.current_max_send_streams(), 128);
    });
}

#[test]
fn shutdown_says_goaway_and_finishes_what_was_asked() {
    let mut server = start();
    let whole = server
        .live
        .load()
        .get("/llms-full.txt")
        .unwrap()
        .body
        .to_bytes();
    block_on(async {
        let (mut client, connection) = connect(&server).await;
        let (answer, _) = client
            .send_request(request(Method::GET, "/llms-full.txt", &[]), true)
            .unwrap();
        let mut body = answer.await.unwrap().into_body();
        server.stop();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(read(&mut body).await.unwrap(), &whole[..]);
        assert!(client.ready().await.is_err(), "no new stream after GOAWAY");
        drop(body);
        assert!(connection.await.unwrap().is_ok(), "NO_ERROR");
    });
    server.join();
}

#[test]
fn a_reader_that_takes_nothing_is_let_go() {
    let server = start_with(Limits {
        head_time: Duration::from_millis(200),
        idle_time: Duration::from_millis(600),
        ..Limits::default()
    });
    block_on(async {
        let (mut client, connection) = connect(&server).await;
        let (answer, _) = client
            .send_request(request(Method::GET, "/robots.txt", &[]), true)
            .unwrap();
        assert_eq!(answer.await.unwrap().status().as_u16(), 200);
        let begun = Instant::now();
        let _ = connection.await;
        assert!(begun.elapsed() < Duration::from_secs(10));
    });
}

/// A frame of RFC 9113 section 4.1.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// HEADERS that end the stream: GET of a path, by literals without indexing (RFC 7541 section
/// 6.2.2).
pub fn get(stream: u32, path: &str) -> Vec<u8> {
    let literal = |index: u8, text: &str| {
        [&[index, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
    };
    frame(
        1,
        5,
        stream,
        &[
            b"\x82\x86".to_vec(),
            literal(4, path),
            literal(1, "example.org"),
        ]
        .concat(),
    )
}

/// A connection whose preface was sent.
pub fn raw(server: &Server) -> TcpStream {
    let mut socket = server.connect();
    socket.set_nodelay(true).unwrap();
    socket
        .write_all(
            &[
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
                frame(4, 0, 0, &[]),
                frame(4, 1, 0, &[]),
            ]
            .concat(),
        )
        .unwrap();
    socket
}

/// Writes the frames of one round after the other, and reads everything. Returns how many rounds
/// could be written until the server closed the connection; `None` if it stayed open after all of
/// them.
fn rounds_until_closed(server: &Server, most: u32, round: impl Fn(u32) -> Vec<u8>) -> Option<u32> {
    let mut socket = raw(server);
    let mut other = socket.try_clone().unwrap();
    let reader = std::thread::spawn(move || {
        loop {
            match other.read(&mut [0; 65536]) {
                Ok(1..) => {}
                Ok(0) => return true,
                Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
            }
        }
    });
    let rounds = (0..most)
        .find(|n| socket.write_all(&round(*n)).is_err() || reader.is_finished())
        .unwrap_or(most);
    reader.join().unwrap().then_some(rounds)
}

#[test]
fn rapid_resets_end_the_connection() {
    let server = start();
    let reset = |stream: u32| frame(3, 0, stream, &8_u32.to_be_bytes());
    // Many at once, which h2 itself ends.
    let rounds = rounds_until_closed(&server, 1_000, |n| {
        (0..100)
            .map(|i| 2 * (100 * n + i) + 1)
            .flat_map(|stream| [get(stream, "/"), reset(stream)].concat())
            .collect()
    });
    assert!(
        rounds.is_some_and(|rounds| rounds < 100),
        "{rounds:?} hundred resets"
    );
    // Each after its answer has begun, which h2 considers normal: no window is left for the body
    // (SETTINGS_INITIAL_WINDOW_SIZE 0).
    let mut socket = raw(&server);
    socket
        .write_all(&frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]))
        .unwrap();
    let mut room = [0; 65536];
    let ended = (0..5_000).find(|n| {
        let stream = 2 * n + 1;
        let answered = socket
            .write_all(&get(stream, "/llms-full.txt"))
            .and_then(|()| socket.read(&mut room));
        !matches!(answered, Ok(1..)) || socket.write_all(&reset(stream)).is_err()
    });
    assert!((200..1_000).contains(&ended.unwrap_or(5_000)), "{ended:?}");
}

#[test]
fn floods_of_frames_that_ask_nothing_end_the_connection() {
    let server = start();
    let floods: [(&str, Vec<u8>); 6] = [
        ("SETTINGS", frame(4, 0, 0, &[])),
        ("PING", frame(6, 0, 0, b"12345678")),
        ("PRIORITY", frame(2, 0, 1, &[0, 0, 0, 0, 16])),
        ("unknown", frame(99, 0, 0, b"x")),
        ("WINDOW_UPDATE", frame(8, 0, 0, &1_u32.to_be_bytes())),
        ("GOAWAY", frame(7, 0, 0, &[0; 8])),
    ];
    for (name, frames) in floods {
        let rounds = rounds_until_closed(&server, 100_000, |_| frames.repeat(10));
        assert!(rounds.is_some(), "{name}");
    }
    // CONTINUATION without end (CVE-2024-27316): h2 counts these.
    let rounds = rounds_until_closed(&server, 10_000, |n| {
        if n == 0 {
            frame(1, 1, 1, b"\x82\x86")
        } else {
            frame(9, 0, 1, &[0, 1, b'a', 1, b'b'])
        }
    });
    assert!(rounds.is_some(), "CONTINUATION");
    // Good clients are not affected.
    block_on(async {
        let (mut client, _) = connect(&server).await;
        assert_eq!(
            ask(&mut client, request(Method::GET, "/robots.txt", &[]))
                .await
                .0
                .status()
                .as_u16(),
            200
        );
    });
}

#[test]
fn a_client_that_cancels_every_second_stream_is_no_flood() {
    let server = start();
    block_on(async {
        let (mut client, _) = connect(&server).await;
        for n in 0..600 {
            client = client.ready().await.unwrap();
            let (answer, mut stream) = client
                .send_request(request(Method::GET, "/llms-full.txt", &[]), true)
                .unwrap();
            if n % 2 == 0 {
                stream.send_reset(Reason::CANCEL);
            } else {
                let mut answer = answer.await.unwrap();
                read(answer.body_mut()).await.unwrap();
            }
        }
    });
}
