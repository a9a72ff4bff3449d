//! The settings of Nikola, `conf.py`, and the metadata of posts in files beside them.

use super::python::Settings;
use crate::dialects::config::{Config, Defaults, Glob, Keys, without_places};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope};
use crate::model::path::folder;
use crate::model::text::decode;
use crate::syntax::front::split_with_dots;

/// Its settings.
const FILE: &str = "conf.py";
/// The ending of a file with the metadata of a post.
const METADATA: &str = ".meta";
/// The most posts with their metadata in another file.
const MOST: usize = 2000;
/// The largest such file, in bytes.
const LARGEST: usize = 100_000;

/// The names of what every site has.
pub const KEYS: Keys = Keys {
    title: &["BLOG_TITLE"],
    description: &["BLOG_DESCRIPTION"],
    author: &["BLOG_AUTHOR"],
    language: &["DEFAULT_LANG"],
    address: &["SITE_URL"],
    zone: &["TIMEZONE"],
    ..Keys::NONE
};

pub fn settings(evidence: &Evidence<'_>) -> Option<Settings> {
    evidence.file(FILE)?;
    let settings = Settings::read(evidence, &[FILE]);
    settings.has(&["POSTS", "PAGES"]).then_some(settings)
}

/// Whether the folder belongs to Nikola.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    settings(evidence).is_some()
}

/// The folders of posts and pages, and those of files.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = settings(project.evidence) else {
        return Scope::default();
    };
    let patterns = |name: &str| settings.texts(name).unwrap_or_default();
    let texts = [patterns("POSTS"), patterns("PAGES")].concat();
    let texts = texts.iter().filter(|pattern| pattern.contains('*'));
    let mut folders: Vec<String> = texts.map(|pattern| folder(pattern).to_owned()).collect();
    folders.sort();
    folders.dedup();
    let mut scope = Scope::new(folders, &[]);
    let files = ["files", "images"].into_iter();
    scope.copied = files
        .map(|name| Copied {
            folder: name.to_owned(),
            site: if name == "files" { "" } else { name }.to_owned(),
        })
        .collect();
    scope.by = FILE.to_owned();
    scope
}

/// The metadata of posts in files beside them: `a.meta` of `a.md`.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let files = evidence.all().iter();
    let files = files.filter(|file| file.path.ends_with(METADATA) && file.bytes.len() <= LARGEST);
    let mut found = Vec::new();
    for file in files.take(MOST) {
        let (text, _) = decode(&file.bytes, &file.path);
        let mut entries = split_with_dots(&text)
            .map(|split| split.front.entries)
            .unwrap_or_default();
        without_places(&mut entries);
        let bare = file.path.trim_end_matches(METADATA);
        let globs = Glob::parse_paths("", &format!("{bare}.*"));
        let given = globs.into_iter();
        found.extend(given.map(|glob| Defaults::new(Some(glob), entries.clone())));
    }
    config.add_defaults(found);
}
