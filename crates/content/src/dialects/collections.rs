//! The collections of an Astro site: those that it defines, and those that its pages name.

use std::collections::{BTreeMap, BTreeSet};

use super::config::{Glob, MOST_EXCLUDED, Selection, too_many};
use super::evidence::Evidence;
use super::scope::folder_path;
use super::script::{List, Scripts, called, is_computed};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::syntax::front::{Entry, Node, Value};

/// The maximum number of files that are looked through for names of collections.
const MOST_FILES: usize = 5000;
/// The maximum number of collections.
const MOST: usize = 200;
/// The endings of files that may name a collection, beside those of the kind's own templates.
const PROGRAMS: [&str; 8] = ["ts", "js", "mjs", "tsx", "jsx", "vue", "svelte", "mdx"];
/// The functions that give a collection, or a text of one.
const GETTERS: [&str; 3] = ["getCollection", "getEntry", "getEntryBySlug"];
/// The option with the patterns of the texts.
const PATTERN: &str = "pattern";
/// Every text.
const ALL: &str = "**/*";

/// The texts of the collections of a site.
#[derive(Default)]
pub struct Collections {
    /// Whether the programs name one.
    pub are_named: bool,
    /// Which of the selections a loader reads, by the name of its collection.
    loaded: BTreeMap<String, usize>,
    pub selections: Vec<Selection>,
    pub problems: Vec<Problem>,
}

impl Collections {
    /// Those that the programs in the source folder name, and the one that is `always` shown; all that
    /// are defined if the programs name none.
    pub fn find(
        evidence: &Evidence<'_>,
        source: &str,
        (templates, always): (&[&str], Option<&str>),
    ) -> Self {
        let mut names = Names::find(evidence, source, templates);
        let mut collections = Self {
            are_named: !names.literal.is_empty(),
            ..Self::default()
        };
        if collections.are_named {
            names.literal.extend(always.map(str::to_owned));
        }
        if let Some(file) = configuration(evidence, source) {
            collections.defined(evidence, source, file, &mut names);
            collections.give_reasons(file);
        }
        for name in names.literal.iter().take(MOST) {
            collections.without_loader(&in_content(source, name));
        }
        // A collection may have its base above the pages.
        let pages = inside_or_folder(source, "pages");
        if collections.are_about(&pages) {
            collections.add_all(&pages);
        }
        collections
    }

    /// Says of every selection which file lists its texts.
    fn give_reasons(&mut self, file: &SourceFile) {
        for selection in &mut self.selections {
            let reason = format!("not among the files that `{}` lists", file.path);
            selection.reason = Some(reason);
        }
    }

    /// The texts that a loader reads for the collection with this name, and their folder, if no other
    /// collection is of the same one.
    pub fn loaded(&self, name: &str) -> Option<(&[Glob], &str)> {
        let selection = self.with_loader(name)?;
        let same = self.selections.iter();
        let same = same.filter(|other| other.folder == selection.folder);
        (same.count() == 1).then_some((&*selection.files, &*selection.folder))
    }

    /// The folder that a loader reads for the collection with this name.
    pub fn folder(&self, name: &str) -> Option<&str> {
        Some(&self.with_loader(name)?.folder)
    }

    /// What a loader selects for the collection with this name.
    fn with_loader(&self, name: &str) -> Option<&Selection> {
        self.selections.get(*self.loaded.get(name)?)
    }

    /// Adds those that a program defines with a loader, and takes their names.
    fn defined(
        &mut self,
        evidence: &Evidence<'_>,
        source: &str,
        file: &SourceFile,
        names: &mut Names,
    ) {
        let mut scripts = Scripts::with_lists(evidence, &[PATTERN]);
        let defined = scripts.export(&file.path, "collections");
        let is_open = defined.as_ref().is_none_or(is_unread);
        let entries = match defined.map(|node| node.value) {
            Some(Value::Map(entries)) => entries,
            _ => Vec::new(),
        };
        let has_loader = entries
            .iter()
            .any(|entry| entry.node.get("loader").is_some());
        if is_open && !has_loader {
            self.by_words(file, &mut scripts);
        }
        if is_open && (has_loader || !self.selections.is_empty()) {
            self.problems.push(unread(file));
        }
        let mut taken = Vec::new();
        for Entry { key, node } in entries.iter().take(MOST) {
            let name = &*key.text;
            let Some(loader) = loader(node).filter(|_| names.are_shown(name)) else {
                continue;
            };
            taken.push(name);
            self.add(name, loader, (file, &scripts));
            let folder = in_content(source, name);
            self.tell_unread(evidence, name, loader, (file, &folder));
        }
        for name in taken {
            names.literal.remove(name);
        }
    }

    /// Adds the texts of a folder, where no other collection has them.
    fn without_loader(&mut self, folder: &str) {
        if !self.are_about(folder) {
            self.add_all(folder);
        }
    }

    fn are_about(&self, folder: &str) -> bool {
        let path = inside_or_folder(folder, "a.md");
        self.selections.iter().any(|one| one.is_about(&path))
    }

    fn add_all(&mut self, folder: &str) {
        let (files, exclude) = (std::iter::once(ALL), std::iter::empty());
        self.selections
            .push(Selection::of_markdown(folder, files, exclude));
    }

    /// Adds the collection that a loader reads: `glob({ base, pattern })`.
    fn add(&mut self, name: &str, loader: &Node, (file, scripts): (&SourceFile, &Scripts<'_, '_>)) {
        // Any other loader reads data, or another site.
        let Value::Map(options) = &loader.value else {
            return;
        };
        if called(loader) != Some("glob") {
            return;
        }
        let base = loader.get("base").map(|entry| &entry.node);
        let patterns = scripts.list_of(options, PATTERN).unwrap_or_default();
        let patterns = self.bounded(patterns, (name, loader, file));
        let key = format!("{name}.{PATTERN}");
        let hint = "write all its patterns as literals; what the program may name is withheld";
        self.problems.extend(patterns.problem(&key, hint));
        match base {
            Some(base) if base.text().is_none() || is_computed(base) => {
                let problem =
                    Problem::error(format!("`{name}.base` is not read: a program computes it"));
                let problem = problem.at(&*file.path, base.line, base.column);
                let problem = problem.cause(Cause::Configuration);
                let hint = "write the folder as a literal; its texts are withheld";
                self.problems.push(problem.hint(hint));
            }
            base => {
                let base = base.and_then(Node::text).unwrap_or_default();
                if let Some(folder) = folder_path(base) {
                    self.loaded.insert(name.to_owned(), self.selections.len());
                    self.selections.push(select(&folder, &patterns));
                }
            }
        }
    }

    /// The patterns of a collection; none, with an error, if they are too many.
    fn bounded(
        &mut self,
        patterns: List,
        (name, loader, file): (&str, &Node, &SourceFile),
    ) -> List {
        let count = patterns.all().count();
        if count <= MOST_EXCLUDED {
            return patterns;
        }
        let problem = too_many(
            &format!("{name}.{PATTERN}"),
            count,
            "its texts are withheld",
        );
        self.problems
            .push(problem.at(&*file.path, loader.line, loader.column));
        List::default()
    }

    /// Tells of a folder of texts that another loader than `glob` may read.
    fn tell_unread(
        &mut self,
        evidence: &Evidence<'_>,
        name: &str,
        loader: &Node,
        (file, folder): (&SourceFile, &str),
    ) {
        // Starlight has its own loader for its own collection.
        if called(loader) == Some("glob") || name == "docs" || !evidence.holds_text(folder) {
            return;
        }
        let problem = Problem::error(format!(
            "the loader of `{name}` is not read, and `{folder}/` is withheld"
        ));
        let problem = problem.at(&*file.path, loader.line, loader.column);
        let problem = problem.cause(Cause::Configuration);
        let hint = "use `glob({ pattern, base })`, or set `articles` to the folder";
        self.problems.push(problem.hint(hint));
    }

    /// The folders that a program names, where it computes the collections: each has the patterns
    /// of all.
    fn by_words(&mut self, file: &SourceFile, scripts: &mut Scripts<'_, '_>) {
        let mut patterns = scripts.lists(&file.path, PATTERN);
        if patterns.all().count() > MOST_EXCLUDED {
            // What is not certain is withheld, and that is said.
            patterns = List::default();
        }
        let bases = scripts.lists(&file.path, "base");
        for base in bases.all().filter_map(folder_path).take(MOST) {
            self.selections.push(select(&base, &patterns));
        }
    }
}

fn unread(file: &SourceFile) -> Problem {
    let problem = Problem::error("`collections` is not read whole: a program computes it");
    let problem = problem.at(&*file.path, 0, 0).cause(Cause::Configuration);
    problem.hint(
        "write `export const collections = { … }` with a literal `base` and `pattern` for each",
    )
}

/// Whether a program computes a value, or a part of a map.
fn is_unread(node: &Node) -> bool {
    is_computed(node) && called(node).is_none()
}

/// The loader of a collection; where a program computes the whole collection, that.
fn loader(collection: &Node) -> Option<&Node> {
    let loader = collection.get("loader").map(|entry| &entry.node);
    loader.or(is_unread(collection).then_some(collection))
}

/// The folder of a collection without a loader.
pub fn in_content(source: &str, name: &str) -> String {
    inside_or_folder(source, &format!("content/{name}"))
}

/// The texts of a collection. What is not certain is not published.
fn select(folder: &str, patterns: &List) -> Selection {
    let negative = patterns.possible.iter();
    let negative = negative.filter(|pattern| pattern.starts_with('!'));
    let certain = patterns.certain.iter().map(String::as_str);
    Selection::of_markdown(folder, certain, negative.map(String::as_str))
}

/// The file that defines the collections.
pub fn configuration<'a>(evidence: &Evidence<'a>, source: &str) -> Option<&'a SourceFile> {
    ["content.config.", "content/config."]
        .iter()
        .find_map(|name| evidence.beginning(&inside_or_folder(source, name)))
}

/// The collections that a program names.
#[derive(Default)]
struct Names {
    literal: BTreeSet<String>,
    /// Other literals of its files, where it names some collection by a value.
    others: Option<BTreeSet<String>>,
}

impl Names {
    fn find(evidence: &Evidence<'_>, source: &str, templates: &[&str]) -> Self {
        let mut names = Self::default();
        let mut files: Vec<_> = evidence
            .below(source)
            .filter(|file| is_program(file, templates))
            .collect();
        files.truncate(MOST_FILES);
        for file in &files {
            let text = String::from_utf8_lossy(&file.bytes);
            for getter in GETTERS {
                for call in text.split(getter).skip(1).take(MOST) {
                    match argument(call) {
                        Some(Argument::Literal(name)) => {
                            names.literal.insert(name.to_owned());
                        }
                        Some(Argument::Other) if getter == GETTERS[0] => {
                            names.others.get_or_insert_default();
                        }
                        _ => {}
                    }
                }
            }
        }
        if let Some(others) = &mut names.others {
            for file in files {
                let text = String::from_utf8_lossy(&file.bytes);
                let literals = text.split(['"', '\'', '`']).filter(|one| one.len() < MOST);
                others.extend(literals.map(str::to_owned));
            }
        }
        names
    }

    /// Whether a collection is shown.
    fn are_shown(&self, name: &str) -> bool {
        let is_named = |names: &BTreeSet<String>| names.contains(name);
        self.literal.is_empty()
            || is_named(&self.literal)
            || self.others.as_ref().is_some_and(is_named)
    }
}

fn is_program(file: &SourceFile, templates: &[&str]) -> bool {
    let (_, ending) = file.path.rsplit_once('.').unwrap_or_default();
    PROGRAMS.contains(&ending) || templates.contains(&ending)
}

/// An argument of a call.
enum Argument<'c> {
    Literal(&'c str),
    Other,
}

/// The first argument of a call behind the name of its function.
fn argument(call: &str) -> Option<Argument<'_>> {
    let mut rest = call.trim_start();
    if let Some(types) = rest.strip_prefix('<') {
        rest = types.split_once('>')?.1;
    }
    let rest = rest.strip_prefix('(')?.trim_start();
    let rest = rest.strip_prefix('{').map_or(rest, |object| {
        let value = object.split_once("collection:");
        value.map_or(object, |(_, value)| value).trim_start()
    });
    let quote = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'));
    let inner = quote.and_then(|quote| rest[1..].split(quote).next());
    Some(inner.map_or(Argument::Other, Argument::Literal))
}
