//! The files of one reading, for the next one: a file that is still the same by what the system says of it is not read again.
//!
//! What the system says proves something only some time after a file was written: two writes within one tick of its clock look alike. So a file that was
//! young when it was read is read again.

use std::fs::Metadata;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use diglot_edition::store::{self, Store};
use rustc_hash::FxHashMap;

use crate::dates::ContentHash;

/// The coarsest clock of a file system that people use ticks every two seconds (FAT).
const TICK: Duration = Duration::from_secs(2);
/// An empty file that had content, and is younger than this, is being saved: a busy disk may take seconds between the emptying and the writing.
const HALF_SAVED: Duration = Duration::from_secs(5);

/// The files of one reading, by their paths.
#[derive(Clone, Debug)]
pub struct Shelf {
    files: FxHashMap<Arc<str>, OnShelf>,
    /// Where their bytes lie.
    store: store::Shared,
}

impl Default for Shelf {
    fn default() -> Self {
        Self::in_store(store::heap())
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub(super) struct OnShelf {
    pub path: Arc<str>,
    pub bytes: Bytes,
    pub hash: ContentHash,
    pub modified: Option<SystemTime>,
    /// What the system said of it; `None` where that proves nothing.
    pub stamp: Option<Stamp>,
}

/// What the system says of a file, and what no change of its bytes leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    length: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// The time of the last change of anything about the file: no program can set it.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file that was looked at at `now`; `None`: it is too young, or the system knows too little.
    #[cfg(unix)]
    pub fn of(meta: &Metadata, now: SystemTime) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let stamp = Self {
            device: meta.dev(),
            inode: meta.ino(),
            length: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        };
        let settled = now.checked_sub(TICK)?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let settled = i64::try_from(settled.as_secs()).ok()?;
        (stamp.modified.0 < settled && stamp.changed.0 < settled).then_some(stamp)
    }

    /// Only Unix tells when anything about a file changed.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }
}

impl Shelf {
    /// An empty shelf; the bytes of what will be on it lie in this store.
    pub fn in_store(store: store::Shared) -> Self {
        Self { files: FxHashMap::default(), store }
    }

    /// Where bytes are kept.
    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Holds the files of a reading, and no others.
    pub(super) fn hold(&mut self, files: impl Iterator<Item = OnShelf>) {
        self.files = files.map(|file| (Arc::clone(&file.path), file)).collect();
    }

    /// The file at this path, if the system says that it is still the same.
    pub(super) fn find(&self, path: &str, disk: &Path, now: SystemTime) -> Option<&OnShelf> {
        let known = self.files.get(path).filter(|file| file.stamp.is_some())?;
        let meta = disk.metadata().ok()?;
        (meta.is_file() && Stamp::of(&meta, now) == known.stamp).then_some(known)
    }

    /// What this file was before somebody emptied it a moment ago, probably to save it; `None`: it was not emptied, or is empty to stay.
    pub(super) fn before_emptied(&self, file: &OnShelf) -> Option<&OnShelf> {
        let age = file.modified.filter(|_| file.bytes.is_empty())?.elapsed().ok()?;
        self.files.get(&file.path).filter(|known| age < HALF_SAVED && !known.bytes.is_empty())
    }
}
