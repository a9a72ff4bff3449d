//! `bench serve` over TLS: HTTP/2 with a hundred streams, and handshakes. The configurations of
//! other servers are in `servers`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::load::{CORES, Load, Pinned};
use super::race::{self, Entrant, Row};
use super::sample::Small;
use super::servers::{self, Contender};
use super::{Options, report};
use xtask::shell;

/// Requests in one round, over one connection: enough for half a second.
const REQUESTS: usize = 30_000;

/// Measures both, round by round.
pub fn rows(rounds: usize, all: &[Contender], path: &str, bytes: usize) -> Vec<Row> {
    let running: Vec<Entrant> = all.iter().map(Entrant::start).collect();
    running
        .iter()
        .filter_map(|one| one.server.as_ref().ok())
        .for_each(Pinned::settle);
    let entrants: Vec<&Entrant> = running.iter().collect();
    let row = |name, bytes, measure: fn(&Pinned, &str) -> Result<Load, String>| {
        let row = Row {
            name,
            bytes,
            rounds: race::run(rounds, &entrants, |_, server| measure(server, path)),
        };
        row.print();
        row
    };
    vec![
        row("HTTP/2 over TLS, 100 streams", bytes, streams),
        row("TLS 1.3 handshake", 0, handshakes),
    ]
}

/// One HTTP/2 connection with a hundred concurrent requests.
fn streams(server: &Pinned, path: &str) -> Result<Load, String> {
    let mut command = Command::new("taskset");
    command
        .args([
            "-c", CORES[1], "timeout", "60", "h2load", "-t1", "-c1", "-m100", "-n",
        ])
        .arg(REQUESTS.to_string());
    command
        .args(["-H", "accept: text/html"])
        .arg(format!("https://{}{path}", server.authority));
    let before = server.processor();
    let said = shell::text(&mut command)?;
    let used = server.processor().saturating_sub(before);
    if !said.contains(&format!(" {REQUESTS} succeeded")) {
        return Err(format!("{}: {}", server.authority, shell::tail(&said, 10)));
    }
    let rate = said.lines().find_map(|line| {
        line.strip_prefix("finished in ")?
            .split(", ")
            .nth(1)?
            .split(' ')
            .next()?
            .parse()
            .ok()
    });
    Ok(Load {
        micros: used.as_secs_f64() * 1e6 / REQUESTS as f64,
        rate: rate.unwrap_or(0.0),
    })
}

/// New connections one after another, each with a full handshake.
fn handshakes(server: &Pinned, _: &str) -> Result<Load, String> {
    let mut command = Command::new("taskset");
    command.args([
        "-c",
        CORES[1],
        "openssl",
        "s_time",
        "-new",
        "-tls1_3",
        "-time",
        "1",
        "-connect",
        &server.authority,
    ]);
    let before = server.processor();
    let said = shell::text(&mut command)?;
    let used = server.processor().saturating_sub(before);
    let number = |words: &str| {
        said.lines().find_map(|line| {
            line.contains(words)
                .then(|| line.split_whitespace().next()?.parse::<f64>().ok())?
        })
    };
    let count = number(" connections in ")
        .filter(|count| *count >= 1.0)
        .ok_or_else(|| format!("openssl said nothing of connections:\n{said}"))?;
    Ok(Load {
        micros: used.as_secs_f64() * 1e6 / count,
        rate: count,
    })
}

/// The numbers of idle connections: plain ones, and over TLS.
pub const fn counts(options: &Options) -> [usize; 2] {
    if options.quick {
        [500, 200]
    } else {
        [10_000, 2_000]
    }
}

/// The memory of idle connections, a row for each server, and their numbers: plain ones, and over
/// TLS.
pub fn idle_table(
    options: &Options,
    plain: &[Contender],
    secured: &[Contender],
) -> (Vec<Vec<String>>, [usize; 2]) {
    let counts = counts(options);
    // The reason for a failure is printed now, not written to the page.
    let cell = |name: &str, found: Result<usize, String>| match found {
        Ok(bytes) => report::thousands(bytes),
        Err(why) => {
            println!("idle: {name}: {why}");
            "not measured".to_owned()
        }
    };
    let mut lines = Vec::new();
    for one in plain {
        let mut line = vec![
            one.name.to_owned(),
            cell(one.name, idle(one, "plain", counts[0])),
        ];
        let tls = secured.iter().find(|secured| secured.name == one.name);
        for kind in ["HTTP/1.1 over TLS", "HTTP/2 over TLS"] {
            line.push(tls.map_or_else(
                || "–".to_owned(),
                |tls| cell(one.name, idle(tls, kind, counts[1])),
            ));
        }
        println!("idle: {}", line.join("  "));
        lines.push(line);
    }
    (lines, counts)
}

/// How long connections are idle before their memory is measured.
const REST: Duration = Duration::from_secs(4);

/// The anonymous memory that each connection adds to the server after one answered request, in
/// bytes.
///
/// # Errors
/// The server does not start, or does not answer all of them.
pub fn idle(contender: &Contender, kind: &str, count: usize) -> Result<usize, String> {
    let running = Pinned::start(&contender.command, &contender.authority)?;
    running.settle();
    let before = running.anonymous();
    let grown = if kind == "plain" {
        let _held = held(&running.authority, count)?;
        std::thread::sleep(REST);
        running.anonymous()
    } else {
        let mut command = Command::new("taskset");
        command
            .args([
                "-c",
                CORES[1],
                "timeout",
                "30",
                "h2load",
                "-t1",
                "-D9",
                "--rps=0.05",
                "-c",
            ])
            .arg(count.to_string());
        if kind != "HTTP/2 over TLS" {
            command.arg("--h1");
        }
        command
            .arg(format!("https://{}/robots.txt", contender.authority))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut client = command
            .spawn()
            .map_err(|error| format!("cannot run h2load: {error}"))?;
        // The handshakes take some of this time.
        std::thread::sleep(REST * 2);
        let after = running.anonymous();
        if !matches!(client.try_wait(), Ok(None)) {
            return Err("h2load ended too soon".to_owned());
        }
        let _ = client.kill();
        let _ = client.wait();
        after
    };
    Ok(usize::try_from(grown.saturating_sub(before)).unwrap_or(0) / count)
}

/// Opens this many connections, each with one answered request.
fn held(authority: &str, count: usize) -> Result<Vec<TcpStream>, String> {
    let failed = |error: std::io::Error| format!("{authority}: {error}");
    let mut held = Vec::with_capacity(count);
    let mut room = vec![0; 1 << 16];
    for _ in 0..count {
        let mut stream = TcpStream::connect(authority).map_err(failed)?;
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .map_err(failed)?;
        stream
            .write_all(format!("GET /robots.txt HTTP/1.1\r\nHost: {authority}\r\n\r\n").as_bytes())
            .map_err(failed)?;
        if stream.read(&mut room).map_err(failed)? == 0 {
            return Err(format!("it closed connection {} at once", held.len() + 1));
        }
        held.push(stream);
    }
    Ok(held)
}

/// The certificate of the tests, and its key.
fn secrets() -> [PathBuf; 2] {
    ["first.pem", "first.key"].map(|file| {
        shell::root()
            .join("crates/diglot/tests/certificates")
            .join(file)
    })
}

/// `diglot serve` over TLS.
///
/// # Errors
/// There is no free port.
pub fn diglot(binary: &Path, folder: &Path) -> Result<Contender, String> {
    let [certificate, key] = secrets();
    let mut own = servers::diglot(binary, folder)?;
    own.command
        .arg("--tls-cert")
        .arg(&certificate)
        .arg("--tls-key")
        .arg(&key);
    Ok(own)
}

/// The servers that support TLS, with the certificate of the tests, and hyper with a constant
/// answer over TLS.
///
/// # Errors
/// A configuration cannot be written.
pub fn contenders(
    options: &Options,
    small: &Small,
    binary: &Path,
) -> Result<Vec<Contender>, String> {
    let [certificate, key] = secrets();
    let own = diglot(binary, &small.folder)?;
    let mut hyper = servers::hyper(&small.answer)?;
    hyper.command.arg(&certificate).arg(&key);
    let peers = if options.peers {
        servers::of_files(&small.site, &options.place, Some((&certificate, &key)))?
    } else {
        Vec::new()
    };
    Ok([own, hyper].into_iter().chain(peers).collect())
}
