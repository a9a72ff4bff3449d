//! An MkDocs site: `--8<-- "file"`, `{!file!}`.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect, FolderOrder, Spelling};
use crate::dialects::heading_ids;
use crate::dialects::order::nav;
use crate::dialects::redirects::{Notation, Table, Written};
use crate::dialects::scope::Scope;

const CONFIG: &[&str] = &["mkdocs.yml", "mkdocs.yaml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "mkdocs",
    recognise: |evidence| evidence.first(CONFIG),
    roots: &["docs"],
    outputs: &["site"],
    machinery: &["overrides"],
    scope: |project| Scope::of(vec![project.folder(&["docs_dir"], "docs")], &[]),
    reads: &[
        "md", "markdown", "mdown", "mkd", "mkdn", "html", "htm", "xhtml",
    ],
    keys: Keys {
        files: CONFIG,
        title: &["site_name"],
        description: &["site_description"],
        author: &["site_author", "extra.authors"],
        language: &["theme.language", "theme.locale"],
        address: &["site_url"],
        content: &["docs_dir"],
        usual: Some("docs"),
        exclude: &["exclude_docs", "draft_docs"],
        ..Keys::NONE
    },
    redirects: &[
        Written {
            file: "mkdocs.yml",
            notation: Notation::Table(Table {
                of_texts: true,
                ..Table::of("plugins.redirects.redirect_maps")
            }),
        },
        Written {
            file: "mkdocs.yaml",
            notation: Notation::Table(Table {
                of_texts: true,
                ..Table::of("plugins.redirects.redirect_maps")
            }),
        },
    ],
    addresses: Some("/:path/"),
    readme_is_index: true,
    includes: Spelling::Scissors,
    ignores_status: true,
    order: &[nav::nav],
    folder_order: FolderOrder::TextsFirst,
    heading_ids: Some(heading_ids::PYTHON),
    ..COMMON
};
