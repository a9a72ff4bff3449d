//! An MkDocs site: `--8<-- "file"`, `{!file!}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect, Spelling};

const CONFIG: &[&str] = &["mkdocs.yml", "mkdocs.yaml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "mkdocs",
    recognise: |evidence| evidence.first(CONFIG),
    roots: &["docs"],
    outputs: &["site"],
    machinery: &["overrides"],
    keys: Keys {
        files: CONFIG,
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
    includes: Spelling::Scissors,
    ignores_status: true,
    ..COMMON
};
