//! The latency of answers to requests at a fixed rate: each is due at a time that earlier answers
//! cannot delay, and its latency is counted from then. (A client that waits for one answer before
//! it sends the next request never sees a queue: "coordinated omission".)
//!
//! `wrk` sends requests as fast as it gets answers, and `h2load` keeps its rate by timers of whole
//! milliseconds and is itself busy at these rates: the latency it reports is mostly its own. This
//! client sends from one thread that never sleeps.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::load::{CORES, Pinned, answer};
use super::middle::sorted;
use diglot_e2e::random::Random;

/// The number of concurrent requests; a request that finds no free connection waits for one, and
/// that is counted.
const CONNECTIONS: usize = 32;
/// The warm-up that is not counted: caches fill, connections get their thread.
const WARM: Duration = Duration::from_millis(100);
/// The duration of one round of one server.
const LASTING: Duration = Duration::from_millis(500);
/// No answer takes as long as this.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection and its pending request.
struct Line {
    socket: TcpStream,
    /// When the pending request was due, since the start.
    due: Duration,
    /// The number of bytes of its answer still to be read; 0 without a pending request.
    missing: usize,
}

/// The latencies of one server.
pub struct Tail {
    /// Its name.
    pub name: &'static str,
    /// The median, in microseconds.
    pub half: f64,
    /// The 99th percentile, in microseconds.
    pub most: f64,
}

/// The latencies of servers at the same load: 70 % of the capacity of the slowest of them, in
/// requests per second. They alternate in many short rounds: other load on the machine delays a
/// server by milliseconds in some rounds and not in others, and never makes it faster. So each is
/// judged by the quarter of its rounds that were disturbed least.
///
/// # Errors
/// A server does not answer.
pub fn tails(
    rounds: usize,
    servers: &[(&'static str, &Pinned, f64)],
    path: &str,
) -> Result<(f64, Vec<Tail>), String> {
    let rate = servers
        .iter()
        .map(|(_, _, rate)| *rate)
        .fold(f64::INFINITY, f64::min)
        * 0.7;
    let mut found: Vec<Vec<[f64; 2]>> = vec![Vec::new(); servers.len()];
    for round in 0..rounds {
        for turn in 0..servers.len() {
            let at = (turn + round) % servers.len();
            let authority = &servers[at].1.authority;
            let length = answer(authority, path, &[("Accept", "text/html")])?.len();
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nAccept: text/html\r\n\r\n");
            let core = CORES[1].parse().unwrap_or(1);
            let micros = latencies(authority, request.as_bytes(), length, rate, LASTING, core)?;
            let part = |part: f64| {
                micros
                    .get((micros.len() as f64 * part) as usize)
                    .copied()
                    .unwrap_or(f64::NAN)
            };
            found[at].push([part(0.5), part(0.99)]);
        }
    }
    let quarter = |rounds: &[[f64; 2]], which: usize| {
        let values = sorted(rounds.iter().map(|round| round[which]).collect());
        values.get(values.len() / 4).copied().unwrap_or(f64::NAN)
    };
    let tail = |((name, ..), rounds): (&(&'static str, &Pinned, f64), &Vec<[f64; 2]>)| Tail {
        name,
        half: quarter(rounds, 0),
        most: quarter(rounds, 1),
    };
    Ok((rate, servers.iter().zip(&found).map(tail).collect()))
}

/// The latencies of all answers, in microseconds and sorted, when requests arrive at this rate from
/// one core, as from many independent readers (a Poisson process). Every answer has the same
/// length.
///
/// # Errors
/// A connection ends, or nothing arrives for ten seconds.
fn latencies(
    authority: &str,
    request: &[u8],
    length: usize,
    rate: f64,
    lasting: Duration,
    core: usize,
) -> Result<Vec<f64>, String> {
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut cores = CpuSet::new();
            cores.set(core);
            sched_setaffinity(None, &cores).map_err(|error| error.to_string())?;
            ask(authority, request, length, rate, lasting)
                .map_err(|error| format!("http://{authority}: {error}"))
        });
        asking.join().map_err(|_| "the load panicked".to_owned())?
    })
}

fn ask(
    authority: &str,
    request: &[u8],
    length: usize,
    rate: f64,
    lasting: Duration,
) -> std::io::Result<Vec<f64>> {
    let mut lines = Vec::new();
    for _ in 0..CONNECTIONS {
        let socket = TcpStream::connect(authority)?;
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        lines.push(Line {
            socket,
            due: Duration::ZERO,
            missing: 0,
        });
    }
    // The same arrival times for every server.
    let mut random = Random::seeded(1);
    let mut gap = move || Duration::from_secs_f64(-(1.0 - random.unit()).ln() / rate);
    let (mut found, mut free, mut busy) =
        (Vec::new(), (0..CONNECTIONS).collect::<Vec<_>>(), Vec::new());
    let (mut due, mut room) = (gap(), vec![0; 1 << 16]);
    let begun = Instant::now();
    loop {
        let now = begun.elapsed();
        while due <= now.min(lasting) {
            let Some(at) = free.pop() else { break };
            let line = &mut lines[at];
            line.socket.write_all(request)?;
            (line.due, line.missing) = (due, length);
            busy.push(at);
            due += gap();
        }
        if busy.is_empty() {
            if now > lasting {
                break;
            }
            continue;
        }
        if now > lasting + PATIENCE {
            return Err(ErrorKind::TimedOut.into());
        }
        take(&mut lines, &mut busy, &mut free, &mut room, |due| {
            if due > WARM {
                found.push((begun.elapsed().saturating_sub(due)).as_secs_f64() * 1e6);
            }
        })?;
    }
    found.sort_by(f64::total_cmp);
    Ok(found)
}

/// Reads what has arrived, without waiting, and frees the lines whose answer is complete.
fn take(
    lines: &mut [Line],
    busy: &mut Vec<usize>,
    free: &mut Vec<usize>,
    room: &mut [u8],
    mut whole: impl FnMut(Duration),
) -> std::io::Result<()> {
    let ready: Vec<bool> = {
        let mut asked: Vec<PollFd> = busy
            .iter()
            .map(|at| PollFd::from_borrowed_fd(lines[*at].socket.as_fd(), PollFlags::IN))
            .collect();
        poll(
            &mut asked,
            Some(&Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            }),
        )?;
        asked
            .iter()
            .map(|asked| !asked.revents().is_empty())
            .collect()
    };
    let mut ready = ready.into_iter();
    let mut failed = None;
    busy.retain(|at| {
        let line = &mut lines[*at];
        if ready.next() == Some(true) {
            match line.socket.read(room) {
                Ok(0) => failed = Some(ErrorKind::UnexpectedEof.into()),
                Ok(count) => line.missing = line.missing.saturating_sub(count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => failed = Some(error),
            }
        }
        if line.missing == 0 {
            whole(line.due);
            free.push(*at);
        }
        line.missing > 0
    });
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_counted_from_the_moment_its_request_was_due() {
        // Answers each request after 5 ms, one after another, at a rate of 400 requests a second:
        // most of the latency is the queue.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let authority = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            let lock = std::sync::Arc::new(std::sync::Mutex::new(()));
            for socket in listener.incoming().map_while(Result::ok) {
                let (lock, mut socket) = (lock.clone(), socket);
                std::thread::spawn(move || {
                    while socket.read_exact(&mut [0; 4]).is_ok() {
                        let _one = lock.lock();
                        std::thread::sleep(Duration::from_millis(5));
                        let _ = socket.write_all(&[1; 100]);
                    }
                });
            }
        });
        let times = ask(&authority, b"GET\n", 100, 400.0, Duration::from_secs(1)).unwrap();
        assert!(times.len() > 150, "{}", times.len());
        assert!(times.iter().all(|micros| *micros >= 5_000.0));
        assert!(
            times[times.len() / 2] > 50_000.0,
            "{}",
            times[times.len() / 2]
        );
    }
}
