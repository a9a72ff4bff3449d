//! What Diglot asks of its allocator: small pages, and of the server's to keep little.

/// Keeps pages of memory small. Making an edition is millions of small pieces, and when the first byte of a page of 2 MiB is touched, the system clears all of it:
/// without such pages a build of 10,000 articles takes a fifth less processor time and a tenth less memory, and none is kept for a few bytes.
///
/// It may be called at any time, before `main` as well: the pages that the allocator takes first are then small too, and the program starts half a millisecond sooner.
#[cfg(target_os = "linux")]
pub extern "C" fn keep_pages_small() {
    // Where the system refuses, it costs more, and nothing else.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// A server lies idle most of the time: what has been free for a second goes back to the system, where [`settle`] looks from time to time. To be called before there is a second thread.
///
/// Without that second, what every answer over HTTP/2 takes and frees would go back each time, and be asked for again: a page fault and 6 µs an answer.
pub(crate) fn keep_little() {
    /// `mi_option_purge_delay` of `mimalloc.h`: the binding has no name for it.
    const PURGE_DELAY: i32 = 15;
    /// In milliseconds.
    const SECOND: std::ffi::c_long = 1_000;
    // SAFETY: the option exists in versions 2 and 3 of mimalloc, and takes any number; setting it is not thread safe, and there is no other thread yet.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, SECOND) };
}

/// Gives back what this thread freed, and what any thread freed more than a second ago. It costs some microseconds.
pub(crate) fn settle() {
    // SAFETY: it may be called by any thread at any time.
    unsafe { libmimalloc_sys::mi_collect(false) };
}

/// Gives back what was freed. A piece that another thread frees than the one that took it waits until that one takes something again; the threads that make
/// editions sleep between them, so each is woken to look.
pub(crate) fn give_back() {
    // SAFETY: it may be called by any thread at any time, and concerns what this thread took and somebody freed.
    let look = || unsafe { libmimalloc_sys::mi_collect(true) };
    rayon::broadcast(|_| look());
    look();
}
