//! A Docusaurus site.

mod indexes;
mod translations;

use std::collections::{BTreeMap, BTreeSet};

use crate::dialects::config::{
    Config, Glob, Keys, MadeList, Mount, Patterns, Selection, UNKNOWN_FOLDER, edit,
};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::instances::{self, Instance, Plugin};
use crate::dialects::order::sidebar;
use crate::dialects::pattern::Style;
use crate::dialects::redirects::{Notation, RedirectFile};
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::script::{Scripts, is_open};
use crate::model::path::{inside, inside_or_folder};
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::{Front, Node};
use translations::Translation;

/// Its configuration: at the root, or in a folder whose texts are outside of it.
const CONFIG: &[&str] = &["docusaurus.config.*", "*/docusaurus.config.*"];
/// Where the configuration leaves `.md` to CommonMark.
const PLAIN: [&str; 3] = ["format: 'detect'", "format: \"detect\"", "format: 'md'"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "docusaurus",
    recognise: |evidence| {
        let beside = || Some(format!("`{}`", evidence.beside(CONFIG[1])?.path));
        evidence.begins("docusaurus.config.").or_else(beside)
    },
    roots: &["src/pages"],
    outputs: &["build"],
    scope,
    reads: &["md", "mdx"],
    copies_linked: true,
    keys: Keys {
        files: CONFIG,
        description: &["tagline"],
        language: &["i18n.defaultLocale"],
        base: &["baseUrl"],
        edit: edit::docusaurus,
        ..Keys::NONE
    },
    settle,
    redirects: &[
        RedirectFile {
            file: CONFIG[0],
            notation: Notation::Program(Style::Plain),
        },
        RedirectFile {
            file: CONFIG[1],
            notation: Notation::Program(Style::Plain),
        },
    ],
    addresses: Some("/:path"),
    spell,
    names_page: &["slug", "id"],
    same_name_is_index: true,
    index_in_any_case: true,
    readme_is_index: true,
    jsx: |evidence| !evidence.says("docusaurus.config.", &PLAIN),
    format_key: Some("mdx.format"),
    ignores_status: true,
    order: &[sidebar::categories],
    ..COMMON
};

/// A part of a path without the number that only orders it; dates and versions keep theirs.
fn spell(_: &Config, part: &str) -> String {
    let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let name = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_numbered = rest.len() < part.len() && name.len() < rest.len();
    if is_numbered && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() {
        name.to_owned()
    } else {
        part.to_owned()
    }
}

/// The texts of an instance that does not say which.
const USUAL: &str = "**/*.{md,mdx}";
/// Dated posts have dated addresses.
const POST: Option<&str> = Some("/:dated_path");

/// The folders of documents, posts and pages with their places, for each version and language.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let file = config.file.clone();
    let data = Scripts::new(evidence).default_export(&file);
    let translations = translations::all(data.as_ref(), config);
    config.problems.extend(hook(data.as_ref(), &file));
    config.problems.extend(open_presets(data.as_ref(), &file));
    let mut mounts = Vec::new();
    let (mut has_docs, mut is_withheld) = (false, false);
    for instance in instances::all(evidence, &file) {
        config.problems.extend(unread(&instance, &file));
        if instance.unread.is_some() {
            is_withheld = true;
            continue;
        }
        let is_there = evidence.folder(&instance.folder)
            || evidence.folder(&instance.own(&file, "versioned_docs"));
        let is_first = instance.plugin == Plugin::Docs && is_there && !has_docs;
        has_docs |= is_first;
        let part = Part::new(evidence, &file, instance, is_first);
        for excluded in part.excluded() {
            config.exclude.extend(Glob::parse(&excluded));
        }
        mounts.extend(part.mounts());
        for translation in &translations {
            mounts.extend(part.translated(translation));
        }
        config.made_lists.extend(part.made_lists(evidence));
        part.say(config);
        if config.closed.is_none() {
            let selections = part.selections(evidence, &translations, &mut config.replaced);
            config.selections.extend(selections);
        }
    }
    if is_withheld
        && !mounts
            .iter()
            .any(|mount| evidence.holds_text(&mount.folder))
    {
        // Without any folder the whole site would be read.
        config.withhold_all(UNKNOWN_FOLDER);
    }
    untranslated(evidence, config, &mounts);
    config.mounts.extend(mounts);
    config.untranslated = true;
}

/// Leaves out what is in `i18n/` for languages, plug-ins and versions that are not built.
fn untranslated(evidence: &Evidence<'_>, config: &mut Config, mounts: &[Mount]) {
    let built: BTreeSet<&str> = mounts.iter().map(|mount| &*mount.folder).collect();
    let excluded = unbuilt(evidence, inside_or_folder(config.folder(), "i18n"), &built);
    if !config.is_too_long("i18n", excluded.len(), (0, 0)) {
        config.exclude.extend(excluded);
    }
}

/// The folders below a folder that hold nothing of what is built.
fn unbuilt(evidence: &Evidence<'_>, folder: String, built: &BTreeSet<&str>) -> Vec<Glob> {
    const DEEPEST: usize = 3;
    let mut folders = vec![(folder, 0)];
    let mut excluded = Vec::new();
    while let Some((folder, depth)) = folders.pop() {
        if built.contains(&*folder) {
            continue;
        }
        let begins = format!("{folder}/");
        let holds_one = built.range(&*begins..).next();
        let holds_one = holds_one.is_some_and(|inner| inner.starts_with(&begins));
        if depth > 0 && !holds_one {
            excluded.extend(Glob::parse(&format!("/{folder}")));
        } else if depth < DEEPEST {
            let inner = evidence.folders(&folder).into_iter();
            folders.extend(inner.map(|name| (inside(&folder, name), depth + 1)));
        }
    }
    excluded
}

/// A program that may change the front matter of each text.
fn hook(data: Option<&Node>, file: &str) -> Option<Problem> {
    let entry = data?.get("markdown.parseFrontMatter")?;
    let says =
        "`markdown.parseFrontMatter` is not read: a text that it makes a draft may be published";
    let problem = Problem::warning(says).at(file, entry.key.line, entry.key.column);
    let problem = problem.cause(Cause::Configuration);
    Some(problem.hint("write `draft: true` in the front matter of such texts"))
}

/// Presets whose options a program computes.
fn open_presets(data: Option<&Node>, file: &str) -> Option<Problem> {
    let presets = &data?.get("presets")?.node;
    let mut presets = presets.items().iter();
    let open = presets.find(|preset| is_open(preset) || preset.items().iter().any(is_open))?;
    Some(not_whole("presets", file, (open.line, open.column)))
}

/// What of the options of an instance is not read.
fn unread(instance: &Instance, file: &str) -> Option<Problem> {
    let name = instance.plugin.name();
    let Some((line, column)) = instance.unread else {
        return Some(not_whole(name, file, instance.open?));
    };
    let says = format!("`{name}.path` is not read: a program computes it");
    let problem = Problem::error(says).at(file, line, column);
    let problem = problem.cause(Cause::Configuration);
    Some(problem.hint("write the folder as a literal; its texts are withheld"))
}

fn not_whole(key: &str, file: &str, (line, column): (u32, u32)) -> Problem {
    let problem = Problem::warning(format!(
        "`{key}` is not read whole: a program computes a part of it, and what that excludes may be published"
    ));
    let problem = problem.at(file, line, column).cause(Cause::Configuration);
    problem.hint("write `path`, `include` and `exclude` as literals")
}

/// An instance of a plug-in, with the versions of its documents.
struct Part<'c> {
    instance: Instance,
    config: &'c str,
    /// Whether its texts are the articles.
    is_first: bool,
    /// Older versions, the newest first.
    versions: Vec<String>,
    /// Those that are built; empty: all.
    only: Vec<String>,
    /// The version that readers see first.
    last: String,
    has_current: bool,
}

impl<'c> Part<'c> {
    fn new(evidence: &Evidence<'_>, config: &'c str, instance: Instance, is_first: bool) -> Self {
        let versions = match instance.plugin {
            Plugin::Docs => instance.versions(evidence, config),
            Plugin::Blog | Plugin::Pages => Vec::new(),
        };
        let only = instance.get("onlyIncludeVersions");
        let only = only.map_or(&[][..], Node::items).iter();
        Self {
            config,
            is_first,
            only: only.filter_map(Node::text).map(str::to_owned).collect(),
            last: instance.last(&versions),
            has_current: instance.get("includeCurrentVersion").and_then(Node::bool) != Some(false),
            versions,
            instance,
        }
    }

    fn is_built(&self, version: &str) -> bool {
        (version != "current" || self.has_current)
            && (self.only.is_empty() || self.only.iter().any(|only| only == version))
    }

    /// The versions that are built.
    fn built(&self) -> impl Iterator<Item = &str> {
        self.all().filter(|version| self.is_built(version))
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let versions = self.versions.iter().map(String::as_str);
        versions.chain(["current"])
    }

    /// The folders of versions that are not built.
    fn excluded(&self) -> Vec<String> {
        let excluded = self.all().filter(|version| !self.is_built(version));
        let folders = excluded.map(|version| self.instance.folder_of(self.config, version));
        folders.map(|folder| format!("/{folder}")).collect()
    }

    /// The path of a version below that of the instance.
    fn path<'p>(&'p self, version: &'p str) -> &'p str {
        let usual = match version {
            _ if version == self.last => "",
            "current" => "next",
            _ => version,
        };
        let path = self.instance.text(&format!("versions.{version}.path"));
        path.map_or(usual, |path| path.trim_matches('/'))
    }

    /// The pages that it makes for categories.
    fn made_lists(&self, evidence: &Evidence<'_>) -> Vec<MadeList> {
        if self.instance.plugin != Plugin::Docs {
            return Vec::new();
        }
        let built = self.built();
        let lists = built.map(|version| {
            let folder = self.instance.folder_of(self.config, version);
            let project = instances::project(self.config);
            let named = self.instance.text("sidebarPath");
            let sidebars = match version {
                "current" => indexes::sidebars(evidence, project, named),
                version => {
                    let folder = self.instance.own(self.config, "versioned_sidebars");
                    Some(format!("{folder}/version-{version}-sidebars.json"))
                }
            };
            let at = inside_or_folder(&self.instance.at, self.path(version));
            indexes::collect(
                evidence,
                &indexes::VersionPaths {
                    folder: &folder,
                    at: &at,
                    sidebars,
                },
            )
        });
        lists.flatten().collect()
    }

    fn mounts(&self) -> Vec<Mount> {
        let built = self.built();
        let mounts = built.map(|version| {
            let folder = self.instance.folder_of(self.config, version);
            self.mount(version, folder, "")
        });
        mounts.collect()
    }

    /// The same in another language.
    fn translated(&self, Translation { name, folder }: &Translation) -> Vec<Mount> {
        let built = self.built();
        let mounts = built.map(|version| {
            let folder = self.translated_folder(version, folder);
            self.mount(version, folder, name)
        });
        mounts.collect()
    }

    /// The folder of a version in another language.
    fn translated_folder(&self, version: &str, language: &str) -> String {
        let folder = self.instance.translated(self.config, language);
        let inner = match (self.instance.plugin, version) {
            (Plugin::Blog | Plugin::Pages, _) => String::new(),
            (Plugin::Docs, "current") => version.to_owned(),
            (Plugin::Docs, _) => format!("version-{version}"),
        };
        inside_or_folder(&folder, &inner)
    }

    /// The texts of each version that is built, and those of its translations: the paths of texts
    /// in the default language decide which are read. Adds those that translations replace.
    fn selections(
        &self,
        evidence: &Evidence<'_>,
        translations: &[Translation],
        replaced: &mut BTreeMap<String, String>,
    ) -> Vec<Selection> {
        let mut selections = Vec::new();
        for version in self.built() {
            let own = self.selection(self.instance.folder_of(self.config, version));
            for translation in translations {
                let folder = self.translated_folder(version, &translation.folder);
                let mut others = BTreeSet::new();
                for file in evidence.below(&folder) {
                    let path = inside_or_folder(&own.folder, &file.path[folder.len() + 1..]);
                    let is_theirs = own.holds(&path) && evidence.file(&path).is_some();
                    if is_theirs && translation.name.is_empty() && own.is_about(&path) {
                        replaced.insert(path, file.path.to_string());
                    } else if !is_theirs && own.is_about(&path) {
                        others.insert(file.path.to_string());
                    }
                }
                selections.push(Selection {
                    others,
                    reason: Some(format!("no text of `{}/` has its path", own.folder)),
                    ..Selection::of_markdown(&folder, [USUAL].into_iter(), [].into_iter())
                });
            }
            selections.push(own);
        }
        selections.retain(|one| one.folder.is_empty() || evidence.folder(&one.folder));
        selections
    }

    /// The texts of a folder. What is not certain is not published.
    fn selection(&self, folder: String) -> Selection {
        let Instance {
            include, exclude, ..
        } = &self.instance;
        let usual = include.is_none().then_some(USUAL);
        let certain = include.iter().flat_map(|list| &list.certain);
        let files = certain.map(String::as_str).chain(usual);
        Selection::of_markdown(&folder, files, exclude.all())
    }

    /// Adds what is read, and what is not, to the report.
    fn say(&self, config: &mut Config) {
        let name = self.instance.plugin.name();
        let include = self.instance.include.iter().map(|list| ("include", list));
        for (key, list) in include.chain([("exclude", &self.instance.exclude)]) {
            let key = format!("{name}.{key}");
            let patterns: Vec<&str> = list.all().collect();
            if !patterns.is_empty() {
                config.say(&key, &patterns.join(" "));
            }
            if config.is_too_long(&key, patterns.len(), (0, 0)) {
                continue;
            }
            for pattern in patterns {
                if !Patterns::Rooted.has_all_groups(pattern) {
                    config.note_unread(&key, pattern, (0, 0));
                }
            }
            let hint = "write all its patterns as literals; what the program may name is withheld";
            config.problems.extend(list.problem(&key, hint));
        }
        config.problems.extend(self.outside());
    }

    /// The problem of a folder that is outside of all that is read.
    fn outside(&self) -> Option<Problem> {
        let folder = &self.instance.folder;
        let node = self.instance.get("path");
        let node = node.filter(|_| self.instance.is_outside())?;
        let problem = Problem::error(format!(
            "`{}.path` names `{folder}`, which is outside the folder that is read, so its texts are not published",
            self.instance.plugin.name()
        ));
        let problem = problem.at(self.config, node.line, node.column);
        let problem = problem.cause(Cause::Configuration);
        Some(problem.hint("name the folder that contains both"))
    }

    fn mount(&self, version: &str, folder: String, language: &str) -> Mount {
        let path = self.path(version);
        let at = inside_or_folder(&self.instance.at, path);
        let within = self.within(version, language);
        Mount {
            folder,
            at: inside_or_folder(language, &at),
            within: within.map(|within| inside_or_folder(language, within)),
            pattern: POST.filter(|_| self.instance.plugin == Plugin::Blog),
            other_version: version != self.last,
        }
    }

    /// The folder of the plug-in's articles, if they are some.
    fn within<'s>(&'s self, version: &'s str, language: &str) -> Option<&'s str> {
        match self.instance.plugin {
            Plugin::Docs if self.is_first && version == self.last => Some(""),
            Plugin::Docs if self.is_first => Some(self.path(version)),
            Plugin::Blog if self.instance.id.is_empty() => Some(match language {
                "" => self.instance.folder.as_str(),
                _ => "blog",
            }),
            _ => None,
        }
    }
}

/// The folders of documents, posts and pages, with those of further instances of these plug-ins,
/// old versions and translations.
fn scope(project: &Project<'_>) -> Scope {
    let own = project.config.folder();
    let own_folders = |folders: Vec<String>| -> Vec<String> {
        let folders = folders.into_iter();
        folders
            .map(|folder| inside_or_folder(own, &folder))
            .collect()
    };
    // Versions are after the folders of the plug-ins.
    let translations = format!("{}/", inside_or_folder(own, "i18n"));
    let folders = project
        .config
        .mounts
        .iter()
        .map(|mount| mount.folder.clone());
    let folders = folders.filter(|folder| !folder.starts_with(&translations));
    let (versions, mut content): (Vec<String>, Vec<String>) =
        folders.partition(|folder| folder.contains("versioned_docs/"));
    content.extend(own_folders(further(&project.text)));
    // Languages that are not built are excluded.
    content.extend(own_folders(vec!["i18n".to_owned()]));
    content.extend(versions);
    let copied = own_folders(project.folders("staticDirectories", "static"));
    Scope {
        copied: copied
            .iter()
            .map(|folder| Copied::at_root(folder))
            .collect(),
        ..Scope::new(content, &[])
    }
}

/// The `path` of each further instance of a plug-in for documents, posts or pages, where a program makes
/// the list of plug-ins.
fn further(text: &str) -> Vec<String> {
    let plugins = text.split("plugin-content-").skip(1).take(50);
    let paths = plugins.filter_map(|plugin| {
        let (_, value) = plugin.split_once("path:")?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        folder_path(value[1..].split(quote).next()?)
    });
    paths.collect()
}
