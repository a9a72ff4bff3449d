//! A VitePress site: `<!--@include: ./x.md-->`, `<<< @/x.js`, `::: tip`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};

pub(super) static DIALECT: Dialect = Dialect {
    name: "vitepress",
    recognise: |evidence| evidence.hidden_folder(".vitepress"),
    keys: Keys {
        files: &[".vitepress/config.*", "docs/.vitepress/config.*"],
        language: &["lang", "locales.root.lang"],
        address: &["sitemap.hostname"],
        base: &["base"],
        content: &["srcDir"],
        exclude: &["srcExclude"],
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    vue: true,
    ignores_status: true,
    ..COMMON
};
