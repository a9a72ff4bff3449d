//! What an edition takes from those before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::{OldAddress, Problem, Severity, parallel};

use crate::byte_store::ByteStore;
use crate::changes::{self, History};
use crate::documents::{self, Material};
use crate::pages::Page;
use crate::redirects::{self, Moved};
use crate::resolve::Directory;
use crate::resource::{Digest, Resource};

/// The history with the edition of these pages.
pub(super) fn history_with(
    history: &History,
    id: Digest,
    pages: &[Arc<Page>],
    redirects: &BTreeMap<OldAddress, Moved>,
) -> History {
    let rows = pages.iter().filter_map(|page| page.row.clone()).collect();
    let hidden = pages.iter().filter(|page| !page.listed);
    let hidden = hidden.map(|page| Arc::clone(&page.resources[1].path));
    let moves = |path: &str| redirects::markdown_path(redirects, path);
    history.with(id, rows, &hidden.collect(), &moves)
}

/// The status, and the documents on changes. They follow from the edition's id, which the status
/// contains, so they are built last.
pub(super) fn last(
    material: &Material<'_>,
    (id, history): (Digest, &History),
    problems: &[Problem],
    store: &dyn ByteStore,
) -> (Resource, Vec<Arc<Resource>>) {
    let ids = (id, changes::listing(&history.rows));
    let mut problems = problems.iter();
    let is_sound = problems.all(|problem| problem.severity != Severity::Error);
    let status = documents::status::resource(material, ids, is_sound);
    let documents = documents::changes::resources(material, history);
    let keep = |document: Resource| Arc::new(document.kept_in(store));
    let mut documents = parallel::map_owned(documents, keep);
    documents.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    (status, documents)
}

/// Adds these to the resources, which are in order: the status at its position, and the documents on
/// changes. Returns the directory of all, if it follows from that of the resources; else they are in
/// no order.
pub(super) fn with_last(
    resources: &mut Vec<Arc<Resource>>,
    (status, documents): (Resource, Vec<Arc<Resource>>),
    (position, directory): (usize, Option<Arc<Directory>>),
) -> Option<Arc<Directory>> {
    resources.insert(position, Arc::new(status));
    let directory = directory.and_then(|directory| directory.with_changes(&documents));
    let place = match (&directory, documents.first()) {
        (Some(_), Some(first)) => resources.partition_point(|it| it.path < first.path),
        // Behind all others, so that what the author has at one of their paths is kept.
        _ => resources.len(),
    };
    resources.splice(place..place, documents);
    directory
}
