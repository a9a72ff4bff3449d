//! The walk through the history.
//!
//! From the newest commit to the oldest, each commit's tree is compared with its parent's, below the folder only. The first change seen of a path
//! is its last one; the last seen is its first. A file that moved unchanged keeps its history, and its day.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use gix::bstr::BStr;
use gix::diff::tree::recorder::Change;
use gix::diff::tree::visit::{self, Action};
use gix::diff::tree::{Recorder, State, Visit};
use gix::objs::TreeRefIter;
use gix::{ObjectId, Repository};

use super::Known;

/// How many bytes of trees and commits are kept in memory while the history is walked.
const OBJECT_CACHE: usize = 32 << 20;

/// So many paths may change in one commit, or have had another name.
const MOST_PATHS: usize = 1_000_000;
/// A longer path is none that a system could check out.
const LONGEST_PATH: usize = 4_096;
/// So many bytes all paths may have that change in one commit.
const PATH_BYTES: usize = 256 << 20;

/// Whatever the library says went wrong, or what is beyond a bound.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a walk found.
#[derive(Default)]
pub(super) struct Walked {
    pub files: HashMap<String, Known>,
    /// Whether the history ends where the clone does.
    pub shallow: bool,
}

/// Walks from the newest commit through the whole history of the folder at `prefix`; `None` when that commit does not hold it. `again` opens the same repository once
/// more, for a second thread.
pub(super) fn walk(
    repository: &mut Repository,
    again: impl FnOnce() -> Option<Repository> + Send,
    head: ObjectId,
    prefix: &str,
    end: Instant,
) -> Result<Option<Walked>, Failure> {
    repository.object_cache_size(OBJECT_CACHE);
    let repository = &*repository;
    let edge: HashSet<ObjectId> = match repository.shallow_commits()? {
        Some(commits) => commits.iter().copied().collect(),
        None => HashSet::new(),
    };
    let mut walk = Walk { repository, prefix, state: State::default(), trees: Trees::new(), now_called: HashMap::new(), files: BTreeMap::new(), end };
    walk.list(head)?;
    if walk.files.is_empty() {
        return Ok(None);
    }
    let commits;
    (commits, walk.trees) = history(repository, again, head, prefix, end)?;
    for commit in commits {
        // A merge changes nothing by itself: its parents' commits did.
        if commit.parents < 2 {
            walk.commit(commit.id, commit.parent, edge.contains(&commit.id))?;
        }
    }
    Ok(Some(Walked { files: walk.files.into_iter().collect(), shallow: !edge.is_empty() }))
}

/// A commit of the history.
struct Commit {
    id: ObjectId,
    parents: usize,
    /// The first of them.
    parent: Option<ObjectId>,
}

/// The folder's tree in each commit that was looked at; `None` where the commit does not have it.
type Trees = HashMap<ObjectId, Option<ObjectId>>;

/// All commits, the newest first, and the folder's trees in them. One thread reads commits, another the trees of those that were read: each is half of the time.
fn history(
    repository: &Repository,
    again: impl FnOnce() -> Option<Repository> + Send,
    head: ObjectId,
    prefix: &str,
    end: Instant,
) -> Result<(Vec<Commit>, Trees), Failure> {
    let (told, heard) = mpsc::channel();
    let trees = move || -> Result<Trees, Failure> {
        let mut repository = again().ok_or("the repository is gone")?;
        repository.object_cache_size(OBJECT_CACHE);
        let tree = |(commit, root)| in_time(end).and_then(|()| Ok((commit, folder(&repository, root, prefix)?)));
        heard.into_iter().map(tree).collect()
    };
    thread::scope(|scope| {
        // Without a thread for it, trees are looked up when they are asked for.
        let trees = thread::Builder::new().name("diglot-history".into()).spawn_scoped(scope, trees).ok();
        let commits = commits(repository, head, told, end)?;
        let trees = trees.map(|trees| trees.join().unwrap_or_else(|panic| resume_unwind(panic))).transpose()?;
        Ok((commits, trees.unwrap_or_default()))
    })
}

/// All commits, the newest first. Each is told with its tree.
fn commits(repository: &Repository, head: ObjectId, told: mpsc::Sender<(ObjectId, ObjectId)>, end: Instant) -> Result<Vec<Commit>, Failure> {
    let newest_first = gix::revision::walk::Sorting::ByCommitTime(gix::traverse::commit::simple::CommitTimeOrder::NewestFirst);
    let mut commits = Vec::new();
    for info in repository.rev_walk([head]).sorting(newest_first).all()? {
        in_time(end)?;
        let info = info?;
        commits.push(Commit { id: info.id, parents: info.parent_ids.len(), parent: info.parent_ids.first().copied() });
        // Whoever no longer listens has failed, and says why.
        let _ = told.send((info.id, info.object()?.tree_id()?.detach()));
    }
    Ok(commits)
}

/// An error once the time is over.
fn in_time(end: Instant) -> Result<(), Failure> {
    if Instant::now() > end { Err("it takes too long".into()) } else { Ok(()) }
}

/// What changed, up to a bound: trees can be made that hold themselves over and over.
struct Bounded {
    found: Recorder,
    bytes: usize,
    end: Instant,
}

impl Visit for Bounded {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.found.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.found.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.found.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.found.pop_path_component();
    }

    fn visit(&mut self, change: visit::Change) -> Action {
        let length = self.found.path().len();
        self.bytes = self.bytes.saturating_add(length);
        let is_much = self.found.records.len() >= MOST_PATHS || length > LONGEST_PATH || self.bytes > PATH_BYTES;
        if is_much || (self.found.records.len().is_multiple_of(1_000) && in_time(self.end).is_err()) {
            Action::Break(())
        } else {
            self.found.visit(change)
        }
    }
}

/// The tree of the folder at `prefix` below the tree of a commit.
fn folder(repository: &Repository, root: ObjectId, prefix: &str) -> Result<Option<ObjectId>, Failure> {
    if prefix.is_empty() {
        return Ok(Some(root));
    }
    let entry = repository.find_tree(root)?.lookup_entry_by_path(prefix)?;
    Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
}

/// One walk through the history, from the newest commit to the oldest.
struct Walk<'r> {
    repository: &'r Repository,
    prefix: &'r str,
    state: State,
    trees: Trees,
    /// What a path of the past is called now, where it was moved unchanged.
    now_called: HashMap<String, String>,
    files: BTreeMap<String, Known>,
    end: Instant,
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
                if self.now_called.len() < MOST_PATHS {
                    self.now_called.insert(path.to_string(), now);
                }
                moved.insert(new);
            }
        }
        moved
    }

    /// What changed below the prefix from one commit to another.
    fn changes(&mut self, from: Option<ObjectId>, to: Option<ObjectId>) -> Result<Vec<Change>, Failure> {
        in_time(self.end)?;
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
        let mut recorder = Bounded { found: Recorder::default(), bytes: 0, end: self.end };
        let kind = self.repository.object_hash();
        let (old, new) = (TreeRefIter::from_bytes(&old, kind), TreeRefIter::from_bytes(&new, kind));
        match gix::diff::tree(old, new, &mut self.state, objects, &mut recorder) {
            Ok(()) => {}
            Err(gix::diff::tree::Error::Cancelled) => {
                return in_time(self.end).and(Err(format!("more than {MOST_PATHS} paths change in one commit, or too long ones").into()));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(recorder.found.records)
    }

    /// The folder's tree in a commit; `None` when the commit does not have it. Nearly all are known. At the edge of a shallow clone there may be a commit that the walk through
    /// the history leaves out: it is an edge's parent as well as another commit's.
    fn tree(&mut self, commit: Option<ObjectId>) -> Result<Option<ObjectId>, Failure> {
        let Some(commit) = commit else { return Ok(None) };
        if let Some(known) = self.trees.get(&commit) {
            return Ok(*known);
        }
        let tree = folder(self.repository, self.repository.find_commit(commit)?.tree_id()?.detach(), self.prefix)?;
        self.trees.insert(commit, tree);
        Ok(tree)
    }
}
