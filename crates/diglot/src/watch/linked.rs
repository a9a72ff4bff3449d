//! What is read because a symbolic link leads there, and so counts although its path says otherwise.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::read::is_read;

/// The targets of the symbolic links in a watched folder.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// Folders: names above them do not hide what is in them.
    pub folders: BTreeSet<PathBuf>,
    /// Files.
    pub files: BTreeSet<PathBuf>,
    /// Where nothing is, and a broken link leads to it or below it.
    pub missing: BTreeSet<PathBuf>,
    /// Folders of which nothing but what is on the way to these is read.
    pub around: BTreeSet<PathBuf>,
}

impl Linked {
    /// Whether what is at the path is read. Version control and editors write to hidden paths all
    /// the time.
    pub(super) fn is_visible(&self, path: &Path, root: &Path) -> bool {
        if self.leads_through(path) {
            return true;
        }
        let (parent, name) = (path.parent(), path.file_name());
        if parent.is_some_and(|parent| self.around.contains(parent)) {
            return false;
        }
        if parent.is_some_and(|parent| self.folders.contains(parent)) {
            return name.is_some_and(|name| is_read(Path::new(name)));
        }
        is_read(path.strip_prefix(root).unwrap_or(path))
    }

    /// Whether a link leads to the path, or through it.
    fn leads_through(&self, path: &Path) -> bool {
        let is_in = |paths: &BTreeSet<PathBuf>| {
            let from = (Bound::Included(path), Bound::Unbounded);
            let next = paths.range::<Path, _>(from).next();
            next.is_some_and(|next| next.starts_with(path))
        };
        [&self.folders, &self.files, &self.missing]
            .into_iter()
            .any(is_in)
    }

    /// Whether a link leads to something else now: its file is gone, or what it waited for is there.
    pub(super) fn has_turned(&self, path: &Path) -> bool {
        let is_there = path.symlink_metadata().is_ok();
        let turns = if is_there { &self.missing } else { &self.files };
        turns.contains(path)
    }

    /// Whether something that was missing is there: it was made before its folder was watched.
    pub(super) fn is_outdated(&self) -> bool {
        let mut missing = self.missing.iter();
        missing.any(|path| path.symlink_metadata().is_ok())
    }
}
