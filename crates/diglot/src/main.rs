//! The `diglot` command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A build allocates millions of small pieces on one thread and frees them on another: with the C
/// library's allocator that takes a quarter of all processor time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    keep_pages_small();
    diglot::run(std::env::args_os())
}

/// Keeps pages of memory small. When the first byte of a page of 2 MiB is touched, the system
/// clears all of it: without such pages a build of 10,000 articles takes a fifth less processor
/// time and a tenth less memory.
fn keep_pages_small() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, it costs more, and nothing else.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
    }
}
