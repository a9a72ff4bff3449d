//! The walk through the history.
//!
//! From the newest commit to the oldest, each commit's tree is compared with its parent's, below the folder only. The first change seen of a path
//! is its last one; the last seen is its first. A file that moved unchanged keeps its history, and its day.

use std::collections::{BTreeMap, HashMap, HashSet};

use gix::diff::tree::recorder::Change;
use gix::diff::tree::{Recorder, State};
use gix::objs::TreeRefIter;
use gix::{ObjectId, Repository};

use super::Known;

/// How many bytes of trees and commits are kept in memory while the history is walked.
const OBJECT_CACHE: usize = 32 << 20;

/// Whatever the library says went wrong.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a walk found.
pub(super) struct Walked {
    pub files: HashMap<String, Known>,
    /// Whether the history ends where the clone does.
    pub shallow: bool,
}

/// Walks from the newest commit through the whole history of the folder at `prefix`; `None` when that commit does not hold it.
pub(super) fn walk(repository: &mut Repository, head: ObjectId, prefix: &str) -> Result<Option<Walked>, Failure> {
    repository.object_cache_size(OBJECT_CACHE);
    let repository = &*repository;
    let edge: HashSet<ObjectId> = match repository.shallow_commits()? {
        Some(commits) => commits.iter().copied().collect(),
        None => HashSet::new(),
    };
    let mut walk = Walk { repository, prefix, state: State::default(), trees: HashMap::new(), now_called: HashMap::new(), files: BTreeMap::new() };
    walk.list(head)?;
    if walk.files.is_empty() {
        return Ok(None);
    }
    let newest_first = gix::revision::walk::Sorting::ByCommitTime(gix::traverse::commit::simple::CommitTimeOrder::NewestFirst);
    for info in repository.rev_walk([head]).sorting(newest_first).all()? {
        let info = info?;
        let parents: Vec<ObjectId> = info.parent_ids.iter().copied().collect();
        // A merge changes nothing by itself: its parents' commits did.
        if parents.len() < 2 {
            walk.commit(info.id, parents.first().copied(), edge.contains(&info.id))?;
        }
    }
    Ok(Some(Walked { files: walk.files.into_iter().collect(), shallow: !edge.is_empty() }))
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
