//! READMEs that are the index of their folder: the generator takes them for that, a `SUMMARY.md` lists them, or other texts link to them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::classify::{Plan, Role};
use super::folder;
use super::parse::Parsed;
use crate::library::links::folder_named;
use crate::model::document::ReferenceKind;
use crate::model::sources::Sources;

/// The numbers of such READMEs, each with the role that it has.
pub(super) fn indexes(sources: &Sources, plan: &Plan, parsed: &[Option<Arc<Parsed>>]) -> Vec<(usize, Role)> {
    let readmes: Vec<(usize, Role)> = (0..sources.files.len()).filter_map(|at| Some((at, plan.of_readme(at, sources)?))).collect();
    if readmes.is_empty() {
        return Vec::new();
    }
    let listed = folder::summary(sources, &plan.kind);
    let linked = linked(sources, parsed);
    let is_index = |path: &str| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below =
            || plan.kind.dialect.readme_is_index && plan.content().any(|root| folder.strip_prefix(root).is_some_and(|rest| rest.starts_with('/')));
        // A path from the root may leave out the folders above.
        let tails = || folder.match_indices('/').map(|(at, _)| &folder[at..]).any(|tail| linked.contains(tail));
        listed.contains_key(path) || below() || linked.contains(folder) || linked.contains(&*format!("/{folder}")) || tails()
    };
    readmes.into_iter().filter(|(at, _)| is_index(&sources.files[*at].path)).collect()
}

/// Folders that links name, relative ones from the root of the sources, others with `/` before them.
fn linked(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> FxHashSet<String> {
    let texts = sources.files.iter().zip(parsed).filter_map(|(file, parsed)| Some((&*file.path, parsed.as_ref()?)));
    let links = texts.flat_map(|(path, parsed)| {
        let links = parsed.references.iter().filter(|reference| reference.kind == ReferenceKind::Link);
        links.filter_map(move |reference| folder_named(path, &reference.raw))
    });
    links.collect()
}
