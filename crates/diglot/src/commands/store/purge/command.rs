//! Any other cache: a command that reads addresses, one a line, from its standard input.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};

use crate::failure::reason;

/// Runs a command line of the shell. Its output goes to the messages.
pub(super) fn run(line: &str, urls: &BTreeSet<String>) -> Result<(), String> {
    let failed = |error: &io::Error| format!("cannot run `{line}`: {}", reason(error));
    let mut child = shell(line)
        .stdin(Stdio::piped())
        .stdout(io::stderr())
        .spawn()
        .map_err(|error| failed(&error))?;
    // A command may stop reading early: its exit status says whether it failed.
    if let Some(input) = child.stdin.take() {
        let _ = write(input, urls);
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("`{line}` ended with {status}")),
    }
}

fn write(input: impl Write, urls: &BTreeSet<String>) -> io::Result<()> {
    let mut input = BufWriter::new(input);
    for url in urls {
        writeln!(input, "{url}")?;
    }
    input.flush()
}

fn shell(line: &str) -> Command {
    let (program, flag) = match cfg!(windows) {
        true => ("cmd", "/C"),
        false => ("/bin/sh", "-c"),
    };
    let mut command = Command::new(program);
    command.args([flag, line]);
    command
}
