//! A Jupyter Book, in MyST: `_config.yml` and `_toc.yml`, or `myst.yml`, which MyST's own program
//! reads.

use crate::dialects::config::{Config, Keys, Patterns, Permalink, first_existing};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::myst::Myst;
use crate::dialects::order::{Ask, book};
use crate::dialects::scope::{Copied, Listed, Project, Scope};
use crate::model::path::{folder, inside_or_folder};
use crate::syntax::front::{Entry, Front, Value};

const CONFIG: &[&str] = &[
    "myst.yml",
    "myst.yaml",
    "*/myst.yml",
    "*/myst.yaml",
    OF_SPHINX,
    "*/_config.yml",
];
/// The configuration of a book that Sphinx builds.
const OF_SPHINX: &str = "_config.yml";
/// The maximum number of values that texts may name.
const MOST_VALUES: usize = 1000;

pub(super) static DIALECT: Dialect = Dialect {
    name: "jupyterbook",
    recognise,
    outputs: &["_build"],
    all_are_articles: true,
    scope,
    keys: Keys {
        files: CONFIG,
        title: &["project.title", "site.title", "title"],
        description: &["project.description"],
        author: &["project.authors", "project.author", "author"],
        language: &["sphinx.config.language"],
        address: &["html.baseurl"],
        exclude: &["project.exclude", "exclude_patterns"],
        patterns: Patterns::Rooted,
        more: configure,
        ..Keys::NONE
    },
    order: &[book::contents],
    readme_is_index: true,
    dollar_math: true,
    heading_ids: Some(heading_ids::DOCUTILS),
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let path = &*first_existing(evidence, CONFIG)?.path;
    // Another generator has a `_config.yml` as well.
    let toc = || evidence.file(&inside_or_folder(folder(path), book::FILE));
    let is_one = !path.ends_with(OF_SPHINX) || toc().is_some();
    is_one.then(|| format!("`{path}`"))
}

/// Whether Sphinx builds the book.
fn is_of_sphinx(config: &Config) -> bool {
    config.file.ends_with(OF_SPHINX)
}

/// The folder of the configuration. MyST's own program publishes what the table of contents lists, and
/// Sphinx if it is told to.
fn scope(project: &Project<'_>) -> Scope {
    let config = project.config;
    let mut scope = Scope::new(vec![config.folder().to_owned()], &[]);
    scope.by.clone_from(&config.file);
    if !is_of_sphinx(config) || project.front.bool(&["only_build_toc_files"]) == Some(true) {
        let ask = Ask {
            evidence: project.evidence,
            config: &config.file,
            roots: [].into(),
        };
        scope.listed = book::texts(&ask).map(|(by, texts)| Listed { by, texts });
    }
    if is_of_sphinx(config) {
        scope.copied.push(Copied {
            folder: inside_or_folder(config.folder(), "_static"),
            site: "_static".to_owned(),
        });
    }
    scope
}

/// The folder of the texts, what they may name, and their former addresses.
fn configure(config: &mut Config, front: &Front) {
    let root = config.folder().to_owned();
    config.content = Some(root.clone()).filter(|root| !root.is_empty());
    config.myst = Some(Myst {
        root,
        substitutions: values(front, "parse.myst_substitutions"),
        projects: values(front, "project.references"),
    });
    if is_of_sphinx(config) {
        config.permalinks.push(Permalink {
            scope: String::new(),
            pattern: "/:path.html".to_owned(),
            below: false,
        });
    }
}

/// The names and texts of a map. The text of a map in it is its `url`.
fn values(front: &Front, key: &str) -> Vec<(String, String)> {
    let Some(Value::Map(entries)) = front.get(key).map(|entry| &entry.node.value) else {
        return Vec::new();
    };
    let values = entries.iter().filter_map(|Entry { key, node }| {
        let text = node.text().or_else(|| node.get("url")?.node.text())?;
        Some((key.text.clone(), text.to_owned()))
    });
    values.take(MOST_VALUES).collect()
}
