//! What the server asks of the allocator, mimalloc: small pages, and memory given back. By itself mimalloc looks for what it may give back only where a thread takes or frees
//! something, and the threads of a server sleep most of the time.

/// Keeps pages of memory small. Making an edition is millions of small pieces, and when the first byte of a page of 2 MiB is touched, the system clears all of it:
/// without such pages a build of 10,000 articles takes a fifth less processor time and a tenth less memory.
pub(crate) fn keep_pages_small() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, it costs more, and nothing else.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
    }
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
