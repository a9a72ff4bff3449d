//! A finished edition between runs: one file with every byte of it, under a key of all that it was made from. A server that starts on an unchanged folder answers from it.
//!
//! # Form
//!
//! The bytes; then the index, which is JSON; then a trailer of fixed length: the key, where the index begins, digests of both parts. It is written beside its
//! place, flushed, and renamed, so it is there as a whole or not at all. What is not exactly so is not used, and written anew.
//!
//! # Soundness of its mapping
//!
//! Once the file has its name nobody writes to it: the next one is another file that takes the name, and whoever has mapped this one keeps it. It has the mode 0600 and is
//! used only where it belongs to the user of this process. Who may act as that user could change it meanwhile, and could as well change this process. Should it
//! be cut off, the system ends the process (SIGBUS); nothing is ever read beyond its length when it was mapped.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use bytes::Bytes;
use diglot_content::library::Report;
use diglot_edition::Edition;
use diglot_edition::record::{Piece, Record};
use diglot_edition::store;
use jiff::Timestamp;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};

/// The file.
const NAME: &str = "edition";
/// Where it is written.
const NEW: &str = "edition.new";
/// What is held while it is written.
const LOCK: &str = "edition.lock";
/// How the file ends, and the number of its form.
const MAGIC: [u8; 16] = *b"diglot edition 1";
/// Key, beginning of the index, digest of the bytes, digest of the index, [`MAGIC`].
const TRAILER: usize = 32 + 8 + 32 + 32 + MAGIC.len();

/// A digest of everything that an edition is made from.
pub type Key = [u8; 32];

/// An edition that was kept, and what was said of it.
#[derive(Debug)]
pub struct Kept {
    /// The edition.
    pub edition: Edition,
    /// What became of every file.
    pub report: Report,
    /// Whether the bytes are those that were written is yet to be seen.
    pub check: Check,
}

/// Tells whether the bytes of a kept edition are those that were written.
#[derive(Debug)]
pub struct Check {
    bytes: Bytes,
    digest: [u8; 32],
}

impl Check {
    /// Whether they are. It reads all of them.
    pub fn is_sound(&self) -> bool {
        *blake3::hash(&self.bytes).as_bytes() == self.digest
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Index {
    /// When the edition was made.
    made: Timestamp,
    report: Report,
    edition: Record,
}

/// Keeps an edition that was made at `made`; `false`: it cannot be written down, or another process is writing one.
///
/// # Errors
/// The system's. What was kept before is there still.
pub(super) fn write(dir: &Path, key: &Key, edition: &Edition, report: &Report, made: Timestamp) -> io::Result<bool> {
    fs::create_dir_all(dir)?;
    let lock = File::options().write(true).create(true).truncate(false).open(dir.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let new = dir.join(NEW);
    // Left by a process that was killed.
    let _ = fs::remove_file(&new);
    let written = write_new(&new, key, edition, report, made).and_then(|written| {
        if written {
            fs::rename(&new, dir.join(NAME))?;
        }
        Ok(written)
    });
    if !matches!(written, Ok(true)) {
        let _ = fs::remove_file(&new);
    }
    written
}

fn write_new(path: &Path, key: &Key, edition: &Edition, report: &Report, made: Timestamp) -> io::Result<bool> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = Out { file: BufWriter::with_capacity(1 << 20, options.open(path)?), sum: blake3::Hasher::new(), at: 0, known: BTreeMap::new() };
    let Some(edition) = edition.record(|bytes| out.keep(bytes))? else { return Ok(false) };
    let Out { mut file, sum, at, .. } = out;
    let index = serde_json::to_vec(&Index { made, report: report.clone(), edition })?;
    file.write_all(&index)?;
    for part in [&key[..], &at.to_le_bytes(), sum.finalize().as_bytes(), blake3::hash(&index).as_bytes(), &MAGIC] {
        file.write_all(part)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(true)
}

/// The bytes of an edition on their way to the file.
struct Out {
    file: BufWriter<File>,
    sum: blake3::Hasher,
    at: u64,
    /// What is written already: where it begins in memory, its length, where it lies in the file.
    known: BTreeMap<usize, (usize, u64)>,
}

impl Out {
    /// Writes some bytes, unless they are part of what is written.
    fn keep(&mut self, bytes: &Bytes) -> io::Result<Piece> {
        let (start, length) = (bytes.as_ptr() as usize, bytes.len());
        if let Some((begin, (room, at))) = self.known.range(..=start).next_back()
            && start + length <= begin + room
        {
            return Ok(Piece(at + (start - begin) as u64, length as u64));
        }
        self.file.write_all(bytes)?;
        self.sum.update(bytes);
        let piece = Piece(self.at, length as u64);
        self.known.insert(start, (length, self.at));
        self.at += length as u64;
        Ok(piece)
    }
}

/// The edition that was kept under this key and holds at `now`; `None`: there is none.
///
/// # Errors
/// Why the file is not used, in a few words.
pub(super) fn read(dir: &Path, key: &Key, now: Timestamp) -> Result<Option<Kept>, String> {
    let Some(whole) = mapped(&dir.join(NAME))? else { return Ok(None) };
    let cut = || "it is cut off".to_owned();
    let trailer = whole.len().checked_sub(TRAILER).ok_or_else(cut)?;
    let (own_key, rest) = whole[trailer..].split_first_chunk::<32>().ok_or_else(cut)?;
    let (begin, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
    let (digest, rest) = rest.split_first_chunk::<32>().ok_or_else(cut)?;
    let (sum, magic) = rest.split_first_chunk::<32>().ok_or_else(cut)?;
    if *magic != MAGIC {
        return Err("its form is not known".to_owned());
    }
    if own_key != key {
        return Ok(None);
    }
    let begin = usize::try_from(u64::from_le_bytes(*begin)).ok().filter(|begin| *begin <= trailer).ok_or_else(cut)?;
    let (bytes, index) = (whole.slice(..begin), &whole[begin..trailer]);
    if blake3::hash(index).as_bytes() != sum {
        return Err("its index is not what was written".to_owned());
    }
    let Index { made, report, edition } = serde_json::from_slice(index).map_err(|error| format!("its index cannot be read: {error}"))?;
    let bring = |Piece(at, length): Piece| {
        let (at, length) = (usize::try_from(at).ok()?, usize::try_from(length).ok()?);
        let end = at.checked_add(length).filter(|end| *end <= bytes.len())?;
        Some(bytes.slice(at..end))
    };
    let edition = Edition::restored(edition, store::heap(), bring).ok_or("its index does not fit its bytes")?;
    let holds = made <= now && edition.next_change.is_none_or(|change| now < change);
    let check = Check { bytes, digest: *digest };
    Ok(holds.then_some(Kept { edition, report, check }))
}

/// The file as it was written; `None`: there is none.
fn mapped(path: &Path) -> Result<Option<Bytes>, String> {
    let refused = |error: io::Error| crate::failure::reason(&error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    let meta = file.metadata().map_err(refused)?;
    if !meta.is_file() || !is_ours(&meta) {
        return Err("it is no file of ours".to_owned());
    }
    if meta.len() == 0 {
        return Err("it is empty".to_owned());
    }
    // SAFETY: it has its name, so nobody writes to it any more, and only who may act as our user could (see above: soundness of its mapping).
    let map = unsafe { Mmap::map(&file) }.map_err(refused)?;
    Ok(Some(Bytes::from_owner(map)))
}

/// Whether nobody else could have written this file.
#[cfg(target_os = "linux")]
fn is_ours(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0
}

/// Elsewhere it is not known, and nothing is used that was kept.
#[cfg(not(target_os = "linux"))]
fn is_ours(_: &fs::Metadata) -> bool {
    false
}

/// Whether something was kept, as far as can be told: what cannot be looked at is refused by [`read`], with its reason.
pub(super) fn is_there(dir: &Path) -> bool {
    !fs::metadata(dir.join(NAME)).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Lets go of what was kept.
pub(super) fn forget(dir: &Path) {
    let _ = fs::remove_file(dir.join(NAME));
}

#[cfg(test)]
mod tests;
