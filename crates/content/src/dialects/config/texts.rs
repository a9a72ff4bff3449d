//! Settings of a configuration for many texts: address patterns, folders of the site, front matter.

use std::cmp::Reverse;

use super::{Config, Glob, Keys, MOST_ENTRIES, entries, text, text_of};
use crate::model::bounds;
use crate::model::path::{below, inside_or_folder, is_at_or_below, join};
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
    /// How the path is meant.
    reach: Reach,
    collection: Option<String>,
    /// A pattern of whole paths, which then decides alone.
    pattern: Option<Glob>,
    /// What the front matter of a text must have.
    needs: Option<Needs>,
    values: Vec<Entry>,
    /// Whether tags are added to those of the text.
    adds_tags: bool,
}

/// How the path of defaults is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    /// A text, or a folder and what is in it. An empty path is all.
    Whole,
    /// As in Jekyll, from its source: all paths that begin so.
    Beginning(String),
    /// As in Jekyll, from its source: files and folders that fit one of these patterns.
    Fitting(Vec<Glob>),
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
    /// `permalink: /:title/` of all posts.
    pub(super) fn permalinks(&mut self, front: &Front, keys: &Keys) {
        if let Some((entry, pattern)) = text(front, keys.permalink) {
            self.say(&entry.key.text, pattern);
            self.add_permalink("_posts".to_owned(), pattern);
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
        let folder = front.text(&["collections_dir"]);
        let folder = folder.and_then(|folder| join("", folder));
        if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
            self.say("collections_dir", &folder);
            let content = self.content.as_deref().unwrap_or_default();
            self.collections_folder = Some(inside_or_folder(content, &folder));
        }
        for entry in entries(front.get("collections"))
            .unwrap_or_default()
            .iter()
            .take(MOST_ENTRIES)
        {
            self.add_collection(entry);
        }
        self.open_included(front);
    }

    /// Adds a collection, if its texts have pages of their own.
    fn add_collection(&mut self, entry: &Entry) {
        let Some(output) = entry.node.get("output") else {
            return;
        };
        if output.node.bool() != Some(true) {
            return;
        }
        let name = &entry.key.text;
        self.collections.push(format!("_{name}"));
        if let Some(pattern) = text_of(&entry.node, "permalink") {
            self.add_permalink(format!("_{name}"), &pattern.replace(":collection", name));
        }
        self.said
            .push((format!("collections.{name}"), "output".to_owned()));
    }

    /// A path below the content.
    fn below_content<'p>(&self, path: &'p str) -> &'p str {
        let content = self.content.as_deref();
        let inner = content.and_then(|content| below(path, content));
        inner.unwrap_or(path)
    }

    /// The path of a post, or of a file of a collection, below the folder of collections, if there
    /// is one.
    pub fn in_collections<'p>(&self, path: &'p str) -> Option<&'p str> {
        let folder = self.collections_folder.as_deref()?;
        let inner = below(path, folder)?;
        inner
            .split('/')
            .any(|part| part.starts_with('_'))
            .then_some(inner)
    }

    /// The path of a file below the folder of collections if it is of one there, else below the content.
    fn below_its_root<'p>(&self, path: &'p str) -> &'p str {
        let inner = self.in_collections(path);
        inner.unwrap_or_else(|| self.below_content(path))
    }

    /// A path of a scope without the folder of collections.
    fn without_collections<'p>(&self, path: &'p str) -> &'p str {
        let folder = self.collections_folder.as_deref();
        let folder = folder.map(|folder| self.below_content(folder));
        let inner = folder.and_then(|folder| below(path, folder));
        inner.unwrap_or(path)
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

    /// `defaults: [{scope: {path, type}, values}]` of Jekyll. Of two with the same scope the later
    /// wins.
    pub(super) fn defaults(&mut self, front: &Front) {
        let items = front.items("defaults");
        if self.is_too_long("defaults", items.len(), (0, 0)) {
            return;
        }
        for item in items {
            let Some(values) = entries(item.get("values")) else {
                continue;
            };
            let (path, collection) = scope_of(item);
            let shown = if path.is_empty() { "everything" } else { path };
            self.said.push(("defaults".to_owned(), shown.to_owned()));
            self.defaults.push(Defaults {
                path: path.to_owned(),
                reach: match path.contains('*') {
                    true => Reach::Fitting(Glob::parse_paths("", path)),
                    false => Reach::Beginning(self.without_collections(path).to_owned()),
                },
                collection: collection.map(str::to_owned),
                ..Defaults::new(None, values.to_vec())
            });
        }
        self.defaults.reverse();
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
        self.fill_from_path(path, front);
        for defaults in &self.defaults {
            if defaults.fits(path, self) && defaults.suits(front) {
                defaults.add_to(front);
            }
        }
        self.refuse(path, front);
        if let Some(files) = &self.named_files {
            files.settle(path, &mut front.entries);
        }
    }
}

impl Config {
    /// Whether defaults of Jekyll withhold a file that has no front matter.
    pub fn withholds_file(&self, path: &str) -> bool {
        // Few have the key, and that is asked faster than whether they fit.
        let given = self.defaults.iter();
        let mut given = given.filter_map(|one| Some((one, one.value("published")?)));
        let published = given.find(|(one, _)| one.fit_file(path, self));
        published.is_some_and(|(_, node)| node.is_null() || node.bool() == Some(false))
    }
}

/// The place of the usual key of a date among the entries.
fn usual_at(front: &Front, usual: &str) -> Option<usize> {
    let mut entries = front.entries.iter();
    entries.position(|known| is_same_word(&known.key.text, usual))
}

/// The path and the collection for which defaults are.
fn scope_of(item: &Node) -> (&str, Option<&str>) {
    let Some(scope) = item.get("scope") else {
        return ("", None);
    };
    let path = text_of(&scope.node, "path").unwrap_or_default();
    let named = scope.node.get("type");
    let collection = named.map(|named| match named.node.text().unwrap_or_default() {
        // As they were called before.
        "post" => "posts",
        "page" => "pages",
        "draft" => "drafts",
        name => name,
    });
    (path, collection)
}

/// Whether a pattern fits a path, or a folder above it.
fn fits_above(glob: &Glob, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    folders.chain([path]).any(|path| glob.fits(path))
}

impl Defaults {
    /// Values for the files that match a pattern; `None`: for all.
    pub fn new(pattern: Option<Glob>, values: Vec<Entry>) -> Self {
        Self {
            path: String::new(),
            reach: Reach::Whole,
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
    pub fn merged(path: &str, values: Vec<Entry>) -> Self {
        Self {
            path: path.to_owned(),
            adds_tags: true,
            ..Self::new(None, values)
        }
    }

    /// Whether the front matter of a text has one of the keys that they need, if they need any.
    fn suits(&self, front: &Front) -> bool {
        self.needs.as_ref().is_none_or(|needs| needs.are_in(front))
    }

    /// Adds the values to the front matter of a text, whose own keys win.
    fn add_to(&self, front: &mut Front) {
        for entry in &self.values {
            if bounds::is_over() {
                break;
            }
            let key = entry.key.text.as_str();
            let known = front.entries.iter_mut().find(|known| known.key.text == key);
            if let Some(known) = known.filter(|_| self.adds_tags && key == "tags") {
                let both = [known.node.items(), entry.node.items()].concat();
                known.node.value = Value::List(both);
            } else if front.get(key).is_none() && key != "layout" && key != "title" {
                front.entries.push(entry.clone());
            }
        }
    }

    /// Whether they are for the text at a path.
    fn fits(&self, path: &str, config: &Config) -> bool {
        if let Some(pattern) = &self.pattern {
            return pattern.fits(path);
        }
        let holds = match &self.reach {
            Reach::Whole => self.path.is_empty() || is_at_or_below(path, &self.path),
            Reach::Beginning(beginning) => config.below_its_root(path).starts_with(beginning),
            Reach::Fitting(globs) => {
                let inner = config.below_content(path);
                globs.iter().any(|glob| fits_above(glob, inner))
            }
        };
        holds && self.is_of_collection(path)
    }

    /// Whether they are for the file at a path. Of one in a collection the path is that of its address,
    /// and its type is the collection; all others have no type.
    fn fit_file(&self, path: &str, config: &Config) -> bool {
        let inner = config.below_its_root(path);
        if inner.split('/').any(|part| part == "_posts") {
            return self.reach != Reach::Whole && self.fits(path, config);
        }
        let (first, _) = inner.split_once('/').unwrap_or_default();
        let collection = first
            .strip_prefix('_')
            .filter(|_| config.has_collection(first));
        let shown = if collection.is_some() {
            &inner[1..]
        } else {
            inner
        };
        let holds = match &self.reach {
            Reach::Whole => false,
            Reach::Beginning(beginning) => shown.starts_with(beginning),
            Reach::Fitting(globs) => globs.iter().any(|glob| fits_above(glob, shown)),
        };
        holds && (self.collection.is_none() || self.collection.as_deref() == collection)
    }

    fn value(&self, key: &str) -> Option<&Node> {
        let mut values = self.values.iter();
        let entry = values.find(|entry| entry.key.text == key)?;
        Some(&entry.node)
    }

    fn is_of_collection(&self, path: &str) -> bool {
        let mut folders = path.split('/');
        match self.collection.as_deref() {
            None => true,
            Some("pages") => !folders.any(|folder| folder.starts_with('_')),
            Some("drafts") => folders.any(|folder| folder == "_drafts"),
            Some(name) => folders.any(|folder| folder.strip_prefix('_') == Some(name)),
        }
    }
}
