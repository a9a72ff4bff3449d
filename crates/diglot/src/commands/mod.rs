//! The commands; each combines other modules of this crate.

mod acme;
mod audit;
mod build;
mod check;
mod clone;
mod folder;
mod healthcheck;
mod lock;
mod mcp;
mod move_site;
mod readers;
mod serve;
mod since;
mod store;
mod theme;
mod worker;

use clap_complete::Shell;

use crate::cli::{self, Command};
use crate::failure::Failure;
use crate::terminal::{self, Channel};

/// Runs one command.
///
/// # Errors
/// The failure that ends the command, with its exit status.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(args),
        Command::Build(args) => build::run(args),
        Command::Check(args) => check::run(args),
        Command::Lock(args) => lock::run(args),
        Command::New(args) => new(args),
        Command::Theme(args) => theme::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Clone(args) => clone::run(args),
        Command::Move(args) => move_site::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Readers(args) => readers::run(args),
        Command::Healthcheck(args) => healthcheck::run(args),
        Command::Publish(args) => store::publish(args),
        Command::Editions(args) => store::editions(args),
        Command::Rollback(args) => store::rollback(args),
        Command::Diff(args) => store::diff(args),
        Command::Prune(args) => store::prune(args),
        Command::FetchStore(args) => store::fetch(args),
        Command::FetchCertificate(args) => acme::fetch(args),
        Command::Completions { shell } => completions(*shell),
        Command::Version => {
            terminal::print(concat!("diglot ", env!("CARGO_PKG_VERSION")));
            Ok(())
        }
    }
}

/// Prints the completions; what a closed pipe does not take is not printed.
fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::offered(), "diglot", &mut script);
    terminal::print(String::from_utf8_lossy(&script).trim_end());
    Ok(())
}

fn new(args: &cli::New) -> Result<(), Failure> {
    let files = crate::new::make(&args.folder, jiff::Timestamp::now())?;
    let folder = args.folder.display();
    terminal::say(format!("created `{folder}`"));
    let files: String = files
        .iter()
        .map(|file| format!("  {folder}/{file}\n"))
        .collect();
    Channel::Output.say(format!(
        "{files}\nPreview it:\n\n  diglot serve {folder}\n\nThen edit a file: the page updates when you save."
    ));
    Ok(())
}
