//! The server over real sockets: the transcripts of the answers once more, the framing of RFC 9112,
//! HTTP/2 by prior knowledge, shutdown, limits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on says so by panicking"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "tests read and write what they made"
)]

mod authority;
mod early;
mod half_closed;
mod http2;
mod limits;
mod preview;
#[cfg(unix)]
mod rows;
mod server;
mod silent;
#[path = "../../../http/tests/contract/site.rs"]
mod site;
#[cfg(unix)]
mod tls;
#[path = "../../../http/tests/contract/transcript.rs"]
mod transcript;

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use diglot::serve::Limits;
use server::{Server, status};

fn start() -> Server {
    Server::start(site::edition("https://example.org"))
}

#[test]
fn transcripts_over_a_socket() {
    let server = start();
    for (name, text) in transcript::FILES {
        transcript::run(name, text, |request| server.exchange(request));
    }
}

/// Sends request lines (joined with CRLF, closed by an empty line) and checks the status of the
/// first answer.
fn check(server: &Server, lines: &str, body: &str, expected: u16) {
    let request = format!("{}\r\n\r\n{body}", lines.replace('\n', "\r\n"));
    let answer = server.exchange(request.as_bytes());
    let text = String::from_utf8_lossy(&answer);
    assert_eq!(status(&answer), expected, "{lines}\n{text}");
    if expected >= 400 {
        assert!(
            text.contains("access-control-allow-origin: *")
                && text.contains("x-content-type-options: nosniff"),
            "{lines}\n{text}"
        );
        assert!(
            text.contains("content-signal: ")
                && (expected == 404 || text.contains("cache-control: no-store")),
            "{lines}\n{text}"
        );
    }
}

#[test]
fn broken_framing_is_refused_with_all_header_fields() {
    let server = start();
    let ok = |lines: &str, status| check(&server, lines, "", status);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nConnection: close", 200);
    ok("GET /robots.txt HTTP/1.0", 200);
    ok(
        "GET http://x/robots.txt HTTP/1.1\nHost: x\nConnection: close",
        200,
    );
    ok("GET /robots.txt HTTP/1.1", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nHost: x", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: a b", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nX-Long: one\n two", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nX-Name : value", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nX(Name): value", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nX-Nul: a\0b", 400);
    ok("GET /robots.txt HTTP/9.9\nHost: x", 400);
    ok("this is not HTTP", 400);
    ok("get /robots.txt HTTP/1.1\nHost: x\nConnection: close", 405);
    ok("OPTIONS * HTTP/1.1\nHost: x\nConnection: close", 204);
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: 5\nTransfer-Encoding: chunked",
        "0\r\n\r\n",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nContent-Length: 5",
        "0\r\n\r\n",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: xchunked",
        "",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: 5\nContent-Length: 6",
        "hello!",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: -1",
        "",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked",
        "5\r\nhello\r\n0\r\n\r\n",
        405,
    );
    // A target in absolute form outweighs `Host` (RFC 9112 section 3.2.2); the asterisk is for
    // OPTIONS alone (3.2.4).
    ok(
        "GET http://other.example/robots.txt HTTP/1.1\nHost: x\nConnection: close",
        200,
    );
    ok("GET * HTTP/1.1\nHost: x\nConnection: close", 400);
    // RFC 9110 sections 4.2.4 and 4.2: no user information, and a scheme of HTTP.
    ok("GET http://u:p@x/robots.txt HTTP/1.1\nHost: x", 400);
    ok("GET ftp://x/robots.txt HTTP/1.1\nHost: x", 400);
    // White space before the first field (2.2), in the request line (3), and a CR that does not end
    // a line.
    ok("GET /robots.txt HTTP/1.1\n Host: x", 400);
    ok("GET  /robots.txt HTTP/1.1\nHost: x", 400);
    ok("GET /robots.txt HTTP/1.1\nHost: x\nX-Bare: a\rb", 400);
    // Transfer-Encoding in HTTP/1.0 is faulty framing (6.1), as is one that does not end with
    // chunked (6.3), and a list of lengths.
    check(
        &server,
        "POST / HTTP/1.0\nTransfer-Encoding: chunked",
        "0\r\n\r\n",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked, gzip",
        "0\r\n\r\n",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: 5, 5",
        "hello",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: +5",
        "hello",
        400,
    );
    check(
        &server,
        "POST / HTTP/1.1\nHost: x\nContent-Length: 99999999999999999999999",
        "",
        400,
    );
    // h2c by Upgrade is obsolete (RFC 9113 section 3.1): the field is ignored.
    ok(
        "GET /robots.txt HTTP/1.1\nHost: x\nConnection: upgrade, close\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
        200,
    );
    check(
        &server,
        "GET /robots.txt HTTP/1.1\nHost: x\nExpect: 100-continue\nContent-Length: 5\nConnection: close",
        "hello",
        200,
    );
}

#[test]
fn every_other_method_on_every_path_gets_405() {
    let server = start();
    let targets = [
        "/",
        "/robots.txt",
        "/none",
        "/articles/over.html",
        "/%zz",
        "*",
        "http://x/",
        "/404.html?q",
    ];
    let methods = [
        "POST", "PUT", "DELETE", "PATCH", "TRACE", "PRI", "PROPFIND", "get", "M-SEARCH", "CONNECT",
    ];
    let asked = methods
        .iter()
        .flat_map(|method| targets.map(|target| format!("{method} {target}")));
    for line in asked.chain(
        [
            "CONNECT example.org:443",
            "CONNECT 192.0.2.1:80",
            "CONNECT [::1]:80",
            "CONNECT x",
        ]
        .map(str::to_owned),
    ) {
        let answer = server.exchange(
            format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        let text = String::from_utf8_lossy(&answer);
        assert!(
            status(&answer) == 405 && text.contains("allow: GET, HEAD, OPTIONS\r\n"),
            "{line}: {text}"
        );
    }
    // What follows is not a request: it may be meant for the tunnel.
    let answer = server.exchange(
        b"CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\nGET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    let text = String::from_utf8_lossy(&answer);
    assert!(
        status(&answer) == 405
            && text.contains("connection: close")
            && text.matches("HTTP/1.1 ").count() == 1,
        "{text}"
    );
}

#[test]
fn heads_that_are_too_large_get_431_and_targets_414() {
    let server = start();
    check(
        &server,
        &format!("GET / HTTP/1.1\nHost: x\nX-Large: {}", "x".repeat(200_000)),
        "",
        431,
    );
    let many: String = (0..2000).map(|n| format!("\nX-{n}: {n}")).collect();
    check(&server, &format!("GET / HTTP/1.1\nHost: x{many}"), "", 431);
    check(
        &server,
        &format!(
            "GET /{} HTTP/1.1\nHost: x\nConnection: close",
            "a".repeat(9_000)
        ),
        "",
        414,
    );
    check(
        &server,
        &format!("GET /{} HTTP/1.1\nHost: x", "a".repeat(90_000)),
        "",
        414,
    );
}

#[test]
fn bytes_without_a_target_are_no_request_however_many_they_are() {
    let server = start();
    for bytes in ["x".repeat(90_000), format!("{} /", "x".repeat(90_000))] {
        let answer = server.exchange(bytes.as_bytes());
        assert_eq!(status(&answer), 400, "{} bytes", bytes.len());
    }
}

#[test]
fn what_cannot_be_read_is_refused_in_the_shortest_form() {
    let answer = start().exchange(b"GET /robots.txt HTTP/9.9\r\n\r\n");
    let text = String::from_utf8_lossy(&answer);
    assert_eq!(status(&answer), 400);
    assert!(
        text.contains("content-type: application/problem+json\r\n"),
        "{text}"
    );
    assert!(text.len() < 2_000, "{text}");
}

#[test]
fn a_refused_head_has_no_body() {
    let server = start();
    let fields = "X: x\r\n".repeat(2_000);
    for request in [
        format!("HEAD / HTTP/1.1\r\nHost: x\r\n{fields}\r\n"),
        format!("HEAD /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(90_000)),
    ] {
        let answer = server.exchange(request.as_bytes());
        let text = String::from_utf8_lossy(&answer);
        assert!(matches!(status(&answer), 414 | 431), "{text}");
        let length = text.find("content-length: ").map(|at| &text[at + 16..]);
        assert!(!length.unwrap().starts_with('0'), "{text}");
        assert!(text.ends_with("\r\n\r\n"), "{text}");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = start();
    let paths = [
        "/robots.txt",
        "/articles/first.md",
        "/none",
        "/status.json",
        "/llms-full.txt",
    ];
    let last = paths.len() - 1;
    let requests: String = (0..)
        .zip(paths)
        .map(|(n, path)| {
            format!(
                "GET {path} HTTP/1.1\r\nHost: x\r\n{}\r\n",
                if n == last {
                    "Connection: close\r\n"
                } else {
                    ""
                }
            )
        })
        .collect();
    let answers = String::from_utf8(server.exchange(requests.as_bytes())).unwrap();
    let statuses: Vec<&str> = answers
        .match_indices("HTTP/1.1 ")
        .map(|(at, _)| &answers[at + 9..at + 12])
        .collect();
    assert_eq!(statuses, ["200", "200", "404", "200", "200"]);
    let at = |words: &str| answers.find(words).unwrap();
    assert!(
        at("/robots.txt ") < at("# /articles/first")
            && at("# /articles/first") < at("/status.json ")
            && at("/status.json ") < at("# Article 0")
    );
}

#[test]
fn a_body_never_becomes_the_next_request() {
    let server = start();
    let smuggled = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n";
    let requests = format!(
        "GET /status.json HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{smuggled}GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        smuggled.len()
    );
    let answers = String::from_utf8(server.exchange(requests.as_bytes())).unwrap();
    assert!(
        answers.contains("/status.json ") && !answers.contains("/robots.txt "),
        "{answers}"
    );
}

#[test]
fn http2_by_prior_knowledge_gives_the_bytes_of_http1() {
    let server = start();
    // Preface, empty SETTINGS, acknowledgement, and HEADERS for GET /status.json (RFC 7541:
    // literals without indexing, no Huffman code).
    let literal = |index: u8, text: &str| {
        [&[index, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
    };
    let block = [
        b"\x82\x86".to_vec(),
        literal(4, "/status.json"),
        literal(1, "example.org"),
    ]
    .concat();
    let frame = |kind: u8, flags: u8, stream: u8, payload: &[u8]| {
        [
            &u32::try_from(payload.len()).unwrap().to_be_bytes()[1..],
            &[kind, flags, 0, 0, 0, stream],
            payload,
        ]
        .concat()
    };
    let request = [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        frame(4, 0, 0, &[]),
        frame(4, 1, 0, &[]),
        frame(1, 5, 1, &block),
    ]
    .concat();
    let mut socket = server.connect();
    socket.write_all(&request).unwrap();
    let expected = server
        .live
        .load()
        .get("/status.json")
        .unwrap()
        .body
        .to_bytes();
    let (mut came, mut room) = (Vec::<u8>::new(), [0; 4096]);
    while !came
        .windows(expected.len())
        .any(|window| window == &*expected)
    {
        let count = socket.read(&mut room).unwrap();
        assert!(count > 0, "closed after {came:?}");
        came.extend(&room[..count]);
    }
}

#[test]
fn shutdown_lets_open_requests_finish() {
    let mut server = start();
    let mut idle = server.connect();
    idle.write_all(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    let mut answer = vec![0; 15];
    idle.read_exact(&mut answer).unwrap();
    // A request of which half has arrived when the server is told to stop.
    let mut open = server.connect();
    open.write_all(b"GET /llms-full.txt HTTP/1.1\r\n").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    server.stop();
    std::thread::sleep(Duration::from_millis(100));
    open.write_all(b"Host: x\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    open.read_to_end(&mut answer).unwrap();
    assert_eq!(status(&answer), 200);
    assert!(answer.ends_with(b"Some text.\n\n"));
    let begun = Instant::now();
    let address = server.address;
    server.join();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "idle connections are not waited for"
    );
    assert!(
        std::net::TcpStream::connect(address).is_err(),
        "nothing listens any more"
    );
}

#[test]
fn slow_heads_and_idle_connections_are_closed() {
    let limits = Limits {
        head_time: Duration::from_millis(300),
        idle_time: Duration::from_millis(600),
        ..Limits::default()
    };
    let server = Server::with(site::edition("https://example.org"), limits);
    let mut silent = server.connect();
    let mut trickle = server.connect();
    let mut idle = server.connect();
    idle.write_all(b"HEAD /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    let begun = Instant::now();
    let mut closed = false;
    while begun.elapsed() < Duration::from_secs(10) && !closed {
        closed = trickle.write_all(b"G").is_err();
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(closed, "one byte at a time holds a connection");
    assert_eq!(
        silent.read(&mut [0; 64]).expect("its end is said"),
        0,
        "a silent connection is closed"
    );
    let mut answer = Vec::new();
    idle.read_to_end(&mut answer).expect("its end is said");
    assert_eq!(status(&answer), 200, "answered, then closed");
}

#[test]
fn a_connection_that_rested_is_answered_again() {
    // Buffers are given back after an eighth of this time.
    let server = Server::with(
        site::edition("https://example.org"),
        Limits {
            head_time: Duration::from_millis(400),
            ..Limits::default()
        },
    );
    let mut open = server.connect();
    for _ in 0..3 {
        // Between requests there may be empty lines.
        open.write_all(b"\r\nHEAD /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n\r\n")
            .unwrap();
        let (mut answer, mut room) = (Vec::new(), [0; 4096]);
        while !answer.ends_with(b"\r\n\r\n") {
            let count = open.read(&mut room).unwrap();
            assert!(count > 0, "the connection was closed");
            answer.extend_from_slice(&room[..count]);
        }
        assert_eq!(status(&answer), 200);
        std::thread::sleep(Duration::from_millis(200));
    }
    server.join();
    assert_eq!(
        open.read(&mut [0; 64]).unwrap(),
        0,
        "a resting connection ends with the server"
    );
}

#[test]
fn a_request_sees_exactly_one_edition() {
    let server = start();
    let other = site::edition("https://other.example");
    let mine = server.live.load_full();
    let editions = [mine, Arc::new(other)];
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for edition in editions.iter().cycle() {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                server.live.store(Arc::clone(edition));
            }
        });
        for _ in 0..300 {
            let answer = server
                .exchange(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            let text = String::from_utf8(answer).unwrap();
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            let digest = diglot_edition::Digest::hash(body.as_bytes()).to_string();
            assert!(head.contains(&format!("etag: \"{digest}\"")), "{head}");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
