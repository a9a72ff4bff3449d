//! Which files beside texts are published, where only those of some texts are.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::library::{
    classify::{Plan, Role},
    paths::{folder, folders_above, name},
};
use crate::model::{format::is_markdown, sources::Sources};

/// The files that are not below the folder of a published `index`, nor beside an `_index`, with the
/// reasons.
pub fn without_index(
    sources: &Sources,
    plan: &Plan,
    is_published: impl Fn(usize) -> bool,
) -> BTreeMap<usize, String> {
    let mut indexes: FxHashMap<&str, bool> = FxHashMap::default();
    let mut sections: FxHashSet<&str> = FxHashSet::default();
    for (at, file) in sources.files.iter().enumerate() {
        let (stem, _) = name(&file.path).split_once('.').unwrap_or_default();
        match stem {
            "index" if is_markdown(&file.path) => {
                *indexes.entry(folder(&file.path)).or_default() |= is_published(at);
            }
            "_index" if is_markdown(&file.path) => {
                sections.insert(folder(&file.path));
            }
            _ => {}
        }
    }
    let mut without = BTreeMap::new();
    for (at, (file, role)) in sources.files.iter().zip(&plan.roles).enumerate() {
        if !matches!(role, Role::File(_))
            || plan.kind.scope.copied(&file.path).is_some()
            || sections.contains(folder(&file.path))
        {
            continue;
        }
        let found: Vec<(&str, bool)> = folders_above(&file.path)
            .filter_map(|above| Some((above, *indexes.get(above)?)))
            .collect();
        match found.first() {
            _ if found.iter().any(|(_, is_published)| *is_published) => {}
            Some((folder, _)) => {
                let reason = format!("it belongs to `{folder}/index`, which is not published");
                without.insert(at, reason);
            }
            None => {
                let reason = "no `_index.md` is beside it, and no `index.md` in a folder above it";
                without.insert(at, reason.to_owned());
            }
        }
    }
    without
}
