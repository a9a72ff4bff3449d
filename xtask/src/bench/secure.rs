//! `bench serve` over TLS: HTTP/2 with a hundred streams, and handshakes. What other servers need for it stands in `servers`.

use std::path::Path;
use std::process::Command;

use super::load::{CORES, Load, Pinned};
use super::serve::Row;
use super::servers::{self, Contender};
use super::{Options, report};
use crate::shell;

/// Requests in one round, over one connection; enough for half a second.
const REQUESTS: usize = 30_000;

/// Measures both, round by round.
///
/// # Errors
/// `h2load` or `openssl` is missing, or a server does not answer.
pub fn rows(options: &Options, rounds: usize, all: &[Contender], path: &str, bytes: usize) -> Result<Vec<Row>, String> {
    let running = all.iter().map(|one| Pinned::start(&one.command, &one.authority)).collect::<Result<Vec<_>, _>>()?;
    running.iter().for_each(Pinned::settle);
    let mut kinds = vec![
        ("HTTP/2 over TLS, 100 streams", bytes, Vec::new(), streams as fn(&Pinned, &str) -> Result<Load, String>),
        ("TLS 1.3 handshake", 0, Vec::new(), handshakes),
    ];
    for round in 0..rounds {
        for (_, _, loads, measure) in &mut kinds {
            for turn in 0..all.len() {
                let at = (turn + round) % all.len();
                loads.push((at, measure(&running[at], path)?));
            }
        }
    }
    let of = |loads: &[(usize, Load)], at: usize| loads.iter().filter(|(whose, _)| *whose == at).map(|(_, load)| *load).collect();
    let row = |(name, bytes, loads, _): (&'static str, usize, Vec<(usize, Load)>, _)| Row {
        name,
        bytes,
        rounds: all.iter().enumerate().map(|(at, one)| (one.name.to_owned(), of(&loads, at))).collect(),
    };
    let _ = options;
    Ok(kinds.into_iter().map(row).collect())
}

/// One connection of HTTP/2 with a hundred requests under way.
fn streams(server: &Pinned, path: &str) -> Result<Load, String> {
    let mut command = Command::new("taskset");
    command.args(["-c", CORES[1], "timeout", "60", "h2load", "-t1", "-c1", "-m100", "-n"]).arg(REQUESTS.to_string());
    command.args(["-H", "accept: text/html"]).arg(format!("https://{}{path}", server.authority));
    let before = server.processor();
    let said = shell::text(&mut command)?;
    let used = server.processor().saturating_sub(before);
    if !said.contains(&format!(" {REQUESTS} succeeded")) {
        return Err(format!("{}: {}", server.authority, shell::tail(&said, 10)));
    }
    let rate = said.lines().find_map(|line| line.strip_prefix("finished in ")?.split(", ").nth(1)?.split(' ').next()?.parse().ok());
    Ok(Load { micros: used.as_secs_f64() * 1e6 / REQUESTS as f64, rate: rate.unwrap_or(0.0) })
}

/// New connections one after another, each with a whole handshake.
fn handshakes(server: &Pinned, _: &str) -> Result<Load, String> {
    let mut command = Command::new("taskset");
    command.args(["-c", CORES[1], "openssl", "s_time", "-new", "-tls1_3", "-time", "1", "-connect", &server.authority]);
    let before = server.processor();
    let said = shell::text(&mut command)?;
    let used = server.processor().saturating_sub(before);
    let number = |words: &str| said.lines().find_map(|line| line.contains(words).then(|| line.split_whitespace().next()?.parse::<f64>().ok())?);
    let count = number(" connections in ").filter(|count| *count >= 1.0).ok_or_else(|| format!("openssl said nothing of connections:\n{said}"))?;
    Ok(Load { micros: used.as_secs_f64() * 1e6 / count, rate: count })
}

/// The longest that one of a hundred requests took, when every server has the same load: 70 % of what the slower of them can do.
///
/// # Errors
/// `h2load` is missing, or a server does not answer.
pub fn tails(rounds: usize, servers: &[(&str, &Pinned, f64)], path: &str, place: &Path) -> Result<Vec<Vec<String>>, String> {
    const CLIENTS: usize = 32;
    let rate = servers.iter().map(|(_, _, rate)| *rate).fold(f64::INFINITY, f64::min) * 0.7;
    let mut found: Vec<Vec<[f64; 2]>> = vec![Vec::new(); servers.len()];
    for round in 0..rounds {
        for turn in 0..servers.len() {
            let at = (turn + round) % servers.len();
            let log = place.join("latencies");
            let _ = std::fs::remove_file(&log);
            let mut command = Command::new("taskset");
            command.args(["-c", CORES[1], "timeout", "30", "h2load", "--h1", "-t1", "-D2", "-c"]).arg(CLIENTS.to_string());
            command.arg(format!("--rps={:.0}", (rate / CLIENTS as f64).max(1.0))).arg(format!("--log-file={}", log.display()));
            shell::text(command.args(["-H", "accept: text/html"]).arg(format!("http://{}{path}", servers[at].1.authority)))?;
            let text = std::fs::read_to_string(&log).map_err(|error| format!("h2load wrote no log: {error}"))?;
            let mut micros: Vec<f64> = text.lines().filter_map(|line| line.split('\t').nth(2)?.parse().ok()).collect();
            micros.sort_by(f64::total_cmp);
            let part = |part: f64| micros.get((micros.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN);
            found[at].push([part(0.5), part(0.99)]);
        }
    }
    let middle = |rounds: &[[f64; 2]], which: usize| super::serve::median(rounds.iter().map(|round| round[which]).collect());
    let cells = |((name, ..), rounds): (&(&str, &Pinned, f64), &Vec<[f64; 2]>)| {
        vec![(*name).to_owned(), report::thousands(rate as usize), format!("{:.0} µs", middle(rounds, 0)), format!("{:.0} µs", middle(rounds, 1))]
    };
    Ok(servers.iter().zip(&found).map(cells).collect())
}

/// What an idle connection keeps, on which a request is answered every five seconds or so: the anonymous memory of the server that so many more take.
///
/// # Errors
/// `h2load` is missing, or a server does not answer.
pub fn idle(contender: &Contender, kind: &str, count: usize) -> Result<usize, String> {
    let running = Pinned::start(&contender.command, &contender.authority)?;
    running.settle();
    let before = running.anonymous();
    let scheme = if kind == "plain" { "http" } else { "https" };
    let mut command = Command::new("taskset");
    command.args(["-c", CORES[1], "timeout", "30", "h2load", "-t1", "-D9", "--rps=0.1", "-c"]).arg(count.to_string());
    if kind != "HTTP/2 over TLS" {
        command.arg("--h1");
    }
    command.arg(format!("{scheme}://{}/robots.txt", contender.authority));
    let mut client = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run h2load: {error}"))?;
    std::thread::sleep(std::time::Duration::from_secs(7));
    let after = running.anonymous();
    let _ = client.wait();
    Ok(after.saturating_sub(before) as usize / count)
}

/// The servers that speak TLS with the certificate of our tests, and hyper with a constant answer over TLS.
///
/// # Errors
/// A configuration cannot be written.
pub fn contenders(options: &Options, site: &Path, binary: &Path, folder: &Path, answer: &Path) -> Result<Vec<Contender>, String> {
    let certificates = shell::root().join("crates/diglot/tests/certificates");
    let (certificate, key) = (certificates.join("first.pem"), certificates.join("first.key"));
    let mut own = servers::diglot(binary, folder)?;
    own.command.args(["--base-url", "https://example.org", "--tls-cert"]).arg(&certificate).arg("--tls-key").arg(&key);
    let [mut hyper, _] = servers::constant(options, answer)?;
    hyper.command.arg(&certificate).arg(&key);
    let peers = if options.peers { servers::of_files_secured(site, &options.place, &certificate, &key)? } else { Vec::new() };
    Ok([own, hyper].into_iter().chain(peers).collect())
}
