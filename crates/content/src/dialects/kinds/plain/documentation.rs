//! Generators of documentation: Retype, Rspress, Observable Framework, Documenter.

mod rspress;

use super::retype;
use crate::dialects::config::{Config, Glob, Keys, MOST_EXCLUDED, Patterns, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Listed, Project, Scope, folder_path};
use crate::dialects::script::{List, Scripts, is_computed};
use crate::model::path::inside_or_folder;
use crate::model::text::decode;
use crate::syntax::front::{Front, Node, Value};

/// The configuration of Retype.
const RETYPE: [&str; 3] = ["retype.yml", "retype.yaml", "retype.json"];
/// The beginning of the configuration of Rspress, and its usual folder of texts.
const RSPRESS: (&str, &str) = ("rspress.config.", "docs");
/// The beginning of the configuration of Observable Framework, and its usual folders of texts: the first
/// that exists.
const OBSERVABLE: (&str, [&str; 2]) = ("observablehq.config.", ["docs", "src"]);
/// Texts of Observable Framework that are a template for pages.
const PARAMETERS: &str = "*[*]*";
/// The function by which its programs name files.
const ATTACHMENT: &str = "FileAttachment";
/// The program that builds a site of Documenter, and its folder of texts.
const DOCUMENTER: (&str, &str) = ("docs/make.jl", "docs/src");
/// The key with which Documenter renders only the texts that its program names.
const PAGES_ONLY: &str = "pagesonly";

/// The maximum number of files of one configuration.
const MOST_FILES: usize = 20;
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
        Generator::Retype(_) => retype(evidence, &front),
        Generator::Rspress(file) => {
            let content = root(evidence, &front, file, RSPRESS.1);
            of_rspress(content, &excluded(evidence, file))
        }
        Generator::Observable(file) => {
            let [first, second] = OBSERVABLE.1;
            let usual = if evidence.folder(first) {
                first
            } else {
                second
            };
            let mut scope = bundled(root(evidence, &front, file, usual));
            scope.attached_by = Some(ATTACHMENT);
            scope.excluded.extend(Glob::parse(PARAMETERS));
            scope
        }
        Generator::Documenter => documenter(evidence),
    };
    generator.file().clone_into(&mut scope.by);
    scope
}

fn only(content: String) -> Scope {
    Scope::new(vec![content], &[])
}

/// A folder of which only Markdown and what texts show is published.
fn bundled(content: String) -> Scope {
    Scope {
        bundled: true,
        ..only(content)
    }
}

/// The folder at `root`: a literal, else the last text in the expression that a folder has, as in
/// `path.join(__dirname, 'docs')`.
fn root(evidence: &Evidence<'_>, front: &Front, file: &str, usual: &str) -> String {
    const KEY: &str = "root";
    let Some(entry) = front.get(KEY) else {
        return usual.to_owned();
    };
    let literal = entry.node.text().filter(|_| !is_computed(&entry.node));
    if let Some(folder) = literal.and_then(folder_path) {
        return folder;
    }
    let named = Scripts::new(evidence).lists(file, KEY);
    let folders = named.all().filter_map(folder_path);
    let known = folders.filter(|folder| evidence.holds_text(folder));
    known.last().unwrap_or_else(|| usual.to_owned())
}

/// Patterns count from the folder of the texts. `include` has the last word.
fn retype(evidence: &Evidence<'_>, front: &Front) -> Scope {
    let content = input(front);
    let mut scope = only(content.clone());
    let fronts = retype_files(evidence);
    let excluded = fronts.iter().flat_map(|front| front.texts(EXCLUDE));
    for pattern in excluded.take(MOST_EXCLUDED) {
        scope.excluded.extend(Glob::parse_below(&content, pattern));
    }
    let included = fronts.iter().flat_map(|front| front.texts("include"));
    for pattern in included.take(MOST_EXCLUDED) {
        if let Some(mut glob) = Glob::parse_below(&content, pattern) {
            // A `!` leaves out again.
            glob.negated = !glob.negated;
            scope.excluded.push(glob);
        }
    }
    scope
}

/// The folder of the texts.
fn input(front: &Front) -> String {
    let content = front.text(&["input"]).and_then(folder_path);
    content.unwrap_or_default()
}

/// All files of the configuration: `retype.build.yml` and others add to the first.
fn retype_files(evidence: &Evidence<'_>) -> Vec<Front> {
    let mut fronts = Vec::new();
    for file in evidence.all_beginning("retype.", false) {
        let ending = file.path.rsplit('.').next();
        if matches!(ending, Some("yml" | "yaml" | "json")) && fronts.len() < MOST_FILES {
            fronts.push(read(file).0);
        }
    }
    fronts
}

fn of_rspress(content: String, excluded: &List) -> Scope {
    let mut scope = bundled(content.clone());
    let public = inside_or_folder(&content, "public");
    scope.copied.push(Copied::at_root(&public));
    for pattern in excluded.all().take(MOST_EXCLUDED) {
        let pattern = inside_or_folder(&content, pattern.trim_start_matches("./"));
        scope.excluded.extend(Patterns::Rooted.read(&pattern));
    }
    scope
}

/// All texts of the folder, or those that the program names if it renders no others.
fn documenter(evidence: &Evidence<'_>) -> Scope {
    let (program, folder) = DOCUMENTER;
    let mut scope = only(folder.to_owned());
    let Some(file) = evidence.file(program) else {
        return scope;
    };
    let (text, _) = decode(&file.bytes, &file.path);
    if text.contains(PAGES_ONLY) {
        let quoted = text.split('"').filter(|text| text.ends_with(".md"));
        let texts = quoted.map(|text| inside_or_folder(folder, text));
        scope.listed = Some(Listed {
            by: program.to_owned(),
            texts: texts.collect(),
        });
    }
    scope
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
            let fronts = retype_files(evidence);
            let excluded = fronts.iter().flat_map(|front| front.texts(EXCLUDE));
            let count = excluded.count();
            let (_, front) = generator.settings(evidence).unwrap_or_default();
            retype::settle(evidence, config, &front, &input(&front));
            count
        }
        Generator::Rspress(file) => {
            let list = excluded(evidence, file);
            let hint = "write all its patterns as literals; what the program may name is left out";
            config.problems.extend(list.problem(EXCLUDE, hint));
            let (_, front) = generator.settings(evidence).unwrap_or_default();
            let content = root(evidence, &front, file, RSPRESS.1);
            rspress::place(evidence, &front, &content, config);
            list.all().count()
        }
        Generator::Observable(_) | Generator::Documenter => 0,
    };
    config.is_too_long(EXCLUDE, count, (0, 0));
}

/// `route.exclude` of Rspress. If a program may add keys, all lists with that name count.
fn excluded(evidence: &Evidence<'_>, file: &str) -> List {
    let mut scripts = Scripts::with_lists(evidence, &[EXCLUDE]);
    let config = scripts.default_export(file);
    let config = config.filter(|config| !is_open(config));
    match config.as_ref().map(|config| config.get("route")) {
        Some(None) => List::default(),
        Some(Some(route)) if !is_open(&route.node) => {
            let list = scripts.list_of(route.node.entries(), EXCLUDE);
            list.unwrap_or_default()
        }
        _ => scripts.lists(file, EXCLUDE),
    }
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
