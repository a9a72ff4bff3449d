//! Everything the binary gathered from one folder, before anyone has looked into it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use jiff::Timestamp;
use rayon::prelude::*;

use crate::AT_ONCE;
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
    /// What is known of the files' bytes from looking through all of them before.
    pub seen: Seen,
}

/// What was found when all files were looked through, for the next look at the same folder: only bytes that are others are looked through again. It changes no
/// answer. Cloning is cheap; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Seen(Arc<Mutex<Vec<Look>>>);

/// The bytes of one file, and whether there is in them what was looked for, where anybody looked. They are held, so that no others can come to stand where they do.
type Look = (Bytes, Option<bool>);

impl Seen {
    /// Whether there is in the bytes of each `wanted` file what `look` looks for, which must always be the same. Files are known again by their place in the
    /// folder.
    pub(crate) fn each(&self, files: &[SourceFile], wanted: fn(&SourceFile) -> bool, look: fn(&[u8]) -> bool) -> Vec<Option<bool>> {
        // Taken out, not held: others may look meanwhile, and look through everything.
        let mut looks = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        looks.resize_with(files.len(), Look::default);
        let one = |(file, (then, found)): (&SourceFile, &mut Look)| {
            // To hold bytes counts an owner: only of others than before.
            if then.as_ptr() != file.bytes.as_ptr() || then.len() != file.bytes.len() {
                (*then, *found) = (file.bytes.clone(), None);
            }
            *found = wanted(file).then(|| found.unwrap_or_else(|| look(&file.bytes)));
            *found
        };
        let found = files.par_iter().with_max_len(AT_ONCE).zip(&mut looks).map(one).collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = looks;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bytes_that_are_others_are_looked_through_again() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static LOOKS: AtomicUsize = AtomicUsize::new(0);
        let look = |bytes: &[u8]| {
            LOOKS.fetch_add(1, Ordering::Relaxed);
            bytes.contains(&b'x')
        };
        let file = |path: &str, text: &str| {
            let dates = FileDates { created: None, changed: Timestamp::UNIX_EPOCH, origin: ChangeOrigin::Git };
            SourceFile { path: path.into(), bytes: Bytes::copy_from_slice(text.as_bytes()), dates }
        };
        let wanted = |file: &SourceFile| file.path.ends_with(".md");
        let (seen, mut files) = (Seen::default(), vec![file("a.md", "x"), file("b.md", "y"), file("c.png", "x")]);
        let check = |files: &[SourceFile], expected: [Option<bool>; 3], looks: usize| {
            assert_eq!(seen.clone().each(files, wanted, look), expected);
            assert_eq!(LOOKS.swap(0, Ordering::Relaxed), looks);
        };
        check(&files, [Some(true), Some(false), None], 2);
        check(&files, [Some(true), Some(false), None], 0);
        files[1] = file("b.md", "x");
        check(&files, [Some(true), Some(true), None], 1);
        // The same bytes under a name that is looked for.
        files[2].path = "c.md".into();
        check(&files, [Some(true), Some(true), Some(true)], 1);
    }
}
