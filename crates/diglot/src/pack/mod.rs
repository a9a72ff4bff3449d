//! Where a large edition lies: files of the server's own, mapped for reading, so that the kernel can take their memory back and need not count it as the process's.
//!
//! What is kept is written once at a place of its own, and then only read; when the last clone of it is gone the place is given to something else. A small edition
//! stays on the heap, and so does whatever a full disk has no room for.
//!
//! # Soundness
//!
//! A mapped slice is as good as any other while three things hold. *Nobody writes where somebody reads:* only `Inner::write` writes, at a place that
//! `Room` has just handed out, and a place comes back only when the `Kept` that stood for it is dropped, which [`Bytes`] does after its last clone.
//! *Nobody else writes, and nobody makes a file shorter:* a file is made without a name (`O_TMPFILE`, mode 0600; where the file system has no such files it has a random name for as long as two
//! system calls take), so no path leads to it, and nothing that looks through the state folder (a copy, a cleaner, another Diglot) finds it. What is left is
//! `/proc/PID/fd`, which is open to the same user alone, and to nobody by accident: who goes there can as well stop this process or replace its program. A sealed memory file
//! (`memfd_create`) would shut that door too, but its pages are memory of the process and cannot go back to a disk, which is what a pack is for.
//! *A file is never shorter than its mapping:* this process only ever makes it longer, and maps it after that. What is left is a disk that fails while a page is
//! read: then the system ends the process (SIGBUS), as it does when swapped memory cannot be read.

mod room;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use diglot_edition::Store;
use diglot_edition::store::in_memory;
use memmap2::{MmapOptions, MmapRaw};

use crate::failure::reason;
use crate::report;
use room::Room;

/// How much stays on the heap: a small edition needs no file.
pub(crate) const SMALL: u64 = 2 << 20;
/// What is shorter stays on the heap: the account of it would cost as much.
const SHORT: usize = 256;
/// So many files there are, for threads to write side by side: the system lets one thread at a time write to a file, and others wait for it, though it may be one that makes
/// codings and has to wait itself.
const FILES: usize = 8;
/// How much of a file is mapped at once.
const SEGMENT: u64 = 64 << 20;

/// A store in files, from a certain size on. Cloning is cheap; clones share it.
#[derive(Clone, Debug)]
pub struct Pack {
    dir: PathBuf,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How much was given to be kept, until it is more than stays on the heap.
    given: AtomicU64,
    /// Whether no file could be made, or one not be written: all is on the heap from then on.
    given_up: AtomicBool,
    files: [Mutex<Option<Arc<Inner>>>; FILES],
}

/// One file.
#[derive(Debug)]
struct Inner {
    file: File,
    /// Every part that is mapped, by where it begins, and what is free in them.
    room: Mutex<Room<Arc<MmapRaw>>>,
}

/// A place in a file with what was written there.
#[derive(Debug)]
struct Kept {
    inner: Arc<Inner>,
    segment: Arc<MmapRaw>,
    /// Where it begins in its segment.
    offset: u32,
    length: u32,
}

impl Pack {
    /// A store whose files are made in this folder once they are needed. The folder is made, too.
    pub fn in_folder(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), state: Arc::default() }
    }

    /// How many bytes of the files are in use.
    pub fn used(&self) -> u64 {
        self.state.all().iter().map(|inner| inner.room().used()).sum()
    }

    /// This thread's file, made now unless it is there; another's, where no more can be made.
    fn inner(&self) -> io::Result<Arc<Inner>> {
        let mut inner = self.state.inner();
        if let Some(inner) = &*inner {
            return Ok(Arc::clone(inner));
        }
        match fs::create_dir_all(&self.dir).and_then(|()| file_without_name(&self.dir)) {
            Ok(file) => Ok(Arc::clone(inner.insert(Arc::new(Inner::new(file))))),
            Err(error) => {
                drop(inner);
                self.state.all().pop().ok_or(error)
            }
        }
    }

    /// The same bytes from a file; `None` where they belong, or have to stay, on the heap.
    fn in_file(&self, parts: &[&[u8]]) -> Option<Bytes> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let state = &self.state;
        // Counted at once, not when it is kept: else as much as there are threads would stay on the heap beyond the limit.
        let small = length < SHORT || state.given.fetch_add(length as u64, Ordering::Relaxed) < SMALL;
        if small || state.given_up.load(Ordering::Relaxed) {
            return None;
        }
        match self.inner().and_then(|inner| inner.write(parts)) {
            Ok(kept) => return Some(Bytes::from_owner(kept)),
            Err(error) if !state.given_up.swap(true, Ordering::Relaxed) => report::say(format!(
                "warning: all that is made is kept in memory, since `{}` takes no file for it: {}",
                self.dir.display(),
                reason(&error)
            )),
            Err(_) => {}
        }
        None
    }
}

/// A file that only this process can reach.
fn file_without_name(dir: &Path) -> io::Result<File> {
    tempfile::tempfile_in(dir)
}

impl State {
    /// The file to which this thread writes.
    fn inner(&self) -> MutexGuard<'_, Option<Arc<Inner>>> {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed));
        Self::lock(&self.files[NUMBER.with(|number| number % FILES)])
    }

    fn lock(file: &Mutex<Option<Arc<Inner>>>) -> MutexGuard<'_, Option<Arc<Inner>>> {
        file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every file that there is.
    fn all(&self) -> Vec<Arc<Inner>> {
        self.files.iter().filter_map(|file| Self::lock(file).clone()).collect()
    }
}

impl Store for Pack {
    fn keep(&self, bytes: Vec<u8>) -> Bytes {
        self.in_file(&[&bytes]).unwrap_or_else(|| in_memory(bytes))
    }

    fn keep_parts(&self, parts: &[&[u8]]) -> Bytes {
        self.in_file(parts).unwrap_or_else(|| in_memory(parts.concat()))
    }

    fn rest(&self) {
        #[cfg(unix)]
        for inner in self.state.all() {
            // Not while others wait for room.
            let segments = inner.room().segments();
            for segment in segments {
                // SAFETY: the mapping is shared with its file and nobody writes through it: what is read there next is read from the file, the same bytes.
                // Where the system refuses, they stay in memory.
                let _ = unsafe { segment.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
            }
        }
    }
}

impl Inner {
    fn new(file: File) -> Self {
        Self { file, room: Mutex::default() }
    }

    fn room(&self) -> MutexGuard<'_, Room<Arc<MmapRaw>>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes bytes to a place of their own, one part behind the other.
    fn write(self: &Arc<Self>, parts: &[&[u8]]) -> io::Result<Kept> {
        let length = u32::try_from(parts.iter().map(|part| part.len()).sum::<usize>()).map_err(io::Error::other)?;
        let place = self.room().take(u64::from(length), SEGMENT, |start, length| self.map(start, length))?;
        let offset = u32::try_from(place.offset).map_err(io::Error::other)?;
        // From here on the place is given back when this is dropped, also where it cannot be written.
        let kept = Kept { inner: Arc::clone(self), segment: place.segment, offset, length };
        write_at(&self.file, parts, place.start)?;
        Ok(kept)
    }

    /// Makes the file so long, and maps what is new.
    fn map(&self, start: u64, length: u64) -> io::Result<Arc<MmapRaw>> {
        self.file.set_len(start + length)?;
        let length = usize::try_from(length).map_err(io::Error::other)?;
        MmapOptions::new().offset(start).len(length).map_raw_read_only(&self.file).map(Arc::new)
    }
}

#[cfg(unix)]
fn write_at(file: &File, parts: &[&[u8]], mut start: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if parts.len() > 1 {
        let slices: Vec<io::IoSlice<'_>> = parts.iter().map(|part| io::IoSlice::new(part)).collect();
        let length: usize = parts.iter().map(|part| part.len()).sum();
        // What was written in part, or not at all, is written once more, and then the system says why it cannot be.
        if rustix::io::pwritev(file, &slices, start).is_ok_and(|written| written == length) {
            return Ok(());
        }
    }
    for part in parts {
        std::os::unix::fs::FileExt::write_all_at(file, part, start)?;
        start += part.len() as u64;
    }
    Ok(())
}

/// Elsewhere nobody promises that what is written to a file is seen in its mapping.
#[cfg(not(unix))]
fn write_at(_: &File, _: &[&[u8]], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the place lies within its segment, which stays mapped and readable while `self.segment` lives; it was written before `self` came out of
        // `Inner::write`, and nobody writes there before `self` is dropped (see above: soundness).
        unsafe { std::slice::from_raw_parts(self.segment.as_ptr().add(self.offset as usize), self.length as usize) }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.inner.room().give_back(&self.segment, u64::from(self.offset), u64::from(self.length));
    }
}

#[cfg(test)]
mod tests;
