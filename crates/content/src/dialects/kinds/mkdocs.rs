//! An MkDocs site: `--8<-- "file"`, `{!file!}`.

use crate::dialects::config::{Config, Keys, Permalink, edit};
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
        inherit: Some("INHERIT"),
        title: &["site_name"],
        description: &["site_description"],
        author: &["site_author", "extra.authors"],
        language: &["theme.language", "theme.locale"],
        address: &["site_url"],
        content: &["docs_dir"],
        usual: Some("docs"),
        exclude: &["exclude_docs", "draft_docs"],
        more: plugins,
        edit: edit::mkdocs,
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
    code_references: true,
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
        for name in ["blog", "material/blog"] {
            if plugin.text() == Some(name) {
                blog(config, None);
            } else if let Some(set) = plugin.get(name) {
                blog(config, Some(&set.node));
            }
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

/// `blog: {blog_dir: news, post_url_format: "{date}/{slug}", post_url_date_format: yyyy/MM}`: the
/// addresses of posts.
fn blog(config: &mut Config, set: Option<&Node>) {
    let text = |key: &str| set?.get(key)?.node.text();
    let folder = text("blog_dir").unwrap_or("blog").trim_matches(['.', '/']);
    let posts = text("post_dir").unwrap_or("{blog}/posts");
    let posts = posts.replace("{blog}", folder);
    let date = of_date(text("post_url_date_format").unwrap_or("yyyy/MM/dd"));
    let format = text("post_url_format").unwrap_or("{date}/{slug}");
    let pattern = format
        .replace("{date}", &date)
        .replace("{slug}", ":slug")
        .replace("{file}", ":contentbasename")
        .replace("{categories}", ":category");
    config.say("plugins.blog", format);
    config.permalinks.push(Permalink {
        scope: posts.trim_matches('/').to_owned(),
        pattern: format!("/{folder}/{pattern}/"),
        below: false,
    });
}

/// A format such as `yyyy/MM/dd` with names of parts of a date.
fn of_date(format: &str) -> String {
    const PARTS: [(&str, &str); 8] = [
        ("yyyy", ":year"),
        ("yy", ":short_year"),
        ("MMMM", ":monthname"),
        ("MMM", ":short_month"),
        ("MM", ":month"),
        ("M", ":i_month"),
        ("dd", ":day"),
        ("d", ":i_day"),
    ];
    let (mut pattern, mut rest) = (String::new(), format);
    while let Some(next) = rest.chars().next() {
        let part = PARTS.iter().find(|(letters, _)| rest.starts_with(letters));
        match part {
            Some((letters, name)) => {
                pattern.push_str(name);
                rest = &rest[letters.len()..];
            }
            None => {
                pattern.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    pattern
}
