//! slowhttptest, the usual tool for slow attacks, in its four modes at once: slow heads, slow
//! bodies, overlapping ranges, slow readers.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::{self, Server};
use crate::sites;
use crate::wire;
use xtask::shell;
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// The number of connections of each mode, and how many are opened a second.
const CONNECTIONS: [&str; 4] = ["-c", "1000", "-r", "250"];
/// The duration in seconds, and how long slowhttptest's probe waits for an answer before it reports
/// the service as unavailable.
const TIMES: [&str; 4] = ["-l", "20", "-p", "3"];

/// The modes: their names, and slowhttptest's options.
const WAYS: [(&str, &[&str]); 4] = [
    ("slow heads", &["-H", "-i", "5", "-x", "24"]),
    (
        "slow bodies",
        &["-B", "-i", "5", "-s", "8192", "-t", "POST"],
    ),
    (
        "overlapping ranges",
        &["-R", "-a", "5", "-b", "3000", "-t", "HEAD"],
    ),
    (
        "slow readers",
        &[
            "-X", "-n", "3", "-k", "3", "-w", "10", "-y", "20", "-z", "32",
        ],
    ),
];

/// The step.
pub fn run() -> Outcome {
    tools::debian(&["slowhttptest"], &["slowhttptest"])?;
    let server = Server::diglot(&server::build()?, &sites::example().path, "")?;
    let mut attackers = WAYS
        .iter()
        .map(|(_, options)| attack(&server, options))
        .collect::<Result<Vec<_>, _>>()?;
    let (asked, worst) = be_good(&server, &mut attackers)?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for ((name, _), attacker) in WAYS.iter().zip(attackers) {
        let ended = attacker
            .wait_with_output()
            .map_err(|error| format!("slowhttptest: {error}"))?;
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        let looked = |answer: &str| {
            said.lines()
                .filter(|line| line.contains("service available:") && line.contains(answer))
                .count()
        };
        let (up, down) = (looked("YES"), looked("NO"));
        if up == 0 || down > 0 {
            failures.push(format!(
                "{name}: the service was seen {up} times, and not {down} times\n{}",
                shell::tail(&said, 12)
            ));
        }
        rows.push(vec![(*name).to_owned(), up.to_string(), down.to_string()]);
    }
    print!("{}", table(&["attack", "available", "unavailable"], &rows));
    let note = format!(
        "{} attacks at once; {asked} good requests, the slowest took {} ms",
        WAYS.len(),
        worst.as_millis()
    );
    if failures.is_empty() {
        Ok(Done::Passed(note))
    } else {
        Err(failures.join("\n"))
    }
}

fn attack(server: &Server, options: &[&str]) -> Result<Child, String> {
    let mut command = Command::new("slowhttptest");
    command
        .args(CONNECTIONS)
        .args(TIMES)
        .args(options)
        .args(["-u", &format!("http://{}/llms-full.txt", server.authority)]);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(&command)))
}

/// A good client sends requests as long as the attack lasts: every answer is a complete 200.
fn be_good(server: &Server, attackers: &mut [Child]) -> Result<(usize, Duration), String> {
    let (mut asked, mut worst) = (0, Duration::ZERO);
    while attackers
        .iter_mut()
        .any(|attacker| matches!(attacker.try_wait(), Ok(None)))
    {
        let start = Instant::now();
        let answer = wire::ask("GET", &server.authority, "/", &[])?;
        if answer.status != 200 || !answer.body.ends_with(b"</html>\n") {
            return Err(format!(
                "a good client was answered {} and {} bytes",
                answer.status,
                answer.body.len()
            ));
        }
        worst = worst.max(start.elapsed());
        asked += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((asked, worst))
}
