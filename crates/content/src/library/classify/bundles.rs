//! Texts that belong to another text.

use std::collections::BTreeSet;

use super::{Plan, Role};
use crate::library::paths::{folder, is_leaf};
use crate::model::{format::Format, sources::Sources};

/// Texts in a folder with an `index`, and in folders below it, are resources of that text: they are
/// not published, whoever refers to them.
pub fn skip_resources(plan: &mut Plan, sources: &Sources) {
    let leaves = leaves(plan, sources);
    if leaves.is_empty() {
        return;
    }
    for (file, role) in sources.files.iter().zip(&mut plan.roles) {
        let is_text = match role {
            Role::Text { .. } => true,
            Role::Unlinked(_) => Format::from_path(&file.path).is_some(),
            _ => false,
        };
        if is_text && let Some(bundle) = bundle(&file.path, &leaves) {
            *role = Role::Skip(format!("a resource of `{bundle}/index`, not a page"));
        }
    }
}

/// The folders in which a text is an `index`, other than those of the content.
fn leaves<'s>(plan: &Plan, sources: &'s Sources) -> BTreeSet<&'s str> {
    let texts = sources.files.iter().zip(&plan.roles);
    texts
        .filter(|(file, role)| matches!(role, Role::Text { .. }) && is_leaf(&file.path))
        .map(|(file, _)| folder(&file.path))
        .filter(|folder| !plan.kind.scope.content.iter().any(|root| root == folder))
        .collect()
}

/// The innermost bundle of which a text is a resource.
fn bundle<'a>(path: &'a str, leaves: &BTreeSet<&str>) -> Option<&'a str> {
    let mut above = folder(path);
    while !above.is_empty() {
        let is_own = above == folder(path) && is_leaf(path);
        if !is_own && leaves.contains(above) {
            return Some(above);
        }
        above = folder(above);
    }
    None
}
