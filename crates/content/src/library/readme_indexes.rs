//! READMEs that are the index of their folder: the generator or its configuration uses them so, a
//! `SUMMARY.md` lists them, or other texts link to them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{
    classify::{Plan, Role},
    listed_names,
    parse::Parsed,
    paths::{below, folder, folder_named},
};
use crate::dialects::order::Outline;
use crate::model::{document::ReferenceKind, sources::Sources};

/// The numbers of these READMEs, with their roles.
pub fn indexes(
    sources: &Sources,
    plan: &Plan,
    outline: &Outline,
    parsed: &[Option<Arc<Parsed>>],
) -> Vec<(usize, Role)> {
    let mut readmes = possible(sources, plan);
    if readmes.is_empty() {
        return readmes;
    }
    let names = listed_names::read(sources, outline);
    let linked = linked_folders(sources, parsed);
    readmes.retain(|(at, _)| {
        let path = &*sources.files[*at].path;
        let folder = folder(path);
        names.contains_key(path)
            || is_index_by_kind(plan, folder)
            || is_rewritten(plan, path)
            || is_linked(folder, &linked)
    });
    let others: Vec<(usize, Role)> = readmes
        .iter()
        .flat_map(|(at, role)| plan.readmes_in_languages(*at, role, sources))
        .collect();
    readmes.extend(others);
    readmes
}

/// The READMEs that may be the index of their folder.
fn possible(sources: &Sources, plan: &Plan) -> Vec<(usize, Role)> {
    let mut readmes = Vec::new();
    for at in 0..sources.files.len() {
        readmes.extend(plan.readme_as_index(at, sources).map(|role| (at, role)));
    }
    readmes
}

/// Whether the generator uses a README in a content folder as its index.
fn is_index_by_kind(plan: &Plan, folder: &str) -> bool {
    let is_content = |root: &str| below(folder, root).is_some();
    let mut published = plan.kind.scope.content.iter();
    // Its configuration says so of all folders of the site.
    let is_of_all = plan.kind.config.readme_is_index && plan.kind.scope.content.is_empty();
    plan.kind.readme_is_index()
        && (is_of_all
            || plan.is_all_content()
            || plan.content().any(is_content)
            || published.any(|root| root == folder || is_content(root)))
}

/// Whether the configuration gives a README another path: then it is a page.
fn is_rewritten(plan: &Plan, path: &str) -> bool {
    let inner = plan.below_content(path).unwrap_or(path);
    plan.kind.config.rewritten(inner).is_some()
}

/// Whether links name a folder. A root-relative path may omit parent folders.
fn is_linked(folder: &str, linked: &FxHashSet<String>) -> bool {
    let rooted = format!("/{folder}");
    linked.contains(folder)
        || rooted
            .match_indices('/')
            .any(|(at, _)| linked.contains(&rooted[at..]))
}

/// Folders named by links: relative ones from the root of the sources, root-relative ones with a
/// leading `/`.
fn linked_folders(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> FxHashSet<String> {
    let mut linked = FxHashSet::default();
    for (file, parsed) in sources.files.iter().zip(parsed) {
        let Some(parsed) = parsed else { continue };
        for reference in &parsed.references {
            if reference.kind == ReferenceKind::Link {
                linked.extend(folder_named(&file.path, &reference.raw));
            }
        }
    }
    linked
}
