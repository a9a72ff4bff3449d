//! Nuxt Content: the collections of pages in `content.config.*`, and `content/` in version 2. Files of
//! `public/` are copied.

mod collections;

use self::collections::Collections;
use crate::dialects::config::{Config, Glob, MOST_EXCLUDED, Permalink, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope};
use crate::dialects::script::Scripts;
use crate::model::path::name;

/// The configuration of the program around it.
const CONFIG: &str = "nuxt.config.";
/// The configuration of its collections.
const COLLECTIONS: &str = "content.config.";
/// Its usual folder of texts, and the modules that publish it.
const ROOT: &str = "content";
const MODULES: [&str; 2] = ["@nuxt/content", "docus"];
/// Docus needs no configuration.
const PACKAGE: &str = "package.json";
const DOCUS: [&str; 2] = ["\"docus\":", "extends docus"];
/// The folder that is copied.
const PUBLIC: &str = "public";
/// The name of an index, with the number that only orders it.
const INDEX: &str = "index.md";

/// The configuration of the texts.
enum Generator {
    /// Of collections.
    Collections(String),
    /// Of the program, where it has no collections.
    Program(String),
}

impl Generator {
    fn detect(evidence: &Evidence<'_>) -> Option<Self> {
        let Some(program) = evidence.beginning(CONFIG) else {
            let is_docus = evidence.folder(ROOT) && evidence.says(PACKAGE, &DOCUS);
            return is_docus.then(|| Self::Program(PACKAGE.to_owned()));
        };
        let program = program.path.to_string();
        if let Some(file) = evidence.beginning(COLLECTIONS) {
            return Some(Self::Collections(file.path.to_string()));
        }
        let has_texts = evidence.folder(ROOT) && evidence.says(&program, &MODULES);
        has_texts.then_some(Self::Program(program))
    }

    fn file(&self) -> &str {
        match self {
            Self::Collections(file) | Self::Program(file) => file,
        }
    }
}

/// Whether the folder belongs to Nuxt Content.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    Generator::detect(evidence).is_some()
}

/// The folders of the collections; without any the usual one.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(generator) = Generator::detect(project.evidence) else {
        return Scope::default();
    };
    let mut content = Vec::new();
    for selection in &project.config.selections {
        if !content.contains(&selection.folder) {
            content.push(selection.folder.clone());
        }
    }
    if content.is_empty() {
        content.push(ROOT.to_owned());
    }
    Scope {
        copied: vec![Copied::at_root(PUBLIC)],
        bundled: true,
        by: generator.file().to_owned(),
        ..Scope::new(content, &[])
    }
}

/// What is published, and at which addresses.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(generator) = Generator::detect(evidence) else {
        return;
    };
    config.spelling = Some(Spelling::Unnumbered);
    match generator {
        Generator::Collections(file) => Collections::read(evidence, &file).settle(evidence, config),
        Generator::Program(file) => {
            place(config, ROOT, "");
            ignored(evidence, config, &file);
        }
    }
    let index = evidence.below(ROOT).find(|file| {
        let is_at_root = file.path.len() == ROOT.len() + 1 + name(&file.path).len();
        is_at_root && Spelling::Unnumbered.spell(name(&file.path)) == INDEX
    });
    config.home = index.map(|file| file.path.to_string());
}

/// Gives the texts of a folder their addresses below a place of the site.
fn place(config: &mut Config, folder: &str, place: &str) {
    let place = place.trim_matches('/');
    let pattern = match place {
        "" => "/:path".to_owned(),
        place => format!("/{place}/:path"),
    };
    config.permalinks.push(Permalink {
        scope: folder.to_owned(),
        pattern,
        below: true,
    });
}

/// `ignores` of version 2: expressions for paths from the folder of the texts. Names that begin with `-`
/// always are ignored, and those with `.draft` are drafts.
fn ignored(evidence: &Evidence<'_>, config: &mut Config, file: &str) {
    const KEY: &str = "ignores";
    let list = Scripts::new(evidence).lists(file, KEY);
    let hint = "write all its patterns as literals; what the program may name is left out";
    config.problems.extend(list.problem(KEY, hint));
    let count = list.all().count();
    if count > MOST_EXCLUDED && config.is_too_long(KEY, count, (0, 0)) {
        return;
    }
    config.exclude.extend(always_ignored());
    for expression in list.all().filter(|expression| !expression.is_empty()) {
        match below_root(expression) {
            Some(glob) => config.exclude.push(glob),
            None => config.close(KEY, expression, (0, 0)),
        }
    }
}

fn always_ignored() -> impl Iterator<Item = Glob> {
    let draft = below_root(r"\.draft(/|\.)").map(|glob| glob.because("draft"));
    below_root("/-").into_iter().chain(draft)
}

/// An expression for paths from the folder of the texts.
fn below_root(expression: &str) -> Option<Glob> {
    let (begins, inner) = match expression.strip_prefix('^') {
        Some(inner) if !inner.contains('|') => (true, inner),
        _ => (false, expression),
    };
    // Inside of another expression it would fit nothing.
    if inner.replace("[^", "[").replace("\\^", "").contains('^') {
        return None;
    }
    Glob::parse_expression(inner)?;
    let any = if begins { "" } else { ".*?" };
    Glob::parse_expression(&format!("^/{ROOT}{any}(?:{inner})"))
}
