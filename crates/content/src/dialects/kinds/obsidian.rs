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

/// Obsidian's own folder, at any depth.
pub(super) fn folder(evidence: &Evidence<'_>) -> Option<String> {
    evidence.hidden_folder(".obsidian")
}
