//! `diglot mcp` with the client of the official SDK, over a folder and over its live site.

use std::process::Command;

use serde::Deserialize;
use xtask::shell::{self, root};
use xtask::step::{Done, Outcome};
use xtask::tools;

use crate::server::{self, Server};
use crate::sites;

/// The client, pinned. It speaks the versions of 2025 and of 2026.
const NPM: &[&str] = &["@modelcontextprotocol/client@2.4.0"];

#[derive(Deserialize)]
struct Seen {
    calls: usize,
    problems: Vec<String>,
}

/// The step.
///
/// # Errors
/// What is wrong.
pub fn run() -> Outcome {
    let npm = tools::npm("agents", NPM)?;
    let binary = server::build()?;
    let folder = sites::example().path;
    let server = Server::diglot(&binary, &folder, "")?;
    let url = format!("http://{}", server.authority);
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/e2e/agents/mcp.mjs"))
        .arg(&binary)
        .arg(&folder)
        // The same site under the same address, from memory and over HTTP.
        .args([&url, &url])
        .env("JUDGE_NPM", npm);
    let text = shell::text(&mut command)?;
    let seen: Seen = serde_json::from_str(&text)
        .map_err(|error| format!("cannot read what the client says: {error}\n{text}"))?;
    match seen.problems.is_empty() {
        true => Ok(Done::Passed(format!("{} calls", seen.calls))),
        false => Err(seen.problems.join("\n")),
    }
}
