//! The state folder: what is remembered between runs.
//!
//! It is versioned, replaced atomically, guarded by one lock, and safe to delete. Everything else
//! works without it.

mod memory;
mod pictures;
mod seal;

use std::ffi::OsString;
use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use memory::Memory;

use diglot_edition::card::CardCache;
use diglot_edition::changes;
use serde::{Deserialize, Serialize};

use crate::dates::ContentHash;
use crate::failure::reason;
use crate::git::GitHistory;
use crate::terminal::counted;
use crate::{file, limits};

/// Whether a file does not exist: its folder may be missing, or be a file.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The file that holds the [`Memory`].
const DATES: &str = "dates.json";
/// The file that holds the git history.
const HISTORY: &str = "history.json";
/// The file that says what was public.
const PUBLIC: &str = "public.json";
/// The folder that holds the drawn pictures.
const PICTURES: &str = "pictures";
/// The beginning of the names of files that hold the editions before.
const CHANGES: &str = "changes-";
/// For how many addresses of a site the editions before are kept.
const ADDRESSES: usize = 8;
/// How long to wait for another process's lock before continuing without the state.
const PATIENCE: Duration = Duration::from_secs(2);

/// The content of [`PUBLIC`].
#[derive(Serialize, Deserialize)]
struct WasPublic {
    public: Vec<String>,
}

/// A state folder, created at the first write.
#[derive(Clone, Debug)]
pub struct State {
    dir: PathBuf,
}

impl State {
    /// The state kept in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether its folder is that of the site in a folder (a canonical path), by default: no other
    /// site has it.
    pub fn is_named_after(&self, site: &Path) -> bool {
        let name = self.dir.file_name();
        name.is_some_and(|name| name == key(site).as_str())
    }

    /// Reads the memory. Unreadable data is discarded, with a warning.
    pub fn recall(&self) -> (Memory, Option<String>) {
        match self.unsealed(DATES, Memory::parse) {
            Ok(memory) => (memory.unwrap_or_default(), None),
            Err(why) => (Memory::default(), Some(why)),
        }
    }

    /// The content of a small file; `None` if it does not exist.
    ///
    /// # Errors
    /// The message for people: the file is not used, and why.
    fn unsealed<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let path = self.dir.join(name);
        match self.locked(false, || file::read(&path, limits::STATE_BYTES)) {
            Ok(bytes) => match seal::check(name, &bytes)
                .map_err(str::to_owned)
                .and_then(|()| parse(&bytes))
            {
                Ok(read) => Ok(Some(read)),
                Err(why) => Err(format!(
                    "`{}` is ignored and will be replaced: {why}",
                    path.display()
                )),
            },
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(format!(
                "`{}` is not used: {}",
                path.display(),
                reason(&error)
            )),
        }
    }

    /// Writes the memory: a new file, flushed to disk, renamed over the old one.
    ///
    /// # Errors
    /// The system's, if the folder cannot be created or written, or another process holds the lock.
    pub fn remember(&self, memory: &Memory) -> io::Result<()> {
        self.replace(DATES, &seal::sealed(DATES, &memory.to_bytes()))
    }

    /// The last git history. If it is unreadable it is read from git again, with a warning.
    pub fn recall_history(&self) -> (Option<GitHistory>, Option<String>) {
        let parse =
            |bytes: &[u8]| GitHistory::parse(bytes).ok_or_else(|| "it cannot be read".to_owned());
        match self.unsealed(HISTORY, parse) {
            Ok(history) => (history, None),
            Err(why) => (None, Some(why)),
        }
    }

    /// Keeps the git history for the next run.
    ///
    /// # Errors
    /// As [`remember`](Self::remember).
    pub fn remember_history(&self, history: &GitHistory) -> io::Result<()> {
        self.replace(HISTORY, &seal::sealed(HISTORY, &history.to_bytes()))
    }

    /// What was public at the last run: kinds of texts and files with their folder. `None`: that is
    /// not known.
    pub fn recall_public(&self) -> (Option<Vec<String>>, Option<String>) {
        let parse = |bytes: &[u8]| {
            let stored: Option<WasPublic> = serde_json::from_slice(bytes).ok();
            let stored = stored.ok_or("it cannot be read")?;
            Ok(stored.public)
        };
        match self.unsealed(PUBLIC, parse) {
            Ok(public) => (public, None),
            Err(why) => (None, Some(why)),
        }
    }

    /// Keeps what is public for the next run.
    ///
    /// # Errors
    /// As [`remember`](Self::remember).
    pub fn remember_public(&self, public: &[String]) -> io::Result<()> {
        let public = public.to_vec();
        let bytes = serde_json::to_vec(&WasPublic { public })?;
        self.replace(PUBLIC, &seal::sealed(PUBLIC, &bytes))
    }

    /// The editions before of the site at this address. Unreadable data is discarded, with a warning:
    /// clients start over.
    pub fn recall_changes(&self, base: &str) -> (changes::History, Option<String>) {
        match self.unsealed(&changes_of(base), changes::History::parse) {
            Ok(past) => (past.unwrap_or_default(), None),
            Err(why) => (changes::History::default(), Some(why)),
        }
    }

    /// Keeps the editions before of the site at this address, as
    /// [`History::to_bytes`](changes::History::to_bytes) wrote them.
    ///
    /// # Errors
    /// As [`remember`](Self::remember).
    pub fn remember_changes(&self, base: &str, past: &[u8]) -> io::Result<()> {
        let name = changes_of(base);
        self.replace(&name, &seal::sealed(&name, past))?;
        self.drop_old_changes()
    }

    /// Deletes the editions before of all but the last few addresses.
    fn drop_old_changes(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.dir)?.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            if let Ok(modified) = modified
                && entry.file_name().to_string_lossy().starts_with(CHANGES)
            {
                files.push((modified, entry.path()));
            }
        }
        files.sort();
        let old = files.len().saturating_sub(ADDRESSES);
        for (_, path) in &files[..old] {
            // Another process may have deleted it.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Writes a new file, flushes it to disk, and renames it over the old one.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        self.locked(true, || file::replace(&self.dir, name, bytes))
    }

    /// Reads the drawn pictures. Damaged ones are removed and drawn again, with a warning.
    pub fn recall_pictures(&self) -> (CardCache, Option<String>) {
        let dir = self.dir.join(PICTURES);
        let (card_cache, damaged) = self
            .locked(false, || Ok(pictures::read(&dir)))
            .unwrap_or_default();
        let pictures = || counted(damaged, "damaged picture");
        let warning = || {
            format!(
                "{} in `{}` {} ignored and drawn again",
                pictures(),
                dir.display(),
                if damaged == 1 { "is" } else { "are" }
            )
        };
        (card_cache, (damaged > 0).then(warning))
    }

    /// Keeps these pictures, and no others.
    ///
    /// # Errors
    /// As [`remember`](Self::remember).
    pub fn remember_pictures(&self, card_cache: &CardCache) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        self.locked(true, || {
            pictures::write(&self.dir.join(PICTURES), card_cache)
        })
    }

    /// Runs `work` while holding the folder's lock; the system releases it if the process dies.
    pub(crate) fn locked<T>(
        &self,
        make: bool,
        work: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        let path = self.dir.join("lock");
        let lock = match file::lock(&path) {
            Ok(lock) => lock,
            // A state that can be read but not written is still useful.
            Err(error) if !make && error.kind() != io::ErrorKind::NotFound => return work(),
            Err(error) => return Err(error),
        };
        let begun = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20))
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::other("another process holds its lock"));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        work()
    }
}

/// The default state folder of the site in `site` (a canonical path): `$STATE_DIRECTORY` as set by
/// systemd, else a folder named after the site's path in the user's state folder (XDG base
/// directories, section 3).
pub fn default_dir(site: &Path, env: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let env = |name| env(name).filter(|value| !value.is_empty());
    if let Some(given) = env("STATE_DIRECTORY") {
        // systemd separates several with colons; the first is used.
        return std::env::split_paths(&given).next();
    }
    let absolute = |value: OsString| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    let user = env("XDG_STATE_HOME").and_then(absolute).or_else(|| {
        env("HOME")
            .and_then(absolute)
            .map(|home| home.join(".local/state"))
    });
    user.map(|user| user.join("diglot").join(key(site)))
}

/// The name of the state folder of the site in a folder (a canonical path).
fn key(site: &Path) -> String {
    ContentHash::hash(site.as_os_str().as_encoded_bytes()).to_string()
}

/// The name of the file that holds the editions before of the site at an address.
fn changes_of(base: &str) -> String {
    format!("{CHANGES}{}.json", name_of(base))
}

/// The name of the folder for what belongs to one address, so that none is taken for another.
pub fn name_of(address: &str) -> String {
    let digest = blake3::hash(address.as_bytes()).to_hex();
    digest[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn dir_of(pairs: &[(&str, &str)]) -> Option<String> {
        let env = |name: &str| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        };
        default_dir(Path::new("/srv/blog"), env).map(|path| path.display().to_string())
    }

    #[test]
    fn the_place_of_the_state() {
        let key = ContentHash::hash(b"/srv/blog");
        assert_eq!(
            dir_of(&[
                ("STATE_DIRECTORY", "/var/lib/a:/var/lib/b"),
                ("HOME", "/root")
            ])
            .as_deref(),
            Some("/var/lib/a")
        );
        assert_eq!(
            dir_of(&[("XDG_STATE_HOME", "/x"), ("HOME", "/root")]),
            Some(format!("/x/diglot/{key}"))
        );
        assert_eq!(
            dir_of(&[("XDG_STATE_HOME", "relative"), ("HOME", "/root")]),
            Some(format!("/root/.local/state/diglot/{key}"))
        );
        assert_eq!(dir_of(&[("XDG_STATE_HOME", "")]), None);
    }

    #[test]
    fn what_is_remembered_comes_back_and_garbage_is_forgotten_with_a_warning() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::at(dir.path().join("deep/state"));
        assert_eq!(state.recall(), (Memory::default(), None));
        let mut memory = Memory::default();
        memory.insert(
            "a.md",
            ContentHash::hash(b"a"),
            jiff::Timestamp::from_second(1_000).unwrap(),
            true,
        );
        state.remember(&memory).unwrap();
        assert_eq!(state.recall(), (memory.clone(), None));

        fs::write(state.dir().join(DATES), b"{ not json").unwrap();
        let (empty, warning) = state.recall();
        assert_eq!(empty, Memory::default());
        assert!(warning.unwrap().contains("dates.json` is ignored"));
        state.remember(&memory).unwrap();
        assert_eq!(state.recall().0, memory);
    }

    #[test]
    fn item_1_what_was_public_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::at(dir.path());
        assert_eq!(state.recall_public(), (None, None));
        let public = ["Pages notes/".to_owned()];
        state.remember_public(&public).unwrap();
        assert_eq!(state.recall_public(), (Some(public.to_vec()), None));
        fs::write(dir.path().join(PUBLIC), b"{}").unwrap();
        assert!(state.recall_public().1.unwrap().contains("is ignored"));
    }

    #[test]
    fn issue_26_editions_before_are_kept_for_each_of_a_few_addresses() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::at(dir.path());
        let base = |number: usize| format!("https://{number}.example");
        let past = br#"{"edition":"00000000000000000000000000000001","editions":[],"pages":[]}"#;
        for number in 0..=ADDRESSES {
            state.remember_changes(&base(number), past).unwrap();
        }
        let (recalled, warning) = state.recall_changes(&base(ADDRESSES));
        assert!(recalled.id.is_some() && warning.is_none());
        let known =
            (0..=ADDRESSES).filter(|number| state.recall_changes(&base(*number)).0.id.is_some());
        assert_eq!(known.count(), ADDRESSES);
        let path = dir.path().join(changes_of(&base(ADDRESSES)));
        fs::write(path, b"{ not json").unwrap();
        let (recalled, warning) = state.recall_changes(&base(ADDRESSES));
        assert!(recalled.id.is_none() && warning.unwrap().contains("is ignored"));
    }

    #[test]
    fn a_lock_held_elsewhere_ends_in_an_error_not_in_waiting() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::at(dir.path());
        let lock = File::create(dir.path().join("lock")).unwrap();
        lock.lock().unwrap();
        assert!(
            state
                .remember(&Memory::default())
                .unwrap_err()
                .to_string()
                .contains("lock")
        );
    }
}
