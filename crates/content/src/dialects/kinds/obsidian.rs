//! An Obsidian vault: names instead of paths, `%%comments%%`, aliases that are names.

use crate::dialects::config::{Glob, read};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::{Evidence, GARDEN};
use crate::dialects::scope::{Project, Scope};
use crate::model::path::join;

pub(super) static DIALECT: Dialect = Dialect {
    name: "obsidian",
    recognise,
    scope,
    aliases_are_names: true,
    titled_by_name: true,
    dollar_math: true,
    vault: true,
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let folder = folder(evidence);
    if folder.is_none() && evidence.uses_wikilinks() {
        let (used, all) = evidence.wikilinks();
        return Some(format!("`[[wikilinks]]` in {used} of {all} files"));
    }
    folder
}

/// The whole vault without the templates of new notes: their folder by the settings of the vault or
/// of Templater, else one with that name in which something is to be filled in.
fn scope(project: &Project<'_>) -> Scope {
    const SETTINGS: [(&str, &str, &str); 2] = [
        ("templates.json", ".obsidian", "folder"),
        ("data.json", "templater-obsidian", "templates_folder"),
    ];
    let mut scope = Scope::default();
    for (name, folder, key) in SETTINGS {
        let is_of = |path: &str| path.rsplit('/').next() == Some(folder);
        for file in project.evidence.named(name, is_of) {
            let (front, ..) = read(file);
            let vault = file.path.split(".obsidian/").next().unwrap_or_default();
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

/// Excludes a folder of templates, which a file or its own name shows.
fn exclude(scope: &mut Scope, by: &str, folder: Option<String>) {
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        scope.excluded.extend(Glob::of_paths(&folder, "**"));
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
    let quartz = evidence.beginning("quartz.config.")?;
    let text = String::from_utf8_lossy(&quartz.bytes);
    let mut lines = text.lines().map(str::trim_start);
    let is_explicit =
        lines.any(|line| line.starts_with("Plugin.ExplicitPublish(") && !quartz.path.contains('/'));
    is_explicit.then_some("publish")
}

/// Obsidian's own folder, at any depth.
pub(super) fn folder(evidence: &Evidence<'_>) -> Option<String> {
    evidence.hidden_folder(".obsidian")
}
