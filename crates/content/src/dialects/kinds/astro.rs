//! An Astro site.

mod calls;
mod condition;
mod filter;
mod filters;
mod programs;
mod routes;
mod schema;

use crate::dialects::collections::Collections;
use crate::dialects::config::{Config, Keys, edit};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::order::sidebar;
use crate::dialects::pattern::Style;
use crate::dialects::redirects::{Notation, RedirectFile};
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::model::document::heading_id;
use crate::model::path::inside_or_folder;
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "astro",
    recognise: |evidence| evidence.begins("astro.config."),
    roots: &["src/content", "src/pages"],
    outputs: &["dist"],
    scope,
    reads: &["md", "mdx", "mdown", "markdown", "html"],
    sources: &["astro"],
    copies_linked: true,
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
        edit: edit::starlight,
        ..Keys::NONE
    },
    settle,
    redirects: &[RedirectFile {
        file: "astro.config.*",
        notation: Notation::Program(Style::Brackets),
    }],
    addresses: Some("/:path/"),
    spell: |_, part| heading_id(part),
    names_page: &["slug"],
    slug_is_path: true,
    home_in_front: true,
    order: &[sidebar::integration],
    ..COMMON
};

/// The usual folder of its sources.
const SOURCE: &str = "src";
/// The collection that Starlight shows at the root of the site.
const DOCS: &str = "docs";

fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    let file = evidence.beginning("astro.config.");
    let is_starlight =
        file.is_some_and(|file| memchr::memmem::find(&file.bytes, b"starlight").is_some());
    let source = front.text(&["srcDir"]).and_then(folder_path);
    let source = source.unwrap_or_else(|| SOURCE.to_owned());
    let always = is_starlight.then_some(DOCS);
    let collections = Collections::find(evidence, &source, (DIALECT.sources, always));
    let folder = inside_or_folder(&source, "content");
    let docs = collections.folder(DOCS).map(str::to_owned);
    let docs = docs.unwrap_or_else(|| inside_or_folder(&folder, DOCS));
    config.content = Some(folder);
    if is_starlight && evidence.folder(&docs) {
        config.content = Some(docs);
        config.untranslated = true;
    }
    // The routes of its own collection are not in this folder.
    filters::settle(evidence, &source, &collections, always, config);
    config.names_collections = collections.are_named;
    config.selections.extend(collections.selections);
    config.problems.extend(collections.problems);
}

/// The pages, and the collections that they show; of a site of Starlight its own collection.
fn scope(project: &Project<'_>) -> Scope {
    let source = project.folder(&["srcDir"], SOURCE);
    let mut content = vec![inside_or_folder(&source, "pages")];
    let is_starlight = project.config.untranslated;
    if is_starlight {
        content.extend(project.config.content.clone());
    }
    for selection in &project.config.selections {
        if !content.contains(&selection.folder) {
            content.push(selection.folder.clone());
        }
    }
    if !is_starlight && !project.config.names_collections {
        content.push(inside_or_folder(&source, "content"));
    }
    Scope {
        copied: vec![Copied::at_root(&project.folder(&["publicDir"], "public"))],
        assets: vec![source],
        ..Scope::new(content, &[])
    }
}
