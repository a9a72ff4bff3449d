//! Everything the binary gathered from one folder, before anyone has looked into it.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;

use crate::bounds::Bounds;
use crate::problem::Problem;

/// The file that carries dates through a fresh checkout. It is never published.
pub const LOCK_FILE: &str = "diglot.lock";

/// Where the knowledge of a file's last change comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOrigin {
    /// The folder's git history.
    Git,
    /// The state folder or `diglot.lock`: the remembered day its bytes last changed.
    Remembered,
    /// The file's time when the state folder first saw it: no later copy changes it, but a checkout before that may have made it.
    FirstSeen,
    /// The file system's modification time, which depends on the machine.
    FileTime,
}

/// The resolved dates of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileDates {
    /// When git saw the file first.
    pub created: Option<Timestamp>,
    /// When the file's bytes last changed.
    pub changed: Timestamp,
    /// Who says so.
    pub origin: ChangeOrigin,
}

/// One file of the folder: its path and its bytes, as they are.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Relative to the folder, `/` between segments, Unicode as on disk.
    pub path: Arc<str>,
    /// The bytes, on the heap or mapped.
    pub bytes: Bytes,
    /// The resolved dates.
    pub dates: FileDates,
}

/// A file or folder that the reader did not read, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// Relative to the folder.
    pub path: String,
    /// The reason in a few words: `symbolic link out of the folder`, `permission denied`.
    pub reason: String,
}

/// Everything the binary gathered from one folder.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The folder's own name, for a title when nothing better is known.
    pub name: String,
    /// Every file read, in path order (byte order of the whole path).
    pub files: Vec<SourceFile>,
    /// What was not read.
    pub unread: Vec<Unread>,
    /// Names of hidden files and folders found, for recognising the kind of folder: `.obsidian`, `docs/.obsidian`.
    pub hidden: BTreeSet<String>,
    /// What went wrong while reading, and what the reader wants said (a shallow clone, dates from file times).
    pub problems: Vec<Problem>,
    /// What reading one file may cost.
    pub bounds: Bounds,
}
