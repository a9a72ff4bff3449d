//! The same search every time: a run with a seed must explore what the last run with that seed
//! explored.
//!
//! The fuzzer is guided by which code ran, and how often. Two causes of different code for the same
//! input are removed here: the keys of hash tables, and the distribution of work over a thread
//! pool. (A third, where memory begins, is left to the command that starts the program: byte
//! searches run different code up to the first aligned address.)

use std::sync::Once;

/// Fills a buffer with constant bytes and reports success (getrandom(2)). The standard library asks
/// the C library for the keys of hash tables, and links to this instead.
///
/// # Safety
/// `buffer` is valid for writes of `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller's obligation is that of the C library's function.
    unsafe { buffer.write_bytes(7, length) };
    length.cast_signed()
}

/// Runs a target with all work on this thread.
pub fn same(target: fn(&[u8]), input: &[u8]) {
    static ONE_THREAD: Once = Once::new();
    ONE_THREAD.call_once(|| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .use_current_thread()
            .build_global()
            .expect("the first pool")
    });
    target(input);
}
