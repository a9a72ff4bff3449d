//! A folder beside the target in which an export is written, and the swap that puts it in place: the target is the old site or the new one, whole.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

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
        sweep(parent, &prefix);
        let dir = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent)?;
        let lock = File::open(dir.path())?;
        lock.lock()?;
        readable_by_all(dir.path())?;
        Ok(Self { dir, target: target.to_owned(), _lock: lock })
    }

    /// Writes one file with its modification time.
    pub(super) fn write<'a>(&self, path: &str, slices: impl IntoIterator<Item = &'a [u8]>, modified: Timestamp) -> io::Result<()> {
        let path = self.dir.path().join(path);
        let mut file = match (File::create_new(&path), path.parent()) {
            // The first file of a folder.
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder)?;
                File::create_new(&path)?
            }
            (made, _) => made?,
        };
        slices.into_iter().try_for_each(|slice| file.write_all(slice))?;
        let modified = SystemTime::from(modified);
        file.set_times(FileTimes::new().set_modified(modified))?;
        if cfg!(not(target_os = "linux")) {
            file.sync_all()?;
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
            let old = tempfile::Builder::new().prefix(&prefix(&self.target)).tempdir_in(self.target.parent().unwrap_or(Path::new(".")))?;
            let aside = old.path().join("old");
            fs::rename(&self.target, &aside)?;
            if let Err(error) = fs::rename(&stage, &self.target) {
                fs::rename(&aside, &self.target)?;
                return Err(error);
            }
        }
        self.target.parent().map_or(Ok(()), |parent| File::open(parent).and_then(|parent| parent.sync_all()))
    }
}

/// How the names of our staging folders begin.
fn prefix(target: &Path) -> String {
    format!(".{}.diglot-", target.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes staging folders whose makers are dead: nobody holds their lock. Young ones may be about to be locked.
fn sweep(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)) {
        let age = entry.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
        let abandoned = File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok());
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
    rustix::fs::syncfs(File::open(dir)?)?;
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
