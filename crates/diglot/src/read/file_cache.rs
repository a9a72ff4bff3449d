//! The files of one reading, for the next one: a file that is still the same by what the system says of it is not read again.
//!
//! What the system says proves something only some time after a file was written: two writes within one tick of its clock look alike. So a file that was
//! young when it was read is read again.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use diglot_content::Sources;
use diglot_content::sources::Contents;
use diglot_edition::store::{self, Store};

/// The coarsest clock of a file system that people use ticks every two seconds (FAT).
const TICK: Duration = Duration::from_secs(2);
/// An empty file that had content, and is younger than this, is being saved: a busy disk may take seconds between the emptying and the writing.
const HALF_SAVED: Duration = Duration::from_secs(5);

/// The files of one reading.
#[derive(Clone, Debug)]
pub struct FileCache {
    /// In path order.
    pub(super) files: Vec<Cached>,
    /// Whether somebody is told who writes.
    told: bool,
    /// The only files that were written since, as somebody was told.
    pub(super) written: Option<BTreeSet<PathBuf>>,
    /// What else that reading found; `None`: nothing less than the whole folder has to be read.
    pub(super) rest: Option<Rest>,
    /// Where their bytes lie.
    store: store::Shared,
}

impl Default for FileCache {
    fn default() -> Self {
        Self::in_store(store::heap())
    }
}

/// What a reading of a whole folder found beside its files, where it could read them all.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// The folder, by its canonical path.
    pub root: PathBuf,
    pub at: Instant,
    /// All but the files.
    pub found: Sources,
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Cached {
    pub path: Arc<str>,
    pub bytes: Contents,
    pub modified: Option<SystemTime>,
    /// What the system said of it; `None` where that proves nothing.
    pub stamp: Option<Stamp>,
}

/// What the system says of a file, and what no change of its bytes leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
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
    pub(crate) fn of(meta: &Metadata, now: SystemTime) -> Option<Self> {
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
    pub(crate) fn of(_: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }
}

impl FileCache {
    /// An empty shelf; the bytes of what will be on it lie in this store.
    pub fn in_store(store: store::Shared) -> Self {
        Self { files: Vec::new(), told: false, written: None, rest: None, store }
    }

    /// Where bytes are kept.
    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// From now on whoever reads is told which files are open for writing, and reads again what was: a young file is not waited for.
    pub fn is_told(&mut self, told: bool) {
        self.told = told;
    }

    /// How old a file has to be that was not empty: a younger one is read once more.
    pub(super) fn settled(&self) -> Duration {
        if self.told { Duration::ZERO } else { super::SETTLED }
    }

    /// Since the last reading these files were written and no others, made, moved or removed were none: the next reading looks at nothing else.
    pub fn only(&mut self, written: Option<BTreeSet<PathBuf>>) {
        self.written = written;
    }

    /// The place of the file at this path.
    pub(super) fn place(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| (*file.path).cmp(path)).ok()
    }

    /// The file at this path, if the system says that it is still the same.
    pub(super) fn find(&self, path: &str, disk: &Path, now: SystemTime) -> Option<&Cached> {
        let known = self.files.get(self.place(path)?).filter(|file| file.stamp.is_some())?;
        let meta = disk.metadata().ok()?;
        (meta.is_file() && Stamp::of(&meta, now) == known.stamp).then_some(known)
    }

    /// Whether exactly these files, in path order, lie on it, each with this stamp.
    pub(super) fn holds(&self, stamps: &[(&str, Stamp)]) -> bool {
        let same = |(file, (path, stamp)): (&Cached, &(&str, Stamp))| &*file.path == *path && file.stamp == Some(*stamp);
        self.files.len() == stamps.len() && self.files.iter().zip(stamps).all(same)
    }

    /// What this file was before somebody emptied it a moment ago, probably to save it; `None`: it was not emptied, or is empty to stay.
    pub(super) fn before_emptied(&self, file: &Cached) -> Option<&Cached> {
        let age = file.modified.filter(|_| file.bytes.is_empty())?.elapsed().ok()?;
        self.files.get(self.place(&file.path)?).filter(|known| age < HALF_SAVED && !known.bytes.is_empty())
    }
}
