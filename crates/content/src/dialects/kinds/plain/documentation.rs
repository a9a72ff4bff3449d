//! Generators of documentation: Retype, Rspress, Observable Framework, Documenter.

use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, Patterns, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts, is_computed};
use crate::model::path::inside_or_folder;
use crate::syntax::front::{Front, Node, Value};

/// The configuration of Retype.
const RETYPE: [&str; 3] = ["retype.yml", "retype.yaml", "retype.json"];
/// The beginning of the configuration of Rspress, and its usual folder of texts.
const RSPRESS: (&str, &str) = ("rspress.config.", "docs");
/// The same of Observable Framework.
const OBSERVABLE: (&str, &str) = ("observablehq.config.", "src");
/// The program that builds a site of Documenter, and its folder of texts.
const DOCUMENTER: (&str, &str) = ("docs/make.jl", "docs/src");

/// The key of the patterns that are left out.
const EXCLUDE: &str = "exclude";

/// Keys with what describes the site.
const KEYS: Keys = Keys {
    title: &["meta.siteName", "branding.title", "title"],
    address: &["url", "siteOrigin"],
    ..Keys::NONE
};

/// One of these generators, with the path of its configuration.
enum Generator {
    Retype(String),
    Rspress(String),
    Observable(String),
    Documenter,
}

impl Generator {
    fn detect(evidence: &Evidence<'_>) -> Option<Self> {
        for name in RETYPE {
            if evidence.file(name).is_some() {
                return Some(Self::Retype(name.to_owned()));
            }
        }
        if let Some(file) = evidence.beginning(RSPRESS.0) {
            return Some(Self::Rspress(file.path.to_string()));
        }
        if let Some(file) = evidence.beginning(OBSERVABLE.0) {
            return Some(Self::Observable(file.path.to_string()));
        }
        let is_documenter =
            evidence.file(DOCUMENTER.0).is_some() && evidence.holds_text(DOCUMENTER.1);
        is_documenter.then_some(Self::Documenter)
    }

    /// The path of its configuration.
    fn file(&self) -> &str {
        match self {
            Self::Retype(file) | Self::Rspress(file) | Self::Observable(file) => file,
            Self::Documenter => DOCUMENTER.0,
        }
    }

    /// What the configuration says, as literals.
    fn settings(&self, evidence: &Evidence<'_>) -> Option<(&str, Front)> {
        match self {
            Self::Retype(file) => Some((file, read(evidence.file(file)?).0)),
            Self::Rspress(file) | Self::Observable(file) => {
                let Value::Map(entries) = Scripts::new(evidence).default_export(file)?.value else {
                    return None;
                };
                let front = Front {
                    entries,
                    ..Front::default()
                };
                Some((file, front))
            }
            Self::Documenter => None,
        }
    }
}

/// Whether the folder belongs to one of them.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    Generator::detect(evidence).is_some()
}

/// The folder of the texts, without what the configuration leaves out.
pub fn scope(project: &Project<'_>) -> Scope {
    let evidence = project.evidence;
    let Some(generator) = Generator::detect(evidence) else {
        return Scope::default();
    };
    let (_, front) = generator.settings(evidence).unwrap_or_default();
    let mut scope = match &generator {
        Generator::Retype(_) => retype(&front),
        Generator::Rspress(file) => rspress(&front, &excluded(evidence, file)),
        Generator::Observable(_) => only(named(&front, "root", OBSERVABLE.1)),
        Generator::Documenter => only(DOCUMENTER.1.to_owned()),
    };
    generator.file().clone_into(&mut scope.by);
    scope
}

fn only(content: String) -> Scope {
    Scope::new(vec![content], &[])
}

/// The folder that a key names, else the usual one.
fn named(front: &Front, key: &str, usual: &str) -> String {
    match front.text(&[key]).and_then(folder_path) {
        Some(folder) => folder,
        None => usual.to_owned(),
    }
}

/// Patterns count from the folder of the texts. `include` has the last word.
fn retype(front: &Front) -> Scope {
    let content = named(front, "input", "");
    let mut scope = only(content.clone());
    for pattern in items(front, EXCLUDE).take(MOST_EXCLUDED) {
        scope.excluded.extend(Glob::parse_below(&content, pattern));
    }
    for pattern in items(front, "include").take(MOST_EXCLUDED) {
        let glob = Glob::parse_below(&content, pattern);
        scope.excluded.extend(glob.map(Glob::negate));
    }
    scope
}

fn rspress(front: &Front, excluded: &List) -> Scope {
    let content = named(front, "root", RSPRESS.1);
    let mut scope = only(content.clone());
    let public = inside_or_folder(&content, "public");
    scope.copied.push(Copied::at_root(&public));
    for pattern in excluded.all().take(MOST_EXCLUDED) {
        let pattern = inside_or_folder(&content, pattern.trim_start_matches("./"));
        scope.excluded.extend(Patterns::Rooted.read(&pattern));
    }
    scope
}

/// The texts of the list that a key has.
fn items<'f>(front: &'f Front, key: &str) -> impl Iterator<Item = &'f str> {
    let items = front.get(key).map_or(&[][..], |entry| entry.node.items());
    items.iter().filter_map(Node::text)
}

/// Reads what describes the site.
pub fn describe(evidence: &Evidence<'_>, config: &mut Config) {
    if let Some(generator) = Generator::detect(evidence)
        && let Some((file, front)) = generator.settings(evidence)
    {
        config.read_program(file, &front, &KEYS);
    }
}

/// Whether a README is an index, and what of the configuration cannot be read.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(generator) = Generator::detect(evidence) else {
        return;
    };
    let count = match &generator {
        Generator::Retype(_) => {
            config.readme_is_index = true;
            let (_, front) = generator.settings(evidence).unwrap_or_default();
            items(&front, EXCLUDE).count()
        }
        Generator::Rspress(file) => {
            let list = excluded(evidence, file);
            let hint = "write all its patterns as literals; what the program may name is left out";
            config.problems.extend(list.problem(EXCLUDE, hint));
            list.all().count()
        }
        Generator::Observable(_) | Generator::Documenter => 0,
    };
    config.is_too_long(EXCLUDE, count, (0, 0));
}

/// `route.exclude` of Rspress. If a program makes it, all lists with that name count.
fn excluded(evidence: &Evidence<'_>, file: &str) -> List {
    let mut scripts = Scripts::new(evidence);
    let exported = scripts.default_export(file);
    let literals = exported.and_then(|config| literals(&config));
    literals.map_or_else(|| scripts.lists(file, EXCLUDE), List::new)
}

/// Whether a program may add keys to a map.
fn is_open(node: &Node) -> bool {
    let Value::Map(entries) = &node.value else {
        return is_computed(node);
    };
    // A key of the reader of programs: a spread, or the function whose argument the map is.
    entries
        .iter()
        .any(|entry| entry.key.text.starts_with('\0') && entry.node.text() != Some("defineConfig"))
}

/// The literal patterns of a configuration; `None`: a program makes some.
fn literals(config: &Node) -> Option<Vec<String>> {
    let mut node = config;
    for key in ["route", EXCLUDE] {
        if is_open(node) {
            return None;
        }
        let Some(entry) = node.get(key) else {
            return Some(Vec::new());
        };
        node = &entry.node;
    }
    let items = [node].into_iter().chain(node.items());
    if items.clone().any(is_computed) {
        return None;
    }
    node.items()
        .iter()
        .map(|item| item.text().map(str::to_owned))
        .collect()
}
