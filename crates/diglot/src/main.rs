//! The `diglot` command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A build allocates millions of small pieces on one thread and frees them on another: with the C library's allocator that takes a quarter of all processor time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    diglot::run(std::env::args_os())
}
