//! Texts that belong to another text.

use std::collections::BTreeSet;

use super::{Plan, Role};
use crate::library::paths::{folder, is_leaf};
use crate::model::sources::Sources;

/// Texts in a folder with an `index`, and in folders below it, are resources of that text.
pub fn skip_resources(plan: &mut Plan, sources: &Sources) {
    let texts = sources.files.iter().zip(&plan.roles);
    let leaves: BTreeSet<&str> = texts
        .filter(|(file, role)| matches!(role, Role::Text { .. }) && is_leaf(&file.path))
        .map(|(file, _)| folder(&file.path))
        .filter(|folder| !plan.kind.scope.content.iter().any(|root| root == folder))
        .collect();
    if leaves.is_empty() {
        return;
    }
    for (file, role) in sources.files.iter().zip(&mut plan.roles) {
        if !matches!(role, Role::Text { .. }) {
            continue;
        }
        let mut above = folder(&file.path);
        while !above.is_empty() {
            let is_own = above == folder(&file.path) && is_leaf(&file.path);
            if !is_own && leaves.contains(above) {
                *role = Role::Unlinked(format!("a resource of `{above}/index`, not a page"));
                break;
            }
            above = folder(above);
        }
    }
}
