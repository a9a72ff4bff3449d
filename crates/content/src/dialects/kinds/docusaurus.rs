//! A Docusaurus site.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect {
    name: "docusaurus",
    recognise: |evidence| evidence.begins("docusaurus.config."),
    outputs: &["build"],
    keys: Keys {
        files: &["docusaurus.config.*"],
        description: &["tagline"],
        language: &["i18n.defaultLocale"],
        base: &["baseUrl"],
        exclude: &["presets.docs.exclude"],
        ..Keys::NONE
    },
    addresses: Some("/:path"),
    spell,
    names_page: &["slug", "id"],
    same_name_is_index: true,
    readme_is_index: true,
    jsx: true,
    ignores_status: true,
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
