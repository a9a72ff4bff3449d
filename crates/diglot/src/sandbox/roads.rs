//! What must stay readable so that a path leads somewhere also after it was replaced, or a link on the way was switched.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// The folder around `path`, the folders around every symbolic link on the way, and the one around what it leads to at last: a file that is saved by renaming,
/// `current -> release-42` becoming `release-43`, and a renewed certificate are all seen by reading these and nothing else.
///
/// The root of the file system is never among them: what lies directly in it is named itself, and no longer followed when it is replaced.
///
/// # Errors
/// The system's, when `path` leads nowhere.
pub fn roads(path: &Path) -> io::Result<Vec<PathBuf>> {
    let given = std::path::absolute(path)?;
    let mut found = Vec::new();
    let mut real = PathBuf::from("/");
    let mut rest: VecDeque<OsString> = parts(&given);
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&part);
        if !next.symlink_metadata()?.is_symlink() {
            real = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("too many symbolic links"));
        }
        found.push(real.clone());
        let target = next.read_link()?;
        if target.is_absolute() {
            real = PathBuf::from("/");
        }
        for part in parts(&target).into_iter().rev() {
            rest.push_front(part);
        }
    }
    found.extend(real.parent().map(Path::to_owned));
    // `..` after a link leads where the link leads, so the folder around what was given is found in the same way.
    found.extend(given.parent().and_then(|parent| parent.canonicalize().ok()));
    if found.iter().all(|folder| folder.parent().is_none()) {
        found.push(real);
    }
    found.retain(|folder| folder.parent().is_some());
    found.sort();
    // What lies below another is named already.
    found.dedup_by(|later, first| later.starts_with(first));
    Ok(found)
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().filter_map(part).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// The roads to `path` in a folder with these links, relative to it.
    fn check(links: &[(&str, &str)], path: &str, expected: &[&str]) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        for folder in ["srv/release-42", "data/r/42", "etc/live/x", "etc/archive/x", "tls/..2024"] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        for file in ["etc/archive/x/chain1.pem", "tls/..2024/tls.crt"] {
            fs::write(dir.join(file), "pem").unwrap();
        }
        for (name, target) in links {
            symlink(target.replace("DIR", dir.to_str().unwrap()), dir.join(name)).unwrap();
        }
        let found = roads(&dir.join(path)).unwrap();
        let found: Vec<_> = found.iter().map(|folder| folder.strip_prefix(&dir).unwrap().to_str().unwrap()).collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn the_folder_around_a_path_and_around_every_link() {
        check(&[], "srv/release-42", &["srv"]);
        check(&[("srv/current", "release-42")], "srv/current", &["srv"]);
        check(&[("srv/current", "DIR/data/r/42")], "srv/current", &["data/r", "srv"]);
        check(&[("etc/live/x/chain.pem", "../../archive/x/chain1.pem")], "etc/live/x/chain.pem", &["etc/archive/x", "etc/live/x"]);
        check(&[("tls/..data", "..2024"), ("tls/tls.crt", "..data/tls.crt")], "tls/tls.crt", &["tls"]);
        check(&[("srv/one", "two"), ("srv/two", "DIR/data/r")], "srv/one/42", &["data/r", "srv"]);
    }

    #[test]
    fn the_root_is_never_given_away() {
        assert_eq!(roads(Path::new("/etc")).unwrap(), [PathBuf::from("/etc")]);
        assert_eq!(roads(Path::new("/")).unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(roads(&dir.path().join("x")).is_err());
        symlink("ring", dir.path().join("ring")).unwrap();
        assert!(roads(&dir.path().join("ring")).is_err());
    }
}
