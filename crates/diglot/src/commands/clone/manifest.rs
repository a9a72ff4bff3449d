//! What a copy is of, and what was written: `.diglot-clone.json` in its folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use diglot_edition::Digest;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::file;
use crate::limits::MostBytes;

/// The name of the file.
const NAME: &str = ".diglot-clone.json";
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
pub(super) enum Place {
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
        let other = |why: &str| {
            Failure::usage(format!("`{}` {why}", folder.display()))
                .hint("name a folder that does not exist yet")
        };
        let manifest = match file::read(&folder.join(NAME), MOST) {
            Ok(bytes) => serde_json::from_slice::<Self>(&bytes)
                .ok()
                .filter(|manifest| manifest.format == FORMAT)
                .ok_or_else(|| other("is a copy that this version of Diglot cannot read"))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_empty = match fs::read_dir(folder) {
                    Ok(mut entries) => entries.next().is_none(),
                    Err(error) if error.kind() == ErrorKind::NotFound => true,
                    Err(error) => return Err(Failure::path("read", folder, &error)),
                };
                if !is_empty {
                    return Err(other("is not empty, and not a copy of a site"));
                }
                Self {
                    format: FORMAT,
                    url: url.to_owned(),
                    ..Self::default()
                }
            }
            Err(error) => return Err(Failure::path("read", &folder.join(NAME), &error)),
        };
        match manifest.url == url {
            true => Ok(manifest),
            false => Err(other(&format!("is a copy of `{}`", manifest.url))
                .hint("name another folder for another site")),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn save(&self, folder: &Path) -> Result<(), Failure> {
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        file::replace(folder, NAME, &bytes)
            .map_err(|error| Failure::path("write", &folder.join(NAME), &error))
    }

    /// What is at the place of a file in the folder.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn place(&self, folder: &Path, name: &str) -> io::Result<Place> {
        let path = below(folder, name)?;
        let written = self.files.get(name);
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Place::Free),
            Err(error) => Err(error),
            Ok(found) if !found.is_file() => Ok(Place::Foreign),
            Ok(_) => {
                let bytes = file::read(&path, MOST_FILE)?;
                let is_ours = written.is_some_and(|written| written.digest == digest(&bytes));
                Ok(if is_ours { Place::Ours } else { Place::Foreign })
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

fn digest(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
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

/// Writes a file as a whole.
///
/// # Errors
/// The system's.
pub(super) fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let path = below(folder, name)?;
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent)?;
    let mut new = file::temporary(parent, "clone")?;
    new.write_all(bytes)?;
    new.persist(path).map_err(|error| error.error)?;
    Ok(())
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

    #[test]
    fn only_what_was_written_is_ours() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let mut manifest = Manifest::open(folder, "https://a.example").unwrap();
        write(folder, "a/b.md", b"one").unwrap();
        let written = Written::new("/a/b.md", "\"x\"", b"one");
        manifest.files.insert("a/b.md".to_owned(), written);
        let place = |name: &str| manifest.place(folder, name).unwrap();
        assert_eq!(place("a/b.md"), Place::Ours);
        assert_eq!(place("a/c.md"), Place::Free);
        assert_eq!(place("a"), Place::Foreign);
        write(folder, "a/b.md", b"edited").unwrap();
        assert_eq!(place("a/b.md"), Place::Foreign);
        manifest.save(folder).unwrap();
        assert_eq!(
            Manifest::open(folder, "https://a.example").unwrap(),
            manifest
        );
        assert!(Manifest::open(folder, "https://b.example").is_err());
        assert!(Manifest::open(&folder.join("a"), "https://a.example").is_err());
        remove(folder, "a/b.md").unwrap();
        assert!(!folder.join("a").exists() && folder.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_copy_leads_nowhere() {
        let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(out.path(), dir.path().join("a")).unwrap();
        assert!(write(dir.path(), "a/b.md", b"x").is_err());
        assert!(!out.path().join("b.md").exists());
        let manifest = Manifest::default();
        assert!(manifest.place(dir.path(), "a/b.md").is_err());
        assert_eq!(manifest.place(dir.path(), "a").unwrap(), Place::Foreign);
    }
}
