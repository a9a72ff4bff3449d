//! Clients that close their writing side once they have asked (RFC 9112 section 9.6): each gets its
//! whole answer, and a connection without a request is closed.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use diglot::serve::Limits;
use diglot_edition::{Edition, Parts, Resource, Route};

use crate::server::{Server, status};
use crate::site;

/// How often each exchange is tried: what is lost by chance is lost in a tenth of the tries or
/// more.
const TRIES: usize = 40;
/// More than the buffers of both sockets hold.
const LARGE: usize = 12 << 20;

/// The small edition and one large file.
pub fn edition() -> Edition {
    let small = site::edition("https://example.org");
    let mut parts = Parts::new(Arc::clone(&small.site), Arc::clone(&small.errors));
    let large = Resource::new(
        Route::File("large.bin".into()),
        Bytes::from(vec![b'x'; LARGE]),
        "2024-05-06T07:08:09Z".parse().unwrap(),
    );
    parts.resources = small
        .resources
        .iter()
        .cloned()
        .chain([Arc::new(large)])
        .collect();
    Edition::assemble(parts)
}

/// Sends these pieces, closes the writing side, and reads to the end. Anything but an orderly end
/// is a lost answer.
fn half_closed(mut socket: TcpStream, pieces: &[&[u8]]) -> Vec<u8> {
    socket.set_nodelay(true).unwrap();
    pieces
        .iter()
        .for_each(|piece| socket.write_all(piece).unwrap());
    socket.shutdown(Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    socket
        .read_to_end(&mut answer)
        .unwrap_or_else(|error| panic!("{error} after {} bytes", answer.len()));
    answer
}

/// The status of an answer, of which every byte must have arrived.
fn whole(answer: &[u8]) -> u16 {
    let end = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .expect("a whole head");
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().unwrap());
    assert_eq!(answer.len() - end - 4, length, "{head}");
    status(answer)
}

fn check(server: &Server, pieces: &[&[u8]], expected: u16, tries: usize) {
    for n in 0..tries {
        let answer = half_closed(server.connect(), pieces);
        assert!(
            !answer.is_empty(),
            "nothing came in try {n}: {:?}",
            String::from_utf8_lossy(pieces[0])
        );
        assert_eq!(
            whole(&answer),
            expected,
            "{:?}",
            String::from_utf8_lossy(pieces[0])
        );
    }
}

#[test]
fn a_half_closed_client_gets_its_whole_answer() {
    let server = Server::start(edition());
    let cases: [(&[&[u8]], u16); 12] = [
        (
            &[b"GET /articles/first.html HTTP/1.1\r\nHost: x\r\n\r\n"],
            200,
        ),
        (
            &[b"GET /articles/first.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
            200,
        ),
        (&[b"GET /robots.txt HTTP/1.0\r\n\r\n"], 200),
        (&[b"GET /robots.txt HTTP/1.1\r\n", b"Host: x\r\n\r\n"], 200),
        // The first bytes of HTTP/2's preface.
        (&[b"P", b"OST / HTTP/1.1\r\nHost: x\r\n\r\n"], 405),
        (&[b"GET /none HTTP/1.1\r\nHost: x\r\n\r\n"], 404),
        (
            &[b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"],
            405,
        ),
        (
            &[
                b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
                b"hel",
                b"lo",
            ],
            405,
        ),
        (
            &[
                b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"5\r\nhello\r\n0\r\n\r\n",
            ],
            405,
        ),
        (&[b"this is not HTTP\r\n\r\n"], 400),
        (&[b"GET /robots.txt HTTP/1.1\r\n\r\n"], 400),
        (
            &[b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
            200,
        ),
    ];
    for (pieces, expected) in cases {
        check(&server, pieces, expected, TRIES);
    }
    check(
        &server,
        &[b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n"],
        200,
        5,
    );
    check(
        &server,
        &[
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Large: ",
            &[b'x'; 300_000],
            b"\r\n\r\n",
        ],
        431,
        5,
    );
    check(
        &server,
        &[
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n",
            &vec![b'x'; 3_000_000],
        ],
        405,
        5,
    );
}

#[test]
fn a_half_closed_client_gets_all_that_it_asked_for_at_once() {
    let server = Server::start(edition());
    let requests = b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20);
    for _ in 0..TRIES {
        let answers = half_closed(server.connect(), &[&requests]);
        assert_eq!(
            String::from_utf8_lossy(&answers)
                .matches("HTTP/1.1 200")
                .count(),
            20
        );
    }
}

#[test]
fn a_request_after_a_rest_may_be_the_last() {
    // Buffers are given back after an eighth of this time.
    let server = Server::with(
        edition(),
        Limits {
            head_time: Duration::from_millis(400),
            ..Limits::default()
        },
    );
    for _ in 0..4 {
        let mut socket = server.connect();
        socket
            .write_all(b"HEAD /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(
            whole(&half_closed(
                socket,
                &[b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n"]
            )),
            200
        );
    }
}

#[test]
fn who_leaves_without_asking_is_let_go_at_once() {
    let server = Server::start(edition());
    let begun = Instant::now();
    let cases: [&[&[u8]]; 4] = [
        &[],
        &[b"\r\n"],
        &[b"PRI * HT"],
        &[b"GET / HTTP/1.1\r\nHost: x\r\n"],
    ];
    for pieces in cases {
        assert_eq!(half_closed(server.connect(), pieces), b"", "{pieces:?}");
    }
    // After an answer, too.
    assert_eq!(
        whole(&half_closed(
            server.connect(),
            &[b"HEAD /empty.txt HTTP/1.1\r\nHost: x\r\n\r\n"]
        )),
        200
    );
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "a silent connection has ten seconds"
    );
}
