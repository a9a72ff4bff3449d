//! An Obsidian vault: names instead of paths, `%%comments%%`, aliases that are names.

use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;

pub(super) static DIALECT: Dialect = Dialect {
    name: "obsidian",
    recognise,
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

/// The key of front matter without which no note is published: that of the plug-in Digital Garden,
/// if one note has it, and that of Quartz where its configuration says so.
pub(super) fn publishing_key(evidence: &Evidence<'_>) -> Option<&'static str> {
    const GARDEN: &str = "dg-publish";
    if evidence.some_front_has(GARDEN, |front| front.bool(&[GARDEN]) == Some(true)) {
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
