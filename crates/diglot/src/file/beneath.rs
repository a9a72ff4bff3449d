//! Opens files of one folder so that no link leads out of it, not even one that is switched between
//! check and open.
//!
//! On Linux the kernel enforces this (`openat2` with `RESOLVE_BENEATH`, since 5.6). On other
//! systems the opened file is compared with the one in the folder a moment later. A process that
//! switches links twice in that moment may win, but it can write into the folder anyway.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{Refused, bytes, regular};
use crate::limits::MostBytes;

/// An open folder.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    folder: rustix::fd::OwnedFd,
}

impl Root {
    /// Opens a folder by its canonical path.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        let folder = {
            use rustix::fs::{Mode, OFlags};
            #[expect(
                clippy::disallowed_methods,
                reason = "it opens a folder that nothing is read from"
            )]
            rustix::fs::open(
                path,
                OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
            )?
        };
        Ok(Self {
            path: path.to_owned(),
            #[cfg(target_os = "linux")]
            folder,
        })
    }

    /// The bytes of a regular file, by its path below the folder.
    ///
    /// # Errors
    /// The system's, or a [`Refused`].
    pub fn read(&self, path: &Path, most: MostBytes) -> io::Result<Vec<u8>> {
        let (file, metadata) = self.with_metadata(path)?;
        bytes(&file, metadata.len(), most)
    }

    /// Opens a regular file by its path below the folder, with its metadata. A FIFO in its place
    /// does not block.
    ///
    /// # Errors
    /// The system's, or a [`Refused`].
    pub fn with_metadata(&self, path: &Path) -> io::Result<(File, Metadata)> {
        regular(self.opened(path).map_err(super::not_regular)?)
    }

    #[cfg(target_os = "linux")]
    fn open_once(&self, inside: &Path) -> rustix::io::Result<std::os::fd::OwnedFd> {
        use rustix::fs::{Mode, OFlags, ResolveFlags};

        #[expect(
            clippy::disallowed_methods,
            reason = "it opens files: beneath the folder, without waiting, and looked at once they are open"
        )]
        rustix::fs::openat2(
            &self.folder,
            inside,
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK,
            Mode::empty(),
            ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS,
        )
    }

    #[cfg(target_os = "linux")]
    fn opened(&self, path: &Path) -> io::Result<File> {
        use rustix::io::Errno;

        /// The kernel gives up if something is renamed meanwhile; the call is repeated this often.
        const TRIES: usize = 16;
        let inside = path.strip_prefix(&self.path).map_err(|_| leads_out())?;
        for _ in 0..TRIES {
            match self.open_once(inside) {
                Ok(file) => return Ok(file.into()),
                Err(Errno::XDEV) => return Err(leads_out()),
                Err(Errno::AGAIN) => {}
                // An old kernel, or a container whose filter does not know the call.
                Err(Errno::NOSYS | Errno::PERM) => return self.compared(path),
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::AGAIN.into())
    }

    #[cfg(not(target_os = "linux"))]
    fn opened(&self, path: &Path) -> io::Result<File> {
        self.compared(path)
    }

    /// Opens the file and checks that it is the one in the folder.
    fn compared(&self, path: &Path) -> io::Result<File> {
        let file = super::open_anything(path)?;
        let real = path.canonicalize()?;
        if real.starts_with(&self.path) && is_same(&file, &real)? {
            Ok(file)
        } else {
            Err(leads_out())
        }
    }
}

/// Whether a path names the file that is open.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (opened, there) = (file.metadata()?, path.symlink_metadata()?);
    Ok((opened.dev(), opened.ino()) == (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn leads_out() -> io::Error {
    Refused::LeadsOut.into()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn text(file: io::Result<File>) -> Result<String, String> {
        let mut text = String::new();
        file.and_then(|mut file| file.read_to_string(&mut text))
            .map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn file(root: &Root, path: &Path) -> io::Result<File> {
        root.with_metadata(path).map(|(file, _)| file)
    }

    /// A folder `site` next to `secret/a.md`.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, words) in [
            ("site/real/a.md", "public"),
            ("site/b.md", "b"),
            ("secret/a.md", "secret"),
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), words).unwrap();
        }
        (dir, root)
    }

    #[test]
    fn nothing_outside_is_opened_whichever_way_it_is_named() {
        let (_dir, dir) = place();
        symlink("../secret", dir.join("site/out")).unwrap();
        symlink(dir.join("secret/a.md"), dir.join("site/far.md")).unwrap();
        symlink("real/a.md", dir.join("site/near.md")).unwrap();
        symlink("/proc/self/root/etc/passwd", dir.join("site/magic")).unwrap();
        let root = Root::open(&dir.join("site")).unwrap();
        for open in [Root::opened, Root::compared] {
            let opened = |path: &str| text(open(&root, &dir.join("site").join(path)));
            assert_eq!(opened("real/a.md").unwrap(), "public");
            assert_eq!(opened("near.md").unwrap(), "public");
            for path in [
                "out/a.md",
                "far.md",
                "../secret/a.md",
                "real/../../secret/a.md",
                "magic",
                "/etc/passwd",
            ] {
                assert!(opened(path).is_err(), "{path}");
            }
        }
    }

    #[test]
    fn a_link_switched_while_we_read_never_leads_out() {
        let (_dir, dir) = place();
        let (site, done) = (dir.join("site"), AtomicBool::new(false));
        symlink("real", site.join("real.link")).unwrap();
        symlink("../secret", site.join("out.link")).unwrap();
        let root = Root::open(&site).unwrap();
        let swap = || {
            while !done.load(Ordering::Relaxed) {
                for link in ["out.link", "real.link"] {
                    let target = fs::read_link(site.join(link)).unwrap();
                    let _ = fs::remove_file(site.join("next"));
                    symlink(target, site.join("next")).unwrap();
                    fs::rename(site.join("next"), site.join("articles")).unwrap();
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(swap);
            for _ in 0..5_000 {
                let read = text(file(&root, &site.join("articles/a.md")));
                assert_ne!(read.as_deref(), Ok("secret"));
            }
            done.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn hard_links_are_files_of_the_folder() {
        let (_dir, dir) = place();
        fs::hard_link(dir.join("secret/a.md"), dir.join("site/hard.md")).unwrap();
        let root = Root::open(&dir.join("site")).unwrap();
        assert_eq!(
            text(file(&root, &dir.join("site/hard.md"))).unwrap(),
            "secret",
            "who made it may read it"
        );
    }

    #[test]
    fn what_is_no_regular_file_is_not_read() {
        let (_dir, dir) = place();
        let root = Root::open(&dir.join("site")).unwrap();
        assert_eq!(
            text(file(&root, &dir.join("site/real"))).unwrap_err(),
            "not a regular file"
        );
        let made = std::process::Command::new("mkfifo")
            .arg(dir.join("site/pipe.md"))
            .status();
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(
                text(file(&root, &dir.join("site/pipe.md"))).unwrap_err(),
                "not a regular file"
            );
        }
    }
}
