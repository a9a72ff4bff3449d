//! Finds the text of the page for missing addresses.

use super::{Area, Plan, Role};
use crate::library::{files, paths::inside};
use crate::model::sources::{SourceFile, Sources};
use crate::model::{format::Format, text::decode};

/// How much of a text is searched for its address, in bytes.
const NEAR: usize = 2_000;

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
    if chosen.is_none() {
        choose_by_address(plan, sources);
    }
}

/// The first text anywhere that is given this address.
fn choose_by_address(plan: &mut Plan, sources: &Sources) {
    let mut files = sources.files.iter().zip(0..);
    let found = files.find_map(|(file, at)| match plan.roles[at] {
        Role::Text { format, .. } if has_address(plan, file) => Some((at, format)),
        _ => None,
    });
    if let Some((at, format)) = found {
        plan.roles[at] = Role::Text {
            format,
            area: Area::NotFound,
            rel: "404.md".into(),
        };
    }
}

/// Whether a text is given the address of the page for missing addresses.
fn has_address(plan: &Plan, file: &SourceFile) -> bool {
    let near = &file.bytes[..file.bytes.len().min(NEAR)];
    if memchr::memmem::find(near, b"permalink").is_none()
        || memchr::memmem::find(near, b"404").is_none()
    {
        return false;
    }
    let (text, _) = decode(&file.bytes, &file.path);
    let split = plan.kind.split(&text, &file.path);
    let address = split.front.text(&["permalink"]).unwrap_or_default();
    matches!(address.trim_matches('/'), "404.html" | "404")
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
