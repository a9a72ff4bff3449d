//! The server's metrics, parsed by Prometheus' own library.

use std::process::Command;

use crate::server::{self, Server};
use crate::{sites, wire};
use xtask::shell::{self, root, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

/// The requests: what, by which client, and in which coding.
const ASKED: &[(&str, &str, &str, &str)] = &[
    (
        "GET",
        "/",
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "br, gzip",
    ),
    (
        "GET",
        "/",
        "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "gzip",
    ),
    (
        "HEAD",
        "/rss.xml",
        "Feedly/1.0 (+http://www.feedly.com/fetcher.html)",
        "identity",
    ),
    ("GET", "/llms.txt", "ClaudeBot/1.0", "zstd"),
    ("GET", "/nothing-here\"{}\\", "curl/8.5.0", ""),
    ("POST", "/", "x\u{e9}\"\\", "*"),
];

/// The step.
pub fn run() -> Outcome {
    let python = tools::python("numbers", &["prometheus_client==0.26.0"])?.join("python");
    let binary = server::build()?;
    let folder = scratch("numbers")?;
    let (authority, admin) = (
        format!("127.0.0.1:{}", server::free_port()?),
        format!("127.0.0.1:{}", server::free_port()?),
    );
    let mut command = Command::new(&binary);
    command.arg("serve").arg(sites::example().path).args([
        "--listen",
        &authority,
        "--admin",
        &admin,
        "--no-watch",
        "--no-state",
    ]);
    let server = Server::start(&mut command, authority, "/")?;
    // The readiness probe has already sent one request.
    let before = requests(&text(&admin)?);
    for (method, path, agent, coding) in ASKED {
        wire::ask(
            method,
            &server.authority,
            path,
            &[("user-agent", agent), ("accept-encoding", coding)],
        )?;
    }
    let metrics = folder.join("metrics.txt");
    let said = text(&admin)?;
    std::fs::write(&metrics, &said).map_err(|error| error.to_string())?;
    let expected = before + ASKED.len();
    let judged = shell::text(
        Command::new(python)
            .arg(root().join("tests/e2e/numbers/metrics.py"))
            .arg(&metrics)
            .arg(expected.to_string()),
    )?;
    Ok(Done::Passed(judged.trim().to_owned()))
}

fn text(admin: &str) -> Result<String, String> {
    let answer = wire::ask("GET", admin, "/metrics", &[])?;
    String::from_utf8(answer.body).map_err(|error| error.to_string())
}

/// The number of requests counted so far.
fn requests(metrics: &str) -> usize {
    let samples = metrics
        .lines()
        .filter(|line| line.starts_with("diglot_requests_total{"));
    samples
        .filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok())
        .sum()
}
