//! Replaces a file as a whole: whoever reads it sees the old one or the new one.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A new file in a folder, which its owner alone can read, to be [put] in the place of the one
/// of this name.
///
/// # Errors
/// The system's.
pub fn temporary(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(&format!(".{name}-"))
        .tempfile_in(folder)
}

/// A new file beside the one at a path, to be renamed over it. Who may read and write it is as for
/// that file; if there is none, the umask decides.
///
/// # Errors
/// The system's.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{}-", name.chars().take(32).collect::<String>());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    let everyone = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(everyone);
    let new = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    #[cfg(unix)]
    if let Ok(before) = path.symlink_metadata()
        && before.is_file()
    {
        new.as_file().set_permissions(before.permissions())?;
    }
    Ok(new)
}

/// Flushes a new file to disk, and renames it over the old one.
///
/// # Errors
/// The system's.
pub fn put(new: NamedTempFile, folder: &Path, name: impl AsRef<Path>) -> io::Result<()> {
    new.as_file().sync_all()?;
    new.persist(folder.join(name))
        .map_err(|error| error.error)?;
    super::folder(folder)?.sync_all()
}

/// Writes a new file that its owner alone can read, and [puts](put) it in the place of the old one.
///
/// # Errors
/// The system's.
pub fn replace(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut new = temporary(folder, name)?;
    new.write_all(bytes)?;
    put(new, folder, name)
}

/// Writes a file that people read and edit: its mode stays, and a symbolic link to it does.
///
/// # Errors
/// The system's.
pub fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => path.to_owned(),
        Err(error) => return Err(error),
    };
    let mut new = beside(&real)?;
    new.write_all(bytes)?;
    let folder = real.parent().unwrap_or(Path::new("."));
    put(new, folder, real.file_name().unwrap_or_default())
}

/// A new file to which lines are added. What was in its place is removed first, so that no link is
/// followed.
///
/// # Errors
/// The system's.
pub fn journal(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => super::open_with(File::options().append(true).create_new(true), path),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_of_people_keeps_its_mode_and_its_link_and_a_secret_is_its_owners() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("as-umask"), "").unwrap();
        rewrite(&at("new"), b"a").unwrap();
        assert_eq!(mode(&at("new")), mode(&at("as-umask")));
        for bits in [0o644, 0o664, 0o600, 0o444] {
            fs::set_permissions(at("new"), fs::Permissions::from_mode(bits)).unwrap();
            rewrite(&at("new"), b"b").unwrap();
            assert_eq!(mode(&at("new")), bits);
        }
        symlink("new", at("link")).unwrap();
        rewrite(&at("link"), b"c").unwrap();
        assert!(at("link").is_symlink() && fs::read(at("new")).unwrap() == b"c");
        symlink("nothing", at("nowhere")).unwrap();
        assert!(rewrite(&at("nowhere"), b"d").is_err());
        replace(dir.path(), "key", b"e").unwrap();
        assert_eq!(mode(&at("key")), 0o600);
    }

    #[test]
    fn a_journal_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("mine"), "mine").unwrap();
        symlink("mine", at("journal")).unwrap();
        journal(&at("journal")).unwrap().write_all(b"x").unwrap();
        assert_eq!(fs::read(at("mine")).unwrap(), b"mine");
        assert_eq!(fs::read(at("journal")).unwrap(), b"x");
    }
}
