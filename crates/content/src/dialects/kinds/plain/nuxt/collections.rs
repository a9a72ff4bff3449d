//! The collections of Nuxt Content 3: `defineCollection({ type: 'page', source: { include: 'docs/**' } })`.
//! A text is public if a source of a collection of pages includes it.

use super::{ROOT, place};
use crate::dialects::config::{Config, MOST_EXCLUDED, Selection, too_many};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::folder_path;
use crate::dialects::script::{List, Scripts, called, folder, is_computed, is_open};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Node};

/// The maximum number of collections, and of sources of one.
const MOST: usize = 200;
/// The key of what a source leaves out.
const EXCLUDE: &str = "exclude";
/// Why nothing is published where no collection has pages.
const NO_PAGES: &str = "in no collection of pages";

/// The sources of all collections of pages.
pub struct Collections<'f> {
    file: &'f str,
    sources: Vec<Source>,
    problems: Vec<Problem>,
}

/// The texts of one source.
struct Source {
    folder: String,
    include: String,
    exclude: List,
    /// Its place on the site, if it names one.
    prefix: Option<String>,
}

impl<'f> Collections<'f> {
    pub fn read(evidence: &Evidence<'_>, file: &'f str) -> Self {
        let mut scripts = Scripts::with_lists(evidence, &[EXCLUDE]);
        let config = scripts.default_export(file);
        let mut read = Self {
            file,
            sources: Vec::new(),
            problems: Vec::new(),
        };
        const COLLECTIONS: &str = "collections";
        let own = config.as_ref().and_then(|config| config.get(COLLECTIONS));
        let own = own.map(|entry| entry.node.clone());
        let Some(collections) = own.or_else(|| scripts.export(file, COLLECTIONS)) else {
            read.problems
                .push(problem("`collections` is not read").at(file, 0, 0));
            return read;
        };
        if is_open(&collections) {
            let what = "`collections` is not read whole: a program computes it";
            read.tell(what, &collections);
        }
        for Entry { key, node } in collections.entries().iter().take(MOST) {
            if !key.text.starts_with('\0') {
                read.collection(&key.text, node, &scripts);
            }
        }
        read
    }

    fn collection(&mut self, name: &str, node: &Node, scripts: &Scripts<'_, '_>) {
        if node.entries().is_empty() || is_unread(node) {
            return self.not_read(name, node);
        }
        let kind = node.get("type").map(|entry| &entry.node);
        match kind.map(|kind| (kind, literal(kind))) {
            Some((kind, None)) => return self.not_read(&format!("{name}.type"), kind),
            Some((_, Some("page"))) | None => {}
            Some(_) => return,
        }
        let source = node.get("source").map(|entry| &entry.node);
        for source in source
            .map(Node::items)
            .unwrap_or_default()
            .iter()
            .take(MOST)
        {
            self.source(name, source, scripts);
        }
    }

    fn source(&mut self, name: &str, node: &Node, scripts: &Scripts<'_, '_>) {
        if let Some(include) = literal(node) {
            return self.add(ROOT.to_owned(), include, List::default(), None);
        }
        let is_remote = node.get("repository").is_some();
        if is_remote || called(node) == Some("defineCollectionSource") {
            return;
        }
        let part = |key: &str| node.get(key).map(|entry| &entry.node);
        let include = part("include");
        let Some(include) = include.and_then(literal).filter(|_| !is_open(node)) else {
            return self.not_read(&format!("{name}.source"), include.unwrap_or(node));
        };
        let folder = match part("cwd") {
            None => Some(ROOT.to_owned()),
            Some(cwd) => match own_folder(cwd) {
                None => return self.not_read(&format!("{name}.cwd"), cwd),
                own => own,
            },
        };
        let exclude = scripts.list_of(node.entries(), EXCLUDE);
        let exclude = exclude.unwrap_or_default();
        let count = exclude.all().count();
        let key = format!("{name}.{EXCLUDE}");
        if count > MOST_EXCLUDED {
            let problem = too_many(&key, count, "its texts are withheld");
            return self
                .problems
                .push(problem.at(self.file, node.line, node.column));
        }
        let hint = "write all its patterns as literals; what the program may name is left out";
        self.problems.extend(exclude.problem(&key, hint));
        let prefix = part("prefix").and_then(literal).map(str::to_owned);
        self.add(folder.unwrap_or_default(), include, exclude, prefix);
    }

    fn add(&mut self, folder: String, include: &str, exclude: List, prefix: Option<String>) {
        let mut include = include;
        while let Some(rest) = ["./", "../", "/"]
            .iter()
            .find_map(|start| include.strip_prefix(start))
        {
            include = rest;
        }
        self.sources.push(Source {
            folder,
            include: include.to_owned(),
            exclude,
            prefix,
        });
    }

    fn not_read(&mut self, what: &str, node: &Node) {
        self.tell(
            &format!("`{what}` is not read: a program computes it"),
            node,
        );
    }

    fn tell(&mut self, what: &str, node: &Node) {
        let problem = problem(what).at(self.file, node.line, node.column);
        self.problems.push(problem);
    }

    /// Publishes what the sources have. If there are none, nothing of the site.
    pub fn settle(self, evidence: &Evidence<'_>, config: &mut Config) {
        let folders = || self.sources.iter().map(|source| source.folder.as_str());
        let has_texts = folders().any(|folder| evidence.holds_text(folder));
        if self.sources.is_empty() || !self.problems.is_empty() && !has_texts {
            config.withhold_all(NO_PAGES);
        }
        config.problems.extend(self.problems);
        for source in &self.sources {
            let files = std::iter::once(source.include.as_str());
            config.selections.push(Selection {
                reason: Some(format!("{NO_PAGES} that `{}` defines", self.file)),
                ..Selection::of_markdown(&source.folder, files, source.exclude.all())
            });
            // What is before the first `*` is part of the address, unless a prefix is in its place.
            let fixed = source
                .include
                .split_once('*')
                .map_or("", |(fixed, _)| fixed);
            let fixed = fixed.trim_matches('/');
            match &source.prefix {
                Some(prefix) => place(config, &inside_or_folder(&source.folder, fixed), prefix),
                None => place(config, &source.folder, ""),
            }
        }
    }
}

fn problem(what: &str) -> Problem {
    let problem = Problem::error(what).cause(Cause::Configuration);
    problem.hint("write the collection with literals; its texts are withheld")
}

/// Whether a program computes a value, or a part of a map.
fn is_unread(node: &Node) -> bool {
    is_computed(node) && called(node).is_none() || is_open(node)
}

fn literal(node: &Node) -> Option<&str> {
    node.text().filter(|_| !is_computed(node))
}

/// The folder of a source; `~~/` is the root of the site.
fn own_folder(node: &Node) -> Option<String> {
    match literal(node) {
        Some(text) if text.starts_with('/') => None,
        Some(text) => folder_path(text.strip_prefix("~~/").unwrap_or(text)),
        None => folder(node, ""),
    }
}
