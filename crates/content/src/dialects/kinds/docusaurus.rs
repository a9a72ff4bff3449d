//! A Docusaurus site.

use crate::dialects::config::{Config, Glob, Keys, Mount, Patterns, edit, read};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::order::sidebar;
use crate::dialects::redirects::{Notation, Style, Written};
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::model::path::inside_or_folder;
use crate::syntax::front::{Front, Node};

/// Where the configuration leaves `.md` to CommonMark.
const PLAIN: [&str; 3] = ["format: 'detect'", "format: \"detect\"", "format: 'md'"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "docusaurus",
    recognise: |evidence| evidence.begins("docusaurus.config."),
    roots: &["src/pages"],
    outputs: &["build"],
    scope,
    reads: &["md", "mdx"],
    copies_linked: true,
    keys: Keys {
        files: &["docusaurus.config.*"],
        description: &["tagline"],
        language: &["i18n.defaultLocale"],
        base: &["baseUrl"],
        exclude: &["presets.docs.exclude"],
        patterns: Patterns::Rooted,
        edit: edit::docusaurus,
        ..Keys::NONE
    },
    settle,
    redirects: &[Written {
        file: "docusaurus.config.*",
        notation: Notation::Program(Style::Plain),
    }],
    addresses: Some("/:path"),
    spell,
    names_page: &["slug", "id"],
    same_name_is_index: true,
    readme_is_index: true,
    jsx: |evidence| !evidence.says("docusaurus.config.", &PLAIN),
    ignores_status: true,
    order: &[sidebar::categories],
    ..COMMON
};

/// A part of a path without the number that only orders it; dates and versions keep theirs.
fn spell(part: &str) -> String {
    let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let name = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_numbered = rest.len() < part.len() && name.len() < rest.len();
    if is_numbered && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() {
        name.to_owned()
    } else {
        part.to_owned()
    }
}

/// The maximum number of versions, and of languages.
const MOST: usize = 200;
/// Dated posts have dated addresses.
const POST: Option<&str> = Some("/:dated_path");

/// The folders of documents, posts and pages with their places, for each version and language.
fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let file = evidence.beginning("docusaurus.config.");
    let front = file.map(|file| read(file).0).unwrap_or_default();
    let docs = Docs::of(evidence, &front);
    for excluded in docs.excluded() {
        config.exclude.extend(Glob::of(&excluded));
    }
    let mut mounts = docs.mounts();
    let blog = folder(&front, "presets.blog.path", "blog");
    let at = folder(&front, "presets.blog.routeBasePath", "blog");
    mounts.push(Mount {
        within: Some(blog.clone()),
        pattern: POST,
        ..Mount::page(&blog, &at)
    });
    mounts.push(Mount::page(
        &folder(&front, "presets.pages.path", "src/pages"),
        "",
    ));
    for language in languages(evidence) {
        let is_built = config.locales.iter().any(|locale| locale.name == language);
        if is_built {
            mounts.extend(translated(&language, &docs, &at));
        } else {
            config
                .exclude
                .extend(Glob::of(&format!("/i18n/{language}")));
        }
    }
    config.mounts.extend(mounts);
    config.untranslated = true;
}

/// The languages that have a folder.
fn languages(evidence: &Evidence<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for file in evidence.below("i18n") {
        let Some((name, _)) = file.path["i18n/".len()..].split_once('/') else {
            continue;
        };
        if names.last().is_none_or(|last| last != name) && names.len() < MOST {
            names.push(name.to_owned());
        }
    }
    names
}

/// The folders of one language.
fn translated(language: &str, docs: &Docs, blog: &str) -> Vec<Mount> {
    let plugin = |name: &str| format!("i18n/{language}/docusaurus-plugin-content-{name}");
    let mut mounts = Vec::new();
    for mount in docs.mounts() {
        let version = match mount.folder.rsplit_once("/version-") {
            Some((_, version)) => format!("version-{version}"),
            None => "current".to_owned(),
        };
        mounts.push(Mount {
            folder: inside_or_folder(&plugin("docs"), &version),
            at: inside_or_folder(language, &mount.at),
            within: mount
                .within
                .map(|within| inside_or_folder(language, &within)),
            ..mount
        });
    }
    mounts.push(Mount {
        within: Some(inside_or_folder(language, "blog")),
        pattern: POST,
        ..Mount::page(&plugin("blog"), &inside_or_folder(language, blog))
    });
    mounts.push(Mount::page(&plugin("pages"), language));
    mounts
}

/// The versions of the documents.
struct Docs {
    folder: String,
    /// Where the documents are on the site.
    at: String,
    /// Older versions, the newest first.
    versions: Vec<String>,
    /// Those that are built; empty: all.
    only: Vec<String>,
    /// The version that readers see first; `current`: what is in the folder itself.
    last: String,
    has_current: bool,
    /// The configured paths of versions.
    paths: Vec<(String, String)>,
}

impl Docs {
    fn of(evidence: &Evidence<'_>, front: &Front) -> Self {
        let file = evidence.file("versions.json");
        let versions = file.and_then(|file| serde_json::from_slice(&file.bytes).ok());
        let mut versions: Vec<String> = versions.unwrap_or_default();
        versions.truncate(MOST);
        let newest = versions.first().map_or("current", String::as_str);
        let last = front.text(&["presets.docs.lastVersion"]).unwrap_or(newest);
        let only = front.get("presets.docs.onlyIncludeVersions");
        let only = only.map_or(&[][..], |entry| entry.node.items());
        let path = |version: &String| {
            let key = format!("presets.docs.versions.{version}.path");
            Some((version.clone(), front.get(&key)?.node.text()?.to_owned()))
        };
        let current = "current".to_owned();
        Self {
            folder: folder(front, "presets.docs.path", "docs"),
            at: folder(front, "presets.docs.routeBasePath", "docs"),
            only: only
                .iter()
                .filter_map(Node::text)
                .map(str::to_owned)
                .collect(),
            last: last.to_owned(),
            has_current: front.bool(&["presets.docs.includeCurrentVersion"]) != Some(false),
            paths: versions.iter().chain([&current]).filter_map(path).collect(),
            versions,
        }
    }

    fn is_built(&self, version: &str) -> bool {
        (version != "current" || self.has_current)
            && (self.only.is_empty() || self.only.iter().any(|only| only == version))
    }

    fn folder_of(&self, version: &str) -> String {
        match version {
            "current" => self.folder.clone(),
            _ => format!("versioned_docs/version-{version}"),
        }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let versions = self.versions.iter().map(String::as_str);
        versions.chain(["current"])
    }

    /// The folders of versions that are not built.
    fn excluded(&self) -> Vec<String> {
        let excluded = self.all().filter(|version| !self.is_built(version));
        excluded
            .map(|version| format!("/{}", self.folder_of(version)))
            .collect()
    }

    fn mounts(&self) -> Vec<Mount> {
        let built = self.all().filter(|version| self.is_built(version));
        let mounts = built.map(|version| {
            let is_last = version == self.last;
            let path = self.paths.iter().find(|(named, _)| named == version);
            let usual = match version {
                _ if is_last => "",
                "current" => "next",
                _ => version,
            };
            let path = path.map_or(usual, |(_, path)| path.trim_matches('/'));
            Mount {
                within: Some(if is_last {
                    String::new()
                } else {
                    path.to_owned()
                }),
                other_version: !is_last,
                ..Mount::page(&self.folder_of(version), &inside_or_folder(&self.at, path))
            }
        });
        mounts.collect()
    }
}

/// The folder or path that a key names, without slashes around it.
fn folder(front: &Front, key: &str, usual: &str) -> String {
    let named = front.text(&[key]).unwrap_or(usual);
    named.trim_start_matches("./").trim_matches('/').to_owned()
}

/// The folders of documents, posts and pages, with those of further instances of these plug-ins,
/// old versions and translations.
fn scope(project: &Project<'_>) -> Scope {
    let mut content = Vec::new();
    for (key, usual) in [("docs", "docs"), ("blog", "blog"), ("pages", "src/pages")] {
        let preset = format!("presets.{key}");
        if project.front.bool(&[&preset]) != Some(false) {
            content.push(project.folder(&[&format!("{preset}.path")], usual));
        }
    }
    content.extend(instances(&project.text));
    // Languages that are not built are excluded.
    content.push("i18n".to_owned());
    let mounts = project.config.mounts.iter().map(|mount| &mount.folder);
    content.extend(
        mounts
            .filter(|folder| folder.starts_with("versioned_docs/"))
            .cloned(),
    );
    let copied = project.folders("staticDirectories", "static");
    Scope {
        copied: copied
            .iter()
            .map(|folder| Copied::at_root(folder))
            .collect(),
        ..Scope::of(content, &[])
    }
}

/// The `path` of each further instance of a plug-in for documents, posts or pages.
fn instances(text: &str) -> Vec<String> {
    let plugins = text.split("plugin-content-").skip(1).take(50);
    let paths = plugins.filter_map(|plugin| {
        let (_, value) = plugin.split_once("path:")?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        folder_path(value[1..].split(quote).next()?)
    });
    paths.collect()
}
