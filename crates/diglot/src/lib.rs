//! All input and output around the pure crates: command line, reading, serving, exporting, terminal
//! output.
//!
//! An overview: [`cli`] defines the command line. [`read`] turns a folder into sources, with dates
//! from the sources in [`dates`]: [`git`], [`lock`] and what [`state`] remembers. [`serve`] answers
//! from the live edition, [`watch`] detects changes, [`fill`] computes codings in the background.
//! [`export`] writes an edition as a folder. [`report`] tells what happened to each file,
//! [`terminal`] prints it, [`progress`] shows how far a
//! command is; [`new`] creates a site to start from. [`metrics`],
//! [`admin`] and [`access_log`] show what the server does, [`readers`] counts who reads what. [`polite`] reads other
//! sites, and [`moving`] compares a former one with a folder.
//! [`sandbox`] gives up unneeded rights, [`systemd`] talks to the service manager. [`commands`]
//! combines these modules, [`limits`] has every limit that can be set, and [`failure`] is how each
//! of them ends a command. [`mod@file`] opens every file that is read.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests read and write what they made"
    )
)]

pub mod access_log;
pub mod admin;
pub mod cli;
pub mod commands;
pub mod dates;
pub mod export;
pub mod failure;
pub mod file;
pub mod fill;
pub mod following;
pub mod git;
pub mod limits;
pub mod lock;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod metrics;
pub mod moving;
pub mod new;
pub mod polite;
pub mod progress;
pub mod read;
pub mod readers;
pub mod report;
mod return_memory;
pub mod sandbox;
pub mod serve;
pub mod state;
pub mod stored;
pub mod systemd;
pub mod terminal;
pub mod user_agents;
pub mod watch;

use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::error::ErrorKind;

use failure::{Failure, Status};

/// Runs the command line. Exit status: 0 success, 1 problems in the content, 2 wrong usage, 3
/// a system error, or a fault of this program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match cli::parse(&args) {
        Ok(cli) => cli,
        Err(error) => return unparsed(&error, &args),
    };
    terminal::set_style(cli.color, cli.quiet);
    fail_to_write_long_files();
    terminal::own_panics();
    // The hook has reported the panic. Nothing that it left half done is used.
    let ended = panic::catch_unwind(AssertUnwindSafe(|| commands::run(&cli.command)));
    let ended = ended.unwrap_or_else(|_| Err(Failure::machine("")));
    if let Err(failure) = &ended {
        terminal::failure(failure);
    }
    match ended {
        _ if terminal::is_output_lost() => ExitCode::from(Status::Machine as u8),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.status as u8),
    }
}

/// Prints help, the version, or what is wrong with the command line.
fn unparsed(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if error.use_stderr() && !is_help {
        terminal::set_style(cli::colour(args), false);
        terminal::failure(&cli::failure(error, args));
        return ExitCode::from(Status::Usage as u8);
    }
    // clap knows where to print them.
    let written = error.print();
    if is_help {
        return ExitCode::from(Status::Usage as u8);
    }
    terminal::note_output(written);
    match terminal::is_output_lost() {
        true => ExitCode::from(Status::Machine as u8),
        false => ExitCode::SUCCESS,
    }
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail, so that it is reported. By default
/// the system kills the process without a message.
fn fail_to_write_long_files() {
    #[cfg(target_os = "linux")]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // A handled signal has no other effect (tokio never removes its handler).
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
        {
            let _inside = runtime.enter();
            // If this is refused, nothing changes.
            let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
        }
    }
}
