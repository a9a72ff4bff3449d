//! A folder beside the target in which an export is written, and the swap that puts it in place: the target is the old site or the new one, whole.
//!
//! Where the system cannot exchange two folders in one step, the old site is moved aside first. A process that is killed just then leaves no target; [`recover`] puts the old site
//! back.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::manifest::{self, Target};
use crate::file;

/// A staging folder. It vanishes when it is dropped without having been put in place.
#[derive(Debug)]
pub(super) struct Stage {
    dir: tempfile::TempDir,
    target: PathBuf,
    /// Held as long as we live, so that others know whose leftovers are nobody's.
    _lock: File,
}

impl Stage {
    /// Makes the staging folder beside `target`, and removes what killed processes left there.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        let parent = target.parent().ok_or_else(|| io::Error::other("it is the root of the file system"))?;
        fs::create_dir_all(parent)?;
        let prefix = prefix(target);
        sweep(parent, &prefix, target);
        let dir = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent)?;
        let lock = file::folder(dir.path())?;
        lock.lock()?;
        readable_by_all(dir.path())?;
        Ok(Self { dir, target: target.to_owned(), _lock: lock })
    }

    /// Writes one file with its modification time.
    pub(super) fn write<'a>(&self, path: &str, slices: impl IntoIterator<Item = &'a [u8]>, modified: Timestamp) -> io::Result<()> {
        let path = self.dir.path().join(path);
        let mut new = match (File::create_new(&path), path.parent()) {
            // The first file of a folder.
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder)?;
                File::create_new(&path)?
            }
            (made, _) => made?,
        };
        slices.into_iter().try_for_each(|slice| new.write_all(slice))?;
        let modified = SystemTime::from(modified);
        new.set_times(FileTimes::new().set_modified(modified))?;
        if cfg!(not(target_os = "linux")) {
            new.sync_all()?;
        }
        Ok(())
    }

    /// Puts the stage in the target's place, and removes what was there.
    pub(super) fn swap(self, replaces: bool) -> io::Result<()> {
        flush(self.dir.path())?;
        let stage = self.dir.path().to_owned();
        if !replaces {
            fs::rename(&stage, &self.target)?;
            let _ = self.dir.keep();
        } else if exchange(&stage, &self.target)? {
            // What the stage's name holds now is the old site.
        } else {
            let old = Aside::of(&self.target)?;
            if let Err(error) = fs::rename(&stage, &self.target) {
                old.put_back(&self.target)?;
                return Err(error);
            }
        }
        self.target.parent().map_or(Ok(()), |parent| file::folder(parent).and_then(|parent| parent.sync_all()))
    }
}

/// An old site that was moved aside. It vanishes when it is dropped.
#[derive(Debug)]
struct Aside {
    dir: tempfile::TempDir,
    /// Held as long as we live, so that nobody else puts it back.
    _lock: File,
}

/// The name of an old site in the folder that was made for it.
const OLD: &str = "old";

impl Aside {
    fn of(target: &Path) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix(&old_prefix(target)).tempdir_in(target.parent().unwrap_or(Path::new(".")))?;
        let lock = file::folder(dir.path())?;
        lock.lock()?;
        fs::rename(target, dir.path().join(OLD))?;
        Ok(Self { dir, _lock: lock })
    }

    /// Moves it back. Where that fails it stays, for [`recover`].
    fn put_back(self, target: &Path) -> io::Result<()> {
        let moved = fs::rename(self.dir.path().join(OLD), target);
        if moved.is_err() {
            let _ = self.dir.keep();
        }
        moved
    }
}

/// Puts back the old site where a process was killed after it had moved it aside, and before the new one had its place. Whether there was one.
pub(super) fn recover(target: &Path) -> io::Result<bool> {
    let Some(parent) = target.parent().filter(|_| is_missing(target)) else { return Ok(false) };
    let (prefix, entries) = (old_prefix(target), fs::read_dir(parent).into_iter().flatten().flatten());
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
        let old = entry.path().join(OLD);
        let lock = file::folder(&entry.path());
        let abandoned = lock.as_ref().is_ok_and(|folder| folder.try_lock().is_ok());
        if abandoned && manifest::inspect(&old).is_ok_and(|found| found == Target::Ours) {
            fs::rename(&old, target)?;
            let _ = fs::remove_dir(entry.path());
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// How the names of our folders beside a target begin.
fn prefix(target: &Path) -> String {
    format!(".{}.diglot-", target.file_name().unwrap_or_default().to_string_lossy())
}

/// How the names of those begin that hold an old site.
fn old_prefix(target: &Path) -> String {
    prefix(target) + "old-"
}

/// Removes staging folders whose makers are dead: nobody holds their lock. Young ones may be about to be locked. An old site whose place is empty stays.
fn sweep(parent: &Path, prefix: &str, target: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let old = is_missing(target).then(|| old_prefix(target));
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(prefix) || old.as_ref().is_some_and(|old| name.starts_with(old)) {
            continue;
        }
        let age = entry.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
        let abandoned = file::folder(&entry.path()).is_ok_and(|folder| folder.try_lock().is_ok());
        if abandoned && age.is_some_and(|age| age > Duration::from_secs(5)) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A temporary folder is its owner's alone; a site is for everyone.
fn readable_by_all(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
    }
    #[cfg(not(unix))]
    let _ = dir;
    Ok(())
}

/// Writes the whole file system's pending bytes to the disk: one call instead of one for every file.
fn flush(dir: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(file::folder(dir)?)?;
    #[cfg(not(target_os = "linux"))]
    let _ = dir;
    Ok(())
}

/// Exchanges two folders in one step; `false` where the file system or the system cannot.
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::Errno;
        match rustix::fs::renameat_with(rustix::fs::CWD, one, rustix::fs::CWD, other, rustix::fs::RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (one, other);
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(path: &Path, words: &str) {
        fs::create_dir_all(path).unwrap();
        fs::write(path.join("index.html"), words).unwrap();
        fs::write(path.join(manifest::NAME), manifest::write("e", "https://example.org", ["index.html"].into_iter())).unwrap();
    }

    #[test]
    fn an_old_site_that_a_killed_process_moved_aside_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("public");
        assert!(!recover(&target).unwrap(), "there was none");
        site(&target, "old");
        let Aside { dir: aside, _lock: lock } = Aside::of(&target).unwrap();
        assert!(!target.exists() && !recover(&target).unwrap(), "its process lives");
        // Killed: the system gives back the lock, and nothing is tidied up.
        let aside = aside.keep();
        drop(lock);
        let past = SystemTime::now() - Duration::from_secs(60);
        File::open(&aside).unwrap().set_times(FileTimes::new().set_modified(past)).unwrap();
        drop(Stage::beside(&target).unwrap());
        assert!(aside.exists(), "nobody sweeps the only site away");
        assert!(recover(&target).unwrap() && !recover(&target).unwrap());
        assert_eq!(fs::read(target.join("index.html")).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_is_no_export_of_ours_is_not_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("public");
        let aside = dir.path().join(".public.diglot-old-x/old");
        fs::create_dir_all(&aside).unwrap();
        fs::write(aside.join("notes.txt"), "mine").unwrap();
        assert!(!recover(&target).unwrap() && !target.exists() && aside.exists());
        site(&aside, "old");
        assert!(!recover(&target).unwrap() && !target.exists(), "more than an export is in it");
    }

    #[test]
    fn an_old_site_goes_back_where_the_new_one_cannot_take_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("public");
        site(&target, "old");
        Aside::of(&target).unwrap().put_back(&target).unwrap();
        assert_eq!(fs::read(target.join("index.html")).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
