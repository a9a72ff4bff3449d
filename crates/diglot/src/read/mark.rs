//! What the system says of a whole folder, without a file being read.

use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;

use super::file_cache::{FileCache, Stamp};
use super::walk;
use crate::limits::Limits;

/// A folder by its names and by what no change of its files leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// A digest of all of it.
    pub digest: [u8; 32],
    /// Whether the files are those on the shelf, as they were read.
    pub read: bool,
}

/// Looks at every file of the folder. `None`: one was changed so lately that what the system says proves nothing.
///
/// # Errors
/// The system's, when the folder itself cannot be read.
pub(crate) fn mark(root: &Path, limits: &Limits, shelf: &FileCache) -> io::Result<Option<Mark>> {
    let root = root.canonicalize()?;
    let found = walk::walk(&root, limits.files)?;
    let now = SystemTime::now();
    let stamps: Vec<Option<(&str, Stamp)>> =
        found.files.par_iter().map(|file| Some((file.path.as_str(), Stamp::of(&file.disk.metadata().ok()?, now)?))).collect();
    let Some(stamps) = stamps.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let mut sum = Fingerprint(blake3::Hasher::new());
    (root.as_os_str(), &stamps, found.hidden).hash(&mut sum);
    for unread in &found.unread {
        (&unread.path, &unread.reason).hash(&mut sum);
    }
    found.problems.iter().for_each(|problem| problem.to_string().hash(&mut sum));
    Ok(Some(Mark { digest: *sum.0.finalize().as_bytes(), read: shelf.holds(&stamps) }))
}

/// A digest of all names in a folder and of what the system says of each file, to be compared with one taken later. A file that was written a moment ago gives another one
/// when it has settled, as a second write within one tick of the clock leaves no trace. A folder that cannot be looked at has a digest too.
pub(crate) fn glance(root: &Path, most: usize) -> [u8; 32] {
    let mut sum = Fingerprint(blake3::Hasher::new());
    match walk::walk(root, most) {
        Ok(found) => {
            let now = SystemTime::now();
            let seen = |file: &walk::Walked| {
                let metadata = file.disk.metadata().ok()?;
                Some((metadata.len(), metadata.modified().ok(), Stamp::of(&metadata, now)))
            };
            let seen: Vec<_> = found.files.par_iter().map(seen).collect();
            found.files.iter().map(|file| &file.path).zip(&seen).for_each(|told| told.hash(&mut sum));
            found.unread.iter().for_each(|unread| (&unread.path, &unread.reason).hash(&mut sum));
        }
        Err(error) => error.to_string().hash(&mut sum),
    }
    *sum.0.finalize().as_bytes()
}

/// A digest of anything that can be hashed: for comparing on one machine only, since hashing depends on it.
pub(crate) struct Fingerprint(pub blake3::Hasher);

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The beginning of the digest: nobody asks for it.
    fn finish(&self) -> u64 {
        self.0.finalize().as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
