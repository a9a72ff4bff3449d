//! The same search every time: a run with a seed must explore what the last one with that seed
//! explored.
//!
//! The fuzzer is guided by which code ran, and how often. Two things make other code run for the
//! same input, and have no say here: the keys of hash tables, and which threads of a pool take
//! which work. (A third, where memory begins, is for whoever starts the program: searches of bytes
//! run other code up to the first aligned address.)

use std::sync::Once;

/// Fills a buffer with nothing random at all, and says that it did (getrandom(2)). The standard
/// library asks the C library for the keys of hash tables, and finds this.
///
/// # Safety
/// `buffer` is valid for writes of `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller's promise is the same as that of the C library's function.
    unsafe { buffer.write_bytes(7, length) };
    length.cast_signed()
}

/// Runs a target: all work is this thread's.
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
