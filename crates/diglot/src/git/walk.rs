//! Walks the history.
//!
//! From the newest commit to the oldest, each commit's tree is compared with its parent's, below
//! the folder only. The first change seen of a path is its last one; the last seen is its first. A
//! file that was moved unchanged keeps its history and its date.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use gix::bstr::BStr;
use gix::diff::tree::recorder::Change;
use gix::diff::tree::visit::{self, Action};
use gix::diff::tree::{Recorder, State, Visit};
use gix::objs::TreeRefIter;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use gix::{ObjectId, Repository};

use super::FileHistory;

/// Bytes of trees and commits cached during the walk.
const OBJECT_CACHE: usize = 32 << 20;

/// The maximum number of paths that change in one commit, or that had another name.
const MOST_PATHS: usize = 1_000_000;
/// No system can check out a longer path.
const LONGEST_PATH: usize = 4_096;
/// The maximum total length of the paths that change in one commit.
const PATH_BYTES: usize = 256 << 20;

/// An error of the library, or an exceeded bound.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The result of a walk.
#[derive(Default)]
pub(super) struct Walked {
    pub files: BTreeMap<String, FileHistory>,
    /// Whether the history ends at the boundary of a shallow clone.
    pub shallow: bool,
}

/// Walks from the newest commit through the whole history of the folder at `prefix`; `None` if that
/// commit does not contain it.
pub(super) fn walk(
    repository: &mut Repository,
    head: ObjectId,
    prefix: &str,
    end: Instant,
) -> Result<Option<Walked>, Failure> {
    repository.object_cache_size(OBJECT_CACHE);
    let edge: HashSet<ObjectId> = match repository.shallow_commits()? {
        Some(commits) => commits.iter().copied().collect(),
        None => HashSet::new(),
    };
    let mut walk = Walk {
        repository,
        prefix,
        state: State::default(),
        renamed: HashMap::new(),
        files: BTreeMap::new(),
        end,
    };
    for (path, blob) in walk.files_in(head)? {
        walk.files.insert(
            path,
            FileHistory {
                blob,
                created: None,
                changed: None,
            },
        );
    }
    if walk.files.is_empty() {
        return Ok(None);
    }
    let newest_first = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
    for commit in repository.rev_walk([head]).sorting(newest_first).all()? {
        in_time(end)?;
        let commit = commit?;
        // A merge changes nothing by itself: its parents' commits did.
        if commit.parent_ids.len() > 1 {
            continue;
        }
        if edge.contains(&commit.id) {
            walk.edge(commit.id)?;
        } else {
            walk.commit(commit.id, commit.parent_ids.first().copied())?;
        }
    }
    Ok(Some(Walked {
        files: walk.files,
        shallow: !edge.is_empty(),
    }))
}

/// An error after the deadline.
fn in_time(end: Instant) -> Result<(), Failure> {
    if Instant::now() > end {
        Err("it takes too long".into())
    } else {
        Ok(())
    }
}

/// The changes, up to a bound: a crafted tree can contain itself repeatedly.
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
        let (count, length) = (self.found.records.len(), self.found.path().len());
        self.bytes = self.bytes.saturating_add(length);
        let is_too_much = count >= MOST_PATHS || length > LONGEST_PATH || self.bytes > PATH_BYTES;
        if is_too_much || (count.is_multiple_of(1_000) && in_time(self.end).is_err()) {
            return Action::Break(());
        }
        self.found.visit(change)
    }
}

/// One walk through the history, from the newest commit to the oldest.
struct Walk<'r> {
    repository: &'r Repository,
    prefix: &'r str,
    state: State,
    /// The present names of earlier paths that were moved unchanged.
    renamed: HashMap<String, String>,
    files: BTreeMap<String, FileHistory>,
    end: Instant,
}

impl Walk<'_> {
    /// The files of a commit, with their blobs.
    fn files_in(&mut self, commit: ObjectId) -> Result<Vec<(String, ObjectId)>, Failure> {
        let mut files = Vec::new();
        for change in self.changes(None, commit)? {
            if let Change::Addition {
                oid,
                path,
                entry_mode,
                ..
            } = change
                && entry_mode.is_blob()
            {
                files.push((path.to_string(), oid));
            }
        }
        Ok(files)
    }

    /// At the boundary of a shallow clone every file looks new, so its creation date is unknown.
    fn edge(&mut self, id: ObjectId) -> Result<(), Failure> {
        for (path, _) in self.files_in(id)? {
            if let Some(file) = self.file(&path) {
                file.created = None;
            }
        }
        Ok(())
    }

    /// Records what one commit changed.
    fn commit(&mut self, id: ObjectId, parent: Option<ObjectId>) -> Result<(), Failure> {
        let changes = self.changes(parent, id)?;
        if changes.is_empty() {
            return Ok(());
        }
        let second = self.repository.find_commit(id)?.author()?.time()?.seconds;
        let moved = self.note_moves(&changes);
        for change in changes {
            let (Change::Addition { path, .. } | Change::Modification { path, .. }) = change else {
                continue;
            };
            let path = path.to_string();
            if let Some(file) = self.file(&path) {
                if !moved.contains(&path) {
                    file.changed.get_or_insert(second);
                }
                file.created = Some(second);
            }
        }
        Ok(())
    }

    /// The file that had this path then.
    fn file(&mut self, path: &str) -> Option<&mut FileHistory> {
        let now = self.renamed.get(path).map_or(path, String::as_str);
        self.files.get_mut(now)
    }

    /// A path that was removed and one that was added with the same bytes in one commit are a move;
    /// returns the new paths.
    fn note_moves(&mut self, changes: &[Change]) -> HashSet<String> {
        let mut moved = HashSet::new();
        let mut added: HashMap<ObjectId, String> = HashMap::new();
        for change in changes {
            if let Change::Addition { oid, path, .. } = change {
                added.entry(*oid).or_insert_with(|| path.to_string());
            }
        }
        for change in changes {
            if let Change::Deletion { oid, path, .. } = change
                && let Some(new) = added.remove(oid)
            {
                let now = self.renamed.get(&new).unwrap_or(&new).clone();
                if self.renamed.len() < MOST_PATHS {
                    self.renamed.insert(path.to_string(), now);
                }
                moved.insert(new);
            }
        }
        moved
    }

    /// The changes in the folder between two commits.
    fn changes(&mut self, from: Option<ObjectId>, to: ObjectId) -> Result<Vec<Change>, Failure> {
        in_time(self.end)?;
        let from = from.map(|from| self.tree(from)).transpose()?.flatten();
        let to = self.tree(to)?;
        if from == to {
            return Ok(Vec::new());
        }
        let (old, new) = (self.bytes(from)?, self.bytes(to)?);
        let kind = self.repository.object_hash();
        let (old, new) = (
            TreeRefIter::from_bytes(&old, kind),
            TreeRefIter::from_bytes(&new, kind),
        );
        self.differences(old, new)
    }

    /// The changes between two trees.
    fn differences(
        &mut self,
        old: TreeRefIter<'_>,
        new: TreeRefIter<'_>,
    ) -> Result<Vec<Change>, Failure> {
        let mut bounded = Bounded {
            found: Recorder::default(),
            bytes: 0,
            end: self.end,
        };
        let objects = &self.repository.objects;
        match gix::diff::tree(old, new, &mut self.state, objects, &mut bounded) {
            Ok(()) => Ok(bounded.found.records),
            Err(gix::diff::tree::Error::Cancelled) => {
                in_time(self.end)?;
                let why = "paths change in one commit, or too long ones";
                Err(format!("more than {MOST_PATHS} {why}").into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The folder's tree in a commit; `None` if the commit does not contain it.
    fn tree(&self, commit: ObjectId) -> Result<Option<ObjectId>, Failure> {
        let root = self.repository.find_commit(commit)?.tree_id()?.detach();
        if self.prefix.is_empty() {
            return Ok(Some(root));
        }
        let entry = self
            .repository
            .find_tree(root)?
            .lookup_entry_by_path(self.prefix)?;
        Ok(entry
            .filter(|entry| entry.mode().is_tree())
            .map(|entry| entry.object_id()))
    }

    /// The entries of a tree, as git stores them; empty without a tree.
    fn bytes(&self, tree: Option<ObjectId>) -> Result<Vec<u8>, Failure> {
        match tree {
            Some(tree) => Ok(self.repository.find_object(tree)?.detach().data),
            None => Ok(Vec::new()),
        }
    }
}
