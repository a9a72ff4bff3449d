//! The commands; each combines other modules of this crate.

mod audit;
mod build;
mod check;
mod folder;
mod lock;
mod readers;
mod serve;
mod theme;

use crate::cli::{self, Command};
use crate::failure::Failure;
use crate::report;

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
        Command::Readers(args) => readers::run(args),
    }
}

fn new(args: &cli::New) -> Result<(), Failure> {
    let files = crate::new::make(&args.folder, jiff::Timestamp::now())?;
    let folder = args.folder.display();
    report::say(format!("{folder} is ready"));
    let files: String = files
        .iter()
        .map(|file| format!("  {folder}/{file}\n"))
        .collect();
    report::print(format!(
        "{files}\nLook at it with\n\n  diglot serve {folder}\n\nand change a file while it runs."
    ));
    Ok(())
}
