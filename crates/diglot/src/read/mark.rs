//! What the system says of a whole folder, without a file being read.

use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;

use super::shelf::{Shelf, Stamp};
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
pub(crate) fn mark(root: &Path, limits: &Limits, shelf: &Shelf) -> io::Result<Option<Mark>> {
    let root = root.canonicalize()?;
    let found = walk::walk(&root, limits.files)?;
    let now = SystemTime::now();
    let stamps: Vec<Option<(&str, Stamp)>> =
        found.files.par_iter().map(|file| Some((file.path.as_str(), Stamp::of(&file.disk.metadata().ok()?, now)?))).collect();
    let Some(stamps) = stamps.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let mut sum = Sum(blake3::Hasher::new());
    (root.as_os_str(), &stamps, found.hidden).hash(&mut sum);
    for unread in &found.unread {
        (&unread.path, &unread.reason).hash(&mut sum);
    }
    found.problems.iter().for_each(|problem| problem.to_string().hash(&mut sum));
    Ok(Some(Mark { digest: *sum.0.finalize().as_bytes(), read: shelf.holds(&stamps) }))
}

/// A digest of anything that can be hashed: for comparing on one machine only, since hashing depends on it.
pub(crate) struct Sum(pub blake3::Hasher);

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The beginning of the digest: nobody asks for it.
    fn finish(&self) -> u64 {
        self.0.finalize().as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
