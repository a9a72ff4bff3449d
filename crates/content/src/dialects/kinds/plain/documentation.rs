//! Generators of documentation: Retype, Rspress, Observable Framework, Documenter.

use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, Patterns, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts, is_computed};
use crate::model::path::{folder, inside_or_folder};
use crate::syntax::front::{Front, Node, Value};

/// The configuration of Retype.
const RETYPE: [&str; 3] = ["retype.yml", "retype.yaml", "retype.json"];
/// The beginning of the configuration of Rspress, and its usual folder of texts.
const RSPRESS: (&str, &str) = ("rspress.config.", "docs");
/// The same of Observable Framework.
const OBSERVABLE: (&str, &str) = ("observablehq.config.", "src");
/// The program that builds a site of Documenter, and its folder of texts.
const DOCUMENTER: (&str, &str) = ("docs/make.jl", "docs/src");

/// The key of the patterns that Rspress leaves out.
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
        let path = |name: &str| Some(evidence.beginning(name)?.path.to_string());
        let retype = RETYPE.iter().find(|name| evidence.file(name).is_some());
        let documenter = || {
            let has_texts = evidence.holds_text(DOCUMENTER.1);
            evidence.file(DOCUMENTER.0).filter(|_| has_texts)
        };
        retype
            .map(|name| Self::Retype((*name).to_owned()))
            .or_else(|| path(RSPRESS.0).map(Self::Rspress))
            .or_else(|| path(OBSERVABLE.0).map(Self::Observable))
            .or_else(|| documenter().map(|_| Self::Documenter))
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
    let settings = generator.settings(evidence);
    let front = settings.map(|(_, front)| front).unwrap_or_default();
    let named = |key: &str, usual: &str| {
        let folder = front.text(&[key]).and_then(folder_path);
        folder.unwrap_or_else(|| usual.to_owned())
    };
    let mut scope = match &generator {
        Generator::Retype(file) => {
            let content = inside_or_folder(folder(file), &named("input", ""));
            let mut scope = Scope::new(vec![content.clone()], &[]);
            for key in ["exclude", "include"] {
                let globs = items(&front, key).filter_map(|one| Glob::parse_below(&content, one));
                let is_back = key == "include";
                let globs = globs.map(|glob| if is_back { glob.negate() } else { glob });
                scope.excluded.extend(globs.take(MOST_EXCLUDED));
            }
            scope
        }
        Generator::Rspress(file) => {
            let content = named("root", RSPRESS.1);
            let public = Copied::at_root(&inside_or_folder(&content, "public"));
            let mut scope = Scope::new(vec![content.clone()], &[]);
            scope.copied.push(public);
            let left_out = excluded(evidence, file);
            for pattern in left_out.all().take(MOST_EXCLUDED) {
                let pattern = inside_or_folder(&content, pattern.trim_start_matches("./"));
                scope.excluded.extend(Patterns::Rooted.read(&pattern));
            }
            scope
        }
        Generator::Observable(_) => Scope::new(vec![named("root", OBSERVABLE.1)], &[]),
        Generator::Documenter => Scope::new(vec![DOCUMENTER.1.to_owned()], &[]),
    };
    generator.file().clone_into(&mut scope.by);
    scope
}

/// The texts of the list that a key has.
fn items<'f>(front: &'f Front, key: &str) -> impl Iterator<Item = &'f str> {
    let items = front.get(key).map_or(&[][..], |entry| entry.node.items());
    items.iter().filter_map(Node::text)
}

/// Reads what describes the site.
pub fn describe(evidence: &Evidence<'_>, config: &mut Config) {
    let generator = Generator::detect(evidence);
    if let Some((file, front)) = generator.as_ref().and_then(|one| one.settings(evidence)) {
        config.read_program(file, &front, &KEYS);
    }
}

/// Whether a README is an index, and what of the configuration cannot be read.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    match Generator::detect(evidence) {
        Some(Generator::Retype(_)) => config.readme_is_index = true,
        Some(Generator::Rspress(file)) => {
            let hint = "write all its patterns as literals; what the program may name is left out";
            let list = excluded(evidence, &file);
            config.problems.extend(list.problem(EXCLUDE, hint));
        }
        _ => {}
    }
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
    let mut own = entries
        .iter()
        .filter(|entry| entry.key.text.starts_with('\0'));
    own.any(|entry| entry.node.text() != Some("defineConfig"))
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
