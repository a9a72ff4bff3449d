//! The pages that Docusaurus makes for categories: `"link": {"type": "generated-index"}` in
//! `_category_.json` and in sidebars.

use std::collections::BTreeMap;

use crate::dialects::config::{MadeList, read};
use crate::dialects::evidence::Evidence;
use crate::dialects::script::Scripts;
use crate::model::document::heading_id;
use crate::model::path::{folder, inside_or_folder, join, name};
use crate::model::sources::SourceFile;
use crate::syntax::front::{Node, Value};

/// The files of categories.
const FILES: [&str; 3] = ["_category_.json", "_category_.yml", "_category_.yaml"];
/// The maximum number of lists.
const MOST: usize = 2000;
/// How deep sidebars may be nested.
const DEEPEST: usize = 24;

/// Where the lists of one version of some documents are.
pub struct VersionPaths<'p> {
    /// The folder of its texts.
    pub folder: &'p str,
    /// Its path on the site.
    pub at: &'p str,
    /// The file with its sidebars.
    pub sidebars: Option<String>,
}

/// The lists of one version of some documents.
pub fn collect(evidence: &Evidence<'_>, version: &VersionPaths<'_>) -> Vec<MadeList> {
    let mut found = Found {
        at: version.at,
        slugs: BTreeMap::new(),
        lists: Vec::new(),
    };
    let files = evidence.all_below(version.folder).iter();
    for file in files.filter(|file| FILES.contains(&name(&file.path))) {
        found.category(file);
    }
    if let Some(path) = &version.sidebars {
        let data = match evidence.file(path) {
            Some(file) if path.ends_with(".json") => Some(Node {
                value: Value::Map(read(file).0.entries),
                line: 0,
                column: 0,
            }),
            Some(_) => Scripts::new(evidence).default_export(path),
            None => None,
        };
        if let Some(data) = data {
            found.sidebar(&data, 0);
        }
    }
    found.lists
}

/// The first existing file of sidebars.
pub fn sidebars(evidence: &Evidence<'_>, project: &str, named: Option<&str>) -> Option<String> {
    let named = named.and_then(|path| join(project, path));
    let usual = || {
        let usual = evidence.beginning(&inside_or_folder(project, "sidebars."))?;
        Some(usual.path.to_string())
    };
    named.or_else(usual)
}

struct Found<'p> {
    at: &'p str,
    /// How often each slug that a label gives is taken.
    slugs: BTreeMap<String, usize>,
    lists: Vec<MadeList>,
}

impl Found<'_> {
    fn category(&mut self, file: &SourceFile) {
        let (front, ..) = read(file);
        let folder = folder(&file.path);
        let label = front.text(&["label"]).unwrap_or(name(folder)).to_owned();
        if let Some(link) = front.get("link") {
            self.add(&label, &link.node, Some(folder));
        }
    }

    /// The categories in the items of sidebars.
    fn sidebar(&mut self, node: &Node, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match &node.value {
            Value::List(items) => {
                for item in items {
                    self.sidebar(item, depth + 1);
                }
            }
            Value::Map(entries) => {
                let label = node.get("label").and_then(|entry| entry.node.text());
                if let (Some(label), Some(link)) = (label, node.get("link")) {
                    self.add(label, &link.node, None);
                }
                for entry in entries {
                    self.sidebar(&entry.node, depth + 1);
                }
            }
            Value::Scalar { .. } => {}
        }
    }

    fn add(&mut self, label: &str, link: &Node, folder: Option<&str>) {
        let text = |key: &str| link.get(key).and_then(|entry| entry.node.text());
        if text("type") != Some("generated-index") || self.lists.len() >= MOST {
            return;
        }
        let path = match text("slug") {
            Some(slug) => slug.trim_matches('/').to_owned(),
            None => format!("category/{}", self.slug(label)),
        };
        self.lists.push(MadeList {
            at: inside_or_folder(self.at, &path),
            title: label.to_owned(),
            folder: folder.map(str::to_owned),
        });
    }

    /// The slug of a label; a number tells equal ones apart.
    fn slug(&mut self, label: &str) -> String {
        let slug = heading_id(label);
        let count = self.slugs.entry(slug.clone()).or_default();
        *count += 1;
        match *count {
            1 => slug,
            count => format!("{slug}-{}", count - 1),
        }
    }
}
