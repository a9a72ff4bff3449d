//! The settings of Sphinx, `conf.py`: what it leaves out of the folder that they are in.

use super::python::Settings;
use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids::NamedIds;
use crate::dialects::myst::Myst;
use crate::dialects::scope::{Copied, Project, Scope};
use crate::model::path::{folder, inside_or_folder, join};

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
/// What settings with an extension for MyST contain.
const SIGN: &str = "myst";
/// The maximum number of values that texts may name.
const MOST_SUBSTITUTIONS: usize = 1000;
/// Names that only these settings have.
const NAMES: [&str; 6] = [
    "extensions",
    "html_theme",
    "master_doc",
    "root_doc",
    "exclude_patterns",
    "include_patterns",
];

/// The names of what every site has. Sphinx shows no author on a page.
pub const KEYS: Keys = Keys {
    title: &["html_title", "project"],
    description: &[],
    author: &[],
    language: &["language"],
    address: &["html_baseurl"],
    ..Keys::NONE
};

pub fn settings(evidence: &Evidence<'_>) -> Option<(&'static str, Settings)> {
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

/// The folder of the settings and what they say, if its Markdown is MyST: they name an extension
/// that reads it.
pub fn myst_settings(evidence: &Evidence<'_>) -> Option<(&'static str, Settings)> {
    let (path, settings) = settings(evidence)?;
    settings.says(SIGN).then(|| (folder(path), settings))
}

/// What the settings say of texts in MyST.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some((root, settings)) = myst_settings(evidence) else {
        return;
    };
    let mut substitutions = settings.map("myst_substitutions");
    substitutions.truncate(MOST_SUBSTITUTIONS);
    config.myst = Some(Myst {
        root: root.to_owned(),
        substitutions,
        ..Myst::default()
    });
    config.heading_ids = Some(NamedIds::Docutils);
}

/// The name of the first page, if the settings give one.
pub fn first_page(settings: &Settings) -> Option<String> {
    let named = ["root_doc", "master_doc"];
    named
        .iter()
        .find_map(|name| settings.texts(name)?.into_iter().next())
}

/// The folder of the settings, without what they leave out, and the folders that they copy.
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
    let copied = [
        ("html_static_path", Some("_static")),
        ("html_extra_path", None),
    ];
    scope.copied = copied
        .into_iter()
        .flat_map(|(name, site)| {
            let folders = settings.texts(name).unwrap_or_default();
            folders.into_iter().filter_map(move |folder| {
                Some(Copied {
                    folder: join(content, &folder).filter(|folder| folder != content)?,
                    site: site.unwrap_or_default().to_owned(),
                })
            })
        })
        .collect();
    scope.by = path.to_owned();
    scope
}
