//! What of a folder is watched: where files are read, and where symbolic links lead.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use diglot_content::settings;

use super::walk::{ListedFile, ListedFolder, is_hidden, list};

/// The longest chain of symbolic links that is followed, as on Linux.
const MOST_LINKS: usize = 40;

/// What a watch has to know of one folder.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    /// The subfolders of which files are read: of hidden ones only those with the configuration of a
    /// generator, none outside the root.
    pub folders: Vec<ListedFolder>,
    /// The files to which symbolic links lead.
    pub files: Vec<PathBuf>,
    /// Where nothing is, so that a symbolic link is broken.
    pub missing: Vec<PathBuf>,
}

/// What is watched of a folder below `root`. One that cannot be listed has nothing.
pub(crate) fn watched_in(root: &Path, folder: &ListedFolder) -> Watched {
    let mut listing = list(root, folder).unwrap_or_default();
    listing.folders.append(&mut listing.programs);
    let links = listing.links;
    let linked = |file: ListedFile| links.contains_key(&file.path).then_some(file.disk);
    let broken = listing.broken.iter();
    Watched {
        folders: listing.folders,
        files: listing.files.into_iter().filter_map(linked).collect(),
        missing: broken.filter_map(|link| missing(root, link)).collect(),
    }
}

/// The first path on the way of a broken symbolic link at which nothing is. `None` if nothing would be
/// read there.
fn missing(root: &Path, link: &Path) -> Option<PathBuf> {
    let names = |path: &Path| -> Vec<OsString> {
        let parts = path.components().rev();
        parts.map(|part| part.as_os_str().to_owned()).collect()
    };
    let mut at = link.parent()?.to_owned();
    let (mut left, mut links) = (vec![link.file_name()?.to_owned()], 0);
    while let Some(name) = left.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = at.join(name);
        match next.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                links += 1;
                left.extend(names(&next.read_link().ok()?));
            }
            Ok(_) => at = next,
            Err(_) => {
                let inside = next.strip_prefix(root).ok()?;
                let mut parts = inside.iter().map(|part| part.to_string_lossy());
                let is_read =
                    link == root.join(settings::FILE) || !parts.any(|part| is_hidden(&part));
                return (is_read && at.is_dir()).then_some(next);
            }
        }
        if links > MOST_LINKS {
            return None;
        }
    }
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_broken_link_waits_for_what_is_missing_first() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("site");
        fs::create_dir_all(root.join("lib/deep")).unwrap();
        fs::write(root.join("file"), "").unwrap();
        let check = |name: &str, target: &str, expected: Option<&str>| {
            let link = root.join(name);
            symlink(target, &link).unwrap();
            let found = missing(&root, &link);
            assert_eq!(found, expected.map(|path| root.join(path)), "{target}");
        };
        check("a", "lib/a.md", Some("lib/a.md"));
        check("b", "lib/x/y/a.md", Some("lib/x"));
        check("c", "./lib/deep/../x/a.md", Some("lib/x"));
        check("d", "a", Some("lib/a.md"));
        check("e", "e", None);
        check("f", "../outside/a.md", None);
        check("g", "lib/.git/a.md", None);
        check("h", "file/a.md", None);
        check("diglot.toml", ".config/d.toml", Some(".config"));
        let absolute = root.join("lib/y.md");
        check("i", absolute.to_str().unwrap(), Some("lib/y.md"));
    }
}
