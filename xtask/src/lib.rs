//! Code that the CI steps share: running other programs, installing pinned tools, and the final
//! table.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "commands for the terminal"
)]

pub mod callgrind;
pub mod shell;
pub mod step;
pub mod tools;
