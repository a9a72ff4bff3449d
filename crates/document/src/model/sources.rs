//! Everything that the binary read from one folder, before parsing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use jiff::Timestamp;

use crate::model::bounds::Bounds;
use crate::model::fingerprint::{Digest, of_bytes};
use crate::model::problem::Problem;
use crate::model::steps::Steps;

/// The file that keeps dates across fresh checkouts. It is never published.
pub const LOCK_FILE: &str = "diglot.lock";

/// How the date of a file's last change was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOrigin {
    /// The folder's git history.
    Git,
    /// The state folder or `diglot.lock`: the recorded day of the last change to the file's bytes.
    Remembered,
    /// The file's modification time when the state folder first saw it: later copies do not change
    /// it, but an earlier checkout may have set it.
    FirstSeen,
    /// The file system's modification time, which depends on the machine.
    FileTime,
}

/// The resolved dates of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileDates {
    /// The first commit of the file in git.
    pub created: Option<Timestamp>,
    /// When the file's bytes last changed.
    pub changed: Timestamp,
    /// The source of `changed`.
    pub origin: ChangeOrigin,
}

/// One file of the folder: its path and its unmodified bytes.
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
/// cached facts about the bytes.
#[derive(Clone, Debug)]
pub struct Contents(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: Bytes,
    digest: Digest,
    /// Whether they contain a wikilink, cached because every edition asks for it.
    wikilink: OnceLock<bool>,
    /// Whether they contain JSX, cached likewise.
    jsx: OnceLock<bool>,
    /// How many formulas and other dollars they contain, cached likewise.
    dollars: OnceLock<(usize, usize)>,
    /// Whether their front matter says that a note is published, cached likewise.
    published: OnceLock<Option<bool>>,
}

impl Contents {
    /// Bytes with a digest, as computed by [`of_bytes`], that is known from reading the file.
    pub fn with_digest(bytes: Bytes, digest: Digest) -> Self {
        Self(Arc::new(Shared {
            bytes,
            digest,
            wikilink: OnceLock::new(),
            jsx: OnceLock::new(),
            dollars: OnceLock::new(),
            published: OnceLock::new(),
        }))
    }

    /// The digest of the bytes.
    pub fn digest(&self) -> &Digest {
        &self.0.digest
    }

    /// Whether `look` finds a wikilink in the bytes. The result is cached, so `look` must always be
    /// the same function.
    pub fn wikilink(&self, look: impl FnOnce(&[u8]) -> bool) -> bool {
        *self.0.wikilink.get_or_init(|| look(self))
    }

    /// Whether `look` finds JSX in the bytes; cached in the same way.
    pub fn jsx(&self, look: impl FnOnce(&[u8]) -> bool) -> bool {
        *self.0.jsx.get_or_init(|| look(self))
    }

    /// The numbers of formulas and of other dollars that `look` finds; cached in the same way.
    pub fn dollars(&self, look: impl FnOnce(&[u8]) -> (usize, usize)) -> (usize, usize) {
        *self.0.dollars.get_or_init(|| look(self))
    }

    /// What `look` finds that the front matter says of publishing a note; cached in the same way.
    pub fn published(&self, look: impl FnOnce(&[u8]) -> Option<bool>) -> Option<bool> {
        *self.0.published.get_or_init(|| look(self))
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

/// A file or folder that was not read, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// Relative to the folder.
    pub path: String,
    /// The reason in a few words: `symbolic link out of the folder`, `permission denied`.
    pub reason: String,
}

/// Everything that the binary read from one folder.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The folder's name, the fallback for the site's title.
    pub name: String,
    /// Every file read, in path order (byte order of the whole path).
    pub files: Vec<SourceFile>,
    /// Files and folders that were not read.
    pub unread: Vec<Unread>,
    /// Names of hidden files and folders, which identify the kind of folder: `.obsidian`,
    /// `docs/.obsidian`.
    pub hidden: BTreeSet<String>,
    /// Symbolic links inside the folder, and the files and folders that they lead to.
    pub links: BTreeMap<String, String>,
    /// Problems while reading, and notes (a shallow clone, dates from file times).
    pub problems: Vec<Problem>,
    /// Resource limits for parsing one file.
    pub bounds: Bounds,
    /// Whether drafts and scheduled texts are published too, marked as such: for a preview on the
    /// author's own machine.
    pub shows_drafts: bool,
    /// Whether other editions follow the one that is made of these.
    pub lasting: bool,
    /// Receives the progress of the build.
    pub steps: Steps,
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
