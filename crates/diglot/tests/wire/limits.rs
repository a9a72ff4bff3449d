//! The limits that concern connections as a whole.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use diglot::serve::Limits;

use crate::server::{Server, status};
use crate::site;

fn start(limits: Limits) -> Server {
    Server::with(site::edition("https://example.org"), limits)
}

const REQUEST: &[u8] = b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n";

/// Reads until the head of one answer is there.
fn answered(socket: &mut TcpStream) -> String {
    let (mut came, mut room) = (Vec::new(), [0; 4096]);
    while !came.windows(4).any(|window| window == b"\r\n\r\n") {
        match socket.read(&mut room) {
            Ok(count @ 1..) => came.extend_from_slice(&room[..count]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&came).into_owned()
}

#[test]
fn a_connection_has_so_many_requests() {
    let server = start(Limits { requests_per_connection: 3, ..Limits::default() });
    let answers = String::from_utf8(server.exchange(&REQUEST.repeat(5))).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "{answers}");
    assert_eq!(answers.matches("connection: close").count(), 1, "{answers}");
    assert!(answers.rfind("HTTP/1.1 200") < answers.find("connection: close"), "the last one says so");
}

#[test]
fn a_target_may_be_so_long() {
    let server = start(Limits { target_bytes: 100, ..Limits::default() });
    let ask = |length: usize| server.exchange(format!("GET /{} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "a".repeat(length - 1)).as_bytes());
    assert_eq!((status(&ask(100)), status(&ask(101))), (404, 414));
}

#[test]
fn when_there_is_no_room_idle_connections_make_some_and_busy_ones_stay() {
    let server = start(Limits { connections: 2, ..Limits::default() });
    // One lies idle after an answer; the other sends a request so slowly that it is busy all the time.
    let mut idle = server.connect();
    idle.write_all(REQUEST).unwrap();
    assert!(answered(&mut idle).starts_with("HTTP/1.1 200"));
    let mut busy = server.connect();
    busy.write_all(b"GET /llms.txt HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    let begun = Instant::now();
    let mut third = server.connect();
    third.write_all(REQUEST).unwrap();
    third.set_nonblocking(true).unwrap();
    while matches!(third.peek(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock) {
        assert!(begun.elapsed() < Duration::from_secs(8), "nobody made room");
        busy.write_all(b"x").unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    third.set_nonblocking(false).unwrap();
    assert!(answered(&mut third).starts_with("HTTP/1.1 200"));
    assert!(begun.elapsed() >= Duration::from_millis(500), "it had to wait");
    busy.write_all(b"\r\n\r\n").unwrap();
    assert!(answered(&mut busy).starts_with("HTTP/1.1 200"), "what was accepted goes on");
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).unwrap();
}

#[test]
fn hundreds_of_connections_are_held() {
    let server = start(Limits::default());
    let sockets: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut socket = server.connect();
            socket.write_all(REQUEST).unwrap();
            socket
        })
        .collect();
    for mut socket in sockets {
        assert!(answered(&mut socket).starts_with("HTTP/1.1 200"));
    }
}
