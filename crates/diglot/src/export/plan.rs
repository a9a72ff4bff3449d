//! Plans the content of an export before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use diglot_content::Problem;
use diglot_content::address::folded;
use diglot_edition::route::is_at_the_root;
use diglot_edition::{Body, Coding, Edition, Resource, Route};
use jiff::Timestamp;

use super::stub;

/// The longest file name on common file systems, in bytes.
const LONGEST_NAME: usize = 255;

/// One file to write.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    /// The bytes.
    pub body: Body,
    /// The modification time.
    pub modified: Timestamp,
    /// The resource whose codings may be written next to it.
    pub resource: Option<&'a Resource>,
}

/// Everything an export will hold, by relative path.
#[derive(Default)]
pub(super) struct Plan<'a> {
    pub entries: BTreeMap<String, Entry<'a>>,
    /// Files for the origin's root, if the base URL has a path.
    pub origin: BTreeMap<String, Entry<'a>>,
    pub problems: Vec<Problem>,
}

/// Plans the export of an edition, with the host configuration made for it.
pub(super) fn plan<'a>(
    edition: &'a Edition,
    hosts: impl Iterator<Item = (String, String)>,
) -> Plan<'a> {
    let mut plan = Plan::default();
    for resource in &edition.resources {
        let entry = Entry {
            body: resource.body.clone(),
            modified: resource.modified,
            resource: Some(resource),
        };
        if !edition.site.base.path().is_empty() && is_at_the_root(&resource.path) {
            plan.origin
                .insert(resource.path[1..].to_owned(), entry.clone());
        }
        plan.add(resource.path[1..].to_owned(), entry);
    }
    let newest = edition
        .resources
        .iter()
        .map(|resource| resource.modified)
        .max()
        .unwrap_or(Timestamp::UNIX_EPOCH);
    for (path, text) in hosts {
        plan.add(
            path,
            Entry {
                body: text.into(),
                modified: newest,
                resource: None,
            },
        );
    }
    let mut names = plan.names();
    for (old, moved, target) in edition.moved() {
        let Some(path) = moved.stub_file(old).filter(|path| names.take(path)) else {
            continue;
        };
        let absolute = if target.starts_with('/') {
            format!("{}{target}", edition.site.base.origin())
        } else {
            target.clone()
        };
        // If no file can have this name, the host's own rules handle the old address.
        if too_long_name(&path).is_none() {
            plan.entries.insert(
                path,
                Entry {
                    body: stub::page(&target, &absolute).into(),
                    modified: newest,
                    resource: None,
                },
            );
        }
    }
    plan.drop_conflicts();
    plan
}

impl<'a> Plan<'a> {
    fn add(&mut self, path: String, entry: Entry<'a>) {
        let Some(name) = too_long_name(&path) else {
            self.entries.insert(path, entry);
            return;
        };
        let length = name.len();
        let message = format!(
            "`/{path}` is not written: a name of {length} bytes is longer than the {LONGEST_NAME} that file systems take"
        );
        self.problems
            .push(Problem::error(message).hint("give the article a shorter `slug`"));
    }

    /// The names of all planned files.
    fn names(&self) -> Names {
        let files: BTreeSet<String> = self
            .entries
            .keys()
            .map(|path| folded(path).into_owned())
            .collect();
        let folders = files
            .iter()
            .flat_map(|path| folders(path))
            .map(str::to_owned)
            .collect();
        Names { files, folders }
    }

    /// On a disk a name is either a file or a folder; on a conflict the file is dropped.
    fn drop_conflicts(&mut self) {
        let folders: BTreeSet<String> = self
            .entries
            .keys()
            .flat_map(|path| folders(path))
            .map(str::to_owned)
            .collect();
        for path in folders {
            if let Some(entry) = self.entries.remove(&path)
                && entry.resource.is_some()
            {
                self.problems.push(Problem::error(format!(
                    "`/{path}` is not written: on a disk it cannot be a file and a folder at once"
                )));
            }
        }
    }
}

fn too_long_name(path: &str) -> Option<&str> {
    path.split('/').find(|name| name.len() > LONGEST_NAME)
}

/// The ancestor folders of a relative path.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Names of files and folders, compared as the least exact file system does.
struct Names {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Names {
    /// Reserves a file's name unless it is taken: by a file, by a folder, or by a file in place of
    /// one of its folders.
    fn take(&mut self, path: &str) -> bool {
        let path = folded(path).into_owned();
        let free = !self.files.contains(&path)
            && !self.folders.contains(&path)
            && !folders(&path).any(|folder| self.files.contains(folder));
        if free {
            self.folders.extend(folders(&path).map(str::to_owned));
            self.files.insert(path);
        }
        free
    }
}

impl Entry<'_> {
    /// The codings that are smaller than the identity, computed now if missing. A host sends the
    /// page of a 404 uncoded.
    pub(super) fn codings(&self) -> Vec<(Coding, &Bytes)> {
        let mut codings = Vec::new();
        let Some(resource) = self.resource else {
            return codings;
        };
        if matches!(resource.route, Route::NotFound(_)) {
            return codings;
        }
        for coding in Coding::ALL {
            resource.fill(coding);
            codings.extend(resource.coded(coding).map(|bytes| (coding, bytes)));
        }
        codings
    }
}
