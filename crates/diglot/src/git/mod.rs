//! Dates from the folder's git history, read once as a whole: no process, and no walk per file.
//!
//! Only what stands in the history as it stands on the disk gets a date: an edit that is not committed yet is not git's to date.

mod stored;
mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use diglot_content::Problem;
use diglot_content::sources::{ChangeOrigin, FileDates};
use gix::{ObjectId, Repository};
use jiff::Timestamp;

use crate::dates::{ContentHash, DateSource, Facts};

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
    /// What it was read from, as [`History::mark`] says it.
    pub mark: String,
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
    /// Reads the history of the repository around `folder`; `None` when there is no repository. One whose newest commit does not hold the folder knows no file. What
    /// `recall` gives is taken where it was read from the same.
    ///
    /// # Errors
    /// A sentence, when there is a repository that cannot be read.
    pub fn read(folder: &Path, recall: impl FnOnce() -> Option<Self>) -> Result<Option<Self>, String> {
        let Some(mut repository) = open(folder) else { return Ok(None) };
        let (head, prefix) = (head(&repository), prefix(&repository, folder));
        let mark = mark(&repository, head, prefix.as_deref());
        if let Some(history) = recall().filter(|history| history.mark == mark) {
            return Ok(Some(history));
        }
        let walked = head.zip(prefix).map(|(head, prefix)| walk::walk(&mut repository, || open(folder), head, &prefix)).transpose();
        let walked = walked.map_err(|error| format!("the git history cannot be read: {error}"))?.flatten();
        let walk::Walked { files, shallow } = walked.unwrap_or_default();
        Ok(Some(Self { files, mark, shallow, stored: false, blobs: HashMap::new() }))
    }

    /// Where the history around `folder` lies on the disk: more than one place for a worktree, or for a clone that borrows from another.
    pub fn places(folder: &Path) -> Vec<PathBuf> {
        let Some(repository) = open(folder) else { return Vec::new() };
        let mut places = vec![repository.git_dir().to_owned(), repository.common_dir().to_owned()];
        // In a worktree `.git` is a file that says where the rest is.
        places.extend(repository.workdir().map(|top| top.join(".git")));
        places.extend(repository.objects.store_ref().alternate_db_paths().unwrap_or_default());
        places
    }

    /// Whether reading it again would come to the same.
    pub fn is_current(&self, folder: &Path) -> bool {
        self.mark == Self::mark(folder)
    }

    /// What the history of a folder rests on: its newest commit, where a shallow clone ends, and where in the work tree the folder lies. The same words, the
    /// same dates; none where there is no repository.
    pub fn mark(folder: &Path) -> String {
        let mark = |repository: Repository| mark(&repository, head(&repository), prefix(&repository, folder).as_deref());
        open(folder).map(mark).unwrap_or_default()
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

/// The repository around a folder. Isolated: neither the user's nor the machine's git settings may change what a site says.
fn open(folder: &Path) -> Option<Repository> {
    gix::discover_opts(folder, Default::default(), gix::open::Options::isolated()).ok()
}

/// The newest commit, if there is one.
fn head(repository: &Repository) -> Option<ObjectId> {
    repository.head_id().ok().map(gix::Id::detach)
}

fn mark(repository: &Repository, head: Option<ObjectId>, prefix: Option<&str>) -> String {
    let edge = repository.shallow_file().ok().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    format!("{head:?} {} {prefix:?}", blake3::hash(&edge))
}

/// The folder's path inside the work tree, `/` between segments, empty for its top.
fn prefix(repository: &Repository, folder: &Path) -> Option<String> {
    let top = repository.workdir()?.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let inside = folder.strip_prefix(&top).ok()?;
    let segments: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
    Some(segments?.join("/"))
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
        let read = History::read(folder, || None).unwrap();
        let bytes = fs::read(folder.join(path)).unwrap();
        let second = |at: Option<Timestamp>| at.map_or("-".to_owned(), |at| (at.as_second() - 1_704_067_200).to_string());
        let facts = Facts { path, bytes: &bytes, hash: ContentHash::of(&bytes), modified: Timestamp::now() };
        let stored = read.as_ref().map(|history| History::parse(&history.to_bytes()).unwrap());
        for mut history in [read, stored] {
            // The second reading knows what git calls the bytes.
            for _ in 0..2 {
                let dates = history.as_mut().and_then(|history| history.source().dates(&facts));
                let came = format!("{} {}", second(dates.and_then(|dates| dates.created)), second(dates.map(|dates| dates.changed)));
                assert_eq!(came, expected, "{path}");
            }
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
        assert!(History::read(&to, || None).unwrap().unwrap().is_shallow());
        check(&to, "a.md", "- -");
        check(&to, "b.md", "- 30");
        check(&to, "c.md", "30 30");
    }

    #[test]
    fn a_merge_at_the_edge_of_a_shallow_clone_dates_nothing_beyond_it() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("a.md", "a")]);
        repo.commit(20, &[("b.md", "b")]);
        repo.git(21, &["checkout", "-q", "-b", "side"]);
        repo.commit(30, &[("c.md", "c")]);
        repo.commit(50, &[("d.md", "d")]);
        repo.git(51, &["checkout", "-q", "main"]);
        repo.commit(40, &[("e.md", "e")]);
        repo.git(60, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        let clone = tempfile::tempdir().unwrap();
        let (from, to) = (format!("file://{}", repo.0.path().display()), clone.path().join("clone"));
        repo.git(70, &["clone", "-q", "--depth", "3", &from, to.to_str().unwrap()]);
        // The second commit is in the clone, as the parent of one that is not at its edge; and it is the parent of one that is.
        for (path, expected) in [("a.md", "- -"), ("b.md", "- -"), ("c.md", "- -"), ("d.md", "50 50"), ("e.md", "40 40")] {
            check(&to, path, expected);
        }
    }

    #[test]
    fn a_history_that_does_not_hold_the_folder_knows_no_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(History::read(dir.path(), || None).unwrap().is_none(), "no repository");
        let Some(repo) = Repo::new() else { return };
        let (top, ignored) = (repo.0.path().to_owned(), repo.0.path().join("ignored"));
        fs::create_dir(&ignored).unwrap();
        for place in [&top, &ignored] {
            assert!(History::read(place, || None).unwrap().unwrap().files.is_empty(), "no commit yet");
        }
        repo.commit(10, &[("a.md", "a")]);
        let history = History::read(&ignored, || None).unwrap().unwrap();
        assert!(history.files.is_empty(), "no commit holds the folder");
        // Nobody walks through it again to find the same.
        assert!(history.is_current(&ignored));
        repo.commit(20, &[("ignored/b.md", "b")]);
        assert!(!history.is_current(&ignored));
        check(&ignored, "b.md", "20 20");
    }

    #[test]
    fn a_history_is_walked_through_again_when_it_is_another() {
        let Some(repo) = Repo::new() else { return };
        repo.commit(10, &[("posts/a.md", "a"), ("b.md", "b")]);
        repo.commit(20, &[("posts/a.md", "aa")]);
        let (root, posts) = (repo.0.path(), repo.0.path().join("posts"));
        // Marked, so that it can be told from one that was walked through.
        let kept = |folder: &Path| {
            let history = History::read(folder, || None).unwrap().unwrap();
            let stored = History::parse(&history.to_bytes()).unwrap();
            assert_eq!((stored.files.len(), &stored.mark, stored.shallow), (history.files.len(), &history.mark, false));
            Some(History { shallow: true, ..stored })
        };
        let is_taken = |folder: &Path, kept: Option<History>| History::read(folder, || kept).unwrap().unwrap().is_shallow();
        assert!(is_taken(root, kept(root)));
        assert!(!is_taken(root, kept(&posts)), "another folder");
        let before = kept(root);
        repo.commit(30, &[("b.md", "bb")]);
        assert!(!is_taken(root, before), "another commit");
        let (before, head) = (kept(root), gix::open(root).unwrap().head_id().unwrap().to_string());
        fs::write(root.join(".git/shallow"), head + "\n").unwrap();
        assert!(!before.as_ref().unwrap().is_current(root), "another edge");
        assert_eq!(History::read(root, || before).unwrap().unwrap().files["b.md"].changed, None);
        assert!(History::parse(br#"{"version":2,"mark":"","shallow":false,"files":{}}"#).is_none());
    }
}
