//! Bad clients: slow, half open, truncated, garbled, too large, too many, and requesting private
//! files.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::ledger::{Ledger, Wrong};
use super::site::CANARY;
use crate::random::Random;

/// How long a bad client waits for an answer.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How many half-open connections one client keeps.
const HELD: usize = 150;

/// Requests that must not get a 200, and must not desynchronise their connection.
const BROKEN: [&str; 12] = [
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\0c\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
    "CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%00%2e%2e%2f%ff%zz HTTP/1.1\r\nHost: a\r\n\r\n",
];

/// Paths where nothing may be found. The last ones contain the canary themselves, so their answers
/// may contain it.
const FORBIDDEN: [&str; 12] = [
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/articles/..%5c..%5cdiglot.toml",
    "/diglot.toml",
    "/.env",
    "/.git/config",
    "/.git/HEAD",
    "/theme/home.html",
    "/articles/zzcanary-draft.html",
    "/articles/zzcanary-later.md",
    "/articles/.zzcanary-hidden.md",
];

/// Runs one client until the phase is over.
pub fn client(ledger: &Ledger, authority: &str, seed: u64) {
    super::be_modest();
    let mut random = Random::seeded(seed);
    let mut held = Vec::new();
    while !ledger.is_over() {
        ledger.bad.fetch_add(1, Relaxed);
        // Errors of bad clients are ignored; a refused connection shows in the good clients.
        let _ = one(ledger, authority, &mut random, &mut held);
        ledger.rest(Duration::from_millis(random.below(15) as u64));
    }
}

fn one(
    ledger: &Ledger,
    authority: &str,
    random: &mut Random,
    held: &mut Vec<TcpStream>,
) -> io::Result<()> {
    let mut socket = TcpStream::connect(authority)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    match random.below(14) {
        0 => {
            let garbage: Vec<u8> = (0..random.below(5000))
                .map(|_| random.next().to_le_bytes()[0])
                .collect();
            socket.write_all(&garbage)?;
            answered(ledger, "garbage", &mut socket)
        }
        1 => {
            let fields = format!(
                "X-{}: {}\r\n",
                random.below(100),
                "y".repeat(random.below(2000))
            )
            .repeat(random.below(200));
            socket.write_all(format!("GET / HTTP/1.1\r\nHost: a\r\n{fields}\r\n").as_bytes())?;
            answered(ledger, "large head", &mut socket)
        }
        2 => {
            socket.write_all(
                format!(
                    "GET /{} HTTP/1.1\r\nHost: a\r\n\r\n",
                    "x/".repeat(random.below(60_000))
                )
                .as_bytes(),
            )?;
            answered(ledger, "long target", &mut socket)
        }
        3 | 4 => {
            let request = random.one(&BROKEN).copied().unwrap_or_default();
            socket.write_all(request.as_bytes())?;
            refused(ledger, request, &mut socket)
        }
        5 | 6 => {
            let path = random.one(&FORBIDDEN).copied().unwrap_or_default();
            socket.write_all(
                format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").as_bytes(),
            )?;
            refused(ledger, path, &mut socket)
        }
        7 => half_open(socket, random, held),
        8 => slow_reader(ledger, socket, random),
        9 => {
            // Closing with unread bytes makes the system send a reset in the middle of the answer.
            socket.write_all(b"GET /llms-full.txt HTTP/1.1\r\nHost: a\r\n\r\n")?;
            socket.read_exact(&mut [0; 100])
        }
        10 => {
            let many =
                "GET /articles/stable-0.md HTTP/1.1\r\nHost: a\r\n\r\n".repeat(random.below(200));
            socket.write_all(many.as_bytes())?;
            socket.read_exact(&mut vec![0; random.below(100_000)])
        }
        _ => http2(ledger, socket, random),
    }
}

/// Reads the answer up to a limit and searches it for canaries.
fn answered(ledger: &Ledger, what: &str, socket: &mut TcpStream) -> io::Result<()> {
    let mut answer = Vec::new();
    let ended = Read::by_ref(socket).take(1 << 20).read_to_end(&mut answer);
    ledger.search(what, &answer);
    ended.map(drop)
}

/// Checks that a broken or forbidden request gets no 200.
fn refused(ledger: &Ledger, what: &str, socket: &mut TcpStream) -> io::Result<()> {
    let mut answer = Vec::new();
    let ended = Read::by_ref(socket).take(1 << 20).read_to_end(&mut answer);
    if answer.starts_with(b"HTTP/1.1 2") {
        ledger.complain(Wrong::Answer, || {
            format!(
                "{what:?} was answered: {}",
                String::from_utf8_lossy(&answer[..answer.len().min(200)])
            )
        });
    }
    if !what.contains(CANARY) {
        ledger.search(what, &answer);
    }
    ended.map(drop)
}

/// Sends a head that does not end, and keeps the connection until there are too many.
fn half_open(
    mut socket: TcpStream,
    random: &mut Random,
    held: &mut Vec<TcpStream>,
) -> io::Result<()> {
    if random.chance(0.7) {
        socket.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")?;
    }
    if held.len() >= HELD {
        held.swap_remove(random.below(HELD));
    }
    held.push(socket);
    // The others send one more byte, so that they are not idle.
    held.retain_mut(|socket| socket.write_all(b"y").is_ok());
    Ok(())
}

/// Reads a large answer in small pieces.
fn slow_reader(ledger: &Ledger, mut socket: TcpStream, random: &mut Random) -> io::Result<()> {
    socket.write_all(b"GET /llms-full.txt HTTP/1.1\r\nHost: a\r\n\r\n")?;
    for _ in 0..random.below(40) {
        let mut bite = [0; 512];
        let count = socket.read(&mut bite)?;
        ledger.search("slow", &bite[..count]);
        ledger.rest(Duration::from_millis(50));
        if ledger.is_over() {
            break;
        }
    }
    Ok(())
}

/// Abuse of HTTP/2: floods, resets, endless heads, windows that are never opened.
fn http2(ledger: &Ledger, mut socket: TcpStream, random: &mut Random) -> io::Result<()> {
    socket.write_all(
        &[
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            frame(4, 0, 0, &[]),
            frame(4, 1, 0, &[]),
        ]
        .concat(),
    )?;
    let kind = random.below(8);
    let begun = Instant::now();
    for round in 0..400_u32 {
        let stream = 2 * round + 1;
        let bytes = match kind {
            0 | 1 => [get(stream), frame(3, 0, stream, &8_u32.to_be_bytes())]
                .concat()
                .repeat(4),
            2 => frame(4, 0, 0, &[]).repeat(20),
            3 => frame(6, 0, 0, b"12345678").repeat(20),
            4 if round == 0 => frame(1, 1, 1, b"\x82\x86"),
            4 => frame(9, 0, 1, &[0, 1, b'a', 1, b'b']),
            5 if round == 0 => frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]),
            5 => get(stream),
            6 => (0..random.below(300))
                .map(|_| random.next().to_le_bytes()[0])
                .collect(),
            _ => frame(
                random.next().to_le_bytes()[0],
                random.next().to_le_bytes()[0],
                stream,
                b"abcdefgh",
            ),
        };
        socket.write_all(&bytes)?;
        if ledger.is_over() || begun.elapsed() > PATIENCE {
            break;
        }
    }
    answered(ledger, "HTTP/2", &mut socket)
}

/// A frame of RFC 9113 section 4.1.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// HEADERS that end the stream: `GET /` by RFC 7541.
fn get(stream: u32) -> Vec<u8> {
    frame(1, 5, stream, b"\x82\x86\x84\x01\x01a")
}
