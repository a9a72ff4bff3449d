//! The rows of an edition, and the steps to it from the editions before.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Change, Changes, EDITIONS, ENTRIES, ListedPage, ListedPages, Moves, between, compose};
use crate::resource::Digest;

/// An earlier edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its id.
    pub since: Digest,
    /// What differs between it and its successor.
    pub changes: Arc<Changes>,
    /// What differs between it and the newest edition.
    pub whole: Arc<Changes>,
}

/// What editions leave to the next one. The default is that of a site without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The id of the newest edition.
    pub id: Option<Digest>,
    /// Its listed pages.
    pub rows: ListedPages,
    /// The editions before it, the newest first; at most [`EDITIONS`].
    pub steps: Vec<Step>,
}

impl History {
    /// A history with these steps, the newest first: as many of them as the limits allow. Where an
    /// edit was undone, the present edition is among the earlier ones: its step is joined with the
    /// one before, since its id is in the status alone.
    pub fn new(
        id: Digest,
        rows: ListedPages,
        steps: impl IntoIterator<Item = (Digest, Arc<Changes>)>,
    ) -> Self {
        let mut kept: Vec<Step> = Vec::new();
        let mut entries = 0;
        for (since, changes) in without_present(id, steps).take(EDITIONS) {
            let whole = match kept.last() {
                Some(newer) => Arc::new(compose(&changes, &newer.whole)),
                None => Arc::clone(&changes),
            };
            entries += changes.len() + whole.len();
            if entries > ENTRIES {
                break;
            }
            kept.push(Step {
                since,
                changes,
                whole,
            });
        }
        Self {
            id: Some(id),
            rows,
            steps: kept,
        }
    }

    /// The history with one more edition, which has this id and these rows. `hidden` are the paths
    /// of pages that exist and are not listed: an edition whose changes would name one is forgotten,
    /// with those before it.
    #[must_use]
    pub fn with(
        &self,
        id: Digest,
        rows: ListedPages,
        hidden: &BTreeSet<Arc<str>>,
        moves: Moves<'_>,
    ) -> Self {
        let Some(before) = self.id else {
            return Self::new(id, rows, []);
        };
        if before == id {
            return Self {
                rows,
                ..self.clone()
            };
        }
        let newest = Arc::new(between(&self.rows, &rows, moves));
        let removed: Vec<&Arc<str>> = removed(&newest).collect();
        let older = self.steps.iter();
        let older = older.map(|step| (step.since, without(&step.changes, &removed, &newest)));
        let steps = [(before, Arc::clone(&newest))].into_iter().chain(older);
        let names_none = |(_, changes): &(Digest, Arc<Changes>)| {
            let mut paths = hidden.iter();
            paths.all(|path| !changes.contains_key(path))
        };
        Self::new(id, rows, steps.take_while(names_none))
    }

    /// The row of a page.
    pub fn row(&self, path: &str) -> Option<&ListedPage> {
        self.rows
            .iter()
            .find(|row| *row.path == *path)
            .map(|row| &**row)
    }
}

/// The steps without those from the edition with this id. Each is part of the step to it, so that the
/// steps are still one way.
fn without_present(
    id: Digest,
    steps: impl IntoIterator<Item = (Digest, Arc<Changes>)>,
) -> impl Iterator<Item = (Digest, Arc<Changes>)> {
    let mut left_out: Option<Arc<Changes>> = None;
    steps.into_iter().filter_map(move |(since, changes)| {
        let changes = match left_out.take() {
            Some(newer) => Arc::new(compose(&changes, &newer)),
            None => changes,
        };
        if since == id {
            left_out = Some(changes);
            return None;
        }
        Some((since, changes))
    })
}

fn removed(changes: &Changes) -> impl Iterator<Item = &Arc<str>> {
    let is_removed = |change: &Change| matches!(change, Change::Removed(_));
    let removed = changes.iter().filter(move |(_, change)| is_removed(change));
    removed.map(|(path, _)| path)
}

/// The changes without what they say of pages that were removed later.
fn without(changes: &Arc<Changes>, removed: &[&Arc<str>], newest: &Changes) -> Arc<Changes> {
    let is_gone = |path: &Arc<str>| matches!(newest.get(path), Some(Change::Removed(_)));
    let leads_there = |change: &Change| matches!(change, Change::Removed(Some(to)) if is_gone(to));
    let is_concerned = |path: &Arc<str>| {
        let change = changes.get(path);
        change.is_some_and(|change| !matches!(change, Change::Removed(_)))
    };
    let is_same = !removed.iter().any(|path| is_concerned(path))
        && (removed.is_empty() || !changes.values().any(leads_there));
    if is_same {
        return Arc::clone(changes);
    }
    let kept = changes.iter().filter_map(|(path, change)| {
        let change = match change {
            Change::Added(_) | Change::Changed { .. } if is_gone(path) => return None,
            Change::Removed(Some(to)) => Change::Removed(super::newer_place(to, newest)),
            other => other.clone(),
        };
        Some((Arc::clone(path), change))
    });
    Arc::new(kept.collect())
}
