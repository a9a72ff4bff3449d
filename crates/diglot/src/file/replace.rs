//! Replaces a file as a whole: whoever reads it sees the old one or the new one.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A new file in a folder, which its owner alone can read, to be [put] in the place of the one
/// of this name.
///
/// # Errors
/// The system's.
pub fn temporary(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(&format!(".{name}-"))
        .tempfile_in(folder)
}

/// Flushes a new file to disk, and renames it over the old one.
///
/// # Errors
/// The system's.
pub fn put(new: NamedTempFile, folder: &Path, name: &str) -> io::Result<()> {
    new.as_file().sync_all()?;
    new.persist(folder.join(name))
        .map_err(|error| error.error)?;
    super::folder(folder)?.sync_all()
}

/// Writes a new file, and [puts](put) it in the place of the old one.
///
/// # Errors
/// The system's.
pub fn replace(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut new = temporary(folder, name)?;
    new.write_all(bytes)?;
    put(new, folder, name)
}
