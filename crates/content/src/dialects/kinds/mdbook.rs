//! An mdBook: `{{#include file}}`.

use crate::dialects::config;
use crate::dialects::config::{Keys, edit};
use crate::dialects::dialect::{COMMON, Dialect, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::chapters;
use crate::dialects::redirects::{Notation, Table, Written};
use crate::dialects::scope::{Project, Scope, folder_path};
use crate::model::path::inside_or_folder;

pub(super) static DIALECT: Dialect = Dialect {
    name: "mdbook",
    recognise,
    roots: &["src"],
    outputs: &["book"],
    machinery: &["theme"],
    scope,
    reads: &["md", "html", "htm", "xhtml"],
    keys: Keys {
        files: &["book.toml"],
        title: &["book.title"],
        description: &["book.description"],
        author: &["book.authors", "book.author"],
        language: &["book.language"],
        address: &["output.html.site-url"],
        content: &["book.src"],
        usual: Some("src"),
        edit: edit::mdbook,
        ..Keys::NONE
    },
    redirects: &[Written {
        file: "book.toml",
        notation: Notation::Table(Table {
            relative: true,
            ..Table::of("output.html.redirect")
        }),
    }],
    addresses: Some("/:path.html"),
    readme_is_index: true,
    includes: Spelling::Hashes,
    ignores_status: true,
    order: &[chapters::summary],
    heading_ids: Some(heading_ids::MDBOOK),
    ..COMMON
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let book = evidence.first(&["book.toml"])?;
    let (_, front) = config::open(evidence, &["book.toml"])?;
    let (_, summary) = summary(evidence, front.text(&["book.src"]))?;
    Some(format!("{book} and `{summary}`"))
}

/// The source folder and its `SUMMARY.md`.
fn summary(evidence: &Evidence<'_>, named: Option<&str>) -> Option<(String, String)> {
    let named = folder_path(named.unwrap_or("src"))?;
    let folders = [named, "src".to_owned(), String::new()];
    let mut summaries = folders.into_iter().map(|folder| {
        let summary = inside_or_folder(&folder, "SUMMARY.md");
        (folder, summary)
    });
    summaries.find(|(_, summary)| evidence.file(summary).is_some())
}

/// The chapters that `SUMMARY.md` lists, and everything in its folder that is no text.
fn scope(project: &Project<'_>) -> Scope {
    let named = project.front.text(&["book.src"]);
    let Some((folder, summary)) = summary(project.evidence, named) else {
        return Scope::of(vec![project.folder(&["book.src"], "src")], &[]);
    };
    let listed = project.chapters(&folder, summary);
    Scope {
        listed: Some(listed),
        ..Scope::of(vec![folder], &[])
    }
}
