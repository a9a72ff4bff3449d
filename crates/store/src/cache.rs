//! The cache of a replica: a folder with the objects of the editions that it needs, under the keys
//! that they have in the store.
//!
//! A file is written under another name and renamed, and a pointer is written after everything that
//! its edition needs. So a process may be killed at any time. A reader trusts the cache no more than
//! the store: it verifies every object, and the signature of the pointer.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diglot_edition::segment::{Segment, Segments};
use diglot_edition::stored::{Manifest, Opened};
use diglot_edition::{Edition, byte_store};

use crate::error::{Error, Result};
use crate::pointer::{self, Pointer};
use crate::root::{self, FOLDERS, LONGEST, Root, chunk_key, manifest_key, segment_key};
use crate::signature::PublicKey;

const POINTERS: &str = "editions";
/// The folder of files that are not whole yet.
const NEW: &str = "new";

/// A cache.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in this folder, which is created; only this user may enter it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn create(folder: &Path) -> Result<Self> {
        let cache = Self {
            folder: folder.to_owned(),
        };
        for name in FOLDERS.into_iter().chain([POINTERS, NEW]) {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            let made = builder.create(folder.join(name));
            made.map_err(|error| cache.failed("create", name, &error))?;
        }
        Ok(cache)
    }

    fn failed(&self, what: &str, key: &str, error: &io::Error) -> Error {
        Error::Store {
            operation: format!("{what} `{}`", self.folder.join(key).display()),
            reason: error.to_string(),
        }
    }

    /// The right to write into the cache, until it is dropped.
    ///
    /// # Errors
    /// [`Error::Conflict`]: another process has it. [`Error::Store`].
    pub fn lock(&self) -> Result<File> {
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.folder.join("lock"));
        let lock = lock.map_err(|error| self.failed("open", "lock", &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(lock),
            Err(fs::TryLockError::WouldBlock) => Err(Error::Conflict(format!(
                "another replica uses the cache `{}`",
                self.folder.display()
            ))),
            Err(fs::TryLockError::Error(error)) => Err(self.failed("lock", "lock", &error)),
        }
    }

    /// The bytes of an object; `None` if it cannot be read or is longer than `most`.
    pub(crate) fn read(&self, key: &str, most: u64) -> Option<Vec<u8>> {
        let path = self.folder.join(key);
        let metadata = fs::symlink_metadata(&path).ok()?;
        if !metadata.is_file() || metadata.len() > most {
            return None;
        }
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The bytes of a segment, not verified.
    pub fn segment(&self, segment: &Segment) -> Option<Vec<u8>> {
        self.read(&segment_key(segment), segment.length)
    }

    /// Whether there is a segment of this name and length.
    pub(crate) fn has(&self, segment: &Segment) -> bool {
        fs::symlink_metadata(self.folder.join(segment_key(segment)))
            .is_ok_and(|found| found.is_file() && found.len() == segment.length)
    }

    /// Writes an object, flushed to the disk.
    pub(crate) fn write(&self, key: &str, bytes: &[u8]) -> Result<()> {
        let written = || {
            let new = self
                .folder
                .join(NEW)
                .join(pointer::nonce().map_err(io::Error::other)?);
            let mut file = File::create_new(&new)?;
            let written = file
                .write_all(bytes)
                .and_then(|()| file.sync_all())
                .and_then(|()| fs::rename(&new, self.folder.join(key)));
            if written.is_err() {
                let _ = fs::remove_file(&new);
            }
            written
        };
        written().map_err(|error: io::Error| self.failed("write", key, &error))
    }

    /// Deletes an object, if it can be.
    pub(crate) fn remove(&self, key: &str) {
        let _ = fs::remove_file(self.folder.join(key));
    }

    /// The numbers of the pointers, in order.
    fn numbers(&self) -> Vec<u64> {
        let names = self.names(POINTERS).into_iter();
        let mut numbers: Vec<u64> = names.filter_map(|name| Pointer::number_of(&name)).collect();
        numbers.sort_unstable();
        numbers
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect()
    }

    /// The bytes of all files.
    pub(crate) fn size(&self) -> u64 {
        let folders = FOLDERS.into_iter().chain([POINTERS, NEW]);
        folders
            .flat_map(|folder| fs::read_dir(self.folder.join(folder)).into_iter().flatten())
            .filter_map(|entry| entry.ok()?.metadata().ok())
            .map(|metadata| metadata.len())
            .sum()
    }

    /// The pointer of a number. With a key, an unsigned or wrongly signed one is refused.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn pointer(&self, number: u64, key: Option<&PublicKey>) -> Result<Pointer> {
        let bytes = self
            .read(&Pointer::key(number), pointer::LONGEST)
            .unwrap_or_default();
        Pointer::parse(number, &bytes, key)
    }

    /// The newest edition of which everything seems to be there.
    pub fn newest(&self, key: Option<&PublicKey>) -> Option<(Pointer, Manifest)> {
        let whole = |number| {
            let pointer = self.pointer(number, key).ok()?;
            let manifest = self.manifest(&pointer).ok()?;
            let is_whole = manifest.head.segments().all(|segment| self.has(segment));
            is_whole.then_some((pointer, manifest))
        };
        self.numbers().into_iter().rev().find_map(whole)
    }

    pub(crate) fn root(&self, pointer: &Pointer) -> Result<Root> {
        let key = manifest_key(&pointer.manifest);
        let object = self.read(&key, LONGEST).unwrap_or_default();
        Root::parse(&pointer.manifest, &object)
    }

    /// The manifest of a pointer, verified.
    ///
    /// # Errors
    /// [`Error::Refused`]: a part is missing, damaged, or of another version.
    pub fn manifest(&self, pointer: &Pointer) -> Result<Manifest> {
        let root = self.root(pointer)?;
        let mut bytes = Vec::new();
        for name in &root.chunks {
            let object = self.read(&chunk_key(name), LONGEST);
            bytes.extend(root::content(name, &object.unwrap_or_default())?);
        }
        let number = pointer.number;
        let refused = |why: String| Error::Refused(format!("edition {number} is refused: {why}"));
        let manifest = Opened::new(&bytes)
            .and_then(Opened::read)
            .map_err(refused)?;
        let is_of_root = manifest.head.segments().eq(&root.segments);
        if manifest.head.key != pointer.edition || !is_of_root {
            return Err(refused("its manifest is of another edition".to_owned()));
        }
        Ok(manifest)
    }

    /// Deletes what no edition from this number on needs.
    ///
    /// # Errors
    /// [`Error::Refused`]: it is not known what an edition needs; nothing was deleted.
    pub(crate) fn forget_before(&self, number: u64) -> Result<()> {
        let mut needed = BTreeSet::new();
        for number in self.numbers().into_iter().filter(|it| *it >= number) {
            let pointer = self.pointer(number, None)?;
            let root = self.root(&pointer)?;
            needed.insert(Pointer::key(number));
            needed.extend(root.keys(&pointer.manifest));
        }
        for folder in [POINTERS, NEW].into_iter().chain(FOLDERS) {
            let keys = self.names(folder).into_iter();
            keys.map(|name| format!("{folder}/{name}"))
                .filter(|key| !needed.contains(key))
                .for_each(|key| self.remove(&key));
        }
        Ok(())
    }
}

/// The edition of a manifest, with its bodies in these segments.
///
/// # Errors
/// [`Error::Refused`]: it is not the edition of the pointer.
pub fn restored(
    pointer: &Pointer,
    manifest: Manifest,
    segments: &Arc<Segments>,
    store: byte_store::Shared,
) -> Result<Edition> {
    let found = manifest
        .restore(segments, store)
        .map(|(edition, _)| edition);
    let is_meant = |edition: &Edition| {
        edition.id.to_string() == pointer.edition
            && edition.site.base.to_string() == pointer.base_url
    };
    found.filter(is_meant).ok_or_else(|| {
        let number = pointer.number;
        Error::Refused(format!(
            "edition {number} is refused: it is not what its pointer says"
        ))
    })
}
