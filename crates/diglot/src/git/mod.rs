//! Dates from the folder's git history, read once as a whole: no process, no walk per file.
//!
//! A file gets a date only if the history holds the bytes on disk: git cannot date an uncommitted
//! edit.

mod discovery;
mod stored;
mod walk;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use diglot_content::Problem;
use diglot_content::sources::{ChangeOrigin, FileDates};
use gix::{ObjectId, Repository};
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};
use crate::failure::reason;
use crate::terminal::counted;
use crate::{file, limits};
use discovery::RepositoryPaths;
use walk::Walked;

/// The history of one file.
#[derive(Clone, Copy, Debug)]
struct FileHistory {
    /// The blob at `HEAD`.
    blob: ObjectId,
    /// The author time of the first commit with the file, unless it is beyond a shallow clone's
    /// boundary.
    created: Option<i64>,
    /// The author time of the last commit that changed the file, unless it is at a shallow clone's
    /// boundary.
    changed: Option<i64>,
}

impl FileHistory {
    /// The dates of the file, if its bytes are this blob.
    fn dates(&self, blob: ObjectId) -> Option<FileDates> {
        if blob != self.blob {
            return None;
        }
        let changed = Timestamp::from_second(self.changed?).ok()?;
        let created = self
            .created
            .and_then(|second| Timestamp::from_second(second).ok());
        Some(FileDates {
            created: created.map(|created| created.min(changed)),
            changed,
            origin: ChangeOrigin::Git,
        })
    }
}

/// The history of one folder.
#[derive(Debug)]
pub struct GitHistory {
    files: BTreeMap<String, FileHistory>,
    /// The identity of its source, as [`GitHistory::identity`] computes it.
    pub identity: String,
    /// The `.git` that it was read from.
    repository: PathBuf,
    shallow: bool,
    /// Whether it was loaded from the state or has been written to it.
    pub stored: bool,
    /// The blob ids of the last reading: most files are unchanged at the next one.
    blobs: HashMap<ContentHash, ObjectId>,
}

/// The history as a source of dates.
#[derive(Debug)]
pub struct FromHistory<'a> {
    history: &'a mut GitHistory,
    /// The blob ids of the previous reading.
    before: HashMap<ContentHash, ObjectId>,
    /// The number of files without a date because the clone is shallow.
    beyond: usize,
}

impl FromHistory<'_> {
    /// What a shallow clone does not know, reported once for the whole folder.
    pub fn problem(&self) -> Option<Problem> {
        if self.beyond == 0 {
            return None;
        }
        let files = counted(self.beyond, "file");
        let message = format!(
            "the git clone is shallow: the history of {files} is missing, so their dates are taken from other sources"
        );
        let hint = "fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in the checkout step of a CI";
        Some(Problem::warning(message).hint(hint))
    }
}

impl DateSource for FromHistory<'_> {
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates> {
        let file = *self.history.files.get(facts.path)?;
        let blob = match self.before.get(&facts.hash) {
            Some(blob) => *blob,
            None => gix::objs::compute_hash(file.blob.kind(), gix::objs::Kind::Blob, facts.bytes)
                .ok()?,
        };
        self.history.blobs.insert(facts.hash, blob);
        if self.history.shallow && file.changed.is_none() {
            self.beyond += 1;
        }
        file.dates(blob)
    }
}

impl GitHistory {
    /// Reads the history of the repository around `folder`, for at most the time `most`; `None` if
    /// there is no repository. If the newest commit does not contain the folder, the history is
    /// empty. The result of `recall` is used if it has the same identity.
    ///
    /// # Errors
    /// A sentence: why an existing repository cannot be read, or is not read.
    pub fn read(
        folder: &Path,
        recall: impl FnOnce() -> Option<Self> + Send + 'static,
        most: Duration,
    ) -> Result<Option<Self>, String> {
        let not_used = |why: String| format!("the git history is not used: {why}");
        let Some(paths) = discovery::discover(folder).map_err(not_used)? else {
            return Ok(None);
        };
        let (folder, end) = (folder.to_owned(), Instant::now() + most);
        let receiver = in_thread(move || Self::read_until(&paths, &folder, recall, end))
            .map_err(|error| not_used(reason(&error)))?;
        match receiver.recv_timeout(most.saturating_add(Duration::from_secs(1))) {
            Ok(Err(_)) | Err(RecvTimeoutError::Timeout) if Instant::now() > end => {
                Err(not_used(too_slow(most)))
            }
            Ok(read) => read.map_err(|error| format!("the git history cannot be read: {error}")),
            Err(_) => Err(not_used("reading was interrupted".to_owned())),
        }
    }

    /// The body of [`read`](Self::read), on a thread of its own.
    fn read_until(
        paths: &RepositoryPaths,
        folder: &Path,
        recall: impl FnOnce() -> Option<Self>,
        end: Instant,
    ) -> Result<Option<Self>, walk::Failure> {
        let Some(Opened {
            mut repository,
            head,
            prefix,
            identity,
        }) = Opened::open(paths, folder)
        else {
            return Ok(None);
        };
        let dot_git = paths.dot_git.clone();
        if let Some(history) = recall().filter(|history| history.identity == identity) {
            return Ok(Some(Self {
                repository: dot_git,
                ..history
            }));
        }
        let walked = match head.zip(prefix) {
            Some((head, prefix)) => walk::walk(&mut repository, head, &prefix, end)?,
            None => None,
        };
        let Walked { files, shallow } = walked.unwrap_or_default();
        Ok(Some(Self {
            files,
            identity,
            repository: dot_git,
            shallow,
            stored: false,
            blobs: HashMap::new(),
        }))
    }

    /// The paths of the history around `folder`: several for a worktree or a clone that borrows
    /// objects. Empty if the history is not used.
    pub fn paths(folder: &Path) -> Vec<PathBuf> {
        match discovery::discover(folder) {
            Ok(Some(paths)) => paths.all,
            _ => Vec::new(),
        }
    }

    /// Whether the repository around `folder` (a canonical path) is the source of this history,
    /// whatever it holds by now.
    pub fn is_around(&self, folder: &Path) -> bool {
        discovery::nearest(folder).is_some_and(|dot_git| dot_git == self.repository)
    }

    /// What the dates of a folder depend on: its newest commit, the boundary of a shallow clone,
    /// and the folder's place in the work tree. Empty if there is no repository.
    pub fn identity(folder: &Path) -> String {
        match discovery::discover(folder) {
            Ok(Some(paths)) => Opened::open(&paths, folder)
                .map(|opened| opened.identity)
                .unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// A digest that differs after a new commit in the repository around `folder`, and at times
    /// without one. It is cheap: an [identity](Self::identity) is needed only where it differs.
    pub fn glance(folder: &Path) -> blake3::Hash {
        discovery::glance(folder)
    }

    /// This history as a source of dates for one reading of the folder.
    pub fn source(&mut self) -> FromHistory<'_> {
        let before = std::mem::take(&mut self.blobs);
        FromHistory {
            history: self,
            before,
            beyond: 0,
        }
    }
}

/// A repository, and what the dates of a folder depend on.
struct Opened {
    repository: Repository,
    /// The newest commit, if there is one.
    head: Option<ObjectId>,
    prefix: Option<String>,
    identity: String,
}

impl Opened {
    /// Opens the repository at these paths. Isolated: git settings of the user or the machine must
    /// not change a site.
    fn open(paths: &RepositoryPaths, folder: &Path) -> Option<Self> {
        let bounded = format!(
            "gitoxide.objects.allocLimit={}",
            limits::GIT_OBJECT_BYTES.bytes
        );
        let options = gix::open::Options::isolated()
            .config_overrides([bounded])
            .open_path_as_is(true);
        #[expect(clippy::disallowed_methods, reason = "its files were looked at")]
        let repository = gix::open_opts(&paths.dot_git, options).ok()?;
        let head = repository.head_id().ok().map(gix::Id::detach);
        let prefix = prefix(&repository, folder);
        let edge = repository
            .shallow_file()
            .ok()
            .and_then(|path| file::read(&path, limits::GIT_LIST_BYTES).ok())
            .unwrap_or_default();
        let identity = format!("{head:?} {} {prefix:?}", blake3::hash(&edge));
        Some(Self {
            repository,
            head,
            prefix,
            identity,
        })
    }
}

/// Runs `read` on its own thread. One that hangs in the library is abandoned; otherwise it notices
/// the deadline itself.
fn in_thread<T: Send + 'static>(
    read: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Receiver<T>> {
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name("diglot-git".into())
        .spawn(move || drop(sender.send(read())))?;
    Ok(receiver)
}

fn too_slow(most: Duration) -> String {
    format!(
        "reading takes longer than {} s; `--limit history-time=5m` allows more",
        most.as_secs_f64()
    )
}

/// The folder's path inside the work tree, `/` between segments, empty at the top.
fn prefix(repository: &Repository, folder: &Path) -> Option<String> {
    let top = repository.workdir()?.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let segments: Option<Vec<&str>> = folder
        .strip_prefix(&top)
        .ok()?
        .iter()
        .map(|part| part.to_str())
        .collect();
    Some(segments?.join("/"))
}

#[cfg(test)]
#[path = "../../tests/support/repository.rs"]
pub(crate) mod repository;

#[cfg(test)]
mod tests;
