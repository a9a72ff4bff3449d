//! Which resources have their paths: of several at one path the first, and none at a path that
//! clients may read differently.

use std::sync::Arc;

use diglot_content::{Library, Problem, parallel};
use rayon::prelude::*;

use crate::edition::are_apart;
use crate::resource::Resource;
use crate::route::Route;

/// Why the second of two resources at a path is removed.
const TAKEN: &str = "another resource has this path";

/// Sorts the resources by path. Keeps the first of several at a path, and none at a path that a URL
/// cannot express plainly.
pub(super) fn keep_unique(
    mut kept: Vec<Arc<Resource>>,
    library: &Library,
    problems: &mut Vec<Problem>,
) -> Vec<Arc<Resource>> {
    let mut set_aside =
        |resource: &Resource, reason| problems.push(aside(resource, reason, library));
    let status = Route::Status.path();
    // The status is built last, but its path is reserved.
    let is_free = |resource: &Resource| *resource.path != *status;
    if parallel::any(&kept, |resource| {
        !is_plain(&resource.path) || !is_free(resource) || is_foreign(resource)
    }) {
        kept.retain(|resource| {
            let plain = is_plain(&resource.path);
            if !plain {
                set_aside(
                    resource,
                    "it has an empty, `.` or `..` segment, a backslash or a control character",
                );
            } else if !is_free(resource) {
                set_aside(resource, TAKEN);
            } else if is_foreign(resource) {
                set_aside(
                    resource,
                    "scripts below `/_/` may run, so only the theme has files there",
                );
            }
            plain && is_free(resource) && !is_foreign(resource)
        });
    }
    kept.par_sort_by(|one, other| one.path.cmp(&other.path));
    if !are_apart(&kept) {
        kept.dedup_by(|later, first| {
            let same = later.path == first.path;
            if same {
                set_aside(later, TAKEN);
            }
            same
        });
    }
    kept
}

/// Whether a resource that is not the theme's is below the theme's path.
fn is_foreign(resource: &Resource) -> bool {
    !matches!(resource.route, Route::Asset(_))
        && (resource.path.starts_with("/_/") || *resource.path == *"/_")
}

/// Whether all clients interpret a path alike: no empty, `.` or `..` segment, no backslash, no
/// control character.
fn is_plain(path: &str) -> bool {
    let letters = if path.is_ascii() {
        path.bytes()
            .all(|letter| letter != b'\\' && !letter.is_ascii_control())
    } else {
        !path.contains(|letter: char| letter == '\\' || letter.is_control())
    };
    letters
        && path.strip_prefix('/').is_some_and(|path| {
            path.split('/')
                .all(|segment| !matches!(segment, "" | "." | ".."))
        })
}

fn aside(resource: &Resource, reason: &str, library: &Library) -> Problem {
    let problem = Problem::error(format!("`{}` is not published: {reason}", resource.path));
    match library
        .files
        .iter()
        .find(|file| matches!(resource.route, Route::File(_)) && file.path == resource.path)
    {
        Some(file) => problem.at(&*file.source, 0, 0),
        None => problem,
    }
}
