//! Settings of a configuration for many texts: address patterns, folders of the site, front matter.

use std::cmp::Reverse;

use super::{Config, Glob, Keys, MOST_ENTRIES, entries, text, text_of};
use crate::model::bounds;
use crate::model::path::is_at_or_below;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Front, Node, Value, is_same_word};

/// The address pattern of some texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permalink {
    /// Which texts: those below this content folder; `_posts` means the posts, empty means all.
    pub scope: String,
    pub pattern: String,
    /// Whether the path in the pattern begins below that folder; then it counts from the root.
    pub below: bool,
}

/// Front matter for many files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    path: String,
    collection: Option<String>,
    /// A pattern of whole paths, which then decides alone.
    pattern: Option<Glob>,
    /// What the front matter of a text must have.
    needs: Option<Needs>,
    values: Vec<Entry>,
    /// Whether tags are added to those of the text.
    adds_tags: bool,
}

/// One of some keys, and one of its values if only that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    pub keys: Vec<String>,
    pub value: Option<String>,
}

impl Needs {
    fn are_in(&self, front: &Front) -> bool {
        let entries = self.keys.iter().filter_map(|key| front.get(key));
        let mut items = entries.flat_map(|entry| entry.node.items());
        items.any(|item| self.value.is_none() || item.text() == self.value.as_deref())
    }
}

impl Config {
    /// `permalink: /:title/` of all posts; `permalinks: {posts: …, page: {posts: …}}` by folder.
    pub(super) fn permalinks(&mut self, front: &Front, keys: &Keys) {
        if let Some((entry, pattern)) = text(front, keys.permalink) {
            self.say(&entry.key.text, pattern);
            self.add_permalink("_posts".to_owned(), pattern);
        }
        for entry in sections_and_pages(front).into_iter().take(MOST_ENTRIES) {
            let Some(pattern) = entry.node.text() else {
                continue;
            };
            self.say(&format!("permalinks.{}", entry.key.text), pattern);
            let scope = entry.key.text.trim_matches('/');
            self.add_permalink(scope.to_owned(), pattern);
        }
    }

    fn add_permalink(&mut self, scope: String, pattern: &str) {
        self.permalinks.push(Permalink {
            scope,
            pattern: pattern.to_owned(),
            below: false,
        });
    }

    /// `collections: {name: {output: true, permalink: …}}`: collections with pages of their own,
    /// and folders in `include`.
    pub fn collections(&mut self, front: &Front) {
        for entry in entries(front.get("collections"))
            .unwrap_or_default()
            .iter()
            .take(MOST_ENTRIES)
        {
            let Some(output) = entry.node.get("output") else {
                continue;
            };
            if output.node.bool() != Some(true) {
                continue;
            }
            let name = &entry.key.text;
            self.open.push(format!("_{name}"));
            if let Some(pattern) = text_of(&entry.node, "permalink") {
                self.add_permalink(format!("_{name}"), &pattern.replace(":collection", name));
            }
            self.said
                .push((format!("collections.{name}"), "output".to_owned()));
        }
        self.open_included(front);
    }

    /// Opens the folders that `include` names.
    fn open_included(&mut self, front: &Front) {
        let names = front.texts("include").map(|name| name.trim_matches('/'));
        self.open.extend(
            names
                .filter(|name| name.starts_with('_'))
                .take(MOST_ENTRIES)
                .map(str::to_owned),
        );
    }

    /// `defaults: [{scope: {path, type}, values}]`
    pub(super) fn defaults(&mut self, front: &Front) {
        for item in front.items("defaults").iter().take(MOST_ENTRIES) {
            let Some(values) = entries(item.get("values")) else {
                continue;
            };
            let (path, collection) = scope_of(item);
            let shown = if path.is_empty() { "everything" } else { path };
            self.said.push(("defaults".to_owned(), shown.to_owned()));
            self.defaults.push(Defaults {
                path: path.to_owned(),
                collection,
                pattern: None,
                needs: None,
                values: values.to_vec(),
                adds_tags: false,
            });
        }
        self.sort_defaults();
    }

    /// Gives a password to the texts that have what they need; the problem says so. A text with the
    /// key `password`, an empty one too, keeps its own.
    pub fn protect(&mut self, needs: Option<Needs>, problem: Problem) {
        let problem = problem.cause(Cause::Configuration);
        Problem::note_all(&mut self.problems, [problem]);
        let password = Entry::plain("password", "protected", 0, 0);
        self.add_defaults(vec![Defaults {
            needs,
            ..Defaults::new(None, vec![password])
        }]);
    }

    /// Adds front matter for texts.
    pub fn add_defaults(&mut self, defaults: Vec<Defaults>) {
        self.defaults.extend(defaults);
        self.sort_defaults();
    }

    /// The most specific wins.
    fn sort_defaults(&mut self) {
        self.defaults
            .sort_by_key(|defaults| Reverse((defaults.path.len(), defaults.collection.is_some())));
    }

    /// Gives the dates under keys of the site's own their usual keys. Of each date the first key
    /// with a value counts, as the text has it.
    pub fn name_dates(&self, front: &mut Front) {
        let mut settled: Vec<Entry> = Vec::new();
        for date in &self.date_keys {
            let is_settled = settled.iter().any(|entry| entry.key.text == date.usual);
            // A yes or no is for another use of the key.
            let is_date = |entry: &&Entry| entry.node.has_value() && entry.node.bool().is_none();
            let Some(entry) = front.get(&date.own).filter(is_date) else {
                continue;
            };
            let known = usual_at(front, date.usual).map(|at| &front.entries[at]);
            let is_known = known.is_some_and(|known| known.node.has_value());
            if !is_settled && (date.counts_first || !is_known) {
                let mut entry = entry.clone();
                entry.key.text = date.usual.to_owned();
                settled.push(entry);
            }
        }
        for entry in settled {
            match usual_at(front, &entry.key.text) {
                Some(at) => front.entries[at].node = entry.node,
                None => front.entries.push(entry),
            }
        }
    }

    /// Adds the configured front matter of a file; its own keys win.
    pub fn fill(&self, path: &str, front: &mut Front) {
        self.name_dates(front);
        for defaults in self.defaults.iter().filter(|defaults| defaults.fits(path)) {
            if defaults
                .needs
                .as_ref()
                .is_some_and(|needs| !needs.are_in(front))
            {
                continue;
            }
            for entry in &defaults.values {
                if bounds::is_over() {
                    break;
                }
                let key = entry.key.text.as_str();
                let known = front.entries.iter_mut().find(|known| known.key.text == key);
                if let Some(known) = known.filter(|_| defaults.adds_tags && key == "tags") {
                    let both = [known.node.items(), entry.node.items()].concat();
                    known.node.value = Value::List(both);
                } else if front.get(key).is_none() && key != "layout" && key != "title" {
                    front.entries.push(entry.clone());
                }
            }
        }
    }
}

/// The place of the usual key of a date among the entries.
fn usual_at(front: &Front, usual: &str) -> Option<usize> {
    let mut entries = front.entries.iter();
    entries.position(|known| is_same_word(&known.key.text, usual))
}

/// The path and the collection for which defaults are.
fn scope_of(item: &Node) -> (&str, Option<String>) {
    let Some(scope) = item.get("scope") else {
        return ("", None);
    };
    let path = text_of(&scope.node, "path").unwrap_or_default();
    let collection = text_of(&scope.node, "type");
    (path.trim_matches('/'), collection.map(str::to_owned))
}

/// The entries of `permalinks`, those of its `page` too.
fn sections_and_pages(front: &Front) -> Vec<&Entry> {
    let sections = entries(front.get("permalinks")).unwrap_or_default();
    let mut all: Vec<&Entry> = sections.iter().collect();
    for section in sections {
        if section.key.text == "page" {
            all.extend(entries(Some(section)).unwrap_or_default());
        }
    }
    all
}

impl Defaults {
    /// Values for the files that match a pattern; `None`: for all.
    pub fn new(pattern: Option<Glob>, values: Vec<Entry>) -> Self {
        Self {
            path: String::new(),
            collection: None,
            pattern,
            needs: None,
            values,
            adds_tags: false,
        }
    }

    /// The same for texts whose front matter has what is needed.
    pub fn with_needs(self, needs: Needs) -> Self {
        Self {
            needs: Some(needs),
            ..self
        }
    }

    /// Values for a text or the texts in a folder, whose tags are added to their own.
    pub(super) fn merged(path: &str, values: Vec<Entry>) -> Self {
        Self {
            path: path.to_owned(),
            collection: None,
            pattern: None,
            needs: None,
            values,
            adds_tags: true,
        }
    }

    fn fits(&self, path: &str) -> bool {
        if let Some(pattern) = &self.pattern {
            return pattern.fits(path);
        }
        self.is_of_collection(path)
            && (self.holds(path)
                || self.path.contains('*')
                    && Glob::parse(&self.path).is_some_and(|glob| glob.fits(path)))
    }

    fn holds(&self, path: &str) -> bool {
        self.path.is_empty() || is_at_or_below(path, &self.path)
    }

    fn is_of_collection(&self, path: &str) -> bool {
        let mut folders = path.split('/');
        match self.collection.as_deref() {
            None | Some("") => true,
            Some("pages") => !folders.any(|folder| folder.starts_with('_')),
            Some("drafts") => folders.any(|folder| folder == "_drafts"),
            Some(name) => folders.any(|folder| folder.strip_prefix('_') == Some(name)),
        }
    }
}
