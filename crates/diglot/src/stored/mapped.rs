//! Unnamed files, mapped for reading. This is the only module that turns mapped memory into slices.
//!
//! # Soundness
//!
//! A mapped slice is valid while three conditions hold.
//! - *No range in use is written.* Only [`Open::write`] writes, at increasing offsets. A range is
//!   freed when its [`Slice`] is dropped, which [`Bytes`] does after its last clone. Ranges begin
//!   at multiples of [`PAGE`], so that freeing one leaves its neighbours unchanged.
//! - *No other process writes or truncates.* A file has no name (`O_TMPFILE`, mode 0600; on file
//!   systems without it, a random name for the duration of two system calls), so no path leads to
//!   it. The exception is `/proc/PID/fd`, which is open only to the same user, who can replace this
//!   program as well.
//! - *A file is never shorter than its mapping.* Its length is set before it is mapped, and never
//!   changes.
//!
//! One risk remains: if the disk fails while a page is read, the system ends the process (SIGBUS),
//! as it does for unreadable swap.

#![allow(unsafe_code, reason = "the proof is above")]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use memmap2::{MmapOptions, MmapRaw};

/// Common page sizes are multiples of this; freeing less than a whole page of the file system
/// writes zeroes there, outside any slice in use.
const PAGE: u64 = 4096;

/// A file and its mapping.
#[derive(Debug)]
pub(super) struct Mapped {
    file: File,
    map: MmapRaw,
}

/// A file with free room.
#[derive(Debug)]
pub(super) struct Open {
    pub mapped: Arc<Mapped>,
    /// The offset of the next slice.
    end: u64,
}

/// A range of a file, written once.
#[derive(Debug)]
struct Slice {
    mapped: Arc<Mapped>,
    begin: u64,
    length: usize,
}

impl Mapped {
    /// Allows memory that mirrors the file to be reclaimed.
    pub(super) fn release_mirrored(&self) {
        // SAFETY: the mapping is shared with its file and never written through: the next read
        // loads the same bytes from the file. If the system refuses, they stay in memory.
        #[cfg(unix)]
        let _ = unsafe {
            self.map
                .unchecked_advise(memmap2::UncheckedAdvice::DontNeed)
        };
    }

    /// The bytes that it takes on disk.
    #[cfg(all(test, unix))]
    pub(super) fn used(&self) -> u64 {
        use std::os::unix::fs::MetadataExt;
        self.file
            .metadata()
            .map_or(0, |metadata| metadata.blocks() * 512)
    }
}

impl Open {
    /// An unnamed file of this length in this folder. It takes no disk space before it is written.
    pub(super) fn new(folder: &Path, length: u64) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        file.set_len(length)?;
        // Without support for freeing ranges the file would only grow.
        empty(&file, 0, length)?;
        let map = MmapOptions::new()
            .len(usize::try_from(length).map_err(io::Error::other)?)
            .map_raw_read_only(&file)?;
        Ok(Self {
            mapped: Arc::new(Mapped { file, map }),
            end: 0,
        })
    }

    /// How many more bytes can be written.
    pub(super) fn room(&self) -> u64 {
        (self.mapped.map.len() as u64).saturating_sub(self.end)
    }

    /// Appends bytes as a new range; on failure the range is freed again.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<Bytes> {
        let length = bytes.len() as u64;
        if length > self.room() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let slice = Slice {
            mapped: Arc::clone(&self.mapped),
            begin: self.end,
            length: bytes.len(),
        };
        self.end += length.next_multiple_of(PAGE);
        write_at(&self.mapped.file, bytes, slice.begin)?;
        Ok(Bytes::from_owner(slice))
    }
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `Open::write` has checked that the range is within the mapping, which lives as
        // long as `self.mapped`. It was written before `self` was returned, and is not written
        // again before `self` is dropped (see above: soundness).
        unsafe {
            std::slice::from_raw_parts(
                self.mapped.map.as_ptr().add(self.begin as usize),
                self.length,
            )
        }
    }
}

impl Drop for Slice {
    fn drop(&mut self) {
        let length = (self.length as u64)
            .next_multiple_of(PAGE)
            .min(self.mapped.map.len() as u64 - self.begin);
        // If the system refuses, the range is lost until the file is closed.
        let _ = empty(&self.mapped.file, self.begin, length);
    }
}

#[cfg(target_os = "linux")]
fn empty(file: &File, begin: u64, length: u64) -> io::Result<()> {
    use rustix::fs::FallocateFlags;
    if length == 0 {
        return Ok(());
    }
    Ok(rustix::fs::fallocate(
        file,
        FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE,
        begin,
        length,
    )?)
}

#[cfg(not(target_os = "linux"))]
fn empty(_: &File, _: u64, _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], begin: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, begin)
}

/// On other systems a mapping need not show later writes to its file.
#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_what_was_written_and_takes_no_room() {
        let dir = tempfile::tempdir().unwrap();
        let mut open = Open::new(dir.path(), 1 << 20).unwrap();
        let first = open.write(&[1; 5_000]).unwrap();
        assert!(
            open.write(&vec![2; 1 << 20]).is_err(),
            "more than there is room for"
        );
        let used = open.mapped.used();
        let mapped = Arc::into_inner(Open::new(dir.path(), 1 << 20).unwrap().mapped).unwrap();
        // `/dev/full` answers every write like a full disk.
        let file = File::options().write(true).open("/dev/full").unwrap();
        let mut full = Open {
            mapped: Arc::new(Mapped { file, ..mapped }),
            end: 0,
        };
        assert_eq!(
            full.write(&[3; 5_000]).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
        assert_eq!(
            (first.as_ref(), open.mapped.used()),
            (&[1; 5_000][..], used)
        );
    }
}
