//! An MkDocs site.

use super::{COMMON, Dialect, Spelling};

pub(super) static DIALECT: Dialect = Dialect {
    name: "mkdocs",
    recognise: |evidence| evidence.first(&["mkdocs.yml", "mkdocs.yaml"]),
    roots: &["docs"],
    outputs: &["site"],
    machinery: &["overrides"],
    includes: Spelling::Scissors,
    ..COMMON
};
