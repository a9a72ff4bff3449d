//! Everything the binary gathered from one folder, before it is looked into.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use jiff::Timestamp;

use crate::model::bounds::Bounds;
use crate::model::fingerprint::{Digest, of_bytes};
use crate::model::problem::Problem;

/// The file that carries dates through a fresh checkout. It is never published.
pub const LOCK_FILE: &str = "diglot.lock";

/// The source of the date of a file's last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOrigin {
    /// The folder's git history.
    Git,
    /// The state folder or `diglot.lock`: the remembered day its bytes last changed.
    Remembered,
    /// The file's time when the state folder first saw it: no later copy changes it, but a checkout
    /// before that may have made it.
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
    /// The bytes.
    pub bytes: Contents,
    /// The resolved dates.
    pub dates: FileDates,
}

/// The bytes of one file, on the heap or mapped, with their digest. Cloning is cheap; clones share
/// what was found out about the bytes.
#[derive(Clone, Debug)]
pub struct Contents(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: Bytes,
    digest: Digest,
    /// Whether there is a wikilink in them, once it was asked: every edition asks it of every text.
    wikilink: OnceLock<bool>,
}

impl Contents {
    /// Bytes whose digest, as [`of_bytes`] makes it, is known from reading the file.
    pub fn with_digest(bytes: Bytes, digest: Digest) -> Self {
        Self(Arc::new(Shared {
            bytes,
            digest,
            wikilink: OnceLock::new(),
        }))
    }

    /// The digest of the bytes.
    pub fn digest(&self) -> &Digest {
        &self.0.digest
    }

    /// Whether `look`, which must always be the same, finds a wikilink in the bytes.
    pub(crate) fn wikilink(&self, look: impl FnOnce(&[u8]) -> bool) -> bool {
        *self.0.wikilink.get_or_init(|| look(self))
    }
}

impl Deref for Contents {
    type Target = Bytes;

    fn deref(&self) -> &Bytes {
        &self.0.bytes
    }
}

impl From<Bytes> for Contents {
    fn from(bytes: Bytes) -> Self {
        let digest = of_bytes(&bytes);
        Self::with_digest(bytes, digest)
    }
}

impl From<Vec<u8>> for Contents {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Contents {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for Contents {}

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
    /// Names of hidden files and folders found, for recognising the kind of folder: `.obsidian`,
    /// `docs/.obsidian`.
    pub hidden: BTreeSet<String>,
    /// What went wrong while reading, and notes of the reader (a shallow clone, dates from file
    /// times).
    pub problems: Vec<Problem>,
    /// What reading one file may cost.
    pub bounds: Bounds,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_in_bytes_stays_with_them_and_with_no_others() {
        let begins = |bytes: &[u8]| bytes.starts_with(b"[[");
        let contents = Contents::from("[[a]]".to_owned());
        assert!(
            contents.clone().wikilink(begins) && contents.wikilink(|_| false),
            "it is looked through once"
        );
        let other = Contents::from("a".to_owned());
        assert!(
            !other.wikilink(begins)
                && other != contents
                && other == Contents::from(Bytes::from_static(b"a"))
        );
    }
}
