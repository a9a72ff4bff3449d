//! The folders that must stay readable so that a path still resolves after its target is replaced
//! or a link on the way is switched.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The limit of links on Linux.
const MOST_LINKS: usize = 40;

/// The folder of `path`, the folders of all symbolic links on the way, and the folder of the final
/// target. They suffice to follow a file that is saved by renaming, `current -> release-42` that
/// becomes `release-43`, and a renewed certificate.
///
/// The root of the file system is never included. For an entry directly in it, the entry itself is
/// returned, so its replacement cannot be read.
///
/// # Errors
/// The system's, if `path` does not resolve.
pub fn lookup_folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let given = std::path::absolute(path)?;
    let mut found = Vec::new();
    let real = resolve(&given, &mut found)?;
    found.extend(real.parent().map(Path::to_owned));
    // `..` after a link is relative to the link's target, so the folder of the given path is
    // resolved in the same way.
    found.extend(given.parent().and_then(|parent| parent.canonicalize().ok()));
    found.retain(|folder| folder.parent().is_some());
    if found.is_empty() && real.parent().is_some() {
        found.push(real);
    }
    found.sort();
    // A path below another one is redundant.
    found.dedup_by(|later, first| later.starts_with(first));
    Ok(found)
}

/// Resolves a path. The folders of the links on the way are added to `around_links`.
fn resolve(path: &Path, around_links: &mut Vec<PathBuf>) -> io::Result<PathBuf> {
    let mut real = PathBuf::from("/");
    // A stack: the last name is the next.
    let mut names: Vec<OsString> = reversed(path);
    let mut links = 0;
    while let Some(name) = names.pop() {
        if name == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&name);
        if !next.symlink_metadata()?.is_symlink() {
            real = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("too many symbolic links"));
        }
        around_links.push(real.clone());
        let target = next.read_link()?;
        if target.is_absolute() {
            real = PathBuf::from("/");
        }
        names.extend(reversed(&target));
    }
    Ok(real)
}

/// The names in a path, last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    let is_name =
        |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components()
        .rev()
        .filter(is_name)
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// The folders for `path` in a folder with these links, relative to that folder.
    fn check(links: &[(&str, &str)], path: &str, expected: &[&str]) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        for folder in [
            "srv/release-42",
            "data/r/42",
            "etc/live/x",
            "etc/archive/x",
            "tls/..2024",
        ] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        for file in ["etc/archive/x/chain1.pem", "tls/..2024/tls.crt"] {
            fs::write(dir.join(file), "pem").unwrap();
        }
        for (name, target) in links {
            symlink(target.replace("DIR", dir.to_str().unwrap()), dir.join(name)).unwrap();
        }
        let found = lookup_folders(&dir.join(path)).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|folder| folder.strip_prefix(&dir).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn the_folder_around_a_path_and_around_every_link() {
        check(&[], "srv/release-42", &["srv"]);
        check(&[("srv/current", "release-42")], "srv/current", &["srv"]);
        check(
            &[("srv/current", "DIR/data/r/42")],
            "srv/current",
            &["data/r", "srv"],
        );
        check(
            &[("etc/live/x/chain.pem", "../../archive/x/chain1.pem")],
            "etc/live/x/chain.pem",
            &["etc/archive/x", "etc/live/x"],
        );
        check(
            &[("tls/..data", "..2024"), ("tls/tls.crt", "..data/tls.crt")],
            "tls/tls.crt",
            &["tls"],
        );
        check(
            &[("srv/one", "two"), ("srv/two", "DIR/data/r")],
            "srv/one/42",
            &["data/r", "srv"],
        );
    }

    #[test]
    fn the_root_is_never_given_away() {
        assert_eq!(
            lookup_folders(Path::new("/etc")).unwrap(),
            [PathBuf::from("/etc")]
        );
        assert_eq!(
            lookup_folders(Path::new("/")).unwrap(),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(lookup_folders(&dir.path().join("x")).is_err());
        symlink("ring", dir.path().join("ring")).unwrap();
        assert!(lookup_folders(&dir.path().join("ring")).is_err());
    }
}
