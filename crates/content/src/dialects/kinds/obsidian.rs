//! An Obsidian vault: names instead of paths, `%%comments%%`, aliases that are names.

use crate::dialects::{COMMON, Dialect, Evidence};

pub(in crate::dialects) static DIALECT: Dialect =
    Dialect { name: "obsidian", recognise, aliases_are_names: true, titled_by_name: true, dollar_math: true, ..COMMON };

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    evidence.vault().or_else(|| {
        let (used, all) = evidence.wikilinks();
        evidence.uses_wikilinks().then(|| format!("`[[wikilinks]]` in {used} of {all} files"))
    })
}
