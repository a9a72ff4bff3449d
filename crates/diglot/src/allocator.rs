//! The allocator, mimalloc, and what Diglot asks of it: small pages, and of the server's to keep little.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

/// The alignment that every type of C's can have: what C's `malloc` gives is aligned so, if it is as long.
const COMMON: usize = 16;

/// mimalloc by its plain functions, as Rust's own allocator calls the C library's. Those that take an alignment look for it in each piece, and take a larger piece
/// wherever they cannot be sure; that is for the few that want more than C promises.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

/// Whether a piece of this length has this alignment anyway (C17, 7.22.3: suitably aligned for any object that fits, of a fundamental alignment).
const fn is_aligned_anyway(align: usize, size: usize) -> bool {
    align <= COMMON && align <= size
}

// SAFETY: mimalloc gives pieces as long as they are asked for, which belong to whoever asked until they are freed, and null where there is no memory; no function of
// it unwinds. Its plain functions keep the promise of C's (see `is_aligned_anyway`), for every other layout it is told the alignment. `mi_free` takes what any of
// them gave, and so does `mi_realloc` where the old piece was aligned anyway or not: it copies as many bytes as both have, into a piece of its own.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: an alignment of a layout is a power of two.
        unsafe { if is_aligned_anyway(align, size) { libmimalloc_sys::mi_malloc(size) } else { libmimalloc_sys::mi_malloc_aligned(size, align) } }
            .cast()
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: as in `alloc`.
        unsafe { if is_aligned_anyway(align, size) { libmimalloc_sys::mi_zalloc(size) } else { libmimalloc_sys::mi_zalloc_aligned(size, align) } }
            .cast()
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, _: Layout) {
        // SAFETY: it came from one of these functions, as whoever calls this promises.
        unsafe { libmimalloc_sys::mi_free(piece.cast::<c_void>()) }
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (piece, align) = (piece.cast::<c_void>(), layout.align());
        // SAFETY: as in `alloc` and `dealloc`.
        unsafe {
            if is_aligned_anyway(align, size) {
                libmimalloc_sys::mi_realloc(piece, size)
            } else {
                libmimalloc_sys::mi_realloc_aligned(piece, size, align)
            }
        }
        .cast()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_alignment_and_keeps_its_bytes() {
        for align in [1, 2, 4, 8, 16, 32, 64, 4096] {
            for size in [1, 3, 8, 15, 16, 24, 40, 48, 100, 288, 1_000, 1_025, 5_000, 70_000, 300_000] {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: pieces are written and read within their lengths, each is freed once, and sizes are not zero.
                unsafe {
                    let zeroed = Allocator.alloc_zeroed(layout);
                    assert!(zeroed.addr().is_multiple_of(align) && (0..size).all(|at| *zeroed.add(at) == 0), "{layout:?}");
                    Allocator.dealloc(zeroed, layout);
                    let mut piece = Allocator.alloc(layout);
                    assert!(piece.addr().is_multiple_of(align), "{layout:?}");
                    piece.write_bytes(7, size);
                    let mut before = size;
                    for size in [size * 2 + 1, size.div_ceil(3), 1] {
                        piece = Allocator.realloc(piece, Layout::from_size_align(before, align).unwrap(), size);
                        assert!(piece.addr().is_multiple_of(align) && (0..size.min(before)).all(|at| *piece.add(at) == 7), "{layout:?} {size}");
                        piece.write_bytes(7, size);
                        before = size;
                    }
                    Allocator.dealloc(piece, Layout::from_size_align(before, align).unwrap());
                }
            }
        }
    }
}
