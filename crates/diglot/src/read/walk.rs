//! The walk through a folder: which files there are, without reading them.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use diglot_content::Problem;
use diglot_content::sources::Unread;
use rayon::prelude::*;

use crate::failure::{is_exhaustion, reason};

/// So many folders are listed side by side, and then it is asked whether there are too many files.
const AT_ONCE: usize = 32;
/// Deeper folders are not entered: nobody has them, and every loop ends.
const DEEPEST: usize = 64;

/// One file to read.
#[derive(Debug)]
pub(super) struct Walked {
    /// Relative to the folder, `/` between segments.
    pub path: String,
    /// Where it lies on the disk.
    pub disk: PathBuf,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub files: Vec<Walked>,
    pub unread: Vec<Unread>,
    pub hidden: BTreeSet<String>,
    pub problems: Vec<Problem>,
}

/// A folder that is read: the one that is published, or one in it.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    /// Where it is on the disk.
    pub disk: PathBuf,
    /// Relative to the root, empty or ending with `/`.
    path: String,
    depth: usize,
    /// Whether a symbolic link led here. Links to folders are not followed from here, so that links to links cannot multiply.
    pub linked: bool,
}

impl Inside {
    /// The folder that is published, by its canonical path.
    pub(crate) fn root(root: &Path) -> Self {
        Self { disk: root.to_owned(), path: String::new(), depth: 0, linked: false }
    }
}

/// The folders in a folder that are read too: no hidden ones, and nothing out of `root`. What cannot be listed holds none.
pub(crate) fn folders_in(root: &Path, folder: &Inside) -> Vec<Inside> {
    let mut walk = Walk { root, found: Found::default(), waiting: Vec::new() };
    match walk.list(folder) {
        Ok(()) => walk.waiting,
        Err(_) => Vec::new(),
    }
}

/// Lists every file below `root` (a canonical path), in the byte order of their paths.
///
/// # Errors
/// The root cannot be listed, or there are more than `most` files.
pub(super) fn walk(root: &Path, most: usize) -> io::Result<Found> {
    let mut walk = Walk { root, found: Found::default(), waiting: Vec::new() };
    walk.list(&Inside::root(root))?;
    let mut found = walk.found;
    let mut waiting = walk.waiting;
    while !waiting.is_empty() && found.files.len() <= most {
        let some = waiting.split_off(waiting.len().saturating_sub(AT_ONCE));
        let list = |folder: &Inside| {
            let mut walk = Walk { root, found: Found::default(), waiting: Vec::new() };
            match walk.list(folder) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {} // it vanished meanwhile
                Err(error) if is_exhaustion(&error) => return Err(error),
                Err(error) => walk.unreadable(folder.path.trim_end_matches('/'), reason(&error)),
            }
            Ok((walk.found, walk.waiting))
        };
        let listed: Vec<(Found, Vec<Inside>)> = some.par_iter().with_max_len(1).map(list).collect::<io::Result<_>>()?;
        for (own, below) in listed {
            found.add(own);
            waiting.extend(below);
        }
    }
    if found.files.len() > most {
        return Err(io::Error::other(format!("it holds more than {most} files; `--limit files=…` allows more")));
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path).then_with(|| a.disk.cmp(&b.disk)));
    // Two names that are not UTF-8 may look the same.
    let (files, unread) = (&mut found.files, &mut found.unread);
    files.dedup_by(|later, first| {
        let same = later.path == first.path;
        if same {
            unread.push(Unread { path: later.path.clone(), reason: "another file has the same name when read as UTF-8".into() });
        }
        same
    });
    Ok(found)
}

impl Found {
    fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.unread.extend(other.unread);
        self.hidden.extend(other.hidden);
        self.problems.extend(other.problems);
    }
}

struct Walk<'a> {
    root: &'a Path,
    found: Found,
    waiting: Vec<Inside>,
}

impl Walk<'_> {
    fn list(&mut self, folder: &Inside) -> io::Result<()> {
        for entry in fs::read_dir(&folder.disk)? {
            let entry = entry?;
            let name = entry.file_name();
            let path = format!("{}{}", folder.path, name.to_string_lossy());
            if is_hidden(&name.to_string_lossy()) {
                self.configuration(&entry, &path);
                self.found.hidden.insert(path);
                continue;
            }
            if name.to_str().is_none() {
                let hint = "rename the file; until then its address has `\u{fffd}` in it";
                self.found.problems.push(Problem::warning("the name is not UTF-8").at(path.as_str(), 0, 0).hint(hint));
            }
            match entry.file_type() {
                Ok(kind) => self.entry(folder, &entry, kind, path),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.unreadable(&path, reason(&error)),
            }
        }
        Ok(())
    }

    /// Of what is hidden only the configuration of another generator is read: `.eleventy.js`, `.vitepress/config.*`.
    fn configuration(&mut self, entry: &DirEntry, path: &str) {
        let is_file = |kind: io::Result<FileType>| kind.is_ok_and(|kind| kind.is_file());
        match entry.file_name().to_str() {
            Some(".eleventy.js") if is_file(entry.file_type()) => self.found.files.push(Walked { path: path.to_owned(), disk: entry.path() }),
            Some(".vitepress") if entry.file_type().is_ok_and(|kind| kind.is_dir()) => {
                let inside = fs::read_dir(entry.path()).into_iter().flatten().flatten().take(1000);
                let named = |entry: &DirEntry| {
                    let name = entry.file_name();
                    ["config.js", "config.mjs", "config.ts", "config.mts"].iter().any(|known| name == *known) && is_file(entry.file_type())
                };
                let files =
                    inside.filter(named).map(|entry| Walked { path: format!("{path}/{}", entry.file_name().to_string_lossy()), disk: entry.path() });
                self.found.files.extend(files);
            }
            _ => {}
        }
    }

    fn entry(&mut self, folder: &Inside, entry: &DirEntry, kind: FileType, path: String) {
        let disk = entry.path();
        if kind.is_dir() {
            self.enter(folder, disk, path, folder.linked);
        } else if kind.is_file() {
            self.found.files.push(Walked { path, disk });
        } else if kind.is_symlink() {
            self.link(folder, &disk, path);
        } else {
            self.unread(path, "not a regular file");
        }
    }

    fn enter(&mut self, folder: &Inside, disk: PathBuf, path: String, linked: bool) {
        if is_generated(&path, &disk) {
            self.found.hidden.insert(path);
        } else if folder.depth == DEEPEST {
            self.unread(path, "the folder lies too deep");
        } else {
            self.waiting.push(Inside { disk, path: path + "/", depth: folder.depth + 1, linked });
        }
    }

    fn link(&mut self, folder: &Inside, link: &Path, path: String) {
        let Ok(target) = link.canonicalize() else { return self.unread(path, "symbolic link that leads nowhere") };
        let Ok(inside) = target.strip_prefix(self.root) else { return self.unread(path, "symbolic link out of the folder") };
        if inside.components().any(|part| is_hidden(&part.as_os_str().to_string_lossy())) {
            return self.unread(path, "symbolic link into a hidden folder");
        }
        match target.metadata() {
            Ok(meta) if meta.is_file() => self.found.files.push(Walked { path, disk: target }),
            Ok(meta) if !meta.is_dir() => self.unread(path, "not a regular file"),
            Ok(_) if folder.linked => self.unread(path, "symbolic link to a folder, inside a linked folder"),
            Ok(_) if link.starts_with(&target) => self.unread(path, "symbolic link that leads back to a folder around it"),
            Ok(_) => self.enter(folder, target, path, true),
            Err(error) => self.unread(path, &reason(&error)),
        }
    }

    fn unread(&mut self, path: String, reason: &str) {
        self.found.unread.push(Unread { path, reason: reason.to_owned() });
    }

    fn unreadable(&mut self, path: &str, why: String) {
        self.found.problems.push(Problem::error(format!("cannot be read: {why}")).at(path, 0, 0));
        self.found.unread.push(Unread { path: path.to_owned(), reason: why });
    }
}

/// Dot files and folders are not content; `.well-known` is (RFC 8615), and so is an article that somebody named `..md`.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !name.starts_with("..") && name != ".well-known"
}

/// Folders that programs filled: dependencies, caches (with the tag of the Cache Directory Tagging Specification), our own exports.
fn is_generated(path: &str, disk: &Path) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "node_modules" || disk.join("CACHEDIR.TAG").is_file() || disk.join(".diglot").is_file()
}
