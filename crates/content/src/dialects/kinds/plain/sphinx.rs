//! The settings of Sphinx, `conf.py`: what it leaves out of the folder that they are in.

use super::python::Settings;
use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids::NamedIds;
use crate::dialects::myst::Myst;
use crate::dialects::order::{Ask, book};
use crate::dialects::scope::{Copied, Listed, Project, Scope};
use crate::model::path::{folder, join};

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
/// What the name of an extension for MyST contains.
const MYST: &str = "myst";
/// What names of extensions for Markdown contain.
const MARKDOWN: [&str; 4] = [MYST, "recommonmark", "m2r", "sphinx_mdinclude"];
/// The ending of Markdown for these extensions.
const ENDING: &str = ".md";
/// The lists of what is left out.
const EXCLUDED: [&str; 2] = ["exclude_patterns", "templates_path"];
/// The list of what alone is published.
const INCLUDED: &str = "include_patterns";
/// The extension for a table of contents in a file, the name of that file, and the name of what
/// publishes only what is in it.
const TABLE: (&str, &str, &str) = (
    "sphinx_external_toc",
    "external_toc_path",
    "external_toc_exclude_missing",
);
/// The names of endings of texts.
const ENDINGS: [&str; 2] = ["source_suffix", "source_parsers"];
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
    has_extension(&settings, &[MYST]).then(|| (folder(path), settings))
}

/// Whether the name of an extension contains one of these words.
fn has_extension(settings: &Settings, words: &[&str]) -> bool {
    let names = settings.excluded("extensions");
    names
        .iter()
        .any(|name| words.iter().any(|word| name.contains(word)))
}

/// The path of the file with a table of contents, if there is one.
pub fn table(settings: &Settings, content: &str) -> Option<String> {
    let (extension, path, _) = TABLE;
    has_extension(settings, &[extension]).then_some(())?;
    let named = settings.texts(path).unwrap_or_default().into_iter();
    let named = named.last().unwrap_or_else(|| book::FILE.to_owned());
    join(content, &named)
}

/// The texts of that table, if only these are published.
fn listed(project: &Project<'_>, settings: &Settings, content: &str) -> Option<Listed> {
    let by = table(settings, content)?;
    let (only, _) = settings.value(TABLE.2)?;
    let ask = Ask {
        evidence: project.evidence,
        config: "",
        roots: [].into(),
    };
    (only != "False").then(|| Listed {
        texts: book::texts_in(&ask, &by),
        by,
    })
}

/// The endings of texts, without their dots.
fn endings(settings: &Settings) -> Vec<String> {
    let named = ENDINGS.map(|name| settings.texts(name).unwrap_or_default());
    let mut endings = named.concat();
    if has_extension(settings, &MARKDOWN) {
        endings.push(ENDING.to_owned());
    }
    let bare = endings.iter().map(|ending| ending.trim_start_matches('.'));
    bare.map(str::to_owned).collect()
}

/// What the settings say of texts in MyST.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some((_, settings)) = settings(evidence) {
        let lists = EXCLUDED.iter().chain([&INCLUDED]);
        config
            .problems
            .extend(lists.filter_map(|name| settings.problem(name)));
        let count = settings.excluded(EXCLUDED[0]).len();
        config.is_too_long(EXCLUDED[0], count, (0, 0));
    }
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
    let globs = |patterns: Vec<String>| {
        let globs = patterns.iter().filter_map(|pattern| glob(content, pattern));
        globs.take(MOST_EXCLUDED).collect::<Vec<Glob>>()
    };
    let mut scope = Scope::new(vec![content.to_owned()], &[]);
    scope.reads = Some(endings(&settings));
    scope.bundled = true;
    scope.any_name = true;
    scope.listed = listed(project, &settings, content);
    if let Some(included) = settings.texts(INCLUDED) {
        scope.rendered = globs(included);
        // An empty list publishes nothing.
        scope.rendered.extend(Glob::parse("*").map(Glob::negate));
        scope.rendered.rotate_right(1);
    }
    scope.excluded = globs(EXCLUDED.map(|name| settings.excluded(name)).concat());
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

/// A pattern, which counts from the folder of the settings.
fn glob(content: &str, pattern: &str) -> Option<Glob> {
    let pattern = pattern.trim_matches('/');
    // `**.md` fits in every folder.
    let pattern = match pattern.strip_prefix("**") {
        Some(rest) if !rest.is_empty() && !rest.starts_with('/') => format!("**/*{rest}"),
        _ => pattern.to_owned(),
    };
    Glob::parse_below(content, &format!("/{pattern}"))
}
