//! Files that symbolic links reach again, and texts that others replace: each is published once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Plan, Role};
use crate::library::{files, paths::below};
use crate::model::sources::Sources;

fn skip_copy(plan: &mut Plan, at: usize, first: usize, target: &str) {
    plan.roles[at] = Role::Skip(format!(
        "symbolic link to `{target}`, which is read already"
    ));
    plan.copies.insert(at, first);
}

/// Skips files that are published under the name that they have without links, or under that of an
/// earlier link.
pub fn skip(plan: &mut Plan, sources: &Sources) {
    let mut claimed: FxHashMap<String, usize> = FxHashMap::default();
    for (link, target) in &sources.links {
        let own = files::position(sources, link);
        let inside = files::beginning(sources, &format!("{link}/")).map(|(at, _)| at);
        for at in own.into_iter().chain(inside) {
            if !is_published(&plan.roles[at]) {
                continue;
            }
            let file = match below(&sources.files[at].path, link) {
                Some(rest) => format!("{target}/{rest}"),
                None => target.clone(),
            };
            let original = files::position(sources, &file);
            let published = original.filter(|original| is_published(&plan.roles[*original]));
            let first = published.unwrap_or_else(|| *claimed.entry(file).or_insert(at));
            if first != at {
                skip_copy(plan, at, first, target);
            }
        }
    }
}

/// Skips texts that others replace. Links to them lead to those.
pub fn replace(plan: &mut Plan, sources: &Sources) {
    let position = |path: &str| files::position(sources, path);
    let config = Arc::clone(&plan.kind.config);
    for (path, by) in &config.replaced {
        let (Some(at), Some(other)) = (position(path), position(by)) else {
            continue;
        };
        if is_published(&plan.roles[at]) && is_published(&plan.roles[other]) {
            plan.roles[at] = Role::Skip(format!("`{by}` is published in its place"));
            plan.copies.insert(at, other);
        }
    }
}

fn is_published(role: &Role) -> bool {
    matches!(role, Role::Text { .. } | Role::File(_))
}
