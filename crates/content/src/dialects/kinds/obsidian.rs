//! An Obsidian vault: names instead of paths, `%%comments%%`, aliases that are names.

use super::{graphs, plain};
use crate::dialects::config::{Config, Glob, Keys, read};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::{Evidence, GARDEN};
use crate::dialects::scope::{Chosen, Project, Scope};
use crate::model::path::join;
use crate::model::sources::SourceFile;
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "obsidian",
    recognise,
    scope,
    settle,
    keys: Keys {
        files: &[QUARTZ],
        title: &["configuration.pageTitle"],
        language: &["configuration.locale"],
        exclude: &[IGNORED],
        more,
        ..Keys::NONE
    },
    aliases_are_names: true,
    titled_by_name: true,
    dollar_math: true,
    vault: true,
    ..COMMON
};

/// The configuration of Quartz, which publishes a vault.
const QUARTZ: &str = "quartz.config.*";
/// Its key of patterns of files that it ignores.
const IGNORED: &str = "configuration.ignorePatterns";

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let folder = folder(evidence)
        .or_else(|| evidence.begins("quartz.config."))
        .or_else(|| graphs::found(evidence));
    // A generator that reads wikilinks has its own rules for what is public.
    if folder.is_none() && evidence.uses_wikilinks() && !plain::has_generator(evidence) {
        let (used, all) = evidence.wikilinks();
        return Some(format!("`[[wikilinks]]` in {used} of {all} files"));
    }
    folder
}

/// The whole vault, or of Quartz its `content/`, without the templates of new notes. Their folder is
/// in the settings of the vault or of Templater, else it is one with that name in which something is
/// to be filled in.
fn scope(project: &Project<'_>) -> Scope {
    const SETTINGS: [(&str, &str, &str); 2] = [
        ("templates.json", ".obsidian", "folder"),
        ("data.json", "templater-obsidian", "templates_folder"),
    ];
    let mut scope = Scope::default();
    if quartz(project.evidence).is_some() {
        let content = "content".to_owned();
        let content = Some(content).filter(|folder| project.evidence.folder(folder));
        scope.content.extend(content);
    } else if publishing_key(project.evidence).is_none() {
        scope.chosen = chosen(project.evidence);
    }
    for (name, folder, key) in SETTINGS {
        let is_of = |path: &str| path.rsplit('/').next() == Some(folder);
        for file in project.evidence.named(name, is_of) {
            let (front, ..) = read(file);
            let vault = vault_of(file);
            let named = front.text(&[key]).unwrap_or_default();
            exclude(
                &mut scope,
                &file.path,
                join(vault, named).filter(|_| !named.is_empty()),
            );
        }
    }
    for name in ["Templates", "templates", "_templates"] {
        let mut texts = project.evidence.below(name);
        if scope.excluded.is_empty() && texts.any(|file| is_template(&file.bytes)) {
            exclude(&mut scope, &format!("{name}/"), Some(name.to_owned()));
        }
    }
    scope
}

/// The configuration of Quartz.
fn quartz<'a>(evidence: &Evidence<'a>) -> Option<&'a SourceFile> {
    let file = evidence.beginning("quartz.config.")?;
    (!file.path.contains('/')).then_some(file)
}

/// Reports groups such as `!(public)/**` in patterns, which are not read.
fn more(config: &mut Config, front: &Front) {
    let ignored = front.get(IGNORED);
    let ignored = ignored.map_or(&[][..], |entry| entry.node.items());
    for node in ignored {
        let Some(pattern) = node.text().filter(|text| text.contains('(')) else {
            continue;
        };
        config.note_unread(IGNORED, pattern, (node.line, node.column));
    }
}

/// The key of folders that Obsidian Publish leaves out.
const EXCLUDED: &str = "excluded";

/// The settings of Obsidian Publish, of each vault in the folder.
fn settings_of_publish<'a>(evidence: &Evidence<'a>) -> Vec<&'a SourceFile> {
    let is_of = |path: &str| path.rsplit('/').next() == Some(".obsidian");
    evidence.named("publish.json", is_of)
}

/// Reports settings that are not valid.
fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    for file in settings_of_publish(evidence) {
        let (front, _, problems) = read(file);
        config.problems.extend(problems);
        for key in [EXCLUDED, "included"] {
            let count = front.items(key).len();
            let key = format!("{key}` of `{}", file.path);
            config.is_too_long(&key, count, (0, 0));
        }
    }
}

/// The folders that Obsidian Publish leaves out, and those that it publishes, of each vault. Of a
/// vault whose settings are not valid nothing is published.
fn chosen(evidence: &Evidence<'_>) -> Vec<Chosen> {
    let settings = settings_of_publish(evidence).into_iter();
    let chosen = settings.map(|file| {
        let (front, _, problems) = read(file);
        let vault = vault_of(file);
        let mut excluded = folders(&front, EXCLUDED, vault);
        if !problems.is_empty() {
            excluded.extend(Glob::parse_paths(vault, "**"));
        }
        Chosen {
            folder: vault.to_owned(),
            by: file.path.to_string(),
            key: "publish",
            in_properties: false,
            only_by_key: false,
            excluded,
            included: folders(&front, "included", vault),
        }
    });
    chosen.collect()
}

/// The folder of the vault that a file configures.
fn vault_of(file: &SourceFile) -> &str {
    let vault = file.path.split(".obsidian/").next().unwrap_or_default();
    vault.trim_end_matches('/')
}

/// The folders of a vault that a key names.
fn folders(front: &Front, key: &str, vault: &str) -> Vec<Glob> {
    let named = front.texts(key);
    let folders = named.filter_map(|named| join(vault, named));
    folders
        .flat_map(|folder| Glob::parse_paths(&folder, "**"))
        .collect()
}

/// Excludes a folder of templates, which a file or its own name shows.
fn exclude(scope: &mut Scope, by: &str, folder: Option<String>) {
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        scope.excluded.extend(Glob::parse_paths(&folder, "**"));
        scope.by = by.to_owned();
    }
}

/// Whether something in a note is to be filled in.
fn is_template(note: &[u8]) -> bool {
    let signs = ["{{title", "{{date", "{{time", "<% tp", "<%* "];
    signs
        .iter()
        .any(|sign| memchr::memmem::find(note, sign.as_bytes()).is_some())
}

/// The key of front matter without which no note is published: that of the plug-in Digital Garden,
/// if one note has it, and that of Quartz where its configuration says so.
pub(super) fn publishing_key(evidence: &Evidence<'_>) -> Option<&'static str> {
    if evidence.is_garden() {
        return Some(GARDEN);
    }
    let quartz = quartz(evidence)?;
    let text = String::from_utf8_lossy(&quartz.bytes);
    // The parts between `/*` and `*/` are comments.
    let mut parts = text.split("/*").enumerate();
    let is_explicit = parts.any(|(number, part)| {
        let comment = part.split_once("*/").filter(|_| number > 0);
        let code = comment.map_or(part, |(_, code)| code);
        code.lines().any(|line| {
            let (code, _) = line.split_once("//").unwrap_or((line, ""));
            code.contains("ExplicitPublish(")
        })
    });
    is_explicit.then_some("publish")
}

/// Obsidian's own folder, at any depth.
pub(super) fn folder(evidence: &Evidence<'_>) -> Option<String> {
    evidence.hidden_folder(".obsidian")
}
