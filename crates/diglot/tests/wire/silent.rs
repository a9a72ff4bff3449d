//! Connections without a request: each is closed in time on any thread, makes room for others, and
//! does not delay a stop.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use diglot::serve::Limits;

use crate::server::{Server, status};
use crate::site;

/// Connections of each kind: enough for every thread of the server to get some.
const EACH: usize = 12;

fn start(limits: Limits) -> Server {
    Server::with(site::edition("https://example.org"), limits)
}

/// Connections of each kind that asks for nothing.
fn silent(server: &Server, count: usize) -> Vec<TcpStream> {
    let said: [&[u8]; 6] = [
        b"",
        b"\r\n",
        b"P",
        b"PRI * HT",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    ];
    let open = |n: usize| {
        let mut socket = server.connect();
        socket
            .write_all(if n < count { b"" } else { said[n % said.len()] })
            .unwrap();
        socket
    };
    (0..2 * count).map(open).collect()
}

/// Reads to the end of a connection. One that sent something may be reset, if that was not read. A
/// timeout is not an end.
fn read_out(mut socket: TcpStream) -> Vec<u8> {
    let mut came = Vec::new();
    match socket.read_to_end(&mut came) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => {
            panic!("the server does not close the connection: {error}")
        }
        _ => came,
    }
}

#[test]
fn a_silent_connection_is_closed_whichever_worker_has_it() {
    let server = start(Limits {
        head_time: Duration::from_millis(400),
        ..Limits::default()
    });
    let begun = Instant::now();
    for socket in silent(&server, EACH) {
        assert!(!read_out(socket).starts_with(b"HTTP/1"));
    }
    // All of them waited at the same time.
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn when_there_is_no_room_silent_connections_make_some() {
    let server = start(Limits {
        connections: 2 * EACH,
        head_time: Duration::from_secs(600),
        ..Limits::default()
    });
    let _held = silent(&server, EACH);
    let answer =
        server.exchange(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&answer), 200);
}

#[test]
fn silent_connections_hold_up_no_stop() {
    let server = start(Limits {
        head_time: Duration::from_secs(600),
        ..Limits::default()
    });
    let held = silent(&server, EACH);
    // All of them are accepted before one that is answered.
    assert_eq!(
        status(
            &server.exchange(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        ),
        200
    );
    let begun = Instant::now();
    server.join();
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "open requests have 30 seconds, and there are none"
    );
    held.into_iter().for_each(|socket| drop(read_out(socket)));
}
