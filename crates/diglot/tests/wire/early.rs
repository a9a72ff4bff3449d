//! Answers wait for the request's end, within bounds: what a client still sends gives the same
//! result each time. The cases are those of h2spec, which judge what arrives first: an error or an
//! answer.

use std::io::{Read, Write};
use std::time::Duration;

use bytes::Bytes;
use diglot::serve::Limits;
use http::Method;

use crate::http2::{ask, block_on, connect, frame, raw, read, request};
use crate::server::{Server, status};
use crate::site;

/// How often each case is tried.
const TRIES: usize = 100;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn start(limits: Limits) -> Server {
    Server::with(site::edition("https://example.org"), limits)
}

/// HEADERS of a POST on stream 1, with more fields, and with these flags beside END_HEADERS.
fn post(flags: u8, fields: &[u8]) -> Vec<u8> {
    // `:method POST`, `:scheme http`, `:path /`, and `:authority` as a literal (RFC 7541 appendix
    // A, section 6.2.2).
    frame(
        1,
        END_HEADERS | flags,
        1,
        &[b"\x83\x86\x84\x01\x0bexample.org", fields].concat(),
    )
}

/// `content-length: 1`
const LENGTH_1: &[u8] = b"\x0f\x0d\x011";
/// `te: trailers`
const FIELD: &[u8] = b"\0\x02te\x08trailers";

fn data(flags: u8, bytes: &[u8]) -> Vec<u8> {
    frame(0, flags, 1, bytes)
}

/// What arrives first on stream 1, or for the whole connection.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    Answer,
    /// RST_STREAM with this code (RFC 9113 section 7).
    Reset(u32),
    /// GOAWAY with an error, and the end of the connection.
    Closed,
}

/// The name of a case, its frames, and the results that are allowed.
type Case = (&'static str, Vec<Vec<u8>>, &'static [Came]);

/// Sends the frames, and reads until something is decided.
fn came(server: &Server, pieces: &[Vec<u8>]) -> Came {
    let mut socket = raw(server);
    for piece in pieces {
        // The server may have closed by now.
        let _ = socket.write_all(piece);
    }
    loop {
        let mut head = [0; 9];
        socket.read_exact(&mut head).unwrap();
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        socket.read_exact(&mut payload).unwrap();
        match head[3] {
            1 => return Came::Answer,
            3 => return Came::Reset(u32::from_be_bytes(payload[..4].try_into().unwrap())),
            7 => {
                assert_ne!(payload[4..8], [0; 4], "an error");
                socket.read_to_end(&mut payload).unwrap();
                return Came::Closed;
            }
            _ => {}
        }
    }
}

#[test]
fn what_comes_after_the_head_gives_one_result() {
    const PROTOCOL_ERROR: Came = Came::Reset(1);
    const FLOW_CONTROL_ERROR: Came = Came::Reset(3);
    const STREAM_CLOSED: Came = Came::Reset(5);
    let server = start(Limits::default());
    let reset = || frame(3, 0, 1, &8_u32.to_be_bytes());
    let window = || frame(8, 0, 1, &0x7fff_ffff_u32.to_be_bytes());
    let trailers = |flags: u8, fields: &[u8]| frame(1, END_HEADERS | flags, 1, fields);
    let cases: [Case; 12] = [
        // h2 closes the connection if it still knows the stream, which h2spec accepts too.
        (
            "5.1/8: DATA after RST_STREAM",
            vec![post(0, b""), reset(), data(END_STREAM, b"test")],
            &[STREAM_CLOSED, Came::Closed],
        ),
        (
            "5.1/9: HEADERS after RST_STREAM",
            vec![post(0, b""), reset(), post(END_STREAM, b"")],
            &[Came::Closed],
        ),
        (
            "6.9.1/3: a window beyond 2^31-1",
            vec![post(0, b""), window(), window()],
            &[FLOW_CONTROL_ERROR],
        ),
        (
            "8.1/1: HEADERS twice without END_STREAM",
            vec![post(0, b""), trailers(0, FIELD)],
            &[PROTOCOL_ERROR],
        ),
        (
            "8.1/1: the same with DATA between",
            vec![post(0, b""), data(0, b"test"), trailers(0, FIELD)],
            &[PROTOCOL_ERROR],
        ),
        (
            "8.1.2.1/3: a pseudo-field in trailers",
            vec![post(0, b""), data(0, b"test"), trailers(0, b"\x83")],
            &[PROTOCOL_ERROR],
        ),
        (
            "8.1.2.6/1: less than is sent",
            vec![post(0, LENGTH_1), data(END_STREAM, b"test")],
            &[PROTOCOL_ERROR],
        ),
        (
            "8.1.2.6/2: less than is sent in two",
            vec![post(0, LENGTH_1), data(0, b"te"), data(END_STREAM, b"st")],
            &[PROTOCOL_ERROR],
        ),
        (
            "more than is sent",
            vec![post(0, LENGTH_1), data(END_STREAM, b"")],
            &[PROTOCOL_ERROR],
        ),
        (
            "a whole body",
            vec![post(0, LENGTH_1), data(0, b"t"), data(END_STREAM, b"")],
            &[Came::Answer],
        ),
        (
            "a body with trailers",
            vec![
                post(0, LENGTH_1),
                data(0, b"t"),
                trailers(END_STREAM, FIELD),
            ],
            &[Came::Answer],
        ),
        ("no body", vec![post(END_STREAM, b"")], &[Came::Answer]),
    ];
    for (name, frames, expected) in cases {
        for n in 0..TRIES {
            // One by one, and all at once.
            let came = if n % 2 == 0 {
                came(&server, &frames)
            } else {
                came(&server, &[frames.concat()])
            };
            assert!(expected.contains(&came), "{name}: {came:?} in try {n}");
        }
    }
}

#[test]
fn a_stream_that_does_not_end_is_answered_in_time() {
    let server = start(Limits {
        head_time: Duration::from_millis(300),
        ..Limits::default()
    });
    block_on(async {
        let (mut client, _) = connect(&server).await;
        let (answer, mut body) = client
            .send_request(request(Method::GET, "/robots.txt", &[]), false)
            .unwrap();
        assert_eq!(answer.await.unwrap().status().as_u16(), 200);
        let _ = body.send_data(Bytes::from_static(b"words"), false);
        assert_eq!(
            ask(&mut client, request(Method::GET, "/llms.txt", &[]))
                .await
                .0
                .status()
                .as_u16(),
            200
        );
    });
}

#[test]
fn a_body_beyond_the_window_is_not_waited_for() {
    let server = start(Limits {
        head_time: Duration::from_secs(600),
        ..Limits::default()
    });
    block_on(async {
        let (mut client, _) = connect(&server).await;
        let (answer, mut body) = client
            .send_request(request(Method::POST, "/", &[]), false)
            .unwrap();
        body.send_data(Bytes::from(vec![0; 100_000]), false)
            .unwrap();
        let mut answer = answer.await.unwrap();
        assert_eq!(answer.status().as_u16(), 405);
        assert!(!read(answer.body_mut()).await.unwrap().is_empty());
        // All that the window allows, and an end: the server waits for it, whatever else is asked
        // meanwhile.
        let (answer, mut body) = client
            .send_request(request(Method::POST, "/", &[]), false)
            .unwrap();
        body.send_data(Bytes::from(vec![0; 65_535]), false).unwrap();
        assert_eq!(
            ask(&mut client, request(Method::GET, "/llms.txt", &[]))
                .await
                .0
                .status()
                .as_u16(),
            200
        );
        body.send_data(Bytes::new(), true).unwrap();
        assert_eq!(answer.await.unwrap().status().as_u16(), 405);
        // A client that waits to be told whether to send gets the final answer.
        let (answer, _body) = client
            .send_request(
                request(Method::POST, "/", &[("expect", "100-continue")]),
                false,
            )
            .unwrap();
        assert_eq!(answer.await.unwrap().status().as_u16(), 405);
    });
}

/// The answers on one connection of HTTP/1.1: their statuses, and whether the last one says that it
/// is.
fn exchanged(server: &Server, pieces: &[&[u8]]) -> (Vec<u16>, bool) {
    let mut socket = server.connect();
    socket.set_nodelay(true).unwrap();
    for piece in pieces {
        let _ = socket.write_all(piece);
        // Long enough for the server to have read it, on most machines and at most times: the
        // results are the same anyhow.
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut answers = Vec::new();
    socket.read_to_end(&mut answers).unwrap();
    let text = String::from_utf8_lossy(&answers);
    let statuses: Vec<u16> = text
        .match_indices("HTTP/1.1 ")
        .map(|(at, _)| status(&answers[at..]))
        .collect();
    (
        statuses,
        text.rfind("connection: close")
            .is_some_and(|close| text.rfind("HTTP/1.1 ").is_some_and(|last| close > last)),
    )
}

#[test]
fn bodies_of_http1_give_one_result_however_they_come() {
    let server = start(Limits {
        head_time: Duration::from_secs(600),
        ..Limits::default()
    });
    let last: &[u8] = b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let post =
        |fields: &str| format!("POST / HTTP/1.1\r\nHost: x\r\n{fields}\r\n\r\n").into_bytes();
    let (sized, chunked, expecting) = (
        post("Content-Length: 10"),
        post("Transfer-Encoding: chunked"),
        post("Content-Length: 10\r\nExpect: 100-continue"),
    );
    let cases: [(&[&[u8]], &[u16]); 9] = [
        (&[&sized, b"0123456789", last], &[405, 200]),
        (&[&sized, b"01234", b"56789", last], &[405, 200]),
        // The next request arrives with the end of the body.
        (&[&sized, b"01234", &[b"56789", last].concat()], &[405, 200]),
        (&[&chunked, b"5\r\nhello\r\n", b"0\r\n\r\n"], &[405]),
        (&[&chunked, b"x\r\nhello\r\n", b"0\r\n\r\n"], &[400]),
        (&[&expecting], &[405]),
        (&[&expecting, b"0123456789"], &[405]),
        (&[&post("Content-Length: 300000"), &[b'x'; 100_000]], &[405]),
        (
            &[&post("Content-Length: 10\r\nTransfer-Encoding: chunked")],
            &[400],
        ),
    ];
    for (pieces, expected) in cases {
        for _ in 0..20 {
            let request = String::from_utf8_lossy(pieces[0]);
            assert_eq!(
                exchanged(&server, pieces),
                (expected.to_vec(), true),
                "{request}"
            );
        }
    }
}
