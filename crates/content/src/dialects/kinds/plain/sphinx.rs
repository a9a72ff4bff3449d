//! The settings of Sphinx, `conf.py`: what it leaves out of the folder that they are in.

use super::python::Settings;
use crate::dialects::config::{Glob, MOST_EXCLUDED};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Project, Scope};
use crate::model::path::{folder, inside_or_folder};

/// Where the settings may be.
const FILES: [&str; 7] = [
    "conf.py",
    "docs/conf.py",
    "doc/conf.py",
    "docs/source/conf.py",
    "doc/source/conf.py",
    "source/conf.py",
    "documentation/conf.py",
];
/// Names that only these settings have.
const NAMES: [&str; 6] = [
    "extensions",
    "html_theme",
    "master_doc",
    "root_doc",
    "exclude_patterns",
    "include_patterns",
];

fn settings(evidence: &Evidence<'_>) -> Option<(&'static str, Settings)> {
    let mut found = FILES
        .into_iter()
        .filter(|path| evidence.file(path).is_some());
    found.find_map(|path| {
        let settings = Settings::read(evidence, &[path]);
        settings.has(&NAMES).then_some((path, settings))
    })
}

/// Whether the folder belongs to Sphinx.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    settings(evidence).is_some()
}

/// Whether its Markdown is MyST: the settings name an extension that reads it.
pub fn reads_myst(evidence: &Evidence<'_>) -> bool {
    settings(evidence).is_some_and(|(path, _)| evidence.says(path, &["myst"]))
}

/// The folder of the settings, without what they leave out.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some((path, settings)) = settings(project.evidence) else {
        return Scope::default();
    };
    let content = folder(path);
    let globs = |name: &str| {
        let patterns = settings.texts(name).unwrap_or_default();
        let globs = patterns.iter().filter_map(|pattern| {
            let pattern = inside_or_folder(content, pattern.trim_matches('/'));
            Glob::parse(&format!("/{pattern}"))
        });
        globs.take(MOST_EXCLUDED).collect::<Vec<Glob>>()
    };
    let mut scope = Scope::new(vec![content.to_owned()], &[]);
    scope.rendered = globs("include_patterns");
    scope.excluded = globs("exclude_patterns");
    scope.by = path.to_owned();
    scope
}
