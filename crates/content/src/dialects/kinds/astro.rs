//! An Astro site.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::model::document::build::heading_id;

pub(super) static DIALECT: Dialect = Dialect {
    name: "astro",
    recognise: |evidence| evidence.begins("astro.config."),
    roots: &["src/content", "src/pages"],
    outputs: &["dist"],
    keys: Keys {
        files: &["astro.config.*"],
        title: &["title", "integrations.title", "integrations.title.en"],
        description: &["description", "integrations.description"],
        language: &["i18n.defaultLocale", "integrations.defaultLocale"],
        address: &["site"],
        base: &["base"],
        usual: Some("src/content"),
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    spell: heading_id,
    names_page: &["slug"],
    slug_is_path: true,
    ..COMMON
};
