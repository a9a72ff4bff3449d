//! Processes that connect for the server, since it may not.
//!
//! The server starts each before it gives up its rights. It starts itself again as a worker, which is
//! confined in its own way, and again whenever the worker dies. When the server ends, the standard
//! input of both does.

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
#[cfg(any(feature = "acme", feature = "store"))]
use std::{
    io,
    process::ExitStatus,
    thread,
    time::{Duration, Instant},
};

use crate::cli;
use crate::failure::Failure;

/// This program with one of its commands.
pub(super) fn command(name: &str) -> Result<Command, Failure> {
    let program = env::current_exe();
    let program = program.map_err(|error| Failure::path("find", Path::new("diglot"), &error))?;
    let mut command = Command::new(program);
    command.arg(name);
    Ok(command)
}

/// Starts such a process, with a pipe to its standard input.
pub(super) fn start(
    mut command: Command,
    args: &cli::Serve,
    output: Stdio,
) -> Result<Child, Failure> {
    if args.no_sandbox {
        command.arg("--no-sandbox");
    }
    // Ctrl-C in a terminal is for the server alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let started = command.stdin(Stdio::piped()).stdout(output).spawn();
    started.map_err(|error| Failure::path("start", Path::new(command.get_program()), &error))
}

/// Starts the worker until one ends for good. The wait before the next doubles from `first` up to
/// `longest`.
///
/// # Errors
/// The system's, if it cannot tell which program this is.
#[cfg(any(feature = "acme", feature = "store"))]
pub(super) fn supervise(
    first: Duration,
    longest: Duration,
    is_for_good: impl Fn(ExitStatus) -> bool,
) -> io::Result<()> {
    let program = env::current_exe()?;
    let mut wait = first;
    loop {
        let begun = Instant::now();
        let mut worker = Command::new(&program);
        worker.args(env::args_os().skip(1)).arg("--worker");
        if worker.status().is_ok_and(&is_for_good) {
            return Ok(());
        }
        if begun.elapsed() > longest {
            wait = first;
        }
        thread::sleep(wait);
        wait = (wait * 2).min(longest);
    }
}
