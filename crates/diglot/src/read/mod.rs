//! Turns a folder on disk into [`Sources`]: the bytes and dates of each file, and a reason for each
//! file that was not read.
//!
//! Nothing outside the folder is read: a symbolic link is followed only if its target is inside,
//! even if it is switched meanwhile. Reading survives files that vanish or change, names that are
//! not UTF-8, loops of links, and unreadable files.

mod changes;
mod contents;
mod file_cache;
mod snapshot;
mod too_many;
mod walk;
mod watched;

use std::io;
use std::mem;
use std::path::Path;
use std::time::SystemTime;

use diglot_content::parallel;
use diglot_content::sources::Sources;
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};
use crate::failure::{ALLOW_READING, Failure, Status, is_exhaustion};
use crate::file::{Refused, Root};
use crate::limits::Limits;
use crate::progress;
use changes::Changes;
pub use file_cache::FileCache;
pub(crate) use file_cache::Stamp;
pub(crate) use snapshot::{Fingerprint, Snapshot, fingerprint, snapshot};
use too_many::TooMany;
use walk::Listing;
pub(crate) use walk::{ListedFolder, is_read, marks_generated};
pub(crate) use watched::{Watched, watched_in};

/// Reads the folder. `dates` are asked in order; the file's own time is the last resort. No date is
/// later than `now`.
///
/// # Errors
/// The system's, if the folder itself cannot be read, or descriptors or memory ran out.
pub fn folder(
    root: &Path,
    dates: &mut [&mut dyn DateSource],
    limits: &Limits,
    now: Timestamp,
) -> io::Result<Sources> {
    let mut sources = files(root, limits, &mut FileCache::default(), now)?;
    date(&mut sources, dates);
    Ok(sources)
}

/// Reads the folder; each file is dated by its own time, or by `now` if that is earlier. Files that
/// are unchanged since `cache` was filled are taken from it. If it is
/// [known](FileCache::note_changes) which files may have changed, only their metadata is read.
/// Afterwards `cache` holds the files of this reading.
///
/// # Errors
/// As [`folder`].
pub fn files(
    root: &Path,
    limits: &Limits,
    cache: &mut FileCache,
    now: Timestamp,
) -> io::Result<Sources> {
    let root = root.canonicalize()?;
    let beneath = Root::open(&root)?;
    let changes = mem::take(&mut cache.changes);
    let before = cache.listing.take().filter(|(path, _)| *path == root);
    let listing = match before {
        Some((_, listing)) if reread(&beneath, &listing, cache, limits, &changes).is_some() => {
            listing
        }
        _ => list_and_read(&beneath, &root, cache, limits)?,
    };
    let mut sources = Sources {
        unread: listing.unread.clone(),
        hidden: listing.hidden.clone(),
        links: listing.links.clone(),
        problems: listing.problems.clone(),
        ..Sources::default()
    };
    if let Some(name) = root.file_name() {
        sources.name = name.to_string_lossy().into_owned();
    }
    sources.files = cache.files.iter().map(|file| file.source(now)).collect();
    cache.listing = Some((root, listing)).filter(|(_, all)| all.files.len() == cache.files.len());
    Ok(sources)
}

/// Reads again what the changes name, and what may differ in any case. `None`: the folder has to be
/// listed again.
fn reread(
    beneath: &Root,
    listing: &Listing,
    cache: &mut FileCache,
    limits: &Limits,
    changes: &Changes,
) -> Option<()> {
    let begun = SystemTime::now();
    for at in cache.stale(changes, &listing.files)? {
        let file = &listing.files[at];
        cache.files[at] = cache.read(beneath, (at, file), limits, begun).ok()?;
    }
    Some(())
}

/// Lists the folder and reads what changed.
fn list_and_read(
    beneath: &Root,
    root: &Path,
    cache: &mut FileCache,
    limits: &Limits,
) -> io::Result<Listing> {
    let mut listing = walk::walk(root, limits.files)?;
    let begun = SystemTime::now();
    // Reading is parallel; the result keeps the order of the walk.
    let read = parallel::map_numbers(listing.files.len(), |at| {
        progress::step("reading files", listing.files.len());
        cache.read(beneath, (at, &listing.files[at]), limits, begun)
    });
    let mut files = Vec::with_capacity(read.len());
    let mut unreadable = Vec::new();
    for (file, read) in listing.files.iter().zip(read) {
        match read {
            Ok(read) => files.push(read),
            // It vanished between listing and reading.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Publishing only the other files would give an incomplete site.
            Err(error) if is_exhaustion(&error) => return Err(error),
            Err(error) => unreadable.push((file.path.clone(), error)),
        }
    }
    for (path, error) in unreadable {
        listing.unreadable(&path, &error);
    }
    listing.unread.sort();
    cache.files = files;
    Ok(listing)
}

/// Why a folder cannot be read. Too many files are not a failure of the machine.
pub(crate) fn failure(folder: &Path, error: &io::Error) -> Failure {
    Failure {
        status: match TooMany::from_error(error) {
            Some(_) => Status::Content,
            None => Status::Machine,
        },
        hint: hint(error),
        ..Failure::path("read", folder, error)
    }
}

/// What the owner can do about a file or folder that could not be read.
pub(crate) fn hint(error: &io::Error) -> Option<String> {
    /// Limits are a number of MiB, and so is the example.
    const MIB: u64 = 1 << 20;
    if error.kind() == io::ErrorKind::PermissionDenied {
        return Some(ALLOW_READING.to_owned());
    }
    if let Some(many) = TooMany::from_error(error) {
        return Some(many.hint());
    }
    let Some(Refused::TooLarge(most)) = Refused::from_error(error) else {
        return None;
    };
    let more = (most.bytes / MIB).max(1).saturating_mul(32);
    Some(format!(
        "`--limit {}={more}MiB` allows larger files",
        most.name
    ))
}

/// Dates each file by the first source that knows it.
pub fn date(sources: &mut Sources, dates: &mut [&mut dyn DateSource]) {
    for file in &mut sources.files {
        let facts = Facts {
            path: &file.path,
            bytes: &file.bytes,
            hash: ContentHash(*file.bytes.digest()),
            modified: file.dates.changed,
        };
        if let Some(known) = dates.iter_mut().find_map(|source| source.dates(&facts)) {
            file.dates = known;
        }
    }
}

#[cfg(test)]
mod tests;
