//! Files without a name, mapped for reading. This is the only module that turns mapped memory into
//! slices.
//!
//! # Soundness
//!
//! A mapped slice is as good as any other while three things hold.
//! - *Nobody writes where somebody reads.* Only [`Open::write`] writes, at places that only grow. A
//!   place is emptied when the [`Slice`] that stands for it is dropped, which [`Bytes`] does after
//!   its last clone. Places begin at multiples of [`PAGE`], so that emptying one leaves its
//!   neighbours as they are.
//! - *Nobody else writes, and nobody makes a file shorter.* A file has no name (`O_TMPFILE`, mode
//!   0600; where the file system has no such files it has a random name for as long as two system
//!   calls take), so no path leads to it. What is left is `/proc/PID/fd`, which is open to the same
//!   user alone: who goes there can as well replace this program.
//! - *A file is never shorter than its mapping.* It has its length before it is mapped, and keeps
//!   it.
//!
//! What is left is a disk that fails while a page is read: then the system ends the process
//! (SIGBUS), as it does when swapped memory cannot be read.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use memmap2::{MmapOptions, MmapRaw};

/// The largest page that systems commonly have is a multiple of this; emptying what is not a whole
/// page of the file system writes zeroes there, which nobody reads.
const PAGE: u64 = 4096;

/// A file and its mapping.
#[derive(Debug)]
pub(super) struct Mapped {
    file: File,
    map: MmapRaw,
}

/// A file that still has room.
#[derive(Debug)]
pub(super) struct Open {
    pub mapped: Arc<Mapped>,
    /// Where the next slice begins.
    end: u64,
}

/// Some bytes of a file, written once.
#[derive(Debug)]
struct Slice {
    mapped: Arc<Mapped>,
    begin: u64,
    length: usize,
}

impl Mapped {
    /// Memory that only mirrors the file may go.
    pub(super) fn rest(&self) {
        // SAFETY: the mapping is shared with its file and nobody writes through it: what is read
        // there next is read from the file, the same bytes. Where the system refuses, they stay in
        // memory.
        #[cfg(unix)]
        let _ = unsafe {
            self.map
                .unchecked_advise(memmap2::UncheckedAdvice::DontNeed)
        };
    }

    /// How many bytes of the disk it takes.
    #[cfg(all(test, unix))]
    pub(super) fn used(&self) -> u64 {
        use std::os::unix::fs::MetadataExt;
        self.file
            .metadata()
            .map_or(0, |metadata| metadata.blocks() * 512)
    }
}

impl Open {
    /// A file in this folder, without a name and for so many bytes. It takes none of the disk
    /// before they are written.
    pub(super) fn new(folder: &Path, length: u64) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        file.set_len(length)?;
        // Where places cannot be emptied, the file would only ever grow.
        empty(&file, 0, length)?;
        let map = MmapOptions::new()
            .len(usize::try_from(length).map_err(io::Error::other)?)
            .map_raw_read_only(&file)?;
        Ok(Self {
            mapped: Arc::new(Mapped { file, map }),
            end: 0,
        })
    }

    /// How many bytes can be written.
    pub(super) fn room(&self) -> u64 {
        (self.mapped.map.len() as u64).saturating_sub(self.end)
    }

    /// Writes bytes to a place of their own; where that fails, they have none.
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
        // SAFETY: `Open::write` has checked that the place lies within the mapping, which lives as
        // long as `self.mapped`; it was written before `self` came out of there, and nobody writes
        // there before `self` is dropped (see above: soundness).
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
        // Where the system refuses, the place is lost until the file is gone.
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

/// Elsewhere nobody promises that what is written to a file is seen in its mapping.
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
        // `/dev/full` answers every write as a full disk does.
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
