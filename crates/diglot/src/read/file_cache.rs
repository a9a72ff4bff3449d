//! The files of one reading, kept for the next: a file is not reread while its metadata is
//! unchanged.
//!
//! Metadata proves something only some time after a write: two writes within one tick of the file
//! system's clock look alike. So a file that was young when it was read is read again.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use diglot_content::fingerprint;
use diglot_content::sources::{ChangeOrigin, Contents, FileDates, SourceFile};
use diglot_edition::byte_store;
use jiff::Timestamp;
use rustc_hash::FxHashSet;

use super::changes::Changes;
use super::contents::{self, FileContents};
use super::walk::{ListedFile, Listing};
use crate::file::Root;
use crate::limits::Limits;

/// The coarsest clock of a common file system ticks every two seconds (FAT).
const TICK: Duration = Duration::from_secs(2);
/// A young empty file that had content before is being saved: on a busy disk seconds may pass
/// between truncation and write.
const HALF_SAVED: Duration = Duration::from_secs(5);

/// The files of one reading.
#[derive(Debug)]
pub struct FileCache {
    /// In path order.
    pub(super) files: Vec<CachedFile>,
    /// The listing of these files, if each was read, by the path of its folder.
    pub(super) listing: Option<(PathBuf, Listing)>,
    /// What may have changed since.
    pub(super) changes: Changes,
    /// The minimum age of a file; a younger one is reread.
    settled: Duration,
    /// Holds the bytes.
    store: byte_store::Shared,
}

impl Default for FileCache {
    fn default() -> Self {
        Self::in_store(byte_store::heap())
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub(super) struct CachedFile {
    path: Arc<str>,
    bytes: Contents,
    modified: Option<SystemTime>,
    /// `None` if the file must be reread.
    stamp: Option<Stamp>,
    /// Whether it had content and was emptied a moment ago, so is probably being saved.
    half_saved: bool,
    /// Whether it has other names: a change under one of them is not reported.
    has_names: bool,
}

/// The metadata of a file. Every change of its bytes changes this too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    length: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// The time of the last change of anything about the file (ctime): no program can set it.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file at `now`; `None` if it is too young, or the system reports too little.
    #[cfg(unix)]
    pub(crate) fn from_metadata(metadata: &Metadata, now: SystemTime) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let settled = now
            .checked_sub(TICK)?
            .duration_since(SystemTime::UNIX_EPOCH)
            .ok()?;
        let settled = i64::try_from(settled.as_secs()).ok()?;
        let stamp = Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        };
        (stamp.modified.0 < settled && stamp.changed.0 < settled).then_some(stamp)
    }

    /// Only Unix reports a time of any change to a file.
    #[cfg(not(unix))]
    pub(crate) fn from_metadata(_: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }
}

impl CachedFile {
    /// The file as a source, dated by its own modification time in whole seconds.
    pub(super) fn source(&self, now: Timestamp) -> SourceFile {
        let second = self
            .modified
            .and_then(|time| Timestamp::try_from(time).ok());
        let second = second.and_then(|time| Timestamp::from_second(time.as_second()).ok());
        let changed = second.map_or(now, |time| time.min(now));
        let dates = FileDates {
            created: None,
            changed,
            origin: ChangeOrigin::FileTime,
        };
        SourceFile {
            path: Arc::clone(&self.path),
            bytes: self.bytes.clone(),
            dates,
        }
    }

    /// Whether it may be another one now although no change was reported.
    fn may_differ(&self) -> bool {
        self.stamp.is_none() || self.half_saved || self.has_names
    }

    /// Whether the file was emptied a moment ago; `before` is its state at the last reading.
    fn was_emptied(&self, before: &Self) -> bool {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        self.bytes.is_empty()
            && (before.half_saved || !before.bytes.is_empty())
            && age.is_some_and(|age| age < HALF_SAVED)
    }
}

impl FileCache {
    /// An empty cache that keeps bytes in this store.
    pub fn in_store(store: byte_store::Shared) -> Self {
        Self {
            files: Vec::new(),
            listing: None,
            changes: Changes::default(),
            settled: contents::SETTLED,
            store,
        }
    }

    /// Sets whether the caller knows which files are open for writing and rereads them afterwards;
    /// then young files need no waiting.
    pub fn set_writers_known(&mut self, known: bool) {
        self.settled = if known {
            Duration::ZERO
        } else {
            contents::SETTLED
        };
    }

    /// Notes what may have changed since the last reading: these files, by their paths on disk;
    /// `None`: anything. Without a note anything may have.
    pub fn note_changes(&mut self, files: Option<Vec<PathBuf>>) {
        self.changes.note(files);
    }

    /// The numbers of the files to look at again. `None`: the folder has to be listed again, as
    /// anything may have changed, or a file that is not known.
    pub(super) fn stale(&self, changes: &Changes, listed: &[ListedFile]) -> Option<Vec<usize>> {
        let Changes::Only(changed) = changes else {
            return None;
        };
        let mut known: FxHashSet<&OsStr> = FxHashSet::default();
        let mut stale = Vec::new();
        for (at, (file, cached)) in listed.iter().zip(&self.files).enumerate() {
            let disk = file.disk.as_os_str();
            // Several links may lead to one file.
            if changed.contains(disk) {
                known.insert(disk);
                stale.push(at);
            } else if cached.may_differ() || is_hidden(&file.path) {
                stale.push(at);
            }
        }
        let is_whole = listed.len() == self.files.len() && known.len() == changed.len();
        is_whole.then_some(stale)
    }

    /// Whether a file had content and was emptied a moment ago: it is probably half saved.
    pub fn is_half_saved(&self) -> bool {
        self.files.iter().any(|file| file.half_saved)
    }

    /// The file as it was read before; `at` is its place among all files now, which is usually the
    /// same as before.
    fn before(&self, at: usize, path: &str) -> Option<&CachedFile> {
        let same = self.files.get(at).filter(|known| *known.path == *path);
        same.or_else(|| {
            let found = self.files.binary_search_by(|known| (*known.path).cmp(path));
            found.ok().map(|index| &self.files[index])
        })
    }

    /// The file at present, reread unless unchanged; with its place among all files.
    pub(super) fn read(
        &self,
        root: &Root,
        (at, file): (usize, &ListedFile),
        limits: &Limits,
        now: SystemTime,
    ) -> io::Result<CachedFile> {
        let before = self.before(at, &file.path);
        let mut read = match before {
            Some(before) if is_unchanged(&file.disk, before, now) => before.clone(),
            _ => self.read_anew(root, file, limits)?,
        };
        read.half_saved = before.is_some_and(|before| read.was_emptied(before));
        Ok(read)
    }

    fn read_anew(&self, root: &Root, file: &ListedFile, limits: &Limits) -> io::Result<CachedFile> {
        let most = contents::most_bytes(&file.path, limits);
        let FileContents {
            bytes,
            metadata,
            steady,
        } = contents::read(root, &file.disk, most, self.settled)?;
        let digest = fingerprint::of_bytes(&bytes);
        let stamp = if steady {
            Stamp::from_metadata(&metadata, SystemTime::now())
        } else {
            None
        };
        let bytes = Contents::with_digest(self.store.keep(&[&bytes]), digest);
        Ok(CachedFile {
            path: file.path.as_str().into(),
            bytes,
            modified: metadata.modified().ok(),
            stamp,
            half_saved: false,
            has_names: has_names(&metadata),
        })
    }

    /// Whether the cache holds exactly these files, in path order, each with this stamp.
    pub(super) fn holds(&self, files: &[ListedFile], stamps: &[Option<Stamp>]) -> bool {
        let given = files.iter().map(|file| file.path.as_str()).zip(stamps);
        self.files
            .iter()
            .map(|file| (&*file.path, &file.stamp))
            .eq(given)
    }
}

/// Whether a part of a path is hidden: not all that is read there is watched.
fn is_hidden(path: &str) -> bool {
    path.starts_with('.') || path.contains("/.")
}

#[cfg(unix)]
fn has_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_names(_: &Metadata) -> bool {
    true
}

/// Whether the file's metadata is unchanged.
fn is_unchanged(disk: &Path, before: &CachedFile, now: SystemTime) -> bool {
    match disk.metadata() {
        Ok(metadata) => {
            before.stamp.is_some()
                && metadata.is_file()
                && Stamp::from_metadata(&metadata, now) == before.stamp
        }
        Err(_) => false,
    }
}
