//! The metadata of a whole folder, without reading a file.

use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use diglot_content::parallel;

use super::file_cache::{FileCache, Stamp};
use super::walk::{self, ListedFile, Listing};
use crate::limits::Limits;

/// A folder whose files have been unchanged for a while.
pub(crate) struct Snapshot {
    /// A digest of all names and stamps.
    pub digest: [u8; 32],
    /// Whether the cache holds exactly these files.
    pub is_cached: bool,
}

/// Takes a snapshot of the folder. `None` if a file changed so recently that its metadata proves
/// nothing.
///
/// # Errors
/// The system's, if the folder itself cannot be read.
pub(crate) fn snapshot(
    root: &Path,
    limits: &Limits,
    cache: &FileCache,
) -> io::Result<Option<Snapshot>> {
    let root = root.canonicalize()?;
    let listing = walk::walk(&root, limits.files)?;
    let mut digest = Fingerprint(blake3::Hasher::new());
    let stamps = hash_files(&listing, &mut digest);
    if stamps.iter().any(Option::is_none) {
        return Ok(None);
    }
    (root.as_os_str(), &listing.hidden).hash(&mut digest);
    for problem in &listing.problems {
        problem.to_string().hash(&mut digest);
    }
    Ok(Some(Snapshot {
        digest: *digest.0.finalize().as_bytes(),
        is_cached: cache.holds(&listing.files, &stamps),
    }))
}

/// A digest of all names in a folder and of each file's metadata, for comparison with a later one.
/// A young file changes the digest once more when it has settled, since a second write within one
/// tick of the clock leaves no trace. A folder that cannot be listed has a digest too.
pub(crate) fn fingerprint(root: &Path, most_files: usize) -> [u8; 32] {
    let mut digest = Fingerprint(blake3::Hasher::new());
    match walk::walk(root, most_files) {
        Ok(listing) => drop(hash_files(&listing, &mut digest)),
        Err(error) => error.to_string().hash(&mut digest),
    }
    *digest.0.finalize().as_bytes()
}

/// Hashes the listing of a folder; returns the stamps of its files.
fn hash_files(listing: &Listing, digest: &mut Fingerprint) -> Vec<Option<Stamp>> {
    let now = SystemTime::now();
    let metadata = |file: &ListedFile| file.disk.metadata().ok();
    let metadata = parallel::map(&listing.files, metadata);
    let mut stamps = Vec::with_capacity(metadata.len());
    for (file, metadata) in listing.files.iter().zip(metadata) {
        let stamp = metadata
            .as_ref()
            .and_then(|metadata| Stamp::from_metadata(metadata, now));
        let written = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        (&file.path, written, stamp).hash(digest);
        stamps.push(stamp);
    }
    listing.links.hash(digest);
    for unread in &listing.unread {
        (&unread.path, &unread.reason).hash(digest);
    }
    stamps
}

/// A digest of any hashable value. `Hash` depends on the machine, so digests are comparable on one
/// machine only.
pub(crate) struct Fingerprint(pub blake3::Hasher);

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Never called: callers use the whole digest.
    fn finish(&self) -> u64 {
        0
    }
}
