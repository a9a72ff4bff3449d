//! What is read because a symbolic link leads there, and so counts although its path says otherwise.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::read::is_read;

/// The targets of the symbolic links in a watched folder.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// Folders: names above them do not hide what is in them.
    pub folders: BTreeSet<PathBuf>,
    /// Files.
    pub files: BTreeSet<PathBuf>,
    /// Folders of which nothing but these files is read.
    pub around: BTreeSet<PathBuf>,
}

impl Linked {
    /// Whether what is at the path is read. Version control and editors write to hidden paths all
    /// the time.
    pub(super) fn is_visible(&self, path: &Path, root: &Path) -> bool {
        if self.files.contains(path) || self.folders.contains(path) {
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
}
