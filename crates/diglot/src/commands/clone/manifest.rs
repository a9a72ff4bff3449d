//! What a copy is of, and what was written: `.diglot-clone.json` in its folder.
//!
//! While a run writes, [`Journal`] names each file before it is there. So a run that was stopped
//! has written nothing that the next one does not know.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use diglot_audit::listing;
use diglot_edition::Digest;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::file;
use crate::limits::MostBytes;

/// The name of the file.
const NAME: &str = ".diglot-clone.json";
/// The name of the file of a run that writes.
const JOURNAL: &str = ".diglot-clone.journal";
/// The number of its format.
const FORMAT: u32 = 1;
/// The most bytes that it may have.
const MOST: MostBytes = MostBytes::new("clone-manifest-bytes", 256 << 20);
/// The most bytes of a copied file: more than a site may give.
const MOST_FILE: MostBytes = MostBytes::new("clone-file-bytes", 64 << 20);

/// What is known of a copy.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// The address that was copied.
    pub(super) url: String,
    /// The edition of the last run that was complete; else empty.
    pub(super) edition: String,
    /// The files that were written, by their paths in the folder.
    pub(super) files: BTreeMap<String, Written>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Written {
    /// Its path on the site.
    pub(super) path: String,
    /// The entity tag with which it was answered.
    pub(super) tag: String,
    /// The digest of its bytes.
    digest: String,
}

/// What is at the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occupancy {
    /// Nothing.
    Free,
    /// The bytes that were written.
    Ours,
    /// Something else, which is never replaced or removed.
    Foreign,
}

impl Manifest {
    /// The manifest of a folder; a new one for a folder that is empty or does not exist.
    ///
    /// # Errors
    /// The folder is something else, or cannot be read.
    pub(super) fn open(folder: &Path, url: &str) -> Result<Self, Failure> {
        let mut manifest = match file::read(&folder.join(NAME), MOST) {
            Ok(bytes) => Self::parse(&bytes).ok_or_else(|| unreadable(folder, NAME))?,
            Err(error) if error.kind() == ErrorKind::NotFound => Self::new(folder, url)?,
            Err(error) => return Err(Failure::path("read", &folder.join(NAME), &error)),
        };
        if manifest.url != url {
            let url = &manifest.url;
            return Err(other(folder, &format!("is a copy of `{url}`"))
                .hint("name another folder for another site"));
        }
        manifest.resume(folder)?;
        Ok(manifest)
    }

    fn new(folder: &Path, url: &str) -> Result<Self, Failure> {
        let is_empty = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(Failure::path("read", folder, &error)),
        };
        if !is_empty {
            return Err(other(folder, "is not empty, and not a copy of a site"));
        }
        Ok(Self {
            format: FORMAT,
            url: url.to_owned(),
            ..Self::default()
        })
    }

    /// `None` if it is not one of this format, or names what is not in the folder: the files that
    /// it names are replaced and removed.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(bytes).ok()?;
        let is_right =
            manifest.format == FORMAT && manifest.files.keys().all(|name| listing::is_file(name));
        is_right.then_some(manifest)
    }

    /// Notes what a run has written that was stopped.
    fn resume(&mut self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(JOURNAL);
        let bytes = match file::read(&path, MOST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Failure::path("read", &path, &error)),
        };
        let whole = bytes.split_inclusive(|byte| *byte == b'\n');
        // The run may have been stopped in the middle of a line, and has not written its file.
        for line in whole.filter(|line| line.ends_with(b"\n")) {
            let noted: Option<(String, Written)> = serde_json::from_slice(line).ok();
            let noted = noted.filter(|(name, _)| listing::is_file(name));
            let (name, written) = noted.ok_or_else(|| unreadable(folder, JOURNAL))?;
            if written.is_at(folder, &name) {
                self.files.insert(name, written);
            }
        }
        Ok(())
    }

    /// Writes it.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn save(&self, folder: &Path) -> Result<(), Failure> {
        let (path, bytes) = (folder.join(NAME), serde_json::to_vec_pretty(self));
        let saved = file::beside(&path).and_then(|mut new| {
            new.write_all(&bytes.unwrap_or_default())?;
            file::put(new, folder, NAME)
        });
        saved.map_err(|error| Failure::path("write", &path, &error))
    }

    /// Writes a page as a whole, unless something else is in its place by now. Returns what was there.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn write(
        &self,
        folder: &Path,
        (name, written): (&str, &Written),
        bytes: &[u8],
        journal: &Journal,
    ) -> io::Result<Occupancy> {
        let path = below(folder, name)?;
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let mut new = file::beside(&path)?;
        new.write_all(bytes)?;
        let place = self.place(folder, name)?;
        if place == Occupancy::Foreign {
            return Ok(place);
        }
        journal.note(name, written)?;
        match place {
            Occupancy::Free => new.persist_noclobber(path),
            _ => new.persist(path),
        }
        .map_err(|error| error.error)?;
        Ok(place)
    }

    /// What is at the place of a file in the folder.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn place(&self, folder: &Path, name: &str) -> io::Result<Occupancy> {
        let path = below(folder, name)?;
        let written = self.files.get(name);
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Occupancy::Free),
            Err(error) => Err(error),
            Ok(found) if !found.is_file() => Ok(Occupancy::Foreign),
            Ok(_) => {
                let bytes = file::read(&path, MOST_FILE)?;
                let is_ours = written.is_some_and(|written| written.digest == digest(&bytes));
                Ok(if is_ours {
                    Occupancy::Ours
                } else {
                    Occupancy::Foreign
                })
            }
        }
    }
}

impl Written {
    pub(super) fn new(path: &str, tag: &str, bytes: &[u8]) -> Self {
        Self {
            path: path.to_owned(),
            tag: tag.to_owned(),
            digest: digest(bytes),
        }
    }

    /// Whether a file of the folder has these bytes.
    pub(super) fn is_at(&self, folder: &Path, name: &str) -> bool {
        let read = below(folder, name).and_then(|path| file::read(&path, MOST_FILE));
        read.is_ok_and(|bytes| digest(&bytes) == self.digest)
    }
}

/// The files of a run that writes, each named before it is there.
pub(super) struct Journal(Mutex<File>);

impl Journal {
    /// An empty one. The manifest must have been saved.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn begin(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(JOURNAL);
        let file = file::journal(&path).map_err(|error| Failure::path("write", &path, &error))?;
        Ok(Self(Mutex::new(file)))
    }

    fn note(&self, name: &str, written: &Written) -> io::Result<()> {
        let mut line = serde_json::to_vec(&(name, written))?;
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)
    }

    /// Removes it: the manifest names all files.
    pub(super) fn end(self, folder: &Path) {
        drop(self);
        // One that stays names files that are known.
        let _ = fs::remove_file(folder.join(JOURNAL));
    }
}

fn other(folder: &Path, why: &str) -> Failure {
    Failure::usage(format!("`{}` {why}", folder.display()))
        .hint("name a folder that does not exist yet")
}

fn unreadable(folder: &Path, name: &str) -> Failure {
    let why = format!("is a copy whose list `{name}` this version of Diglot cannot read");
    other(folder, &why)
}

fn digest(bytes: &[u8]) -> String {
    Digest::hash(bytes).to_string()
}

/// The place of a file, after a look at the folders on the way: none may be a link out of the copy.
fn below(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let is_folder = parts.peek().is_some();
        let is_link = is_folder && path.symlink_metadata().is_ok_and(|found| !found.is_dir());
        if is_link {
            return Err(io::Error::other("a folder on the way is a link or a file"));
        }
    }
    Ok(path)
}

/// Removes a file, and the folders that are empty then.
///
/// # Errors
/// The system's.
pub(super) fn remove(folder: &Path, name: &str) -> io::Result<()> {
    let path = below(folder, name)?;
    fs::remove_file(&path)?;
    let parents = path.ancestors().skip(1);
    for parent in parents.take_while(|parent| *parent != folder) {
        // One that is not empty stays, with those around it.
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://a.example";

    fn write(manifest: &Manifest, folder: &Path, name: &str, bytes: &[u8]) -> io::Result<Written> {
        let written = Written::new(&format!("/{name}"), "\"x\"", bytes);
        let journal = Journal::begin(folder).unwrap();
        manifest.write(folder, (name, &written), bytes, &journal)?;
        Ok(written)
    }

    #[test]
    fn only_what_was_written_is_ours() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let mut manifest = Manifest::open(folder, URL).unwrap();
        let written = write(&manifest, folder, "a/b.md", b"one").unwrap();
        manifest.files.insert("a/b.md".to_owned(), written);
        let place = |name: &str| manifest.place(folder, name).unwrap();
        assert_eq!(place("a/b.md"), Occupancy::Ours);
        assert_eq!(place("a/c.md"), Occupancy::Free);
        assert_eq!(place("a"), Occupancy::Foreign);
        fs::write(folder.join("a/b.md"), "edited").unwrap();
        assert_eq!(place("a/b.md"), Occupancy::Foreign);
        write(&manifest, folder, "a/b.md", b"two").unwrap();
        assert_eq!(fs::read(folder.join("a/b.md")).unwrap(), b"edited");
        manifest.save(folder).unwrap();
        Journal::begin(folder).unwrap().end(folder);
        assert_eq!(Manifest::open(folder, URL).unwrap(), manifest);
        assert!(Manifest::open(folder, "https://b.example").is_err());
        assert!(Manifest::open(&folder.join("a"), URL).is_err());
        remove(folder, "a/b.md").unwrap();
        assert!(!folder.join("a").exists() && folder.exists());
    }

    #[test]
    fn what_a_run_wrote_that_was_stopped_is_ours() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let mut manifest = Manifest::open(folder, URL).unwrap();
        let before = write(&manifest, folder, "old.md", b"before").unwrap();
        manifest.files.insert("old.md".to_owned(), before);
        manifest.save(folder).unwrap();
        let journal = Journal::begin(folder).unwrap();
        for (name, bytes) in [("old.md", "after"), ("new.md", "new")] {
            let written = Written::new("/x", "\"y\"", bytes.as_bytes());
            let put = manifest.write(folder, (name, &written), bytes.as_bytes(), &journal);
            put.unwrap();
        }
        // Named, and stopped before it was there; and stopped in the middle of a line.
        let never = Written::new("/x", "", b"never");
        journal.note("old.md", &never).unwrap();
        journal.0.lock().unwrap().write_all(b"[\"half").unwrap();
        drop(journal);
        let next = Manifest::open(folder, URL).unwrap();
        assert_eq!(next.place(folder, "old.md").unwrap(), Occupancy::Ours);
        assert_eq!(next.place(folder, "new.md").unwrap(), Occupancy::Ours);
        assert_eq!(next.files["old.md"].tag, "\"y\"");
    }

    #[test]
    fn a_list_that_names_what_is_not_in_the_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        for name in ["../a.md", "/etc/a.md", "a/../../b.md", ".git/a", "", "a//b"] {
            let written = Written::new("/a.md", "", b"a");
            let mut manifest = Manifest::new(&folder.join("none"), URL).unwrap();
            manifest.save(folder).unwrap();
            let journal = Journal::begin(folder).unwrap();
            journal.note(name, &written).unwrap();
            let why = Manifest::open(folder, URL).unwrap_err().message;
            assert!(why.contains("`.diglot-clone.journal`"), "{name}: {why}");
            journal.end(folder);
            manifest.files.insert(name.to_owned(), written);
            manifest.save(folder).unwrap();
            let why = Manifest::open(folder, URL).unwrap_err().message;
            assert!(why.contains("`.diglot-clone.json`"), "{name}: {why}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_copy_leads_nowhere() {
        let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(out.path(), dir.path().join("a")).unwrap();
        let manifest = Manifest::default();
        assert!(write(&manifest, dir.path(), "a/b.md", b"x").is_err());
        assert!(!out.path().join("b.md").exists());
        assert!(manifest.place(dir.path(), "a/b.md").is_err());
        assert_eq!(manifest.place(dir.path(), "a").unwrap(), Occupancy::Foreign);
    }
}
