//! The folders that steps work on: the example site of this repository, and folders of real
//! articles if available.

use std::path::{Path, PathBuf};

use xtask::shell::{beside, root};

/// A folder of articles.
pub struct Folder {
    /// A short name for tables.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The example site.
pub fn example() -> Folder {
    Folder {
        name: "field-notes".to_owned(),
        path: root().join("examples/field-notes"),
    }
}

/// A guide with every part that the way through it can have.
pub fn guide() -> Folder {
    Folder {
        name: "guide".to_owned(),
        path: root().join("tests/e2e/look/guide"),
    }
}

/// The folders of real articles, by name; empty, with one line printed, if there are none.
///
/// # Errors
/// Their parent folder cannot be read.
pub fn corpora() -> Result<Vec<Folder>, String> {
    let Some(place) = beside("corpora", "DIGLOT_CORPORA") else {
        println!(
            "no folders of real articles here (`../shared/corpora`, or the one `DIGLOT_CORPORA` names)"
        );
        return Ok(Vec::new());
    };
    below(&place)
}

/// Small folders of every kind with the traps of real ones, stored among the tests.
///
/// # Errors
/// Their parent folder cannot be read.
pub fn traps() -> Result<Vec<Folder>, String> {
    below(&root().join("crates/diglot/tests/folders"))
}

/// The folders in a folder, by name.
fn below(place: &Path) -> Result<Vec<Folder>, String> {
    let entries = std::fs::read_dir(place)
        .map_err(|error| format!("cannot read `{}`: {error}", place.display()))?;
    let mut folders: Vec<Folder> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir())
        .map(|entry| Folder {
            name: entry.file_name().to_string_lossy().into_owned(),
            path: entry.path(),
        })
        .collect();
    folders.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(folders)
}

/// The dated blog among the folders of real articles, if available.
///
/// # Errors
/// As [`corpora`].
pub fn blog() -> Result<Option<Folder>, String> {
    Ok(corpora()?
        .into_iter()
        .find(|folder| folder.name == "18f-mini"))
}
