//! The files that belong to a text.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Inheritance, owned};
use crate::dialects::{Inherits, Owner};
use crate::library::{
    classify::{Plan, Role},
    parse::Parsed,
    paths::{folder, folders_above, is_leaf, is_section, without_suffix},
    visibility,
};
use crate::model::sources::Sources;

/// The files of a folder may belong to a text: without it they are not published either.
pub fn orphans(
    sources: &Sources,
    plan: &Plan,
    is_published: impl Fn(usize) -> bool,
) -> BTreeMap<usize, String> {
    if plan.kind.dialect.owns_files == Owner::SomeIndex {
        return owned::without_index(sources, plan, is_published);
    }
    let orphans = files_of_unmarked(sources, plan, is_published).into_iter();
    let why = |owner| format!("it belongs to `{owner}`, which is not published");
    orphans.map(|(at, owner)| (at, why(owner))).collect()
}

/// The files that are published only where a text shows them, because the text to which they belong
/// says so.
pub fn kept_files(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
    inheritance: &Inheritance,
) -> Vec<(usize, String)> {
    if plan.kind.dialect.inherits != Inherits::Cascade {
        return Vec::new();
    }
    let keeps = |at: usize| {
        let own = parsed[at].as_ref();
        own.is_some_and(|text| visibility::keeps_files(&text.front))
            || inheritance.keeps_files.contains(&sources.files[at].path)
    };
    // Few sites keep any.
    if !(0..sources.files.len()).any(keeps) {
        return Vec::new();
    }
    let kept = files_of_unmarked(sources, plan, |at| !keeps(at)).into_iter();
    let why = |owner| format!("`publishResources` of `{owner}` is false");
    kept.map(|(at, owner)| (at, why(owner))).collect()
}

/// The files that belong to a text without a mark, with its path.
fn files_of_unmarked<'s>(
    sources: &'s Sources,
    plan: &Plan,
    is_marked: impl Fn(usize) -> bool,
) -> Vec<(usize, &'s str)> {
    let mut found = Vec::new();
    let owners = match plan.kind.dialect.owns_files {
        Owner::Nobody | Owner::SomeIndex => return found,
        Owner::Index => owners(sources, plan, is_marked, |path| {
            is_index(path).then(|| folder(path))
        }),
        Owner::PostOfItsName => owners(sources, plan, is_marked, |path| {
            path.contains("_posts/").then(|| without_suffix(path))
        }),
    };
    for (at, (file, role)) in sources.files.iter().zip(&plan.roles).enumerate() {
        if !matches!(role, Role::File(_)) || plan.kind.scope.copied(&file.path).is_some() {
            continue;
        }
        let mut owning = folders_above(&file.path).filter_map(|above| owners.get(above));
        let owner = owning
            .next()
            .and_then(|texts| unmarked(texts, &file.path, plan));
        found.extend(owner.map(|owner| (at, owner)));
    }
    found
}

/// A text to which a folder belongs.
struct OwnerText<'s> {
    path: &'s str,
    is_marked: bool,
}

/// The texts to which each folder belongs, one for each language. `owned`: the folder of a text.
fn owners<'s>(
    sources: &'s Sources,
    plan: &Plan,
    is_marked: impl Fn(usize) -> bool,
    owned: impl Fn(&'s str) -> Option<&'s str>,
) -> FxHashMap<&'s str, Vec<OwnerText<'s>>> {
    let mut owners: FxHashMap<&str, Vec<OwnerText<'_>>> = FxHashMap::default();
    for (at, (file, role)) in sources.files.iter().zip(&plan.roles).enumerate() {
        if matches!(role, Role::Text { .. })
            && let Some(folder) = owned(&file.path)
        {
            owners.entry(folder).or_default().push(OwnerText {
                path: &file.path,
                is_marked: is_marked(at),
            });
        }
    }
    owners
}

/// The text to which a file belongs, if it has no mark: that in the language of the file; without
/// one, one with a mark is enough.
fn unmarked<'s>(texts: &[OwnerText<'s>], file: &str, plan: &Plan) -> Option<&'s str> {
    let config = &plan.kind.config;
    let language = config.language_of(file);
    let in_language =
        |text: &&OwnerText<'_>| config.language_of(text.path).eq_ignore_ascii_case(language);
    match texts.iter().find(in_language) {
        Some(text) => (!text.is_marked).then_some(text.path),
        None if texts.iter().any(|text| text.is_marked) => None,
        None => texts.first().map(|text| text.path),
    }
}

/// Whether a text is the index of its folder, as a page or as a section.
fn is_index(path: &str) -> bool {
    is_leaf(path) || is_section(path)
}
