//! The `diglot` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    diglot::run(std::env::args_os())
}
