//! An MkDocs site: `--8<-- "file"`, `{!file!}`.

use crate::dialects::config::{Config, Keys};
use crate::dialects::dialect::{COMMON, Dialect, FolderOrder, Spelling};
use crate::dialects::heading_ids;
use crate::dialects::order::nav;
use crate::dialects::redirects::{Notation, Table, Written};
use crate::dialects::scope::Scope;
use crate::syntax::front::{Front, Node};

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
        more: plugins,
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
    default_language_has_no_folder: true,
    readme_is_index: true,
    includes: Spelling::Scissors,
    ignores_status: true,
    order: &[nav::nav],
    folder_order: FolderOrder::TextsFirst,
    heading_ids: Some(heading_ids::PYTHON),
    ..COMMON
};

/// The maximum number of plug-ins.
const MOST: usize = 200;

/// What plug-ins do with texts.
fn plugins(config: &mut Config, front: &Front) {
    let plugins = front.get("plugins");
    let plugins = plugins.map_or(&[][..], |entry| entry.node.items());
    for plugin in plugins.iter().take(MOST) {
        if let Some(i18n) = plugin.get("i18n") {
            translations(config, &i18n.node);
        }
    }
}

/// `i18n: {fallback_to_default: false, languages: [{locale: en, default: true}]}`
fn translations(config: &mut Config, i18n: &Node) {
    let bool_of = |node: &Node, key: &str| node.get(key).and_then(|entry| entry.node.bool());
    let text_of = |node: &Node, key: &str| {
        let text = node.get(key).and_then(|entry| entry.node.text());
        text.map(str::to_lowercase)
    };
    config.untranslated = bool_of(i18n, "fallback_to_default") != Some(false);
    let languages = i18n.get("languages");
    let languages = languages.map_or(&[][..], |entry| entry.node.items());
    let default = languages
        .iter()
        .find(|language| bool_of(language, "default") == Some(true));
    config.default_language = default
        .and_then(|language| text_of(language, "locale"))
        .or_else(|| text_of(i18n, "default_language"))
        .or(config.default_language.take());
}
