//! Locates a repository on disk, and checks whether it can be opened safely.
//!
//! The library opens the files of a repository by name, whatever they are: it would block on a FIFO
//! and follow an alternate anywhere. So each is checked first: files must be regular and bounded,
//! and folders must belong to a repository. A process that can write to the repository can change
//! it between this check and the library's access, so the walk runs on its own thread, bounded by
//! `history-time`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::reason;
use crate::file;
use crate::limits::{self, MostBytes};

/// Files that the library reads whole, in the repository and in a worktree's own folder.
const SMALL: [&str; 6] = [
    "HEAD",
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "objects/info/alternates",
];
/// Files with one line per entry.
const LISTS: [&str; 2] = ["packed-refs", "shallow"];
/// The maximum number of alternates; git itself stops at a chain of five.
const MOST_ALTERNATES: usize = 32;
/// The maximum number of checked files and folders of a repository.
const MOST_ENTRIES: usize = 1_000_000;
/// The maximum depth of the folder of references.
const DEEPEST: usize = 32;

/// The location of a repository on disk.
pub(super) struct RepositoryPaths {
    /// `.git` as found: a folder, or in a worktree or submodule a file.
    pub dot_git: PathBuf,
    /// The paths that must stay readable to read the history again: `.git`, the folder that it
    /// points to, the folder shared by all worktrees, objects of other repositories.
    pub all: Vec<PathBuf>,
}

/// Finds the repository around `folder` (a canonical path); `None` if there is none.
///
/// # Errors
/// A sentence: why an existing repository is not opened.
pub(super) fn discover(folder: &Path) -> Result<Option<RepositoryPaths>, String> {
    let Some(dot_git) = nearest(folder) else {
        return Ok(None);
    };
    let (git, common) = folders(&dot_git)?;
    for place in [&git, &common] {
        check_repository(place, folder)?;
    }
    let mut left = MOST_ENTRIES;
    for place in [&git, &common] {
        check_references(&place.join("refs"), DEEPEST, &mut left)?;
    }
    let borrowed = object_folders(&common, folder, &mut left)?;
    let mut all = vec![dot_git.clone(), git, common];
    all.extend(borrowed);
    Ok(Some(RepositoryPaths { dot_git, all }))
}

/// The repository's folder, and the one that it shares with other work trees.
fn folders(dot_git: &Path) -> Result<(PathBuf, PathBuf), String> {
    let git = canonical(if dot_git.is_dir() {
        dot_git.to_owned()
    } else {
        named_by(dot_git, "gitdir:")?
    })?;
    let commondir = git.join("commondir");
    let common = canonical(if exists(&commondir) {
        named_by(&commondir, "")?
    } else {
        git.clone()
    })?;
    Ok((git, common))
}

/// Checks the repository's own object folder; the result is those that it borrows from.
fn object_folders(common: &Path, folder: &Path, left: &mut usize) -> Result<Vec<PathBuf>, String> {
    let objects = canonical(common.join("objects"))?;
    if !objects.ends_with("objects") || is_around(&objects, folder) {
        return Err(format!("`{}` is not an object folder", objects.display()));
    }
    check_objects(&objects, left)?;
    alternates(&objects, folder, left)
}

/// A digest of the files that name the newest commit of the repository around a folder, and of the
/// paths of that repository. A new commit changes it; so does much else, such as packing. Few files
/// are looked at, whatever the size of the repository.
pub(super) fn glance(folder: &Path) -> blake3::Hash {
    let mut digest = blake3::Hasher::new();
    let Some(dot_git) = nearest(folder) else {
        return digest.finalize();
    };
    digest.update(dot_git.as_os_str().as_encoded_bytes());
    let Ok((git, common)) = folders(&dot_git) else {
        return digest.finalize();
    };
    let content = |path: &Path| file::read(path, limits::GIT_BYTES).unwrap_or_default();
    let head = content(&git.join("HEAD"));
    let reference = named_reference(&head);
    for place in [&git, &common] {
        digest.update(place.as_os_str().as_encoded_bytes());
        let named = reference.map(|name| content(&place.join(name)));
        digest.update(blake3::hash(&named.unwrap_or_default()).as_bytes());
        for name in LISTS {
            let metadata = place.join(name).metadata().ok();
            let written = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
            digest.update(format!("{written:?}").as_bytes());
        }
    }
    digest.update(&head).finalize()
}

/// The path of the reference that a `HEAD` names, inside the repository.
fn named_reference(head: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(head).ok()?.strip_prefix("ref:")?.trim();
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    name.split('/').all(is_plain).then_some(name)
}

/// The nearest `.git` around a folder, on the same file system, that belongs to a repository.
pub(super) fn nearest(folder: &Path) -> Option<PathBuf> {
    let own = device(folder);
    for around in folder
        .ancestors()
        .take_while(|around| device(around) == own)
    {
        let dot_git = around.join(".git");
        if exists(&dot_git) && (!dot_git.is_dir() || exists(&dot_git.join("HEAD"))) {
            return Some(dot_git);
        }
    }
    None
}

#[cfg(unix)]
fn device(path: &Path) -> Option<u64> {
    path.metadata()
        .ok()
        .map(|metadata| std::os::unix::fs::MetadataExt::dev(&metadata))
}

#[cfg(not(unix))]
fn device(_: &Path) -> Option<u64> {
    None
}

/// The path named after this key by a file of one line; a relative path starts at the file.
fn named_by(path: &Path, key: &str) -> Result<PathBuf, String> {
    let bytes = file::read(path, limits::GIT_BYTES).map_err(|error| cannot(path, &error))?;
    match std::str::from_utf8(&bytes)
        .ok()
        .and_then(|text| text.strip_prefix(key))
        .map(str::trim)
    {
        Some(named) if !named.is_empty() && !named.contains(['\n', '\0']) => {
            Ok(path.parent().unwrap_or(Path::new("/")).join(named))
        }
        _ => Err(format!("`{}` does not name a folder", path.display())),
    }
}

/// The paths in the file `info/alternates` of an object folder; none if there is no such file.
fn listed_alternates(list: &Path) -> Result<Vec<PathBuf>, String> {
    if !exists(list) {
        return Ok(Vec::new());
    }
    let bytes = file::read(list, limits::GIT_BYTES).map_err(|error| cannot(list, &error))?;
    gix::odb::alternate::parse(&bytes)
        .map_err(|_| format!("`{}` has an unknown format", list.display()))
}

/// The object folders that this one borrows from, recursively. One that does not exist is skipped,
/// as git does.
fn alternates(own: &Path, folder: &Path, left: &mut usize) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut waiting) = (Vec::new(), vec![own.to_owned()]);
    while let Some(objects) = waiting.pop() {
        let list = objects.join("info/alternates");
        for path in listed_alternates(&list)? {
            // As the library resolves them: relative to the repository's own folder.
            let Ok(real) = own.join(&path).canonicalize() else {
                continue;
            };
            if found.contains(&real) || real == own {
                continue;
            }
            if !is_object_folder(&real, folder) {
                return Err(format!(
                    "`{}` names `{}`, which is not an object folder",
                    list.display(),
                    path.display()
                ));
            }
            if found.len() == MOST_ALTERNATES {
                return Err(format!(
                    "`{}`: more than {MOST_ALTERNATES} alternates",
                    list.display()
                ));
            }
            check_objects(&real, left)?;
            found.push(real.clone());
            waiting.push(real);
        }
    }
    Ok(found)
}

/// Whether a canonical path is a folder of objects: by its name, and by a subfolder that every one
/// has. It must not contain the site or the user's home.
fn is_object_folder(path: &Path, folder: &Path) -> bool {
    if !path.is_dir() || !path.ends_with("objects") || is_around(path, folder) {
        return false;
    }
    let is_folder = |name: &str| {
        path.join(name)
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_dir())
    };
    let has_objects = || {
        fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .take(1_000)
            .any(|entry| is_hash(&entry))
    };
    is_folder("pack") || is_folder("info") || has_objects()
}

/// Whether a path is the root of the file system, the published folder or an ancestor of it, or an
/// ancestor of the user's home.
fn is_around(path: &Path, folder: &Path) -> bool {
    let home = env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    path.parent().is_none()
        || folder.starts_with(path)
        || home.is_some_and(|home| home.starts_with(path))
}

/// Rejects a folder that is not a repository's, or that has anything but a regular file where the
/// library reads one.
fn check_repository(path: &Path, folder: &Path) -> Result<(), String> {
    for name in SMALL {
        check_file(&path.join(name), limits::GIT_BYTES)?;
    }
    for name in LISTS {
        check_file(&path.join(name), limits::GIT_LIST_BYTES)?;
    }
    if is_around(path, folder) || !is_head(&path.join("HEAD")) {
        return Err(format!(
            "`{}` is not the folder of a repository",
            path.display()
        ));
    }
    Ok(())
}

/// Whether a file is a `HEAD` as git writes it: a reference or an id.
fn is_head(path: &Path) -> bool {
    let Ok(bytes) = file::read(path, limits::GIT_BYTES) else {
        return false;
    };
    bytes.starts_with(b"ref:")
        || (bytes.len() >= 40 && bytes[..40].iter().all(u8::is_ascii_hexdigit))
}

/// Whether an entry is named after the first byte of an object id.
fn is_hash(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    name.len() == 2 && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit)
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Rejects an existing path that is not a regular file of at most this size. A dangling link counts
/// as missing.
fn check_file(path: &Path, most: MostBytes) -> Result<(), String> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err(not_regular(path)),
        Ok(metadata) if metadata.len() > most.bytes => Err(format!(
            "`{}` is larger than the limit of {most}",
            path.display()
        )),
        _ => Ok(()),
    }
}

/// Rejects a folder of references that holds anything but folders and small files.
fn check_references(folder: &Path, deep: usize, left: &mut usize) -> Result<(), String> {
    for entry in entries(folder, left)? {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let deep = deep
                .checked_sub(1)
                .ok_or_else(|| format!("`{}` is too deep", path.display()))?;
            check_references(&path, deep, left)?;
        } else {
            check_file(&path, limits::GIT_BYTES)?;
        }
    }
    Ok(())
}

/// The same for folders of objects. They hold too many files to query the size of each: the library
/// bounds what it decodes.
fn check_objects(objects: &Path, left: &mut usize) -> Result<(), String> {
    let mut folders = vec![
        objects.join("pack"),
        objects.join("info"),
        objects.join("info/commit-graphs"),
    ];
    folders.extend(
        entries(objects, left)?
            .iter()
            .filter(|entry| is_hash(entry))
            .map(fs::DirEntry::path),
    );
    for folder in folders {
        for entry in entries(&folder, left)? {
            let path = entry.path();
            let is_plain = entry
                .file_type()
                .is_ok_and(|kind| kind.is_file() || kind.is_dir());
            if !is_plain && !path.is_file() && exists(&path) {
                return Err(not_regular(&path));
            }
        }
    }
    Ok(())
}

/// The entries of a folder; empty if it does not exist.
fn entries(folder: &Path, left: &mut usize) -> Result<Vec<fs::DirEntry>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(cannot(folder, &error)),
    };
    let entries: Vec<_> = entries.flatten().take(*left + 1).collect();
    *left = left
        .checked_sub(entries.len())
        .ok_or_else(|| format!("`{}`: more than {MOST_ENTRIES} files", folder.display()))?;
    Ok(entries)
}

fn canonical(path: PathBuf) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| cannot(&path, &error))
}

fn not_regular(path: &Path) -> String {
    format!("`{}` is not a regular file", path.display())
}

fn cannot(path: &Path, error: &io::Error) -> String {
    format!("`{}` cannot be read: {}", path.display(), reason(error))
}
