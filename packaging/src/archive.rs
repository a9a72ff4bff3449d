//! Trees of files, and tar files with the same bytes on every machine.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// A file or an empty folder.
#[derive(Clone, Debug)]
pub struct Entry {
    bytes: Option<Vec<u8>>,
    mode: u32,
    owner: u64,
}

impl Entry {
    /// A file that everybody may read.
    pub fn file(bytes: Vec<u8>) -> Self {
        Self {
            bytes: Some(bytes),
            mode: 0o644,
            owner: 0,
        }
    }

    /// A file that everybody may run.
    pub fn program(bytes: Vec<u8>) -> Self {
        Self {
            mode: 0o755,
            ..Self::file(bytes)
        }
    }

    /// A folder of this user.
    pub fn folder(owner: u64) -> Self {
        Self {
            bytes: None,
            mode: 0o755,
            owner,
        }
    }

    /// The bytes of a file; none of a folder.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }

    /// The permissions.
    pub fn mode(&self) -> u32 {
        self.mode
    }
}

/// Files by their relative paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    entries: BTreeMap<String, Entry>,
}

impl Tree {
    /// Adds an entry.
    pub fn add(&mut self, path: &str, entry: Entry) {
        self.entries.insert(path.to_owned(), entry);
    }

    /// Adds all entries of another tree.
    pub fn extend(&mut self, other: &Self) {
        self.entries.extend(other.entries.clone());
    }

    /// All entries, sorted by their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries
            .iter()
            .map(|(path, entry)| (path.as_str(), entry))
    }

    /// A tar file of the tree below a folder; at the root if its name is empty.
    ///
    /// # Errors
    /// A path is too long.
    pub fn tar(&self, folder: &str, time: u64) -> Result<Vec<u8>, String> {
        let mut tar = Builder::new(Vec::new());
        let mut known = Vec::new();
        for (path, entry) in &self.entries {
            let path = match folder {
                "" => path.clone(),
                _ => format!("{folder}/{path}"),
            };
            let mut folders = Vec::new();
            for (end, _) in path.match_indices('/') {
                folders.push(path[..end].to_owned());
            }
            for above in folders {
                if !known.contains(&above) {
                    append(&mut tar, &above, &Entry::folder(0), time)?;
                    known.push(above);
                }
            }
            append(&mut tar, &path, entry, time)?;
        }
        tar.into_inner().map_err(failed)
    }
}

/// Adds one entry to a tar file.
fn append(tar: &mut Builder<Vec<u8>>, path: &str, entry: &Entry, time: u64) -> Result<(), String> {
    let mut header = Header::new_ustar();
    let (kind, path) = match entry.bytes {
        Some(_) => (EntryType::Regular, path.to_owned()),
        None => (EntryType::Directory, format!("{path}/")),
    };
    header.set_entry_type(kind);
    header.set_mode(entry.mode);
    header.set_uid(entry.owner);
    header.set_gid(entry.owner);
    header.set_mtime(time);
    header.set_size(entry.bytes().len() as u64);
    header.set_path(&path).map_err(failed)?;
    header.set_cksum();
    tar.append(&header, entry.bytes()).map_err(failed)
}

/// The same bytes compressed; without a name or a time.
///
/// # Errors
/// None in memory.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(bytes).map_err(failed)?;
    encoder.finish().map_err(failed)
}

fn failed(error: std::io::Error) -> String {
    format!("cannot make an archive: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_the_same_bytes_in_any_order_of_adding() {
        let (mut one, mut other) = (Tree::default(), Tree::default());
        for path in ["a/b", "c", "a/d"] {
            one.add(path, Entry::file(path.into()));
        }
        for path in ["c", "a/d", "a/b"] {
            other.add(path, Entry::file(path.into()));
        }
        let bytes = one.tar("top", 1).unwrap();
        assert_eq!(bytes, other.tar("top", 1).unwrap());
        let mut tar = tar::Archive::new(bytes.as_slice());
        let paths: Vec<String> = tar
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect();
        assert_eq!(paths, ["top/", "top/a/", "top/a/b", "top/a/d", "top/c"]);
    }
}
