//! A VitePress site: `<!--@include: ./x.md-->`, `<<< @/x.js`, `::: tip`.

use crate::dialects::config::{Keys, Patterns};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::heading_ids;
use crate::dialects::order::sidebar;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::model::path::inside_or_folder;

pub(super) static DIALECT: Dialect = Dialect {
    name: "vitepress",
    recognise: |evidence| evidence.hidden_folder(".vitepress"),
    scope,
    reads: &["md"],
    copies_linked: true,
    keys: Keys {
        files: &[
            ".vitepress/config.*",
            "docs/.vitepress/config.*",
            ".vitepress/config/index.*",
            "docs/.vitepress/config/index.*",
        ],
        language: &["lang", "locales.root.lang"],
        address: &["sitemap.hostname"],
        base: &["base"],
        content: &["srcDir"],
        exclude: &["srcExclude"],
        patterns: Patterns::Rooted,
        ..Keys::NONE
    },
    addresses: Some("/:path.html"),
    vue: true,
    ignores_status: true,
    order: &[sidebar::theme],
    heading_ids: Some(heading_ids::VITEPRESS),
    ..COMMON
};

/// `srcDir` below the folder with `.vitepress/`, and `public/` in it.
fn scope(project: &Project<'_>) -> Scope {
    let own = project
        .evidence
        .hidden_folder(".vitepress")
        .unwrap_or_default();
    let own = own.trim_matches('`').trim_end_matches('/');
    let base = own
        .strip_suffix(".vitepress")
        .unwrap_or_default()
        .trim_end_matches('/');
    let source = project.front.text(&["srcDir"]).unwrap_or_default();
    let content = folder_path(&inside_or_folder(base, source)).unwrap_or_else(|| base.to_owned());
    let public = inside_or_folder(&content, "public");
    Scope {
        copied: vec![Copied::at_root(&public)],
        ..Scope::of(vec![content], &[])
    }
}
