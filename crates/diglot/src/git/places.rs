//! Where a repository is on the disk, and whether it can be opened without harm.
//!
//! The library opens the files of a repository by their names, whatever they are: it would wait for a FIFO, and follow an alternate anywhere. So each is
//! looked at before: files are regular and bounded, folders are those of a repository and nothing else. Whoever can write to the repository can change it
//! between this look and the library's; the walk runs on a thread of its own that nobody waits for longer than `history-time`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::reason;
use crate::file;
use crate::limits::{self, MostBytes};

/// Files that the library reads as a whole, in the repository and in what a worktree has of its own.
const SMALL: [&str; 6] = ["HEAD", "config", "config.worktree", "commondir", "gitdir", "objects/info/alternates"];
/// Files with a line for each of many things.
const LISTS: [&str; 2] = ["packed-refs", "shallow"];
/// So many alternates are followed; git itself stops at a chain of five.
const MOST_ALTERNATES: usize = 32;
/// So many files and folders of a repository are looked at.
const MOST_ENTRIES: usize = 1_000_000;
/// References are not deeper in their folder.
const DEEPEST: usize = 32;

/// The folders of a repository, by canonical paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// `.git` as it was found: a folder, or in a worktree or submodule a file.
    pub dot_git: PathBuf,
    /// The folder that it is, or leads to.
    pub git: PathBuf,
    /// What all worktrees share.
    pub common: PathBuf,
    /// Objects of other repositories.
    pub alternates: Vec<PathBuf>,
}

/// Looks for the repository around `folder` (a canonical path); `None`: there is none.
///
/// # Errors
/// A sentence: a repository that is not opened, and why.
pub(super) fn find(folder: &Path) -> Result<Option<Places>, String> {
    let Some(dot_git) = nearest(folder) else { return Ok(None) };
    let git = if dot_git.is_dir() { dot_git.clone() } else { led_to(&dot_git, "gitdir:")? };
    let git = git.canonicalize().map_err(|error| cannot(&git, &error))?;
    let named = git.join("commondir");
    let common = if is_there(&named) { led_to(&named, "")? } else { git.clone() };
    let common = common.canonicalize().map_err(|error| cannot(&common, &error))?;
    for place in [&git, &common] {
        for (name, most) in SMALL.map(|name| (name, limits::GIT_BYTES)).into_iter().chain(LISTS.map(|name| (name, limits::GIT_LIST_BYTES))) {
            regular(&place.join(name), most)?;
        }
        if is_around(place, folder) || !is_head(&place.join("HEAD")) {
            return Err(format!("`{}` is not the folder of a repository", place.display()));
        }
    }
    let objects = common.join("objects").canonicalize().map_err(|error| cannot(&common.join("objects"), &error))?;
    let mut left = MOST_ENTRIES;
    for place in [&git, &common] {
        all_regular(&place.join("refs"), DEEPEST, limits::GIT_BYTES, &mut left)?;
    }
    if !objects.ends_with("objects") || is_around(&objects, folder) {
        return Err(format!("`{}` is not an object folder", objects.display()));
    }
    objects_regular(&objects, &mut left)?;
    let alternates = alternates(&objects, folder, &mut left)?;
    Ok(Some(Places { dot_git, git, common, alternates }))
}

impl Places {
    /// What must stay readable for the history to be read again.
    pub(super) fn all(&self) -> Vec<PathBuf> {
        let mut all = vec![self.dot_git.clone(), self.git.clone(), self.common.clone()];
        all.extend(self.alternates.iter().cloned());
        all
    }
}

/// The nearest `.git` around a folder, on the same file system, that is one of a repository.
pub(super) fn nearest(folder: &Path) -> Option<PathBuf> {
    let device = device(folder);
    let around = folder.ancestors().take_while(|place| self::device(place) == device);
    around.map(|place| place.join(".git")).find(|dot| is_there(dot) && (!dot.is_dir() || is_there(&dot.join("HEAD"))))
}

#[cfg(unix)]
fn device(path: &Path) -> Option<u64> {
    path.metadata().ok().map(|metadata| std::os::unix::fs::MetadataExt::dev(&metadata))
}

#[cfg(not(unix))]
fn device(_: &Path) -> Option<u64> {
    None
}

/// The path that a file of one line names, after these words; a relative one begins at the file.
fn led_to(path: &Path, words: &str) -> Result<PathBuf, String> {
    let bytes = file::read(path, limits::GIT_BYTES).map_err(|error| cannot(path, &error))?;
    let text = std::str::from_utf8(&bytes).ok().and_then(|text| text.strip_prefix(words)).map(str::trim);
    let named = text.filter(|named| !named.is_empty() && !named.contains(['\n', '\0']));
    let named = named.ok_or_else(|| format!("`{}` does not name a folder", path.display()))?;
    Ok(path.parent().unwrap_or(Path::new("/")).join(named))
}

/// The object folders that others borrow from, each with those that it borrows from in turn. One that does not exist is left out, as git does it.
fn alternates(own: &Path, folder: &Path, left: &mut usize) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut waiting) = (Vec::new(), vec![own.to_owned()]);
    while let Some(objects) = waiting.pop() {
        let list = objects.join("info/alternates");
        if !is_there(&list) {
            continue;
        }
        let bytes = file::read(&list, limits::GIT_BYTES).map_err(|error| cannot(&list, &error))?;
        let named = gix::odb::alternate::parse(&bytes).map_err(|_| format!("`{}` cannot be understood", list.display()))?;
        for path in named {
            // As the library resolves them: all begin at the repository's own folder.
            let Ok(real) = own.join(&path).canonicalize() else { continue };
            if found.contains(&real) || real == own {
                continue;
            }
            if !is_object_folder(&real, folder) {
                return Err(format!("`{}` names `{}`, which is not an object folder", list.display(), path.display()));
            }
            if found.len() == MOST_ALTERNATES {
                return Err(format!("`{}`: more than {MOST_ALTERNATES} alternates", list.display()));
            }
            objects_regular(&real, left)?;
            found.push(real.clone());
            waiting.push(real);
        }
    }
    Ok(found)
}

/// Whether a canonical path is a folder of objects: by its name, and by a folder that every one has. None has the site, or somebody's home, inside.
fn is_object_folder(path: &Path, folder: &Path) -> bool {
    let is_folder = |name: &str| path.join(name).symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    let has_objects = || fs::read_dir(path).into_iter().flatten().flatten().take(1_000).any(|entry| is_hash(&entry.file_name().to_string_lossy()));
    path.is_dir() && path.ends_with("objects") && !is_around(path, folder) && (is_folder("pack") || is_folder("info") || has_objects())
}

/// Whether a place is the root of the file system, the folder that is published or around it, or around the user's own.
fn is_around(place: &Path, folder: &Path) -> bool {
    let home = env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    place.parent().is_none() || folder.starts_with(place) || home.is_some_and(|home| home.starts_with(place))
}

/// Whether a file says which commit is checked out, as git writes it: a reference, or an id.
fn is_head(path: &Path) -> bool {
    let Ok(bytes) = file::read(path, limits::GIT_BYTES) else { return false };
    bytes.starts_with(b"ref:") || (bytes.len() >= 40 && bytes[..40].iter().all(u8::is_ascii_hexdigit))
}

/// The first byte of an object's id, as a folder is named.
fn is_hash(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Refuses what is there and not a file of so many bytes at most. What a link does not lead to is not there.
fn regular(path: &Path, most: MostBytes) -> Result<(), String> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err(format!("`{}` is not a regular file", path.display())),
        Ok(metadata) if metadata.len() > most.bytes => Err(format!("`{}` is larger than the limit of {most}", path.display())),
        _ => Ok(()),
    }
}

/// Refuses a folder that holds something else than folders and files.
fn all_regular(folder: &Path, deep: usize, most: MostBytes, left: &mut usize) -> Result<(), String> {
    for entry in listed(folder, left)? {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let deep = deep.checked_sub(1).ok_or_else(|| format!("`{}` is too deep", path.display()))?;
            all_regular(&path, deep, most, left)?;
        } else {
            regular(&path, most)?;
        }
    }
    Ok(())
}

/// The same for the folders of objects, in which there are too many files to ask for the length of each: the library bounds what it makes of them.
fn objects_regular(objects: &Path, left: &mut usize) -> Result<(), String> {
    let mut folders = vec![objects.join("pack"), objects.join("info"), objects.join("info/commit-graphs")];
    folders.extend(listed(objects, left)?.into_iter().filter(|entry| is_hash(&entry.file_name().to_string_lossy())).map(|entry| entry.path()));
    for entry in folders.into_iter().map(|folder| listed(&folder, left)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
        let path = entry.path();
        let is_fine = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir()) || path.metadata().is_ok_and(|metadata| metadata.is_file());
        if !is_fine && is_there(&path) {
            return Err(format!("`{}` is not a regular file", path.display()));
        }
    }
    Ok(())
}

/// What is in a folder; nothing where there is none.
fn listed(folder: &Path, left: &mut usize) -> Result<Vec<fs::DirEntry>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(error) => return Err(cannot(folder, &error)),
    };
    let listed: Vec<_> = entries.flatten().take(*left + 1).collect();
    *left = left.checked_sub(listed.len()).ok_or_else(|| format!("`{}`: more than {MOST_ENTRIES} files", folder.display()))?;
    Ok(listed)
}

fn cannot(path: &Path, error: &io::Error) -> String {
    format!("`{}` cannot be read: {}", path.display(), reason(error))
}
