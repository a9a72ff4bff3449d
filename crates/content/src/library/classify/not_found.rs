//! Finds the text of the page for missing addresses.

use super::{Area, Plan, Role};
use crate::library::{files, paths::inside};
use crate::model::{format::Format, sources::Sources};

/// `404` at the root, else in a folder of the content or of files for the root. Any other is
/// skipped.
pub fn choose(plan: &mut Plan, sources: &Sources) {
    let mut chosen: Option<usize> = None;
    for root in roots(plan) {
        for (at, file) in files::beginning(sources, &inside(&root, "404.")) {
            let suffix = &file.path[inside(&root, "404.").len()..];
            if suffix.contains(['/', '.']) || !matches!(plan.roles[at], Role::Text { .. }) {
                continue;
            }
            let Some(format) = Format::from_path(&file.path) else {
                continue;
            };
            let first = *chosen.get_or_insert(at);
            if first == at {
                plan.roles[at] = Role::Text {
                    format,
                    area: Area::NotFound,
                    rel: "404.md".into(),
                };
            } else {
                let first = &sources.files[first].path;
                let reason = format!("`{first}` is the text for missing addresses");
                plan.roles[at] = Role::Skip(reason);
            }
        }
    }
}

/// The folders in which the text may be, the first wins.
fn roots(plan: &Plan) -> Vec<String> {
    let mut roots = vec![String::new()];
    roots.extend(plan.content().map(str::to_owned));
    let scope = &plan.kind.scope;
    roots.extend(scope.content.iter().cloned());
    roots.extend(scope.copied.iter().map(|copied| copied.folder.clone()));
    roots.extend(super::PUBLISHED.map(str::to_owned));
    roots
}
