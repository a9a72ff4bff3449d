//! The collections of Fumadocs: `export const docs = defineDocs({ dir: 'content/docs' })` in
//! `source.config.*`.

use crate::dialects::config::{Config, Permalink, Selection, UNKNOWN_FOLDER};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::{List, Scripts, called, folder, is_computed, is_open};
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Entry, Node};

/// The configuration.
pub const CONFIG: &str = "source.config.";
/// The functions that define collections, and the usual folder of the first.
const DEFINE: [&str; 2] = ["defineDocs", "defineCollections"];
const USUAL: &str = "content/docs";
/// The key with the patterns of texts.
const FILES: &str = "files";
/// The maximum number of collections, and of folders of one.
const MOST: usize = 200;
/// Where the program that gives the texts their addresses usually is, and its key.
const SOURCES: [&str; 4] = [
    "lib/source",
    "src/lib/source",
    "app/source",
    "src/app/source",
];
const BASE: &str = "baseUrl";

/// The collections of texts.
#[derive(Default)]
pub struct Collections {
    pub file: String,
    selections: Vec<Selection>,
    problems: Vec<Problem>,
}

impl Collections {
    /// Those that the configuration defines. `None`: it defines none.
    pub fn read(evidence: &Evidence<'_>) -> Option<Self> {
        let file = evidence.beginning(CONFIG)?;
        let mut scripts = Scripts::with_lists(evidence, &[FILES]);
        let exported = scripts.data(&file.path);
        let mut read = Self {
            file: file.path.to_string(),
            ..Self::default()
        };
        for Entry { key, node } in exported.iter().take(MOST) {
            if called(node).is_some_and(|name| DEFINE.contains(&name)) {
                read.add(&key.text, node, &scripts);
            }
        }
        let is_any = !read.selections.is_empty() || !read.problems.is_empty();
        is_any.then_some(read)
    }

    fn add(&mut self, name: &str, node: &Node, scripts: &Scripts<'_, '_>) {
        let part = |key: &str| node.get(key).map(|entry| &entry.node);
        let is_docs = called(node) == Some(DEFINE[0]);
        if part("type").and_then(Node::text) == Some("meta") {
            return;
        }
        let folders: Option<Vec<String>> = match part("dir") {
            None if is_docs && !is_open(node) => Some(vec![USUAL.to_owned()]),
            None => None,
            // A computed value that names a folder is one map.
            Some(dir) if is_computed(dir) => folder(dir, "").map(|folder| vec![folder]),
            Some(dir) => {
                let items = dir.items().iter().take(MOST);
                items.map(|item| folder(item, "")).collect()
            }
        };
        let Some(folders) = folders else {
            let what = "the folder of a collection is computed, or outside the folder that is read";
            let problem = Problem::error(format!("`{name}.dir` is not read: {what}"));
            let problem = problem.at(&*self.file, node.line, node.column);
            let problem = problem.cause(Cause::Configuration);
            let hint = "write the folder as a literal; its texts are withheld";
            return self.problems.push(problem.hint(hint));
        };
        let options = match is_docs {
            true => part("docs").map(Node::entries),
            false => Some(node.entries()),
        };
        let files = options.and_then(|options| scripts.list_of(options, FILES));
        let files = files.unwrap_or_else(|| List::new(vec!["**/*".to_owned()]));
        let hint = "write all its patterns as literals; what the program may name is withheld";
        self.problems
            .extend(files.problem(&format!("{name}.{FILES}"), hint));
        for folder in folders {
            let possible = files.possible.iter().map(String::as_str);
            let left_out = possible.filter(|pattern| pattern.starts_with('!'));
            let certain = files.certain.iter().map(String::as_str);
            self.selections.push(Selection {
                reason: Some(format!("in no collection that `{}` defines", self.file)),
                ..Selection::of_markdown(&folder, certain, left_out)
            });
        }
    }

    /// The folders of the texts.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.selections
            .iter()
            .map(|selection| selection.folder.as_str())
    }

    /// Publishes what the collections have, at the address that the program gives the only one.
    pub fn settle(self, evidence: &Evidence<'_>, config: &mut Config) {
        if let [only] = &self.selections[..]
            && let Some(base) = base(evidence)
        {
            config.permalinks.push(Permalink {
                scope: only.folder.clone(),
                pattern: format!("/{base}/:path").replace("//", "/"),
                below: true,
            });
        }
        let has_texts = |folder: &str| evidence.holds_text(folder);
        if !self.problems.is_empty() && !self.folders().chain(super::PAGES).any(has_texts) {
            config.withhold_all(UNKNOWN_FOLDER);
        }
        config.selections.extend(self.selections);
        config.problems.extend(self.problems);
    }
}

/// Whether the folder has such a configuration.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    evidence.beginning(CONFIG).is_some() && evidence.says("package.json", &["\"fumadocs-"])
}

/// The only address of texts that the usual programs name, without slashes around it.
fn base(evidence: &Evidence<'_>) -> Option<String> {
    let mut bases = Vec::new();
    for source in SOURCES {
        for end in [".", "/index."] {
            if let Some(file) = evidence.beginning(&format!("{source}{end}")) {
                let list = Scripts::new(evidence).lists(&file.path, BASE);
                bases.extend(list.all().map(|base| base.trim_matches('/').to_owned()));
            }
        }
    }
    bases.dedup();
    match &bases[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}
