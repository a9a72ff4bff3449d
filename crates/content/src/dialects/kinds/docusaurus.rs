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
    readme_is_index: true,
    jsx: true,
    ..COMMON
};
