//! `module.mounts`: folders at other places of the site.

use std::collections::BTreeMap;

use super::named;
use crate::dialects::config::{Config, Glob, deciding};
use crate::dialects::scope::{Copied, Project};
use crate::model::path::{below, inside_or_folder};
use crate::syntax::front::Node;

/// The places that mounts are for: texts, files and pictures.
const KINDS: [&str; 3] = ["content", "static", "assets"];
/// What excludes a file, in a list of files.
const NOT: &str = "!";

/// What the mounts of a site say.
#[derive(Default)]
pub struct Mounts {
    /// The folders of texts, files and pictures.
    pub kinds: [Vec<Copied>; 3],
    /// What is left out of them.
    pub excluded: Vec<Glob>,
    /// The files that one at the same place covers, with the path of that one.
    pub covered: BTreeMap<String, String>,
}

impl Mounts {
    /// Those of languages that are built.
    pub fn read(project: &Project<'_>) -> Self {
        let mut mounts = Self::default();
        for mount in project.front.items("module.mounts") {
            let (Some(source), Some(target)) = (named(mount, "source"), named(mount, "target"))
            else {
                continue;
            };
            let (kind, below) = target.split_once('/').unwrap_or((&target, ""));
            mounts.excluded.extend(filtered(mount, &source));
            if is_unbuilt(mount, project.config) {
                mounts.excluded.extend(Glob::parse_paths(&source, "**"));
                continue;
            }
            if let Some(at) = KINDS.iter().position(|name| *name == kind) {
                mounts.kinds[at].push(Copied {
                    folder: source,
                    site: below.to_owned(),
                });
            }
        }
        mounts.cover(project);
        mounts
    }

    /// Of several texts at one place the first mount's counts, of several files the last one's.
    fn cover(&mut self, project: &Project<'_>) {
        let [texts, files, _] = &self.kinds;
        let last_first: Vec<Copied> = files.iter().rev().cloned().collect();
        let mut covered = BTreeMap::new();
        for mounts in [texts, &last_first] {
            for (at, mount) in mounts.iter().enumerate().skip(1) {
                for file in project.evidence.all_below(&mount.folder) {
                    if let Some(other) = self.stronger(project, &mounts[..at], mount, &file.path) {
                        covered.insert(file.path.to_string(), other.to_owned());
                    }
                }
            }
        }
        self.covered = covered;
    }

    /// The file of a stronger mount at the place of a file.
    fn stronger<'p>(
        &self,
        project: &Project<'p>,
        stronger: &[Copied],
        mount: &Copied,
        path: &str,
    ) -> Option<&'p str> {
        let rest = mount.site_path(path)?;
        let mut others = stronger.iter().filter_map(|other| {
            let below = match other.site.as_str() {
                "" => &*rest,
                site => below(&rest, site)?,
            };
            let file = project
                .evidence
                .file(&inside_or_folder(&other.folder, below))?;
            Some(&*file.path)
        });
        others.find(|other| *other != path && deciding(&self.excluded, other).is_none())
    }
}

/// Whether a mount is only for languages that are not built.
fn is_unbuilt(mount: &Node, config: &Config) -> bool {
    let languages = ["lang", "sites.matrix.languages"].map(|key| mount.items_of(key));
    let mut languages = languages
        .into_iter()
        .flatten()
        .filter_map(Node::text)
        .peekable();
    let has_some = languages.peek().is_some();
    has_some && languages.all(|language| config.unbuilt.contains(&language.to_lowercase()))
}

/// The files of a mount that are not part of the site: those of `excludeFiles`, and all but those of
/// `includeFiles`; of `files`, which has both, the first pattern that fits decides. The patterns fit in
/// any case.
fn filtered(mount: &Node, source: &str) -> Vec<Glob> {
    let patterns = |key: &str| mount.items_of(key).iter().filter_map(Node::text);
    let excluded = patterns("excludeFiles").map(|pattern| (true, pattern));
    let included = patterns("includeFiles").map(|pattern| (false, pattern));
    let files = patterns("files").map(|pattern| match pattern.strip_prefix(NOT) {
        Some(pattern) => (true, pattern.trim()),
        None => (false, pattern),
    });
    let all: Vec<(bool, &str)> = excluded.chain(included).chain(files).collect();
    let mut globs = Vec::new();
    if all.iter().any(|(is_excluded, _)| !is_excluded) {
        globs.extend(Glob::parse_paths(source, "**"));
    }
    // In a list of exclusions the last that fits decides.
    for (is_excluded, pattern) in all.into_iter().rev() {
        // Here `**/` is one folder at least.
        let pattern = pattern.trim_start_matches('/').replace("**/", "*/**/");
        let found = Glob::parse_paths(source, &pattern).into_iter();
        let found = found.map(Glob::in_any_case);
        if is_excluded {
            let below = Glob::parse_paths(source, &format!("{pattern}/**"));
            globs.extend(found.chain(below.into_iter().map(Glob::in_any_case)));
        } else {
            globs.extend(found.map(Glob::negate));
        }
    }
    globs
}
