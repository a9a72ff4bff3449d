//! An MkDocs site.

use crate::dialects::config::Keys;
use crate::dialects::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "mkdocs",
    recognise: |evidence| evidence.first(&["mkdocs.yml", "mkdocs.yaml"]),
    roots: &["docs"],
    outputs: &["site"],
    machinery: &["overrides"],
    includes: Spelling::Scissors,
    keys: Keys {
        files: &["mkdocs.yml", "mkdocs.yaml"],
        title: &["site_name"],
        description: &["site_description"],
        author: &["site_author"],
        language: &["theme.language", "theme.locale"],
        address: &["site_url"],
        content: &["docs_dir"],
        usual: Some("docs"),
        exclude: &["exclude_docs", "draft_docs"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    readme_is_index: true,
    ..COMMON
};
