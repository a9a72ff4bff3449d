//! Dates from the folder's git history, read once as a whole: no process, and no walk per file.
//!
//! A file gets a date only if the history holds it as it is on the disk: an edit that is not
//! committed yet is not git's to date.

mod discovery;
mod stored;
mod walk;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use diglot_content::Problem;
use diglot_content::sources::{ChangeOrigin, FileDates};
use gix::{ObjectId, Repository};
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};
use crate::failure::reason;
use crate::report::counted;
use crate::{file, limits};
use discovery::RepositoryPaths;

/// What the history says of one file.
#[derive(Clone, Copy, Debug)]
struct FileHistory {
    /// The blob at `HEAD`.
    blob: ObjectId,
    /// The author's time of the first commit that had it, unless that is beyond a shallow clone's
    /// edge.
    created: Option<i64>,
    /// The author's time of the last commit that changed it, unless that is at a shallow clone's
    /// edge.
    changed: Option<i64>,
}

impl FileHistory {
    /// The dates of the file, if git calls its bytes this.
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
pub struct History {
    files: BTreeMap<String, FileHistory>,
    /// What it was read from, as [`History::identity`] says it.
    pub identity: String,
    /// The `.git` that it was read from.
    repository: PathBuf,
    shallow: bool,
    /// Whether it was taken from the state, or has been written to it.
    pub stored: bool,
    /// What git calls the bytes of the last reading: most files are the same at the next one.
    blobs: HashMap<ContentHash, ObjectId>,
}

/// The history as a source of dates.
#[derive(Debug)]
pub struct FromHistory<'a> {
    history: &'a mut History,
    /// The blobs of the reading before.
    before: HashMap<ContentHash, ObjectId>,
    /// How many files have no date because the clone is shallow.
    beyond: usize,
}

impl FromHistory<'_> {
    /// What a shallow clone keeps from us, once for the whole folder.
    pub fn problem(&self) -> Option<Problem> {
        if self.beyond == 0 {
            return None;
        }
        let files = counted(self.beyond, "file");
        let message = format!(
            "the git clone is shallow: the history of {files} lies beyond its edge, so their dates are guessed from elsewhere"
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

impl History {
    /// Reads the history of the repository around `folder`, for as long as `most`; `None` when
    /// there is no repository. One whose newest commit does not hold the folder knows no file. What
    /// `recall` gives is taken where it was read from the same.
    ///
    /// # Errors
    /// A sentence, when there is a repository that cannot be read, or that is not read.
    pub fn read(
        folder: &Path,
        recall: impl FnOnce() -> Option<Self> + Send + 'static,
        most: Duration,
    ) -> Result<Option<Self>, String> {
        let not_used = |why: String| format!("the git history is not used: {why}");
        let Some(paths) = discovery::discover(folder).map_err(not_used)? else {
            return Ok(None);
        };
        let (sender, receiver) = channel();
        let (folder, end) = (folder.to_owned(), Instant::now() + most);
        let read = move || drop(sender.send(Self::read_until(&paths, &folder, recall, end)));
        // A thread that hangs in the library is left behind; by itself it notices the end.
        let started = thread::Builder::new().name("diglot-git".into()).spawn(read);
        started.map_err(|error| not_used(reason(&error)))?;
        match receiver.recv_timeout(most.saturating_add(Duration::from_secs(1))) {
            Ok(Err(_)) | Err(RecvTimeoutError::Timeout) if Instant::now() > end => {
                Err(not_used(format!(
                    "reading it takes longer than the limit of {} s (`history-time`)",
                    most.as_secs_f64()
                )))
            }
            Ok(read) => read.map_err(|error| format!("the git history cannot be read: {error}")),
            Err(_) => Err(not_used("reading it ended in the middle".to_owned())),
        }
    }

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
        let mut history = Self {
            files: BTreeMap::new(),
            identity,
            repository: dot_git,
            shallow: false,
            stored: false,
            blobs: HashMap::new(),
        };
        if let (Some(head), Some(prefix)) = (head, prefix)
            && let Some(walked) = walk::walk(&mut repository, head, &prefix, end)?
        {
            history.files = walked.files;
            history.shallow = walked.shallow;
        }
        Ok(Some(history))
    }

    /// Where the history around `folder` is on the disk: more than one path for a worktree, or for
    /// a clone that borrows from another. None where it is not used.
    pub fn paths(folder: &Path) -> Vec<PathBuf> {
        match discovery::discover(folder) {
            Ok(Some(paths)) => paths.all,
            _ => Vec::new(),
        }
    }

    /// Whether the repository around `folder` (a canonical path) is the one that this was read
    /// from, whatever it holds by now.
    pub fn is_around(&self, folder: &Path) -> bool {
        discovery::nearest(folder).is_some_and(|dot_git| dot_git == self.repository)
    }

    /// What the dates of a folder depend on: its newest commit, where a shallow clone ends, and
    /// where in the work tree the folder is. Empty where there is no repository.
    pub fn identity(folder: &Path) -> String {
        match discovery::discover(folder) {
            Ok(Some(paths)) => Opened::open(&paths, folder)
                .map(|opened| opened.identity)
                .unwrap_or_default(),
            _ => String::new(),
        }
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

/// A repository, and what of it the dates of a folder depend on.
struct Opened {
    repository: Repository,
    /// The newest commit, if there is one.
    head: Option<ObjectId>,
    prefix: Option<String>,
    identity: String,
}

impl Opened {
    /// Opens the repository at these paths. Isolated: neither the user's nor the machine's git
    /// settings may change what a site says.
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

/// The folder's path inside the work tree, `/` between segments, empty for its top.
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
