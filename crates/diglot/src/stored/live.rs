//! Keeps a large live edition in files mapped for reading, so that the kernel can reclaim their
//! memory and need not count it as the process's.
//!
//! Bytes are only appended. A range that is no longer used is freed on disk at once, and a file
//! without used ranges is closed. A small edition stays on the heap, and so do bytes that do not
//! fit on a full disk.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use diglot_edition::byte_store::{ByteStore, Heap};

use super::mapped::{Mapped, Open};
use crate::failure::reason;
use crate::terminal;

/// The bytes that stay on the heap: a small edition needs no file.
pub(crate) const SMALL: u64 = 2 << 20;
/// Shorter slices stay on the heap: in a file each would take a page.
const SHORT: usize = 512;
/// The length of a file. A longer slice has its own file.
const FILE: u64 = 64 << 20;

/// A store that uses files beyond a certain total.
#[derive(Debug)]
pub struct LiveFiles {
    folder: PathBuf,
    /// The bytes given so far, counted until they exceed [`SMALL`].
    given: AtomicU64,
    /// Whether a file could not be created or written: from then on everything stays on the heap.
    given_up: AtomicBool,
    /// Files with free room that no thread is writing to: of bodies, and of bytes that are near each
    /// other.
    open: [Mutex<Vec<Open>>; 2],
    all: Mutex<Vec<Weak<Mapped>>>,
}

impl LiveFiles {
    /// A store that creates its files in this folder when they are needed, and the folder too.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        let (given, given_up) = (AtomicU64::new(0), AtomicBool::new(false));
        Self {
            folder: folder.into(),
            given,
            given_up,
            open: Default::default(),
            all: Mutex::default(),
        }
    }

    /// Whether this many bytes belong on the heap.
    fn is_small(&self, length: usize) -> bool {
        // Counted before they are kept: else the threads together could exceed the heap's limit.
        length < SHORT || self.given.fetch_add(length as u64, Ordering::Relaxed) < SMALL
    }

    fn write(&self, bytes: &[u8], near: bool) -> io::Result<Bytes> {
        let length = bytes.len() as u64;
        // The system allows one writer per file at a time, so each thread has its own file. If no
        // more can be made, one of the other kind serves.
        let (mut file, near) = match self.with_room(near, length) {
            Some(file) => (file, near),
            None => match self.new_file(length) {
                Ok(file) => (file, near),
                Err(error) => (self.with_room(!near, length).ok_or(error)?, !near),
            },
        };
        let kept = file.write(bytes)?;
        if file.room() > FILE / 1024 {
            lock(&self.open[usize::from(near)]).push(file);
        }
        Ok(kept)
    }

    /// Takes a file with room for this many bytes.
    fn with_room(&self, near: bool, length: u64) -> Option<Open> {
        let mut open = lock(&self.open[usize::from(near)]);
        let found = open.iter().position(|file| file.room() >= length)?;
        Some(open.swap_remove(found))
    }

    fn new_file(&self, length: u64) -> io::Result<Open> {
        fs::create_dir_all(&self.folder)?;
        let file = Open::new(&self.folder, length.max(FILE))?;
        let mut all = lock(&self.all);
        all.retain(|mapped| mapped.strong_count() > 0);
        all.push(Arc::downgrade(&file.mapped));
        Ok(file)
    }

    fn keep_in_file(&self, parts: &[&[u8]], near: bool) -> Bytes {
        let length = parts.iter().map(|part| part.len()).sum();
        if self.is_small(length) || self.given_up.load(Ordering::Relaxed) {
            return Heap.keep(parts);
        }
        let written = match parts {
            [only] => self.write(only, near),
            _ => self.write(&parts.concat(), near),
        };
        written.unwrap_or_else(|error| {
            if !self.given_up.swap(true, Ordering::Relaxed) {
                let (folder, why) = (self.folder.display(), reason(&error));
                terminal::say(format!("warning: editions are kept in memory, because `{folder}` cannot hold a file: {why}"));
            }
            Heap.keep(parts)
        })
    }

    fn all(&self) -> Vec<Arc<Mapped>> {
        lock(&self.all).iter().filter_map(Weak::upgrade).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ByteStore for LiveFiles {
    fn keep(&self, parts: &[&[u8]]) -> Bytes {
        self.keep_in_file(parts, false)
    }

    fn keep_near(&self, parts: &[&[u8]]) -> Bytes {
        self.keep_in_file(parts, true)
    }

    fn release_mirrored(&self) {
        for mapped in self.all() {
            mapped.release_mirrored();
        }
    }
}

#[cfg(test)]
mod tests;
