//! An Astro site.

use crate::dialects::config::{Config, Keys};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
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
        language: &[
            "integrations.locales.root.lang",
            "locales.root.lang",
            "root.lang",
            "i18n.defaultLocale",
            "integrations.defaultLocale",
        ],
        address: &["site"],
        base: &["base"],
        usual: Some("src/content"),
        ..Keys::NONE
    },
    settle,
    addresses: Some("/:path/"),
    spell: heading_id,
    names_page: &["slug"],
    slug_is_path: true,
    ..COMMON
};

/// The collection that Starlight shows at the root of the site.
const DOCS: &str = "src/content/docs";

fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let file = evidence.beginning("astro.config.");
    let is_starlight =
        file.is_some_and(|file| memchr::memmem::find(&file.bytes, b"starlight").is_some());
    if is_starlight && evidence.folder(DOCS) {
        config.content = Some(DOCS.to_owned());
    }
}
