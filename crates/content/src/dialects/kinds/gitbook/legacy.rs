//! HonKit, and GitBook as it was before: a book, or one for each language, with templates in its
//! texts.

use super::templates::{self, Known};
use super::{Files, MODERN};
use crate::dialects::config::{
    Config, Glob, Locale, MOST_EXCLUDED, Mount, UNKNOWN_FOLDER, first_existing, ignore_file, read,
};
use crate::dialects::evidence::Evidence;
use crate::dialects::order::{Ask, Outline, Weight, chapters};
use crate::dialects::scope::{Listed, Project, Scope};
use crate::dialects::script::{Scripts, folder, is_computed, is_open};
use crate::dialects::summary;
use crate::model::language;
use crate::model::path::{inside, inside_or_folder, join, name};
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Front, Node, Value};

/// Its configuration: data, or a program.
const FILES: [&str; 2] = ["book.js", "book.json"];
/// What a project says that builds its book.
const PACKAGE: &str = "package.json";
const PROGRAMS: [&str; 4] = [
    "\"honkit\"",
    "\"gitbook-cli\"",
    "\"gitbook\"",
    "gitbook build",
];
/// The list of languages.
const LANGUAGES: &str = "LANGS.md";
/// The maximum number of languages.
const MOST_LANGUAGES: usize = 200;
/// Files with patterns of what is left out, and the folder of templates, which always is.
const IGNORED: [&str; 3] = [".ignore", ".gitignore", ".bookignore"];
const LAYOUTS: &str = "_layouts";

/// A book at the root of the folder.
pub struct Book {
    /// Its configuration, and what that says.
    file: Option<&'static str>,
    pub front: Front,
    pub files: Files,
    /// Its folders of languages; without any it has no others.
    languages: Vec<String>,
    /// The folder of the texts, if that is not known.
    unread: Option<Node>,
    /// Whether its configuration is read whole.
    is_whole: bool,
}

impl Book {
    pub fn find(evidence: &Evidence<'_>) -> Option<Self> {
        if first_existing(evidence, &MODERN).is_some() {
            return None;
        }
        let file = FILES.into_iter().find(|path| evidence.file(path).is_some());
        let settings = file.map_or_else(Settings::default, |file| settings(evidence, file));
        let Settings { front, is_whole } = settings;
        let (files, unread) = files(&front);
        let languages = languages(evidence, &files);
        let is_named = || evidence.says(PACKAGE, &PROGRAMS);
        let is_book = match evidence.file(&files.summary) {
            _ if !languages.is_empty() => true,
            Some(_) => file.is_some() || is_named(),
            None => unread.is_some() && is_named(),
        };
        is_book.then_some(Self {
            file,
            front,
            files,
            languages,
            unread,
            is_whole,
        })
    }

    /// What shows it.
    pub fn evidence(&self) -> String {
        let list = match self.languages.is_empty() {
            true => self.files.summary.clone(),
            false => inside_or_folder(&self.files.root, LANGUAGES),
        };
        let file = self.file.or(self.languages.is_empty().then_some(PACKAGE));
        file.map_or_else(
            || format!("`{list}`"),
            |file| format!("`{file}` and `{list}`"),
        )
    }

    /// Its configuration, if that is a program.
    pub fn program(&self) -> Option<&'static str> {
        self.file.filter(|file| file.ends_with(".js"))
    }

    /// The order of its lists: those of languages are trees of their own.
    pub fn order(&self, ask: &Ask<'_, '_>) -> Option<Outline> {
        let lists = self.lists();
        let first = &lists.first()?.summary;
        if lists.len() == 1 {
            return chapters::list(ask, first, 1);
        }
        let outlines = lists
            .iter()
            .filter_map(|files| chapters::list(ask, &files.summary, 1));
        let items = outlines.flat_map(|outline| outline.items).collect();
        Outline::new(first, "list", Weight::Navigation, items)
    }

    /// The lists of pages, with the folders from which they count.
    pub fn lists(&self) -> Vec<Files> {
        let languages = self.languages.iter();
        let languages = languages.map(|folder| Files::from_front(folder, &structure(&self.front)));
        let lists: Vec<Files> = languages.collect();
        match lists.is_empty() {
            true => vec![self.files.clone()],
            false => lists,
        }
    }

    /// The pages that the lists name, with their first pages and glossaries.
    pub fn scope(&self, project: &Project<'_>) -> Scope {
        let mut scope = Scope::default();
        let mut listed = Listed {
            by: name(&self.files.summary).to_owned(),
            ..Listed::default()
        };
        for files in self.lists() {
            let mut chapters = project.chapters(&files.root, files.summary);
            listed.texts.append(&mut chapters.texts);
            listed.texts.extend([files.readme, files.glossary]);
            scope.content.push(files.root);
        }
        scope.listed = Some(listed);
        if !self.languages.is_empty() {
            // Languages show pictures that they share.
            let folders = project.evidence.folders(&self.files.root).into_iter();
            let folders = folders.map(|folder| inside_or_folder(&self.files.root, folder));
            scope.assets = folders.collect();
        }
        let ignored = IGNORED
            .iter()
            .filter_map(|name| project.evidence.file(name));
        let few = ignored.filter(|file| ignore_file::count(file) <= MOST_EXCLUDED);
        let patterns = few.flat_map(ignore_file::patterns);
        scope.ignored = Glob::parse(LAYOUTS).into_iter().chain(patterns).collect();
        scope
    }

    /// What is known of the values of its texts.
    fn values(&self, evidence: &Evidence<'_>) -> Known {
        let has = |name: &&str, folder: &String| evidence.file(&inside(folder, name)).is_some();
        let mut languages = self.languages.iter();
        let has_own = languages.any(|folder| FILES.iter().any(|name| has(name, folder)));
        match self.is_whole {
            true if self.languages.is_empty() => Known::All,
            true if !has_own => Known::Some,
            _ => Known::Nothing,
        }
    }

    /// Notes the folder of the texts, the languages, and what cannot be read.
    pub fn settle(&self, evidence: &Evidence<'_>, config: &mut Config) {
        self.places(config);
        for name in IGNORED {
            if let Some(file) = evidence.file(name) {
                config.is_too_long(name, ignore_file::count(file), (0, 0));
            }
        }
        templates::settle(config, &self.front, self.values(evidence));
        if let Some(file) = self.program().filter(|_| !self.is_whole) {
            let problem = Problem::warning(
                "the configuration is not read whole: what it does not publish may be published",
            );
            let hint = "write `root`, `structure` and `variables` as literals in this file";
            let problem = problem.at(file, 0, 0).cause(Cause::Configuration);
            config.problems.push(problem.hint(hint));
        }
        let Some(node) = &self.unread else {
            return;
        };
        let problem = Problem::error("`root` is not read: it is computed, or outside the folder");
        let problem = problem.at(self.file.unwrap_or_default(), node.line, node.column);
        let hint = "write a folder of the book as a literal; nothing of the site is published";
        config.withhold_for(problem.hint(hint), UNKNOWN_FOLDER);
    }

    /// Notes where the texts are, and the languages. The first of them is the site itself.
    fn places(&self, config: &mut Config) {
        let lists = self.lists().into_iter();
        config.include_roots = lists.map(|files| files.root).collect();
        let first = config.include_roots.first().cloned();
        config.content = first.filter(|root| !root.is_empty());
        for (number, folder) in self.languages.iter().enumerate() {
            let name = name(folder).to_owned();
            config.mounts.push(Mount {
                folder: folder.clone(),
                at: folder.clone(),
                within: Some(match number {
                    0 => String::new(),
                    _ => name.clone(),
                }),
                ..Mount::default()
            });
            if number == 0 {
                config.default_language = Some(name.to_lowercase());
            }
            if let Some(tag) = language::tag(&name) {
                config.locales.push(Locale { name, tag });
            }
        }
        config.say_languages();
    }
}

/// What a configuration says, and whether that is all.
struct Settings {
    front: Front,
    is_whole: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            front: Front::default(),
            is_whole: true,
        }
    }
}

/// Reads a configuration; of a program its literals.
fn settings(evidence: &Evidence<'_>, file: &str) -> Settings {
    if !file.ends_with(".js") {
        let data = evidence.file(file).map(read);
        let (front, _, problems) = data.unwrap_or_default();
        return Settings {
            front,
            is_whole: problems.is_empty(),
        };
    }
    let export = Scripts::new(evidence).default_export(file);
    let is_whole = export.as_ref().is_some_and(|export| !is_open(export));
    let entries = match export.map(|export| export.value) {
        Some(Value::Map(entries)) => entries,
        _ => Vec::new(),
    };
    let front = Front {
        entries,
        ..Front::default()
    };
    Settings { front, is_whole }
}

/// The files of a book, and its key `root` if that names no folder of it.
fn files(front: &Front) -> (Files, Option<Node>) {
    let node = front.get("root").map(|entry| &entry.node);
    let root = node.map_or_else(|| Some(String::new()), |node| folder(node, ""));
    let unread = node.filter(|_| root.is_none()).cloned();
    let root = root.unwrap_or_default();
    (Files::from_front(&root, &structure(front)), unread)
}

/// The names of the files of a book, without its folder.
fn structure(front: &Front) -> Front {
    let mut front = front.clone();
    front
        .entries
        .retain(|entry| entry.key.text == "structure" && !is_computed(&entry.node));
    front
}

/// The folders of the languages that a book lists.
fn languages(evidence: &Evidence<'_>, files: &Files) -> Vec<String> {
    let list = evidence.file(&inside_or_folder(&files.root, LANGUAGES));
    let Some(list) = list else {
        return Vec::new();
    };
    let addresses = summary::addresses(&String::from_utf8_lossy(&list.bytes));
    let folders = addresses.iter().filter_map(|address| {
        let address = address.split('#').next()?.trim_end_matches("README.md");
        join(&files.root, address.trim_start_matches('/'))
    });
    let below = name(&files.summary);
    let is_book = |folder: &String| {
        let has = |name: &str| evidence.file(&inside(folder, name)).is_some();
        *folder != files.root && has(below) && !MODERN.iter().any(|name| has(name))
    };
    let mut found: Vec<String> = Vec::new();
    for folder in folders.filter(is_book) {
        if !found.contains(&folder) && found.len() < MOST_LANGUAGES {
            found.push(folder);
        }
    }
    found
}
