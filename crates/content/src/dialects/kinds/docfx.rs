//! A DocFX site, as on Microsoft Learn: `docfx.json` lists its files; `[!INCLUDE]`, snippets,
//! monikers and `xref:` in its texts.

use crate::dialects::config::{Config, Defaults, Glob, Keys, Permalink, Selection};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::pattern::Style;
use crate::dialects::redirects::{List, Notation, RedirectFile};
use crate::syntax::front::{Entry, Front, Node};

const CONFIG: &[&str] = &["docfx.json", "*/docfx.json"];
/// The maximum number of patterns in one list.
const MOST_PATTERNS: usize = 200;
/// The maximum number of values of metadata.
const MOST_VALUES: usize = 2000;
/// The metadata of many files that says something here.
const METADATA: [&str; 8] = [
    "author",
    "description",
    "ms.date",
    "monikerRange",
    "lang",
    "tags",
    "draft",
    "is_hidden",
];

pub(super) static DIALECT: Dialect = Dialect {
    name: "docfx",
    recognise,
    outputs: &["_site", "obj", "bin"],
    machinery: &["_themes", "_themes.pdf"],
    yaml_pages: true,
    opens_underscored: true,
    keys: Keys {
        files: CONFIG,
        title: &[
            "build.globalMetadata._appTitle",
            "build.globalMetadata._appName",
            "build.globalMetadata.titleSuffix",
        ],
        description: &["build.globalMetadata._description"],
        author: &[],
        language: &["build.globalMetadata._lang"],
        address: &["build.sitemap.baseUrl"],
        more: configure,
        ..Keys::NONE
    },
    redirects: &[RedirectFile {
        file: ".openpublishing.redirection*",
        notation: Notation::List(List {
            key: "redirections",
            from: &["source_path", "source_path_from_root"],
            to: &["redirect_url"],
            style: Style::Plain,
            of_texts: true,
        }),
    }],
    addresses: Some("/:path.html"),
    ignores_status: true,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    evidence.first(&["docfx.json"]).or_else(|| {
        let file = evidence.one_folder_down("docfx.json")?;
        Some(format!("`{}`", file.path))
    })
}

/// `build.content`, `build.resource` and the metadata of many files.
fn configure(config: &mut Config, front: &Front) {
    let Some(build) = front.get("build") else {
        return;
    };
    let content = groups(build.node.get("content"));
    let mut sources: Vec<String> = Vec::new();
    for group in &content {
        let folder = source(config.folder(), group);
        let Some(selection) = selection(&folder, group) else {
            continue;
        };
        let patterns = texts(group.get("files"));
        let count = patterns.len() + texts(group.get("exclude")).len();
        if config.is_too_long("build.content", count, (group.line, group.column)) {
            return;
        }
        config.say(
            "build.content",
            &format!("{} in `{folder}/`", patterns.join(" ")),
        );
        if patterns.iter().any(|pattern| !pattern.ends_with(".yml")) {
            address(config, &folder, group);
            sources.push(folder);
        }
        config.selections.push(selection);
    }
    for group in groups(build.node.get("resource")) {
        let folder = source(config.folder(), group);
        let count = texts(group.get("files")).len() + texts(group.get("exclude")).len();
        if config.is_too_long("build.resource", count, (group.line, group.column)) {
            return;
        }
        config.selections.extend(selection(&folder, group));
    }
    sources.dedup();
    if let [folder] = sources.as_slice()
        && !folder.is_empty()
    {
        config.content = Some(folder.clone());
    } else if !config.folder().is_empty() {
        config.content = Some(config.folder().to_owned());
    }
    metadata(config, build);
}

/// The groups of files in a list; one that is not a list is one group.
fn groups(entry: Option<&Entry>) -> Vec<&Node> {
    entry.map_or(Vec::new(), |entry| {
        entry.node.items().iter().take(MOST_PATTERNS).collect()
    })
}

/// The folder of a group: `src` (`cwd` in old files), from the folder of the configuration.
fn source(folder: &str, group: &Node) -> String {
    let entry = group.get("src").or_else(|| group.get("cwd"));
    let written = entry
        .and_then(|entry| entry.node.text())
        .unwrap_or_default();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The files of a group, whose patterns fit in any case unless it says otherwise. A text alone is a
/// pattern.
fn selection(folder: &str, group: &Node) -> Option<Selection> {
    let case = group.get("case").and_then(|entry| entry.node.bool());
    let globs = |patterns: Vec<&str>| {
        let all = patterns
            .into_iter()
            .flat_map(|pattern| Glob::parse_paths(folder, pattern));
        match case {
            Some(true) => all.collect::<Vec<_>>(),
            _ => all.map(Glob::in_any_case).collect(),
        }
    };
    let files = match group.text() {
        Some(pattern) => vec![pattern],
        None => texts(group.get("files")),
    };
    let selection = Selection {
        files: globs(files),
        exclude: globs(texts(group.get("exclude"))),
        ..Selection::default()
    };
    (!selection.files.is_empty()).then_some(selection)
}

fn texts(entry: Option<&Entry>) -> Vec<&str> {
    let items = entry.map_or(&[][..], |entry| entry.node.items());
    items.iter().filter_map(Node::text).collect()
}

/// `dest` goes before the path of a text below its `src`.
fn address(config: &mut Config, folder: &str, group: &Node) {
    let entry = group.get("dest");
    let dest = entry
        .and_then(|entry| entry.node.text())
        .unwrap_or_default();
    let dest = dest.replace('\\', "/");
    let dest = dest.trim_start_matches("./").trim_matches(['/', '.']);
    if !dest.is_empty() || !folder.is_empty() {
        config.permalinks.push(Permalink {
            scope: folder.to_owned(),
            pattern: format!("/{dest}/:path.html"),
            below: true,
        });
    }
}

/// `fileMetadata` and `globalMetadata`, as front matter of the files that have none of their own.
/// Of two patterns that fit, the last decides.
fn metadata(config: &mut Config, build: &Entry) {
    let mut values = of_files(config, build);
    values.truncate(MOST_VALUES);
    let global: Vec<Entry> = map(build.node.get("globalMetadata")).cloned().collect();
    if !global.is_empty() {
        values.push(Defaults::new(None, global));
    }
    config.defaults.extend(values);
}

/// The metadata of files by patterns.
fn of_files(config: &Config, build: &Entry) -> Vec<Defaults> {
    let mut values = Vec::new();
    for key in map(build.node.get("fileMetadata")) {
        for pattern in key.node.entries().iter().rev().take(MOST_VALUES) {
            let entry = Entry {
                key: key.key.clone(),
                node: pattern.node.clone(),
            };
            for glob in Glob::parse_paths(config.folder(), &pattern.key.text) {
                let glob = glob.in_any_case();
                values.push(Defaults::new(Some(glob), vec![entry.clone()]));
            }
        }
    }
    values
}

/// The entries of a map with metadata that says something.
fn map(entry: Option<&Entry>) -> impl Iterator<Item = &Entry> {
    let entries = entry.map_or(&[][..], |entry| entry.node.entries());
    entries
        .iter()
        .filter(|entry| METADATA.contains(&entry.key.text.as_str()))
}
