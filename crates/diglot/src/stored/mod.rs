//! The files of stored editions: those of the live edition ([`LiveFiles`]), and the finished
//! edition between runs, from which a start on an unchanged folder answers.
//!
//! In the state folder, `edition` is the [manifest](diglot_edition::stored), and `segments/` holds
//! the [segments](diglot_edition::segment) that it names. New segments are written and flushed
//! first; then the new manifest replaces the old one, so that there is either a whole edition or
//! none. Segments that no manifest names are deleted last.
//!
//! These files have names, so any process of this user may change or truncate them at any time.
//! They are therefore read, never mapped: their bytes are checked against their digests in memory
//! and copied to the store of this process. If anything is damaged or foreign, everything is
//! ignored and the edition is built again.
//!
//! A lock is held while the files are written, and shared while they are read, so that a starting
//! server keeps others from deleting what it needs.

mod live;
mod mapped;

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use diglot_content::library::Report;
use diglot_edition::byte_store;
use diglot_edition::earlier::Earlier;
use diglot_edition::segment::{Segment, Segments};
use diglot_edition::stored::{Head, Manifest, Opened};
use diglot_edition::{Edition, holds};
use jiff::Timestamp;

pub use live::LiveFiles;

use crate::failure::reason;
use crate::file::Refused;
use crate::{file, limits};

/// The manifest.
const MANIFEST: &str = "edition";
/// The manifest before it is renamed.
const NEW: &str = "edition.new";
/// Locked while the files are used.
const LOCK: &str = "edition.lock";
/// The folder of the segments.
const SEGMENTS: &str = "segments";

/// A kept edition and its report.
#[derive(Debug)]
pub struct Kept {
    /// The edition. Its bodies are read on first use.
    pub edition: Edition,
    /// The time it was built for.
    pub made: Timestamp,
    /// What happened to each file.
    pub report: Report,
    /// What is left to read of it.
    pub rest: UnreadPart,
}

/// The unread part of a kept edition.
#[derive(Debug)]
pub struct UnreadPart {
    segments: Arc<Segments>,
    /// Held meanwhile, so that no process deletes the segments.
    _lock: Option<File>,
}

impl UnreadPart {
    /// Reads all of it. Returns whether it was intact; else another edition must be built without
    /// reusing anything of this one.
    pub fn read(self) -> bool {
        self.segments.read_all()
    }
}

/// Keeps an edition built from `key` at `made`; `false` if it cannot be stored, or another process
/// uses the files.
///
/// # Errors
/// The system's. The previously kept edition is unchanged.
pub fn write(
    folder: &Path,
    edition: &Edition,
    made: (String, Timestamp, Report),
) -> io::Result<bool> {
    let segments = folder.join(SEGMENTS);
    fs::create_dir_all(&segments)?;
    let Some(_lock) = lock(folder)? else {
        return Ok(false);
    };
    let before = manifest_before(folder);
    let mut put = |segment: &Segment, bytes: &[u8]| {
        replace(&segments.join("new"), &segments.join(&segment.name), bytes)
    };
    let written = Manifest::write(edition, made, before.as_ref(), &mut put).and_then(|manifest| {
        if let Some(manifest) = &manifest {
            replace_manifest(folder, manifest)?;
        }
        Ok(manifest)
    });
    let new = written.as_ref().ok().and_then(Option::as_ref);
    delete_unnamed(&segments, new.or(before.as_ref()));
    written.map(|new| new.is_some())
}

fn replace_manifest(folder: &Path, manifest: &Manifest) -> io::Result<()> {
    let bytes = manifest.to_bytes()?;
    replace(&folder.join(NEW), &folder.join(MANIFEST), &bytes)
}

/// The lock of the stored edition, until it is dropped; `None` if another process has it.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let lock = file::lock(&folder.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The existing manifest, if all its segments seem to exist.
fn manifest_before(folder: &Path) -> Option<Manifest> {
    let bytes = manifest_bytes(folder).ok()??;
    let manifest = Opened::new(&bytes).ok()?.read().ok()?;
    for segment in manifest.head.segments() {
        let metadata = fs::metadata(folder.join(SEGMENTS).join(&segment.name)).ok()?;
        if metadata.len() != segment.length {
            return None;
        }
    }
    Some(manifest)
}

/// Writes a new file, flushes it to disk, and renames it.
fn replace(new: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    // Left by a killed process.
    let _ = fs::remove_file(new);
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[expect(
        clippy::disallowed_methods,
        reason = "it is made, and never one that is there"
    )]
    let mut file = options.open(new)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(new, place));
    if written.is_err() {
        let _ = fs::remove_file(new);
    }
    written
}

/// Deletes the segments that the manifest does not name. One that cannot be deleted takes space
/// until the next attempt.
fn delete_unnamed(folder: &Path, manifest: Option<&Manifest>) {
    let segments = manifest
        .into_iter()
        .flat_map(|manifest| manifest.head.segments());
    let named: BTreeSet<&str> = segments.map(|segment| &*segment.name).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry
            .file_name()
            .to_str()
            .is_some_and(|name| named.contains(name))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The edition kept under this key and valid at `now`; `None` if there is none. Its bytes are
/// copied to this store.
///
/// # Errors
/// Why the files are not used, in a few words.
pub fn read(
    folder: &Path,
    key: &str,
    now: Timestamp,
    store: &byte_store::Shared,
) -> Result<Option<Kept>, String> {
    read_if(folder, store, |head| {
        head.key == key && holds(head.made, head.next_change, now)
    })
}

/// Gives an edition the codings of the one kept under this key, where their resources have the same
/// bytes. The time for which the kept one is valid does not matter.
///
/// # Errors
/// Why the files are not used, in a few words. They are forgotten: else the next edition to be kept
/// would share segments with them.
#[cfg(feature = "store")]
pub fn recall_codings(
    folder: &Path,
    key: &str,
    edition: &Edition,
    store: &byte_store::Shared,
) -> Result<(), String> {
    let recall = || {
        let Some(kept) = read_if(folder, store, |head| head.key == key)? else {
            return Ok(());
        };
        if !kept.rest.read() {
            return Err("its bytes are damaged".to_owned());
        }
        kept.edition.read_codings();
        edition.adopt(&kept.edition);
        Ok(())
    };
    recall().inspect_err(|_| forget(folder))
}

fn read_if(
    folder: &Path,
    store: &byte_store::Shared,
    is_wanted: impl FnOnce(&Head) -> bool,
) -> Result<Option<Kept>, String> {
    // A state that can be read but not written is still useful.
    let lock = file::lock(&folder.join(LOCK)).ok();
    if let Some(lock) = &lock
        && matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
    {
        // Another process is writing, and will delete segments.
        return Ok(None);
    }
    let Some(bytes) = manifest_bytes(folder)? else {
        return Ok(None);
    };
    let opened = Opened::new(&bytes)?;
    let made = opened.head.made;
    if !is_wanted(&opened.head) {
        return Ok(None);
    }
    let manifest = opened.read()?;
    let segments = segments(folder, &manifest, store);
    let (edition, report) = manifest
        .restore(&segments, Arc::clone(store))
        .ok_or("its index does not fit its bytes")?;
    Ok(Some(Kept {
        edition,
        made,
        report,
        rest: UnreadPart {
            segments,
            _lock: lock,
        },
    }))
}

/// The manifest of a kept edition that another one replaces: it may be of other inputs.
#[derive(Debug)]
pub struct Before {
    manifest: Manifest,
    /// Held meanwhile, so that no process deletes the segments.
    _lock: Option<File>,
}

impl Before {
    /// The kept one, if it is whole and no process is writing it.
    pub fn open(folder: &Path) -> Option<Self> {
        let lock = file::lock(&folder.join(LOCK)).ok();
        if let Some(lock) = &lock {
            lock.try_lock_shared().ok()?;
        }
        let manifest = manifest_before(folder)?;
        Some(Self {
            manifest,
            _lock: lock,
        })
    }

    /// The files of earlier themes that the next edition answers for. Their bytes are copied to this
    /// store.
    pub fn left_to(
        &self,
        next: &Edition,
        folder: &Path,
        store: &byte_store::Shared,
    ) -> Option<Earlier> {
        let segments = segments(folder, &self.manifest, store);
        self.manifest.left_to(next, &segments)
    }
}

/// The segments of a manifest, read on first use.
fn segments(folder: &Path, manifest: &Manifest, store: &byte_store::Shared) -> Arc<Segments> {
    let place = folder.join(SEGMENTS);
    let fetch = move |segment: &Segment| segment_bytes(&place, segment).ok();
    let numbered = manifest.head.segments.clone();
    Arc::new(Segments::new(numbered, Box::new(fetch), Arc::clone(store)))
}

/// The bytes of the manifest; `None` if it does not exist.
fn manifest_bytes(folder: &Path) -> Result<Option<Vec<u8>>, String> {
    let most = limits::EDITION_BYTES;
    let own = match own_file(&folder.join(MANIFEST)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        own => own,
    };
    let read = own.and_then(|(file, metadata)| {
        if metadata.len() > most.bytes {
            Err(Refused::TooLarge(most).into())
        } else {
            whole(file, metadata.len())
        }
    });
    read.map(Some).map_err(|error| reason(&error))
}

/// The bytes of a segment, with only its length checked: the caller checks the digest.
fn segment_bytes(folder: &Path, segment: &Segment) -> io::Result<Vec<u8>> {
    let (file, metadata) = own_file(&folder.join(&segment.name))?;
    if metadata.len() != segment.length {
        return Err(io::ErrorKind::InvalidData.into());
    }
    whole(file, segment.length)
}

/// Reads a file of exactly this length.
fn whole(file: File, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file that no other user could have written.
fn own_file(path: &Path) -> io::Result<(File, Metadata)> {
    let file = file::open(path)?;
    let metadata = file.metadata()?;
    if is_ours(&metadata) {
        Ok((file, metadata))
    } else {
        Err(io::Error::other("it was not written by Diglot"))
    }
}

#[cfg(target_os = "linux")]
fn is_ours(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

/// Other systems cannot tell, so nothing kept is used.
#[cfg(not(target_os = "linux"))]
fn is_ours(_: &Metadata) -> bool {
    false
}

/// Whether there may be a kept edition; [`read`] reports why it cannot be used.
pub fn is_there(folder: &Path) -> bool {
    !fs::metadata(folder.join(MANIFEST)).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Deletes the kept edition.
pub fn forget(folder: &Path) {
    let _ = fs::remove_file(folder.join(MANIFEST));
}

#[cfg(test)]
mod tests;
