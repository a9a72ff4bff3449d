//! A Jupyter Book, in MyST: `_config.yml` and `_toc.yml`, or `myst.yml`, which MyST's own program
//! reads.

use crate::dialects::config::{
    Config, Glob, Keys, Patterns, Permalink, chain, first_existing, read,
};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::myst::Myst;
use crate::dialects::order::{Ask, book};
use crate::dialects::scope::{Copied, Listed, Project, Scope};
use crate::model::path::{folder, inside_or_folder, join, name};
use crate::model::problem::Problem;
use crate::model::text::shorten;
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
/// The configurations of MyST's own program.
const OF_MYST: [&str; 2] = ["myst.yml", "myst.yaml"];
/// The key of the files on which its configuration builds, and the other name of that key.
const EXTENDS: &str = "extends";
const EXTEND: &str = "extend";
/// Why all is withheld where such a file is not read.
const MISSING: &str = "withheld, because the file that `extends` names is not read";
/// Keys that publish only what the table of contents lists.
const ONLY_LISTED: [&str; 2] = [
    "only_build_toc_files",
    "sphinx.config.external_toc_exclude_missing",
];
/// Folders that Sphinx copies, with their places on the site.
const COPIED: [(&str, &str); 2] = [
    ("sphinx.config.html_static_path", "_static"),
    ("sphinx.config.html_extra_path", ""),
];
/// The maximum number of values that texts may name.
const MOST_VALUES: usize = 1000;

pub(super) static DIALECT: Dialect = Dialect {
    name: "jupyterbook",
    recognise,
    outputs: &["_build"],
    reads: &["md"],
    copies_linked: true,
    all_are_articles: true,
    scope,
    settle,
    keys: Keys {
        files: CONFIG,
        inherit: Some(EXTENDS),
        title: &["project.title", "site.title", "title"],
        description: &["project.description"],
        author: &["project.authors", "project.author", "author"],
        language: &["sphinx.config.language"],
        address: &["html.baseurl"],
        exclude: &[
            "project.exclude",
            "exclude_patterns",
            "sphinx.config.exclude_patterns",
        ],
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
    scope.any_name = true;
    let mut only_listed = ONLY_LISTED.iter();
    if !is_of_sphinx(config) || only_listed.any(|key| project.front.bool(&[key]) == Some(true)) {
        let ask = Ask {
            evidence: project.evidence,
            config: &config.file,
            roots: [].into(),
        };
        scope.listed = book::texts(&ask).map(|(by, texts)| Listed { by, texts });
    }
    if is_of_sphinx(config) {
        scope.copied = copied(project);
    } else {
        scope.excluded = other_projects(project);
    }
    scope
}

/// The folders that Sphinx copies.
fn copied(project: &Project<'_>) -> Vec<Copied> {
    let root = project.config.folder();
    let mut copied = vec![Copied {
        folder: inside_or_folder(root, "_static"),
        site: "_static".to_owned(),
    }];
    for (key, site) in COPIED {
        let named = project.front.texts(key);
        let folders = named.filter_map(|folder| join(root, folder));
        copied.extend(
            folders
                .filter(|folder| folder != root)
                .map(|folder| Copied {
                    folder,
                    site: site.to_owned(),
                }),
        );
    }
    copied
}

/// Folders with a configuration of their own are other projects.
fn other_projects(project: &Project<'_>) -> Vec<Glob> {
    let root = project.config.folder();
    let files = project.evidence.all_below(root).iter();
    let others = files.filter(|file| OF_MYST.contains(&name(&file.path)));
    let folders = others.map(|file| folder(&file.path));
    let inner = folders.filter(|folder| *folder != root);
    inner
        .flat_map(|folder| Glob::parse_paths(folder, "**"))
        .collect()
}

/// Publishes nothing if a file on which the configuration builds is not in the folder: it may leave
/// texts out.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let first = evidence.file(&config.file);
    let Some(first) = first.filter(|_| !is_of_sphinx(config)) else {
        return;
    };
    for file in chain(evidence, first, Some(EXTENDS)) {
        let (front, ..) = read(file);
        let bases = front.items(EXTENDS).iter().map(|node| (node, true));
        let others = front.items(EXTEND).iter().map(|node| (node, false));
        for (base, is_read) in bases.chain(others) {
            let name = base.text().unwrap_or_default();
            let path = join(folder(&file.path), name);
            if is_read && path.is_some_and(|path| evidence.file(&path).is_some()) {
                continue;
            }
            let problem = Problem::error(format!(
                "`{EXTENDS}` names a file that is not read: `{}`: nothing of the site is published",
                shorten(name, 60)
            ));
            let hint =
                "that file may leave texts out: copy it into the folder, and name the copy there";
            let problem = problem.at(&*file.path, base.line, base.column).hint(hint);
            config.withhold_for(problem, MISSING);
        }
    }
}

/// The folder of the texts, what they may name, and their former addresses.
fn configure(config: &mut Config, front: &Front) {
    let root = config.folder().to_owned();
    config.content = Some(root.clone()).filter(|root| !root.is_empty());
    config.myst = Some(Myst {
        root,
        titles: !is_of_sphinx(config),
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
