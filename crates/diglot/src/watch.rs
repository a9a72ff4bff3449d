//! Watching a folder: storms of events are merged into one [`Change`], and what happens in hidden folders does not count.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// A save is several events; after the last of them we wait this long for another.
const QUIET: Duration = Duration::from_millis(30);
/// A storm that does not end is answered after this time at the latest.
const LONGEST: Duration = Duration::from_millis(400);

/// Why waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something in the folder changed.
    Files,
    /// The time given ran out.
    Time,
}

/// A watched folder.
#[derive(Debug)]
pub struct Watch {
    /// Held for its thread; `None` when nothing is watched.
    _watcher: Option<RecommendedWatcher>,
    events: Receiver<()>,
    /// Kept so that waiting never ends for want of a sender.
    _sender: Sender<()>,
}

impl Watch {
    /// Watches these folders (canonical paths) with all that is in them.
    ///
    /// # Errors
    /// A sentence: the system's watches have run out, or a folder cannot be watched.
    pub fn folders(folders: &[PathBuf]) -> Result<Self, String> {
        let (sender, events) = channel();
        let (told, roots) = (sender.clone(), folders.to_vec());
        let handler = move |event: notify::Result<Event>| {
            if counts(event.as_ref(), &roots) {
                let _ = told.send(());
            }
        };
        let mut watcher = notify::recommended_watcher(handler).map_err(|error| message(&error))?;
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(|error| message(&error))?;
        }
        Ok(Self { _watcher: Some(watcher), events, _sender: sender })
    }

    /// Watches nothing: only time passes.
    pub fn nothing() -> Self {
        let (sender, events) = channel();
        Self { _watcher: None, events, _sender: sender }
    }

    /// Waits for a change, or for `time` to run out; a storm of changes is one.
    pub fn wait(&self, time: Duration) -> Change {
        match self.events.recv_timeout(time) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Change::Time,
        }
        let begun = Instant::now();
        while begun.elapsed() < LONGEST && self.events.recv_timeout(QUIET).is_ok() {}
        Change::Files
    }
}

/// Whether an event may have changed what we read.
fn counts(event: Result<&Event, &notify::Error>, roots: &[PathBuf]) -> bool {
    // An error of the watcher means that we may have missed something.
    let Ok(event) = event else { return true };
    let changes = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => true,
    };
    changes && (event.paths.is_empty() || event.need_rescan() || event.paths.iter().any(|path| is_visible(path, roots)))
}

/// Whether no part of the path below a root is hidden: version control and editors write there all the time.
fn is_visible(path: &Path, roots: &[PathBuf]) -> bool {
    let below = roots.iter().find_map(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    let hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".") && part.as_os_str() != ".well-known";
    !below.components().any(|part| hidden(part) || part.as_os_str() == "node_modules")
}

fn message(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system allows no more watches; on Linux see `fs.inotify.max_user_watches`".to_owned(),
        notify::ErrorKind::Io(error) => crate::failure::reason(error),
        _ => error.to_string(),
    }
}

/// Whether two paths name the same folder now; a folder that is gone is no longer the same.
pub fn is_still(given: &Path, canonical: &Path) -> bool {
    given.canonicalize().map_or_else(|error| error.kind() != io::ErrorKind::NotFound, |now| now == canonical)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Whether `edit` is noticed in a folder with `articles/a.md` and `.git/`.
    fn check(edit: impl FnOnce(&Path), expected: Change) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("articles")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join("articles/a.md"), "a").unwrap();
        let watch = Watch::folders(std::slice::from_ref(&root)).unwrap();
        edit(&root);
        let time = if expected == Change::Files { Duration::from_secs(10) } else { Duration::from_millis(300) };
        assert_eq!(watch.wait(time), expected);
        assert_eq!(watch.wait(Duration::from_millis(200)), Change::Time, "one storm is one change");
    }

    #[test]
    fn a_save_is_one_change() {
        check(|root| fs::write(root.join("articles/a.md"), "b").unwrap(), Change::Files);
    }

    #[test]
    fn an_editors_rename_save_is_a_change() {
        let save = |root: &Path| {
            fs::write(root.join("articles/.a.md.swp"), "b").unwrap();
            fs::rename(root.join("articles/.a.md.swp"), root.join("articles/a.md")).unwrap();
        };
        check(save, Change::Files);
    }

    #[test]
    fn files_in_a_new_folder_are_seen() {
        let add = |root: &Path| {
            fs::create_dir_all(root.join("new/deep")).unwrap();
            fs::write(root.join("new/deep/x.md"), "x").unwrap();
        };
        check(add, Change::Files);
    }

    #[test]
    fn a_thousand_saves_are_one_change() {
        check(|root| (0..1000).for_each(|n| fs::write(root.join("articles/a.md"), n.to_string()).unwrap()), Change::Files);
    }

    #[test]
    fn hidden_folders_and_reading_do_not_count() {
        check(|root| fs::write(root.join(".git/index"), "x").unwrap(), Change::Time);
        check(|root| drop(fs::read(root.join("articles/a.md"))), Change::Time);
    }
}
