//! A Zola site.

use super::{COMMON, Dialect};
use crate::config::Keys;

pub(super) static DIALECT: Dialect = Dialect {
    name: "zola",
    recognise: |evidence| {
        evidence
            .first(&["config.toml", "zola.toml"])
            .filter(|_| evidence.opens_with_plus("content"))
            .map(|config| format!("{config} and `+++` in `content/`"))
    },
    roots: &["content"],
    outputs: &["public"],
    machinery: &["templates", "themes", "sass"],
    keys: Keys {
        files: &["zola.toml", "config.toml"],
        author: &["author", "extra.author"],
        language: &["default_language"],
        address: &["base_url"],
        exclude: &["ignored_content"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    ..COMMON
};
