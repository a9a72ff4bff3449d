//! The manifest that identifies an export: only what Diglot wrote may be replaced.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::file::{self, Refused};
use crate::limits;

/// The manifest's name, at the top of every export. The reader skips folders that have one.
pub(super) const NAME: &str = ".diglot";
/// Its first line.
const FIRST: &str = "diglot export 1";

/// Writes the manifest of these files (relative paths, ordered).
pub(super) fn write<'a>(edition: &str, base: &str, paths: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("{FIRST}\nedition {edition}\nbase {base}\n\n");
    for path in paths {
        text.push_str(path);
        text.push('\n');
    }
    text
}

/// What exists at the target of an export.
#[derive(PartialEq)]
pub(super) enum Target {
    /// Nothing, or an empty folder.
    Free,
    /// One of our exports, and nothing else.
    Ours,
    /// Something else, described here.
    Foreign(String),
}

/// Determines what exists at `target`.
pub(super) fn inspect(target: &Path) -> io::Result<Target> {
    let first = match first_name(target) {
        Ok(Some(first)) => first,
        Ok(None) => return Ok(Target::Free),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Ok(Target::Foreign("it is a file".into()));
        }
        Err(error) => return Err(error),
    };
    let no_export = || {
        Target::Foreign(format!(
            "it contains `{first}` and was not written by Diglot"
        ))
    };
    let bytes = match file::read(&target.join(NAME), limits::MANIFEST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => match Refused::from_error(&error) {
            Some(why) => return Ok(Target::Foreign(format!("its `{NAME}` is not read: {why}"))),
            None if error.kind() == io::ErrorKind::NotFound => return Ok(no_export()),
            None => return Err(error),
        },
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(no_export());
    };
    let Some((FIRST, rest)) = text.split_once('\n') else {
        let why = "another version of Diglot wrote it".to_owned();
        return Ok(Target::Foreign(why));
    };
    let paths = rest.split_once("\n\n").map_or("", |(_, paths)| paths);
    Ok(match foreign(target, &paths.lines().collect())? {
        Some(path) => Target::Foreign(format!("it contains `{path}`, which Diglot did not write")),
        None => Target::Ours,
    })
}

/// The first name in a folder, in the order of names. A folder that does not exist has none.
fn first_name(folder: &Path) -> io::Result<Option<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut first = None;
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        first = Some(first.map_or(name.clone(), |first: String| first.min(name)));
    }
    Ok(first)
}

/// The first file below `root` that is not in the manifest.
fn foreign(root: &Path, known: &BTreeSet<&str>) -> io::Result<Option<String>> {
    let mut waiting = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        let mut entries = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                waiting.push((entry.path(), path + "/"));
            } else if path != NAME && !known.contains(path.as_str()) {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}

/// The real location of `path`, whose last segments may not exist yet.
pub(super) fn resolved(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut missing = Vec::new();
    let mut at = absolute.as_path();
    loop {
        match at.canonicalize() {
            Ok(found) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(found, |path, part| path.join(part)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
                    return Err(error);
                };
                missing.push(name.to_owned());
                at = parent;
            }
            Err(error) => return Err(error),
        }
    }
}
