//! The `diglot` command.

use std::process::ExitCode;

/// Building a site is millions of small pieces, made on one thread and given back on another: with the C library's allocator a quarter of all processor time
/// goes there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    diglot::run(std::env::args_os())
}
