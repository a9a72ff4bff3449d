//! The `diglot` command.

use std::process::ExitCode;

/// Building a site is millions of small pieces, made on one thread and given back on another: with the C library's allocator a quarter of all processor time
/// goes there.
#[global_allocator]
static ALLOCATOR: diglot::Allocator = diglot::Allocator;

/// The linker's list of what runs before `main`, and so before the allocator takes its first memory: two pages of 2 MiB, of which hardly anything is used.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: entries of this section are functions of the C library's kind, called once, while there is one thread. This one makes a system call, and
// needs nothing of Rust's runtime, which does not run yet.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = diglot::keep_pages_small;

fn main() -> ExitCode {
    diglot::run(std::env::args_os())
}
