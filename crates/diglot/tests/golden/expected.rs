//! What an export must be: a tree of texts, and the lengths and digests of other files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::support::tree;

/// What to do when the difference is meant.
pub const HINT: &str = "\nif this is meant: UPDATE_GOLDEN=1 cargo test -p diglot --test all golden";

/// The file that names the files of which only length and digest are kept.
const DIGESTS: &str = "digests.txt";

/// Files by relative path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Whether the trees are written instead of compared.
pub fn is_updated() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// What is missing, different or not expected, a line or three each; `None` if all is as the tree
/// says, or if the tree is rewritten. Of files in `alike` only length and digest are kept, as of
/// those that are not texts.
pub fn difference(folder: &Path, made: &Files, alike: &[&str]) -> Option<String> {
    let made = kept(made, alike);
    if is_updated() {
        write(folder, &made);
        return None;
    }
    let expected = if folder.is_dir() {
        tree::files(folder)
    } else {
        Files::new()
    };
    let names: BTreeSet<&String> = made.keys().chain(expected.keys()).collect();
    let mut wrong = String::new();
    for name in names {
        match (expected.get(name), made.get(name)) {
            (Some(expected), Some(came)) if expected != came => {
                writeln!(wrong, "{}", first_difference(name, expected, came)).unwrap()
            }
            (Some(_), None) => writeln!(wrong, "{name}: expected, and not made").unwrap(),
            (None, Some(_)) => writeln!(wrong, "{name}: made, and not expected").unwrap(),
            _ => {}
        }
    }
    (!wrong.is_empty()).then_some(wrong)
}

/// Says that nothing is compared with a tree, or removes it where trees are written.
pub fn unused(folder: &Path) -> Option<String> {
    if is_updated() {
        fs::remove_dir_all(folder).unwrap();
        return None;
    }
    Some(format!("{}: no folder has this tree", folder.display()))
}

/// What is compared: texts as they are, of all else a line with length and digest.
fn kept(made: &Files, alike: &[&str]) -> Files {
    let (mut kept, mut digests) = (Files::new(), String::new());
    for (path, bytes) in made {
        if is_text(path, bytes) && !alike.contains(&path.as_str()) {
            kept.insert(path.clone(), bytes.clone());
        } else {
            writeln!(
                digests,
                "{path} {} {}",
                bytes.len(),
                &blake3::hash(bytes).to_hex()[..32]
            )
            .unwrap();
        }
    }
    kept.insert(DIGESTS.to_owned(), digests.into_bytes());
    kept
}

/// A text that people read, but for those of the theme, whose path has their digest already.
fn is_text(path: &str, bytes: &[u8]) -> bool {
    let coded = [".br", ".gz", ".zst"]
        .iter()
        .any(|suffix| path.ends_with(suffix));
    !coded
        && !path.starts_with("site/_/")
        && std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'))
}

fn write(folder: &Path, files: &Files) {
    let _ = fs::remove_dir_all(folder);
    for (path, bytes) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

/// The first line that differs.
fn first_difference(name: &str, expected: &[u8], came: &[u8]) -> String {
    let (Ok(expected), Ok(came)) = (std::str::from_utf8(expected), std::str::from_utf8(came))
    else {
        return format!(
            "{name}: {} bytes expected, {} other bytes came",
            expected.len(),
            came.len()
        );
    };
    let pairs = expected
        .split('\n')
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(came.split('\n').map(Some).chain(std::iter::repeat(None)));
    let first = pairs
        .take_while(|pair| *pair != (None, None))
        .enumerate()
        .find(|(_, (one, other))| one != other);
    let (line, (one, other)) = first.unwrap_or_default();
    let end = "the end of the file";
    format!(
        "{name}:{}:\n  expected: {}\n  came:     {}",
        line + 1,
        one.unwrap_or(end),
        other.unwrap_or(end)
    )
}
