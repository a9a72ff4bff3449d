//! A finished edition between runs: one file with every byte of it, under a key of all that it was made from. A server that starts on an unchanged folder answers from it.
//!
//! # Form
//!
//! Chunks of bytes; then the index, two lines of JSON of which the first has the length and the digest of each chunk; then a trailer of fixed length: the key, where the index
//! begins, and a digest of key, beginning and index. So every byte of the file is under a digest. It is written beside its place, flushed, and renamed: it is there as a whole or
//! not at all.
//!
//! # Trust
//!
//! The file has a name, so any process of this user may change it or cut it off at any time. It is therefore never mapped: a chunk is read into memory, compared with its
//! digest there, and kept in the store of this process. No byte is used before that. Of a short file all chunks are read before there is an edition. A long one would take seconds,
//! so there a chunk is read at its first use, and the others in the background. Once a chunk is not what was written nothing more of the file is used, and the edition says that it
//! is not sound.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use diglot_content::library::Report;
use diglot_edition::piece::{Bring, Piece};
use diglot_edition::record::{Coded, Record};
use diglot_edition::store;
use diglot_edition::{Edition, holds};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The file.
const NAME: &str = "edition";
/// Where it is written.
const NEW: &str = "edition.new";
/// What is held while it is written.
const LOCK: &str = "edition.lock";
/// How the file ends, and the number of its form.
const MAGIC: [u8; 16] = *b"diglot edition 2";
/// Key, beginning of the index, digest of both and of the index, [`MAGIC`].
const TRAILER: usize = 32 + 8 + 32 + MAGIC.len();
/// So many bytes of a file are read before there is an edition; it takes some 50 ms.
pub(super) const AT_ONCE: u64 = 64 << 20;
/// How many bytes a chunk has at most; a longer piece is a chunk of its own. It fits a processor's cache, and thousands of pieces share one read and one digest.
const CHUNK: usize = 2 << 20;

/// A digest of everything that an edition is made from.
pub type Key = [u8; 32];

/// An edition that was kept, and what was said of it.
#[derive(Debug)]
pub struct Kept {
    /// The edition.
    pub edition: Edition,
    /// When it was made.
    pub made: Timestamp,
    /// What became of every file.
    pub report: Report,
    /// What is yet to be read of a long file.
    pub rest: Option<Rest>,
}

/// What of a kept edition is not read yet.
#[derive(Debug)]
pub struct Rest {
    chunks: Arc<Chunks>,
    coded: Coded,
}

impl Rest {
    /// Reads all of it, and offers the codings. Whether nothing was damaged: else another edition has to be made, of which nothing is taken from this one.
    pub fn read(self) -> bool {
        self.chunks.places.iter().all(|place| self.chunks.chunk(place).is_some()) && self.coded.restore(&*self.chunks)
    }
}

/// The first line of the index: what has to be known before anything else is read.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// When the edition was made.
    made: Timestamp,
    next_change: Option<Timestamp>,
    /// In the order of the file, without a gap.
    chunks: Vec<Chunk>,
}

/// The second line.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    report: Report,
    edition: Record,
}

/// Some bytes of the file: how many, and the digits of their digest.
#[derive(Debug, Serialize, Deserialize)]
struct Chunk(u64, String);

/// Keeps an edition that was made at `made`; `false`: it cannot be written down, or another process is writing one.
///
/// # Errors
/// The system's. What was kept before is there still.
pub(super) fn write(dir: &Path, key: &Key, edition: &Edition, report: &Report, made: Timestamp) -> io::Result<bool> {
    fs::create_dir_all(dir)?;
    let lock = crate::file::lock(&dir.join(LOCK))?;
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
    #[expect(clippy::disallowed_methods, reason = "it is made, and never one that is there")]
    let file = options.open(path)?;
    let mut out = Out { file, chunk: Vec::with_capacity(CHUNK), chunks: Vec::new(), at: 0, known: BTreeMap::new() };
    let next_change = edition.next_change;
    let Some(edition) = edition.record(|bytes| out.keep(bytes))? else { return Ok(false) };
    out.end_chunk()?;
    let Out { mut file, chunks, at, .. } = out;
    let mut index = serde_json::to_vec(&Head { made, next_change, chunks })?;
    index.push(b'\n');
    serde_json::to_writer(&mut index, &Content { report: report.clone(), edition })?;
    file.write_all(&index)?;
    file.write_all(&[&key[..], &at.to_le_bytes(), seal(key, at, &index).as_bytes(), &MAGIC].concat())?;
    file.sync_all()?;
    Ok(true)
}

/// The digest of everything that is in no chunk.
fn seal(key: &Key, begin: u64, index: &[u8]) -> blake3::Hash {
    let mut sum = blake3::Hasher::new();
    sum.update(&MAGIC).update(key).update(&begin.to_le_bytes()).update(index);
    sum.finalize()
}

/// The bytes of an edition on their way to the file.
struct Out {
    file: File,
    /// What is yet to be written.
    chunk: Vec<u8>,
    chunks: Vec<Chunk>,
    /// How many bytes there are so far, those of `chunk` among them.
    at: u64,
    /// What is there already: where it begins in memory, its length, where it begins in the file.
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
        if self.chunk.len() + length > CHUNK {
            self.end_chunk()?;
        }
        if length > CHUNK {
            self.write_chunk(bytes)?;
        } else {
            self.chunk.extend_from_slice(bytes);
        }
        let piece = Piece(self.at, length as u64);
        self.known.insert(start, (length, self.at));
        self.at += length as u64;
        Ok(piece)
    }

    /// Writes what is yet to be written.
    fn end_chunk(&mut self) -> io::Result<()> {
        let mut chunk = std::mem::take(&mut self.chunk);
        if !chunk.is_empty() {
            self.write_chunk(&chunk)?;
        }
        chunk.clear();
        self.chunk = chunk;
        Ok(())
    }

    fn write_chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.chunks.push(Chunk(bytes.len() as u64, blake3::hash(bytes).to_hex().to_string()));
        self.file.write_all(bytes)
    }
}

/// The edition that was kept under this key and holds at `now`, its bytes in this store, all of them before it is used if there are at most so many; `None`: there is none.
///
/// # Errors
/// Why the file is not used, in a few words.
pub(super) fn read(dir: &Path, key: &Key, now: Timestamp, store: &store::Shared, at_once: u64) -> Result<Option<Kept>, String> {
    let Some((file, length)) = opened(&dir.join(NAME))? else { return Ok(None) };
    let cut = || "it is cut off".to_owned();
    let end = length.checked_sub(TRAILER as u64).ok_or_else(cut)?;
    let (mut trailer, mut index) = (Vec::new(), Vec::new());
    read_at(&file, end, TRAILER as u64, &mut trailer)?;
    let (own_key, rest) = trailer.split_first_chunk::<32>().ok_or_else(cut)?;
    let (begin, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
    let (digest, magic) = rest.split_first_chunk::<32>().ok_or_else(cut)?;
    if *magic != MAGIC {
        return Err("its end is not that of a kept edition".to_owned());
    }
    if own_key != key {
        return Ok(None);
    }
    let begin = u64::from_le_bytes(*begin);
    read_at(&file, begin, end.checked_sub(begin).ok_or_else(cut)?, &mut index)?;
    if seal(key, begin, &index) != *digest {
        return Err("its index is damaged".to_owned());
    }
    let unread = |error: serde_json::Error| format!("its index cannot be read: {error}");
    let (head, content) = index.split_at(index.iter().position(|byte| *byte == b'\n').ok_or_else(cut)?);
    let Head { made, next_change, chunks } = serde_json::from_slice(head).map_err(unread)?;
    if !holds(made, next_change, now) {
        return Ok(None);
    }
    let chunks = Arc::new(Chunks::new(file, begin, chunks, store)?);
    let (sound, content) = rayon::join(|| begin > at_once || chunks.read_all(), || serde_json::from_slice(content).map_err(unread));
    if !sound {
        return Err("its bytes are damaged".to_owned());
    }
    let Content { report, edition } = content?;
    let source: Arc<dyn Bring> = Arc::<Chunks>::clone(&chunks);
    let (edition, coded) = Edition::restored(edition, Arc::clone(store), source).ok_or("its index does not fit its bytes")?;
    if edition.next_change != next_change {
        return Err("its index contradicts itself".to_owned());
    }
    let rest = Rest { chunks, coded };
    // All of a short file was read, so that this takes no time.
    let rest = if begin > at_once { Some(rest) } else { rest.read().then_some(None).ok_or("its bytes are damaged")? };
    Ok(Some(Kept { edition, made, report, rest }))
}

/// The chunks of a file.
#[derive(Debug)]
struct Chunks {
    file: File,
    places: Vec<Place>,
    store: store::Shared,
    damaged: AtomicBool,
}

/// A chunk in its file, and its bytes once they were found to be what was written.
#[derive(Debug)]
struct Place {
    begin: u64,
    length: u64,
    digest: String,
    bytes: OnceLock<Option<Bytes>>,
}

impl Chunks {
    /// Chunks that fill the file up to `end`.
    fn new(file: File, end: u64, chunks: Vec<Chunk>, store: &store::Shared) -> Result<Self, String> {
        let (mut next, mut places) = (0_u64, Vec::with_capacity(chunks.len()));
        for Chunk(length, digest) in chunks {
            places.push(Place { begin: next, length, digest, bytes: OnceLock::new() });
            next = next.checked_add(length).filter(|next| *next <= end).ok_or("its index does not fit its length")?;
        }
        if next != end {
            return Err("its index does not fit its length".to_owned());
        }
        Ok(Self { file, places, store: Arc::clone(store), damaged: AtomicBool::new(false) })
    }

    /// The bytes of a chunk, in the store. What is compared are the bytes that will be sent, not those in the file, which may be others by then.
    fn chunk<'a>(&self, place: &'a Place) -> Option<&'a Bytes> {
        let read = || {
            let mut bytes = Vec::new();
            let read = self.is_sound() && read_at(&self.file, place.begin, place.length, &mut bytes).is_ok();
            (read && blake3::hash(&bytes).to_hex().as_str() == place.digest).then(|| self.store.keep(bytes))
        };
        let bytes = place.bytes.get_or_init(read).as_ref();
        if bytes.is_none() {
            self.damaged.store(true, Ordering::Release);
        }
        bytes
    }

    /// Reads all chunks, several of them side by side; whether none was damaged.
    fn read_all(&self) -> bool {
        self.places.par_iter().with_max_len(1).all(|place| self.chunk(place).is_some())
    }

    /// The chunk that has this piece, and where in it the piece is.
    fn place(&self, Piece(at, length): Piece) -> Option<(&Place, Range<usize>)> {
        let place = &self.places[self.places.partition_point(|place| place.begin <= at).checked_sub(1)?];
        let start = at - place.begin;
        let end = start.checked_add(length).filter(|end| *end <= place.length)?;
        Some((place, usize::try_from(start).ok()?..usize::try_from(end).ok()?))
    }
}

impl Bring for Chunks {
    fn has(&self, piece: Piece) -> bool {
        self.place(piece).is_some()
    }

    fn bring(&self, piece: Piece) -> Option<Bytes> {
        let (place, range) = self.place(piece)?;
        Some(self.chunk(place)?.slice(range))
    }

    fn is_sound(&self) -> bool {
        !self.damaged.load(Ordering::Acquire)
    }
}

/// Reads so many bytes of a file from here on, and no others stay in `bytes`.
fn read_at(file: &File, at: u64, length: u64, bytes: &mut Vec<u8>) -> Result<(), String> {
    bytes.resize(usize::try_from(length).map_err(|_| "it is too long")?, 0);
    #[cfg(unix)]
    let read = std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    // Elsewhere no file is known to be ours.
    #[cfg(not(unix))]
    let read = Err((file, at)).map_err(|_| io::ErrorKind::Unsupported.into());
    read.map_err(|error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut off".to_owned(),
        _ => crate::failure::reason(&error),
    })
}

/// The file and its length; `None`: there is none.
fn opened(path: &Path) -> Result<Option<(File, u64)>, String> {
    let refused = |error: io::Error| crate::failure::reason(&error);
    let file = match crate::file::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    let meta = file.metadata().map_err(refused)?;
    if !is_ours(&meta) {
        return Err("it is no file of ours".to_owned());
    }
    if meta.len() > crate::limits::EDITION_BYTES.bytes {
        return Err(crate::file::Refused::TooLarge(crate::limits::EDITION_BYTES).to_string());
    }
    Ok(Some((file, meta.len())))
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
