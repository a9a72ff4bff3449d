//! Dates from the folder's git history, read once as a whole: no process, and no walk per file.
//!
//! From the newest commit to the oldest, each commit's tree is compared with its parent's, below the folder only. The first change seen of a path
//! is its last one; the last seen is its first. A file that moved unchanged keeps its history, and its day. Only what stands in the history as it
//! stands on the disk gets a date: an edit that is not committed yet is not git's to date.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use diglot_content::Problem;
use diglot_content::sources::{ChangeOrigin, FileDates};
use gix::diff::tree::recorder::Change;
use gix::diff::tree::{Recorder, State};
use gix::objs::TreeRefIter;
use gix::{ObjectId, Repository};
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};

/// How many bytes of trees and commits are kept in memory while the history is walked.
const OBJECT_CACHE: usize = 32 << 20;

/// Whatever the library says went wrong.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What the history says of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    /// The blob at `HEAD`.
    blob: ObjectId,
    /// The author's time of the first commit that had it, unless that lies beyond a shallow clone's edge.
    created: Option<i64>,
    /// The author's time of the last commit that changed it, unless that lies at a shallow clone's edge.
    changed: Option<i64>,
}

/// The history of one folder.
#[derive(Debug)]
pub struct History {
    files: HashMap<String, Known>,
    /// The commit that it was read from.
    head: ObjectId,
    shallow: bool,
    /// What git calls the bytes of the last reading: most files are the same at the next one.
    blobs: HashMap<ContentHash, ObjectId>,
}

/// The history as a source of dates.
#[derive(Debug)]
pub struct FromHistory<'a> {
    history: &'a mut History,
    /// What git calls the bytes of the reading before.
    before: HashMap<ContentHash, ObjectId>,
    beyond: usize,
}

impl FromHistory<'_> {
    /// What a shallow clone keeps from us, once for the whole folder.
    pub fn problem(&self) -> Option<Problem> {
        let files = if self.beyond == 1 { "1 file".to_owned() } else { format!("{} files", self.beyond) };
        let message = format!("the git clone is shallow: the history of {files} lies beyond its edge, so their dates are guessed from elsewhere");
        (self.beyond > 0).then(|| {
            Problem::warning(message).hint("fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in the checkout step of a CI")
        })
    }
}

impl DateSource for FromHistory<'_> {
    fn dates(&mut self, facts: &Facts<'_>) -> Option<FileDates> {
        let kind = self.history.files.get(facts.path)?.blob.kind();
        let before = self.before.get(&facts.hash).copied().filter(|blob| blob.kind() == kind);
        let blob = before.or_else(|| gix::objs::compute_hash(kind, gix::objs::Kind::Blob, facts.bytes).ok())?;
        self.history.blobs.insert(facts.hash, blob);
        let dates = self.history.dates(facts.path, blob);
        let held = || self.history.files.get(facts.path).is_some_and(|known| known.changed.is_none());
        if dates.is_none() && self.history.shallow && held() {
            self.beyond += 1;
        }
        let Dates { created, changed } = dates?;
        Some(FileDates { created, changed, origin: ChangeOrigin::Git })
    }
}

/// The dates of one file by the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dates {
    /// When it was committed first.
    created: Option<Timestamp>,
    /// When it was changed last.
    changed: Timestamp,
}

impl History {
    /// Reads the history of the repository around `folder`; `None` when there is no repository, or no commit that holds the folder.
    ///
    /// # Errors
    /// A sentence, when there is a repository that cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        // Isolated: neither the user's nor the machine's git settings may change what a site says.
        let Ok(mut repository) = gix::discover_opts(folder, Default::default(), gix::open::Options::isolated()) else { return Ok(None) };
        repository.object_cache_size(OBJECT_CACHE);
        let Some(prefix) = prefix(&repository, folder) else { return Ok(None) };
        read(&repository, &prefix).map_err(|error| format!("the git history cannot be read: {error}"))
    }

    /// Where the history around `folder` lies on the disk: more than one place for a worktree, or for a clone that borrows from another.
    pub fn places(folder: &Path) -> Vec<PathBuf> {
        let Ok(repository) = gix::discover_opts(folder, Default::default(), gix::open::Options::isolated()) else { return Vec::new() };
        let mut places = vec![repository.git_dir().to_owned(), repository.common_dir().to_owned()];
        // In a worktree `.git` is a file that says where the rest is.
        places.extend(repository.workdir().map(|top| top.join(".git")));
        places.extend(repository.objects.store_ref().alternate_db_paths().unwrap_or_default());
        places
    }

    /// Whether `HEAD` still is the commit that this history was read from: then there is nothing to read again.
    pub fn is_current(&self, folder: &Path) -> bool {
        let repository = gix::discover_opts(folder, Default::default(), gix::open::Options::isolated());
        repository.is_ok_and(|repository| repository.head_id().is_ok_and(|head| head == self.head))
    }

    /// What the history of a folder rests on: its newest commit, and where a shallow clone ends. The same words, the same dates.
    pub fn mark(folder: &Path) -> String {
        let repository = gix::discover_opts(folder, Default::default(), gix::open::Options::isolated());
        let Ok(repository) = repository else { return String::new() };
        let edge = repository.shallow_file().ok().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
        format!("{:?} {}", repository.head_id().ok().map(gix::Id::detach), blake3::hash(&edge))
    }

    /// Whether the clone is shallow: dates beyond its edge are not known.
    pub fn is_shallow(&self) -> bool {
        self.shallow
    }

    /// This history as a source of dates for one reading of the folder.
    pub fn source(&mut self) -> FromHistory<'_> {
        let before = std::mem::take(&mut self.blobs);
        FromHistory { history: self, before, beyond: 0 }
    }

    /// The dates of a file whose bytes git calls this; `None` when the history does not hold it as it is now.
    fn dates(&self, path: &str, blob: ObjectId) -> Option<Dates> {
        let known = self.files.get(path)?;
        let changed = Timestamp::from_second(known.changed.filter(|_| blob == known.blob)?).ok()?;
        let created = known.created.and_then(|second| Timestamp::from_second(second).ok());
        Some(Dates { created: created.map(|created| created.min(changed)), changed })
    }
}

/// The folder's path inside the work tree, `/` between segments, empty for its top.
fn prefix(repository: &Repository, folder: &Path) -> Option<String> {
    let top = repository.workdir()?.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let inside = folder.strip_prefix(&top).ok()?;
    let segments: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
    Some(segments?.join("/"))
}

fn read(repository: &Repository, prefix: &str) -> Result<Option<History>, Failure> {
    let Ok(head) = repository.head_commit() else { return Ok(None) };
    let edge: HashSet<ObjectId> = match repository.shallow_commits()? {
        Some(commits) => commits.iter().copied().collect(),
        None => HashSet::new(),
    };
    let mut walk = Walk { repository, prefix, state: State::default(), trees: HashMap::new(), now_called: HashMap::new(), files: BTreeMap::new() };
    walk.list(head.id)?;
    if walk.files.is_empty() {
        return Ok(None);
    }
    let newest_first = gix::revision::walk::Sorting::ByCommitTime(gix::traverse::commit::simple::CommitTimeOrder::NewestFirst);
    for info in repository.rev_walk([head.id]).sorting(newest_first).all()? {
        let info = info?;
        let parents: Vec<ObjectId> = info.parent_ids.iter().copied().collect();
        // A merge changes nothing by itself: its parents' commits did.
        if parents.len() < 2 {
            walk.commit(info.id, parents.first().copied(), edge.contains(&info.id))?;
        }
    }
    Ok(Some(History { files: walk.files.into_iter().collect(), head: head.id, shallow: !edge.is_empty(), blobs: HashMap::new() }))
}

/// One walk through the history, from the newest commit to the oldest.
struct Walk<'r> {
    repository: &'r Repository,
    prefix: &'r str,
    state: State,
    /// The folder's tree in the commits looked at: every one is asked for as a commit and as its children's parent.
    trees: HashMap<ObjectId, Option<ObjectId>>,
    /// What a path of the past is called now, where it was moved unchanged.
    now_called: HashMap<String, String>,
    files: BTreeMap<String, Known>,
}

impl Walk<'_> {
    /// Every file at `HEAD`, still without dates.
    fn list(&mut self, head: ObjectId) -> Result<(), Failure> {
        for change in self.changes(None, Some(head))? {
            if let Change::Addition { oid, path, entry_mode, .. } = change
                && entry_mode.is_blob()
            {
                self.files.insert(path.to_string(), Known { blob: oid, created: None, changed: None });
            }
        }
        Ok(())
    }

    /// Notes what one commit changed. At the edge of a shallow clone everything seems to be new: nothing is learnt there.
    fn commit(&mut self, id: ObjectId, parent: Option<ObjectId>, edge: bool) -> Result<(), Failure> {
        if edge {
            for change in self.changes(None, Some(id))? {
                if let Change::Addition { path, .. } = change
                    && let Some(known) = self.known(&path.to_string())
                {
                    known.created = None;
                }
            }
            return Ok(());
        }
        let changes = self.changes(parent, Some(id))?;
        if changes.is_empty() {
            return Ok(());
        }
        let second = self.repository.find_commit(id)?.author()?.time()?.seconds;
        let moved = self.note_moves(&changes);
        for change in changes {
            let (Change::Addition { path, .. } | Change::Modification { path, .. }) = change else { continue };
            let path = path.to_string();
            if let Some(known) = self.known(&path) {
                known.changed = known.changed.or(Some(second).filter(|_| !moved.contains(&path)));
                known.created = Some(second);
            }
        }
        Ok(())
    }

    fn known(&mut self, path: &str) -> Option<&mut Known> {
        let now = self.now_called.get(path).map_or(path, String::as_str);
        self.files.get_mut(now)
    }

    /// A path that went and a path that came with the same bytes in one commit are one file that moved; gives the new paths.
    fn note_moves(&mut self, changes: &[Change]) -> HashSet<String> {
        let mut moved = HashSet::new();
        let mut came: HashMap<ObjectId, String> = HashMap::new();
        for change in changes {
            if let Change::Addition { oid, path, .. } = change {
                came.entry(*oid).or_insert_with(|| path.to_string());
            }
        }
        for change in changes {
            if let Change::Deletion { oid, path, .. } = change
                && let Some(new) = came.remove(oid)
            {
                let now = self.now_called.get(&new).cloned().unwrap_or_else(|| new.clone());
                self.now_called.insert(path.to_string(), now);
                moved.insert(new);
            }
        }
        moved
    }

    /// What changed below the prefix from one commit to another.
    fn changes(&mut self, from: Option<ObjectId>, to: Option<ObjectId>) -> Result<Vec<Change>, Failure> {
        let (from, to) = (self.tree(from)?, self.tree(to)?);
        if from == to {
            return Ok(Vec::new());
        }
        let objects = &self.repository.objects;
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let tree = |id: Option<ObjectId>, buffer: &mut Vec<u8>| -> Result<(), Failure> {
            if let Some(id) = id {
                buffer.extend_from_slice(&self.repository.find_object(id)?.data);
            }
            Ok(())
        };
        tree(from, &mut old)?;
        tree(to, &mut new)?;
        let mut recorder = Recorder::default();
        let kind = self.repository.object_hash();
        gix::diff::tree(TreeRefIter::from_bytes(&old, kind), TreeRefIter::from_bytes(&new, kind), &mut self.state, objects, &mut recorder)?;
        Ok(recorder.records)
    }

    /// The folder's tree in a commit; `None` when the commit does not have it.
    fn tree(&mut self, commit: Option<ObjectId>) -> Result<Option<ObjectId>, Failure> {
        let Some(commit) = commit else { return Ok(None) };
        if let Some(known) = self.trees.get(&commit) {
            return Ok(*known);
        }
        let tree = self.find_tree(commit)?;
        self.trees.insert(commit, tree);
        Ok(tree)
    }

    fn find_tree(&self, commit: ObjectId) -> Result<Option<ObjectId>, Failure> {
        let tree = self.repository.find_commit(commit)?.tree()?;
        if self.prefix.is_empty() {
            return Ok(Some(tree.id));
        }
        let entry = tree.lookup_entry_by_path(self.prefix)?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    struct Repo(tempfile::TempDir);

    impl Repo {
        /// A fresh repository; `None`, said in one line, where git is not installed.
        fn new() -> Option<Self> {
            let repo = Self(tempfile::tempdir().unwrap());
            if !Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success()) {
                println!("skipped: no git on this machine");
                return None;
            }
            repo.git(0, &["init", "-q", "-b", "main"]);
            Some(repo)
        }

        /// Runs git as an author at a second of 2024.
        fn git(&self, second: i64, args: &[&str]) {
            let when = format!("{} +0000", 1_704_067_200 + second);
            let mut git = Command::new("git");
            git.current_dir(self.0.path()).args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]).args(args);
            let output = git.env("GIT_AUTHOR_DATE", &when).env("GIT_COMMITTER_DATE", &when).output().unwrap();
            assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn commit(&self, second: i64, files: &[(&str, &str)]) {
            files.iter().for_each(|(path, text)| self.write(path, text));
            self.git(second, &["add", "-A"]);
            self.git(second, &["commit", "-q", "-m", "change"]);
        }
    }

    /// `created changed` as seconds of 2024, `-` where not known.
    fn check(folder: &Path, path: &str, expected: &str) {
        let history = History::read(folder).unwrap();
        let bytes = fs::read(folder.join(path)).unwrap();
        let second = |at: Option<Timestamp>| at.map_or("-".to_owned(), |at| (at.as_second() - 1_704_067_200).to_string());
        let facts = Facts { path, bytes: &bytes, hash: ContentHash::of(&bytes), modified: Timestamp::now() };
        let mut history = history;
        // The second reading knows what git calls the bytes.
        for _ in 0..2 {
            let dates = history.as_mut().and_then(|history| history.source().dates(&facts));
            let came = format!("{} {}", second(dates.and_then(|dates| dates.created)), second(dates.map(|dates| dates.changed)));
            assert_eq!(came, expected, "{path}");
        }
    }

    #[test]
    fn the_first_and_the_last_commit_date_a_file() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("posts/a.md", "one"), ("b.md", "b")]);
        repo.commit(20, &[("posts/a.md", "two")]);
        repo.commit(30, &[("c.md", "c")]);
        check(repo.0.path(), "posts/a.md", "10 20");
        check(repo.0.path(), "b.md", "10 10");
        check(&repo.0.path().join("posts"), "a.md", "10 20");
    }

    #[test]
    fn an_edit_that_is_not_committed_is_not_dated_by_git() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("a.md", "one")]);
        repo.write("a.md", "two");
        repo.write("new.md", "new");
        check(repo.0.path(), "a.md", "- -");
        check(repo.0.path(), "new.md", "- -");
    }

    #[test]
    fn a_file_moved_unchanged_keeps_its_history() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("old/a.md", "a long enough text")]);
        repo.git(20, &["mv", "old", "new"]);
        repo.git(20, &["commit", "-q", "-m", "move"]);
        check(repo.0.path(), "new/a.md", "10 10");
        repo.commit(30, &[("new/a.md", "another text")]);
        check(repo.0.path(), "new/a.md", "10 30");
    }

    #[test]
    fn a_merge_dates_nothing() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("a.md", "a")]);
        repo.git(11, &["checkout", "-q", "-b", "side"]);
        repo.commit(20, &[("b.md", "b")]);
        repo.git(21, &["checkout", "-q", "main"]);
        repo.commit(30, &[("c.md", "c")]);
        repo.git(40, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        check(repo.0.path(), "b.md", "20 20");
        check(repo.0.path(), "c.md", "30 30");
    }

    #[test]
    fn a_shallow_clone_knows_only_what_lies_inside_its_edge() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("a.md", "a"), ("b.md", "b")]);
        repo.commit(20, &[("x.md", "x")]);
        repo.commit(30, &[("b.md", "bb"), ("c.md", "c")]);
        let clone = tempfile::tempdir().unwrap();
        let (from, to) = (format!("file://{}", repo.0.path().display()), clone.path().join("clone"));
        repo.git(40, &["clone", "-q", "--depth", "2", &from, to.to_str().unwrap()]);
        assert!(History::read(&to).unwrap().unwrap().is_shallow());
        check(&to, "a.md", "- -");
        check(&to, "b.md", "- 30");
        check(&to, "c.md", "30 30");
    }

    #[test]
    fn a_folder_without_a_repository_has_no_history() {
        let dir = tempfile::tempdir().unwrap();
        assert!(History::read(dir.path()).unwrap().is_none());
        let Some(repo) = Repo::new() else { return };
        assert!(History::read(repo.0.path()).unwrap().is_none(), "no commit yet");
        repo.commit(10, &[("a.md", "a")]);
        fs::create_dir(repo.0.path().join("ignored")).unwrap();
        assert!(History::read(&repo.0.path().join("ignored")).unwrap().is_none(), "no commit holds the folder");
    }
}
