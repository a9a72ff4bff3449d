//! A Zola site.

use super::{COMMON, Dialect};

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
    ..COMMON
};
