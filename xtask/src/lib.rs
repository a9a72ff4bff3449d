//! What the steps of CI share: running other programs, installing pinned tools, and the table at
//! the end.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands for the terminal"
)]

pub mod shell;
pub mod step;
pub mod tools;
