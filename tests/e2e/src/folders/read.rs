//! Reads a folder as the binary does, but with one date for every file: figures must not depend on
//! the machine.

use std::path::Path;

use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile, Sources, Unread};
use jiff::Timestamp;

use crate::sites::Folder;

/// The date of change of every file.
const CHANGED: i64 = 1_735_689_600;

/// Reads a folder. Hidden files are only listed, symbolic links are not followed.
///
/// # Errors
/// A file or folder cannot be read.
pub fn folder(folder: &Folder) -> Result<Sources, String> {
    let mut sources = Sources {
        name: folder.name.clone(),
        ..Sources::default()
    };
    let changed = Timestamp::from_second(CHANGED).map_err(|error| error.to_string())?;
    let dates = FileDates {
        created: None,
        changed,
        origin: ChangeOrigin::Remembered,
    };
    let mut waiting = vec![folder.path.clone()];
    while let Some(place) = waiting.pop() {
        let failed = |error: std::io::Error| format!("cannot read `{}`: {error}", place.display());
        for entry in std::fs::read_dir(&place).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
            let name = relative(&folder.path, &path);
            if is_hidden(&entry.file_name().to_string_lossy()) {
                sources.hidden.insert(name);
            } else if kind.is_symlink() {
                sources.unread.push(Unread {
                    path: name,
                    reason: "symbolic link".to_owned(),
                });
            } else if kind.is_dir() {
                waiting.push(path);
            } else {
                let bytes = std::fs::read(&path).map_err(failed)?.into();
                sources.files.push(SourceFile {
                    path: name.into(),
                    bytes,
                    dates,
                });
            }
        }
    }
    sources
        .files
        .sort_by(|one, other| one.path.cmp(&other.path));
    sources.unread.sort();
    Ok(sources)
}

/// As in the binary: `..md` is an article with a hostile name, `.x.md` is hidden.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !name.starts_with("..") && name != ".well-known"
}

fn relative(root: &Path, path: &Path) -> String {
    let parts = path
        .strip_prefix(root)
        .unwrap_or(path)
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}
