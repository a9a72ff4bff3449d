//! What the server asks of its allocator: to keep little.

/// A server lies idle most of the time. What is freed goes back to the system at once, and pages stay small, so that none of 2 MiB is kept for a few bytes:
/// the example site keeps 8 MB instead of 55, and a build takes a few percent longer. To be called before there is a second thread.
pub(crate) fn keep_little() {
    /// `mi_option_purge_delay` of `mimalloc.h`, in milliseconds: the binding has no name for it.
    const PURGE_DELAY: i32 = 15;
    // Where the system refuses, more memory is held, and nothing else.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    // SAFETY: the option exists in versions 2 and 3 of mimalloc, and takes any number; setting it is not thread safe, and there is no other thread yet.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
}

/// Gives back what was freed. A piece that another thread frees than the one that took it waits until that one takes something again; the threads that make
/// editions sleep between them, so each is woken to look.
pub(crate) fn give_back() {
    // SAFETY: it may be called by any thread at any time, and concerns what this thread took and somebody freed.
    let look = || unsafe { libmimalloc_sys::mi_collect(true) };
    rayon::broadcast(|_| look());
    look();
}
