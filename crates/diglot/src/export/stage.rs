//! The folder next to the target in which an export is written, and the swap that puts it in place:
//! the target is always either the old site or the new one.
//!
//! If the system cannot exchange two folders in one step, the old site is moved aside first. If the
//! process is killed just then, no target is left; [`recover`] puts the old site back.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use tempfile::TempDir;

use super::manifest::{self, Target};
use crate::file;

/// The name of an old site inside its temporary folder.
const OLD: &str = "old";
/// A staging folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(5);

/// A temporary folder next to a target. Its lock is held while the process lives, which tells
/// abandoned folders from others. It is removed on drop.
struct LockedFolder {
    dir: TempDir,
    _lock: File,
}

impl LockedFolder {
    fn beside(target: &Path, prefix: &str) -> io::Result<Self> {
        let dir = tempfile::Builder::new()
            .prefix(prefix)
            .tempdir_in(target.parent().unwrap_or(Path::new(".")))?;
        let lock = file::folder(dir.path())?;
        lock.lock()?;
        Ok(Self { dir, _lock: lock })
    }
}

/// A staging folder. It is removed on drop unless it was put in place.
pub(super) struct Stage {
    folder: LockedFolder,
    target: PathBuf,
}

impl Stage {
    /// Creates the staging folder next to `target`, and removes those of killed processes.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        let parent = target
            .parent()
            .ok_or_else(|| io::Error::other("it is the root of the file system"))?;
        fs::create_dir_all(parent)?;
        sweep(target);
        let folder = LockedFolder::beside(target, &prefix(target))?;
        readable_by_all(folder.dir.path())?;
        Ok(Self {
            folder,
            target: target.to_owned(),
        })
    }

    /// Writes one file with its modification time.
    pub(super) fn write<'a>(
        &self,
        path: &str,
        slices: impl IntoIterator<Item = &'a [u8]>,
        modified: Timestamp,
    ) -> io::Result<()> {
        let path = self.folder.dir.path().join(path);
        let mut new = match (File::create_new(&path), path.parent()) {
            // The first file of a folder.
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder)?;
                File::create_new(&path)?
            }
            (made, _) => made?,
        };
        for slice in slices {
            new.write_all(slice)?;
        }
        new.set_times(FileTimes::new().set_modified(SystemTime::from(modified)))?;
        if cfg!(not(target_os = "linux")) {
            new.sync_all()?;
        }
        Ok(())
    }

    /// Puts the stage in the target's place, and removes the old content.
    pub(super) fn swap(self, replaces: bool) -> io::Result<()> {
        let stage = self.folder.dir.path();
        flush(stage)?;
        if !replaces {
            fs::rename(stage, &self.target)?;
            let _ = self.folder.dir.keep();
        } else if !exchange(stage, &self.target)? {
            let old = OldSite::move_aside(&self.target)?;
            if let Err(error) = fs::rename(stage, &self.target) {
                old.put_back(&self.target)?;
                return Err(error);
            }
        }
        match self.target.parent() {
            Some(parent) => file::folder(parent)?.sync_all(),
            None => Ok(()),
        }
    }
}

/// An old site that was moved aside. It is removed on drop.
struct OldSite(LockedFolder);

impl OldSite {
    fn move_aside(target: &Path) -> io::Result<Self> {
        let folder = LockedFolder::beside(target, &old_prefix(target))?;
        fs::rename(target, folder.dir.path().join(OLD))?;
        Ok(Self(folder))
    }

    /// Moves it back. If that fails it stays, for [`recover`].
    fn put_back(self, target: &Path) -> io::Result<()> {
        let moved = fs::rename(self.0.dir.path().join(OLD), target);
        if moved.is_err() {
            let _ = self.0.dir.keep();
        }
        moved
    }
}

/// Puts back the old site if a process was killed between moving it aside and putting the new one
/// in place. Returns whether there was one.
pub(super) fn recover(target: &Path) -> io::Result<bool> {
    if !is_missing(target) {
        return Ok(false);
    }
    for (folder, _lock) in abandoned(target, &old_prefix(target)) {
        let old = folder.join(OLD);
        if manifest::inspect(&old).is_ok_and(|found| found == Target::Ours) {
            fs::rename(&old, target)?;
            let _ = fs::remove_dir(folder);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes staging folders of processes that ended. An old site stays while its place is empty.
fn sweep(target: &Path) {
    let old = is_missing(target).then(|| old_prefix(target));
    for (folder, lock) in abandoned(target, &prefix(target)) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if old.as_ref().is_some_and(|old| name.starts_with(old)) {
            continue;
        }
        let age = lock
            .metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > YOUNG) {
            // A folder that cannot be removed does no harm.
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// The folders next to a target with this prefix whose processes ended: their locks were free, and
/// are now held.
fn abandoned(target: &Path, prefix: &str) -> Vec<(PathBuf, File)> {
    let mut found = Vec::new();
    let entries = target.parent().and_then(|parent| fs::read_dir(parent).ok());
    for entry in entries.into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix)
            && let Ok(folder) = file::folder(&entry.path())
            && folder.try_lock().is_ok()
        {
            found.push((entry.path(), folder));
        }
    }
    found
}

fn is_missing(path: &Path) -> bool {
    path.symlink_metadata()
        .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// The prefix of our folders next to a target.
fn prefix(target: &Path) -> String {
    format!(
        ".{}.diglot-",
        target.file_name().unwrap_or_default().to_string_lossy()
    )
}

/// The prefix of folders that hold an old site.
fn old_prefix(target: &Path) -> String {
    prefix(target) + "old-"
}

/// A temporary folder is private to its owner; a site is for everyone.
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

/// Flushes the whole file system: one call instead of one per file.
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
        match rustix::fs::renameat_with(
            rustix::fs::CWD,
            one,
            rustix::fs::CWD,
            other,
            rustix::fs::RenameFlags::EXCHANGE,
        ) {
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
        fs::write(
            path.join(manifest::NAME),
            manifest::write("e", "https://example.org", ["index.html"].into_iter()),
        )
        .unwrap();
    }

    #[test]
    fn an_old_site_that_a_killed_process_moved_aside_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("public");
        assert!(!recover(&target).unwrap(), "there was none");
        site(&target, "old");
        let OldSite(LockedFolder {
            dir: aside,
            _lock: lock,
        }) = OldSite::move_aside(&target).unwrap();
        assert!(
            !target.exists() && !recover(&target).unwrap(),
            "its process lives"
        );
        // As if killed: the system releases the lock, and nothing is cleaned up.
        let aside = aside.keep();
        drop(lock);
        let past = SystemTime::now() - Duration::from_secs(60);
        File::open(&aside)
            .unwrap()
            .set_times(FileTimes::new().set_modified(past))
            .unwrap();
        drop(Stage::beside(&target).unwrap());
        assert!(aside.exists(), "nobody sweeps the only site away");
        assert!(recover(&target).unwrap() && !recover(&target).unwrap());
        assert_eq!(fs::read(target.join("index.html")).unwrap(), b"old");
        assert_eq!(
            fs::read_dir(dir.path()).unwrap().count(),
            1,
            "nothing is left beside it"
        );
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
        assert!(
            !recover(&target).unwrap() && !target.exists(),
            "more than an export is in it"
        );
    }

    #[test]
    fn an_old_site_goes_back_where_the_new_one_cannot_take_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("public");
        site(&target, "old");
        OldSite::move_aside(&target)
            .unwrap()
            .put_back(&target)
            .unwrap();
        assert_eq!(fs::read(target.join("index.html")).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
