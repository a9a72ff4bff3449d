//! Opens every file that the program reads: a regular file of bounded size, opened without
//! blocking. Replaces files as a whole.
//!
//! A FIFO, a device or a folder in place of a file is refused without waiting. Files of a folder
//! are opened beneath it ([`Root`]). Clippy rejects every other way to open a file (`clippy.toml`
//! of this crate).

mod beneath;
mod replace;

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

pub use beneath::Root;
pub use replace::{beside, journal, put, replace, rewrite, temporary};

use crate::limits::MostBytes;

/// Why a file is not read although the system would allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A folder, a FIFO, a device, a socket.
    NotRegular,
    /// It is larger than files of its kind may be.
    TooLarge(MostBytes),
    /// A symbolic link on the way leads out of the folder.
    LeadsOut,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRegular => write!(f, "not a regular file"),
            Self::TooLarge(most) => write!(f, "larger than the limit of {most}"),
            Self::LeadsOut => write!(f, "symbolic link out of the folder"),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        Self::other(refused)
    }
}

impl Refused {
    /// The reason for the refusal; `None` for a system error.
    pub fn from_error(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }
}

/// Opens a regular file anywhere; symbolic links are followed.
///
/// # Errors
/// The system's, or it is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    regular(open_anything(path)?).map(|(file, _)| file)
}

/// The bytes of a regular file anywhere; symbolic links are followed.
///
/// # Errors
/// As [`open()`], or it is larger than `most`.
pub fn read(path: &Path, most: MostBytes) -> io::Result<Vec<u8>> {
    let (file, metadata) = regular(open_anything(path)?)?;
    bytes(&file, metadata.len(), most)
}

/// Opens a folder, to flush a rename in it or to lock it.
///
/// # Errors
/// The system's, or it is not a folder.
pub fn folder(path: &Path) -> io::Result<File> {
    let file = open_anything(path)?;
    if file.metadata()?.is_dir() {
        Ok(file)
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

/// Opens a file that is used only as a lock; creates it if missing.
///
/// # Errors
/// The system's, or it is not a regular file.
pub fn lock(path: &Path) -> io::Result<File> {
    let file = open_with(
        File::options().write(true).create(true).truncate(false),
        path,
    )?;
    regular(file).map(|(file, _)| file)
}

/// Opens a file of any type for reading.
fn open_anything(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Does not block on a FIFO without a writer or a serial line without a carrier, and acquires no
/// controlling terminal. The standard library sets close-on-exec.
fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    // On systems where opening may block, such files are refused first.
    #[cfg(not(target_os = "linux"))]
    if path
        .metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    {
        return Err(Refused::NotRegular.into());
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this module opens files: without waiting, and looked at once they are open"
    )]
    options.open(path).map_err(not_regular)
}

/// A socket, or a FIFO without a reader, cannot be opened at all (ENXIO).
fn not_regular(error: io::Error) -> io::Error {
    #[cfg(unix)]
    if error.raw_os_error() == Some(6) {
        return Refused::NotRegular.into();
    }
    error
}

/// The opened file, if it is a regular one.
fn regular(file: File) -> io::Result<(File, Metadata)> {
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(Refused::NotRegular.into())
    }
}

/// The bytes of an open file; `length` is its size as far as the system knows.
///
/// # Errors
/// The system's, or it is larger than `most`.
pub fn bytes(mut file: &File, length: u64, most: MostBytes) -> io::Result<Vec<u8>> {
    if length > most.bytes {
        return Err(Refused::TooLarge(most).into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // It may grow meanwhile, and the system does not know the size of some files.
    file.by_ref()
        .take(most.bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most.bytes {
        Err(Refused::TooLarge(most).into())
    } else {
        Ok(bytes)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::time::{Duration, Instant};

    use super::*;

    const FOUR: MostBytes = MostBytes::new("four-bytes", 4);

    #[test]
    fn only_regular_files_of_so_many_bytes_are_read_and_nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("four"), "four").unwrap();
        fs::write(at("large"), "large").unwrap();
        fs::create_dir(at("folder")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        assert!(
            std::process::Command::new("mkfifo")
                .arg(at("fifo"))
                .status()
                .unwrap()
                .success()
        );
        for (name, target) in [
            ("link", "four"),
            ("ring", "ring"),
            ("zero", "/dev/zero"),
            ("full", "/dev/full"),
            ("nowhere", "nothing"),
        ] {
            symlink(target, at(name)).unwrap();
        }
        let begun = Instant::now();
        let said = |name: &str| read(&at(name), FOUR).map_err(|error| error.to_string());
        assert_eq!(
            (said("four"), said("link")),
            (Ok(b"four".to_vec()), Ok(b"four".to_vec()))
        );
        assert_eq!(
            said("large"),
            Err("larger than the limit of 4 bytes (`four-bytes`)".to_owned())
        );
        for name in ["folder", "socket", "fifo", "zero", "full"] {
            assert_eq!(said(name), Err("not a regular file".to_owned()), "{name}");
            assert_eq!(
                Refused::from_error(&open(&at(name)).unwrap_err()),
                Some(Refused::NotRegular),
                "{name}"
            );
            assert!(lock(&at(name)).is_err(), "{name}");
        }
        assert!(said("ring").is_err() && said("nowhere").is_err());
        assert!(
            folder(&at("folder")).is_ok()
                && folder(&at("fifo")).is_err()
                && folder(&at("four")).is_err()
        );
        assert!(lock(&at("new")).is_ok() && at("new").is_file());
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_file_of_which_nobody_says_how_long_it_is_is_bounded_too() {
        if let Ok(file) = open(Path::new("/proc/self/maps")) {
            assert_eq!(
                Refused::from_error(&bytes(&file, 0, FOUR).unwrap_err()),
                Some(Refused::TooLarge(FOUR))
            );
        }
    }
}
