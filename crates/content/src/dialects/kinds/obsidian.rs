//! An Obsidian vault: names instead of paths, `%%comments%%`, aliases that are names.

mod quartz;

use super::{graphs, plain};
use crate::dialects::config::{Config, Glob, Keys, read};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::{Evidence, GARDEN};
use crate::dialects::scope::{Chosen, Project, Scope};
use crate::model::format::is_markdown;
use crate::model::path::join;
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::{Front, split};

pub(super) static DIALECT: Dialect = Dialect {
    name: "obsidian",
    recognise,
    scope,
    settle,
    keys: Keys {
        files: quartz::CONFIG,
        title: &["configuration.pageTitle"],
        language: &["configuration.locale"],
        ..Keys::NONE
    },
    aliases_are_names: true,
    titled_by_name: true,
    dollar_math: true,
    vault: true,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let folder = folder(evidence)
        .or_else(|| Some(format!("`{}`", quartz::configuration(evidence)?.path)))
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
    if quartz::configuration(project.evidence).is_some() {
        quartz::scope(project, &mut scope);
    } else if publishing_key(project.evidence, &DIALECT).is_none() {
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

/// The note that is the home page of a digital garden.
fn home(evidence: &Evidence<'_>) -> Option<String> {
    const HOME: &str = "dg-home";
    let is_home = |file: &&SourceFile| {
        is_markdown(&file.path) && memchr::memmem::find(&file.bytes, HOME.as_bytes()).is_some() && {
            let (text, _) = decode(&file.bytes, &file.path);
            let front = split(&text, &file.path).front;
            front.bool(&[HOME]) == Some(true) && front.bool(&[GARDEN]) == Some(true)
        }
    };
    let home = evidence.all().iter().find(is_home)?;
    Some(home.path.to_string())
}

/// The folder of the plug-in Digital Garden.
const PLUGIN: &str = "digitalgarden";
/// The key of folders that Obsidian Publish leaves out.
const EXCLUDED: &str = "excluded";

/// The settings of Obsidian Publish, of each vault in the folder.
fn settings_of_publish<'a>(evidence: &Evidence<'a>) -> Vec<&'a SourceFile> {
    let is_of = |path: &str| path.rsplit('/').next() == Some(".obsidian");
    evidence.named("publish.json", is_of)
}

/// Reports settings that are not valid.
fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    quartz::settle(evidence, config, front);
    config.features.outlines = graphs::is_of_logseq(evidence);
    if publishing_key(evidence, &DIALECT) == Some(GARDEN) {
        config.home = home(evidence);
    }
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

/// The key of front matter without which no note is published: that of Quartz where its configuration
/// says so, else that of the plug-in Digital Garden.
pub(super) fn publishing_key(evidence: &Evidence<'_>, dialect: &Dialect) -> Option<&'static str> {
    if evidence.is_garden(Some(true)) {
        return Some(GARDEN);
    }
    if quartz::configuration(evidence).is_some() {
        return quartz::needs_publish(evidence).then_some("publish");
    }
    is_garden(evidence, dialect).then_some(GARDEN)
}

/// Whether the plug-in is installed in a vault, or a note says `false` at its key. It publishes no note
/// by itself. A folder of another generator has rules of its own.
fn is_garden(evidence: &Evidence<'_>, dialect: &Dialect) -> bool {
    let is_general = dialect.vault || dialect.name == plain::DIALECT.name;
    is_general && (evidence.hidden_folder(PLUGIN).is_some() || evidence.is_garden(None))
}

/// Obsidian's own folder, at any depth.
pub(super) fn folder(evidence: &Evidence<'_>) -> Option<String> {
    evidence.hidden_folder(".obsidian")
}
