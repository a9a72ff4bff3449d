//! The limits that concern connections as a whole.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use diglot::serve::{Limits, Proxies, Setup};

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
    let server = start(Limits {
        requests_per_connection: 3,
        ..Limits::default()
    });
    let answers = String::from_utf8(server.exchange(&REQUEST.repeat(5))).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "{answers}");
    assert_eq!(answers.matches("connection: close").count(), 1, "{answers}");
    assert!(
        answers.rfind("HTTP/1.1 200") < answers.find("connection: close"),
        "the last one says so"
    );
}

#[test]
fn a_target_may_be_so_long() {
    let server = start(Limits {
        target_bytes: 100,
        ..Limits::default()
    });
    let ask = |length: usize| {
        server.exchange(
            format!(
                "GET /{} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "a".repeat(length - 1)
            )
            .as_bytes(),
        )
    };
    assert_eq!((status(&ask(100)), status(&ask(101))), (404, 414));
}

#[test]
fn a_head_may_be_so_large_however_it_comes() {
    const MOST: usize = 9_000;
    let server = start(Limits {
        head_bytes: MOST,
        ..Limits::default()
    });
    let head = |length: usize| {
        let (begun, end) = (
            "GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: ",
            "\r\n\r\n",
        );
        format!(
            "{begun}{}{end}",
            "x".repeat(length - begun.len() - end.len())
        )
        .into_bytes()
    };
    let ask = |bytes: &[u8], size: usize| {
        let mut socket = server.connect();
        socket.set_nodelay(true).unwrap();
        // After a refusal the server reads on for a while.
        bytes
            .chunks(size)
            .for_each(|piece| socket.write_all(piece).unwrap());
        let mut answers = Vec::new();
        socket.read_to_end(&mut answers).unwrap();
        String::from_utf8_lossy(&answers)
            .matches("HTTP/1.1 ")
            .count()
            .checked_sub(1)
            .map(|last| {
                let text = String::from_utf8_lossy(&answers).into_owned();
                status(
                    text.match_indices("HTTP/1.1 ")
                        .nth(last)
                        .map(|(at, _)| &text.as_bytes()[at..])
                        .unwrap(),
                )
            })
    };
    for (length, expected) in [
        (MOST - 1, 200),
        (MOST, 200),
        (MOST + 1, 431),
        (MOST + 500, 431),
        (48_000, 431),
        (200_000, 431),
    ] {
        for size in [1, 700, 4_096, usize::MAX] {
            // Single bytes are sent only close to the limit.
            if size > 1 || length.abs_diff(MOST) <= 1 {
                assert_eq!(
                    ask(&head(length), size),
                    Some(expected),
                    "{length} bytes in pieces of {size}"
                );
            }
        }
        let after = [REQUEST.repeat(3), head(length)].concat();
        assert_eq!(
            ask(&after, usize::MAX),
            Some(expected),
            "{length} bytes after other requests"
        );
    }
}

#[test]
fn when_there_is_no_room_idle_connections_make_some_and_busy_ones_stay() {
    let server = start(Limits {
        connections: 2,
        ..Limits::default()
    });
    // One is idle after an answer; the other sends a request so slowly that it is busy all the
    // time.
    let mut idle = server.connect();
    idle.write_all(REQUEST).unwrap();
    assert!(answered(&mut idle).starts_with("HTTP/1.1 200"));
    let mut busy = server.connect();
    busy.write_all(b"GET /llms.txt HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .unwrap();
    let begun = Instant::now();
    let mut third = server.connect();
    third.write_all(REQUEST).unwrap();
    third.set_nonblocking(true).unwrap();
    while matches!(third.peek(&mut [0]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    {
        assert!(begun.elapsed() < Duration::from_secs(8), "nobody made room");
        busy.write_all(b"x").unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    third.set_nonblocking(false).unwrap();
    assert!(answered(&mut third).starts_with("HTTP/1.1 200"));
    assert!(
        begun.elapsed() >= Duration::from_millis(500),
        "it had to wait"
    );
    busy.write_all(b"\r\n\r\n").unwrap();
    assert!(
        answered(&mut busy).starts_with("HTTP/1.1 200"),
        "what was accepted goes on"
    );
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).unwrap();
}

/// A server that takes this machine for a server in front, and three requests at once from
/// everyone.
fn polite() -> Server {
    let rate_limits =
        diglot::serve::RateLimits::new(Some("1/m".parse().unwrap()), None).map(std::sync::Arc::new);
    Server::over(
        site::edition("https://example.org"),
        Setup {
            rate_limits,
            proxies: Proxies {
                trusted: vec!["127.0.0.0/8".parse().unwrap()],
                ..Proxies::default()
            },
            ..Setup::default()
        },
    )
}

/// The statuses of `count` requests for a path from a client behind the server in front.
fn ask(server: &Server, path: &str, client: &str, agent: &str, count: usize) -> Vec<String> {
    let mut socket = server.connect();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client}\r\nUser-Agent: {agent}\r\nAccept: application/json\r\n\r\n"
    );
    let mut asked = || {
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = answered(&mut socket);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .unwrap()
            .parse()
            .unwrap();
        let mut rest = vec![0; length - body.len()];
        socket.read_exact(&mut rest).unwrap();
        answer += &String::from_utf8_lossy(&rest);
        answer
    };
    (0..count).map(|_| asked()).collect()
}

#[test]
fn who_asks_too_often_is_told_to_wait() {
    let server = polite();
    let refused = |answers: &[String]| {
        answers
            .iter()
            .filter(|answer| answer.starts_with("HTTP/1.1 429"))
            .count()
    };
    let answers = ask(
        &server,
        "/articles/first.html",
        "192.0.2.1",
        "Firefox/1",
        12,
    );
    assert_eq!(refused(&answers), 2);
    let last = answers.last().unwrap();
    assert!(
        last.contains("retry-after: 6")
            && last.contains("cache-control: no-store")
            && last.contains("application/problem+json"),
        "{last}"
    );
    assert!(
        last.contains("access-control-allow-origin: *") && last.contains("Problem 429"),
        "{last}"
    );
    for path in [
        "/rss.xml",
        "/robots.txt",
        "/llms.txt",
        "/status.json",
        "/sitemap.xml",
    ] {
        assert_eq!(
            refused(&ask(&server, path, "192.0.2.1", "Firefox/1", 12)),
            0,
            "{path} is exempt"
        );
    }
    assert_eq!(
        refused(&ask(&server, "/index.md", "192.0.2.2", "Firefox/1", 10)),
        0,
        "another client"
    );
    assert_eq!(
        refused(&ask(&server, "/index.md", "192.0.2.1", "GPTBot/1", 12)),
        2,
        "a bot at the same address has its own share"
    );
    assert_eq!(
        refused(&ask(&server, "/index.md", "127.0.0.1", "Firefox/1", 50)),
        0,
        "this machine is not counted"
    );
    // What a client writes itself, into another field or further left, neither hides it nor uses up
    // the share of another.
    let own = "192.0.2.3\r\nForwarded: for=192.0.2.4\r\nX-Real-IP: 192.0.2.4";
    assert_eq!(
        refused(&ask(&server, "/index.md", own, "Firefox/1", 12)),
        2,
        "another field"
    );
    assert_eq!(
        refused(&ask(
            &server,
            "/index.md",
            "192.0.2.4, 192.0.2.3",
            "Firefox/1",
            1
        )),
        1,
        "further left"
    );
    assert_eq!(
        refused(&ask(&server, "/index.md", "192.0.2.4", "Firefox/1", 10)),
        0,
        "whoever was named has lost nothing"
    );
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
