//! A Hugo site: shortcodes in `{{< >}}`.

use crate::dialects::config::{Keys, Patterns, edit, read};
use crate::dialects::dialect::{COMMON, Dialect, FolderOrder, Inherits, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::markup::address;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::tags::{Call, Piece};
use crate::model::document::REF;
use crate::model::sources::SourceFile;
use crate::syntax::front::{Node, Value};
use unicode_normalization::char::is_combining_mark;

/// Its own configuration files.
const OWN: &[&str] = &[
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
    "config/_default/hugo.yml",
    "config/_default/hugo.json",
];
/// The files of which it reads the first.
const CONFIG: &[&str] = &[
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.json",
];

pub(super) static DIALECT: Dialect = Dialect {
    name: "hugo",
    recognise,
    roots: &["content"],
    outputs: &["public", "resources"],
    machinery: &["layouts", "themes", "archetypes", "i18n"],
    scope,
    reads: &[
        "md", "markdown", "mdown", "mkd", "mkdn", "html", "htm", "xhtml",
    ],
    bundles: true,
    owns_files: true,
    inherits: Inherits::Cascade,
    keys: Keys {
        files: CONFIG,
        // What `hugo` itself builds: the values of every environment, then those of production.
        folders: &["config/_default", "config/production"],
        below,
        description: &["params.description", "description"],
        author: &["params.authors", "params.author", "authors", "author"],
        language: &["defaultContentLanguage", "locale", "languageCode"],
        address: &["baseURL"],
        content: &["contentDir"],
        exclude: &["ignoreFiles"],
        patterns: Patterns::Expression,
        zone: &["timeZone"],
        edit: edit::hugo,
        ..Keys::NONE
    },
    escaped_formulas: true,
    addresses: Some("/:path/"),
    spell,
    names_page: &["slug"],
    default_language_has_no_folder: true,
    includes: Spelling::Shortcodes,
    shortcodes: &[
        (&["figure", "img", "image", "picture"], Piece::picture),
        (&["param", "_param"], param),
        (&["ref", "relref"], reference),
    ],
    ignores_status: true,
    folder_order: FolderOrder::Newest,
    ..COMMON
};

/// Its own configuration file, or one of another name with its keys beside its content or theme.
fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let own = evidence.first(OWN);
    if own.is_some() {
        return own;
    }
    let folders = ["content", "themes", "archetypes", "layouts"];
    let beside = folders.into_iter().find(|name| evidence.folder(name));
    if let Some(beside) = beside {
        let default = evidence.below("config/_default").find(|file| {
            let name = file.path.strip_prefix("config/_default/");
            name.and_then(below).is_some() && has_keys(file)
        });
        if let Some(file) = default {
            return Some(format!("`{}` and `{beside}/`", file.path));
        }
    }
    for name in CONFIG {
        let Some(file) = evidence.file(name) else {
            continue;
        };
        if has_keys(file) && beside.is_some() {
            return Some(format!("the keys of `{name}`"));
        }
        let is_machinery = ["archetypes", "layouts"]
            .iter()
            .any(|name| evidence.folder(name));
        if is_machinery {
            return Some(format!("`{name}`"));
        }
    }
    None
}

/// Whether a file has a key that only Hugo has, or two that it has.
fn has_keys(file: &SourceFile) -> bool {
    const SURE: [&str; 4] = [
        "baseURL",
        "languageCode",
        "defaultContentLanguage",
        "contentDir",
    ];
    const LIKELY: [&str; 14] = [
        "theme",
        "title",
        "params",
        "permalinks",
        "taxonomies",
        "menu",
        "menus",
        "markup",
        "outputs",
        "paginate",
        "pagination",
        "enableGitInfo",
        "enableRobotsTXT",
        "module",
    ];
    let (front, ..) = read(file);
    let has = |key: &&str| front.get(key).is_some();
    // Zola's own address.
    front.get("base_url").is_none()
        && (SURE.iter().any(has) || LIKELY.iter().filter(|key| has(key)).count() > 1)
}

/// `params.toml` holds `params`, `menus.de.toml` the menus of a language.
fn below(name: &str) -> Option<Vec<String>> {
    let (stem, suffix) = name.rsplit_once('.')?;
    if !matches!(suffix, "toml" | "yaml" | "yml" | "json") || stem.contains('/') {
        return None;
    }
    let keys: Vec<&str> = match stem.split_once('.') {
        None if matches!(stem, "hugo" | "config") => Vec::new(),
        None => vec![stem],
        Some((key @ ("menu" | "menus" | "params"), language)) => vec!["languages", language, key],
        Some((_, language)) => vec!["languages", language],
    };
    Some(keys.into_iter().map(str::to_owned).collect())
}

/// A part of a path in lower case; each run of white space is one `-`, and most signs go.
fn spell(part: &str) -> String {
    let mut spelled = String::new();
    let mut is_after_space = false;
    for c in part.chars().flat_map(char::to_lowercase) {
        let is_kept = c.is_alphanumeric()
            || matches!(c, '.' | '_' | '#' | '+' | '-' | '~' | '@' | '%')
            || is_combining_mark(c);
        if is_kept {
            if is_after_space && c != '-' && !spelled.ends_with('-') && !spelled.is_empty() {
                spelled.push('-');
            }
            spelled.push(c);
        }
        is_after_space = c.is_whitespace() || is_after_space && !is_kept;
    }
    spelled
}

/// `contentDir` of the site and of its languages, `staticDir`, and mounts of the project's own
/// folders, which replace the usual folder of what they are mounted at.
fn scope(project: &Project<'_>) -> Scope {
    let mut content = vec![project.folder(&["contentDir"], "content")];
    let mut copied = project.folders("staticDir", "static");
    let mut assets = vec![project.folder(&["assetDir"], "assets")];
    if let Some(Value::Map(languages)) = project
        .front
        .get("languages")
        .map(|entry| &entry.node.value)
    {
        for language in languages {
            content.extend(named(&language.node, "contentDir"));
            copied.extend(named(&language.node, "staticDir"));
        }
    }
    let mounts = project.front.get("module.mounts");
    let mut mounted = [Vec::new(), Vec::new(), Vec::new()];
    for mount in mounts.map(|entry| entry.node.items()).unwrap_or_default() {
        let (Some(source), Some(target)) = (named(mount, "source"), named(mount, "target")) else {
            continue;
        };
        let (kind, below) = target.split_once('/').unwrap_or((&target, ""));
        let at = ["content", "static", "assets"]
            .iter()
            .position(|name| *name == kind);
        if let Some(at) = at {
            mounted[at].push(Copied {
                folder: source,
                site: below.to_owned(),
            });
        }
    }
    let [texts, files, pictures] = mounted;
    let folders = |mounts: Vec<Copied>| mounts.into_iter().map(|mount| mount.folder);
    if !texts.is_empty() {
        content = folders(texts).collect();
    }
    if !pictures.is_empty() {
        assets = folders(pictures).collect();
    }
    let mut scope = Scope::of(content, &[]);
    scope.copied = if files.is_empty() {
        copied
            .iter()
            .map(|folder| Copied::at_root(folder))
            .collect()
    } else {
        files
    };
    Scope { assets, ..scope }
}

fn named(node: &Node, key: &str) -> Option<String> {
    folder_path(node.get(key)?.node.text()?)
}

/// `{{< param color >}}`: a value from the page's front matter.
fn param(call: &Call<'_>) -> Option<Piece> {
    let name = call.arguments.first()?;
    Piece::words(call.front.text(&[&format!("params.{name}"), name])?)
}

/// `{{< ref "post.md" >}}`: the address of a page.
fn reference(call: &Call<'_>) -> Option<Piece> {
    let target = call.arguments.named(&["path"]).or(call.arguments.first())?;
    Some(Piece::Text(format!("{REF}{}", address(target))))
}

#[cfg(test)]
mod tests {
    use crate::dialects::{Evidence, Files, Kind, Named, translate};

    #[test]
    fn rule_12_params_of_a_page() {
        let front = crate::syntax::front::split(
            "---\ntitle: T\nparams: {color: green, deep: {er: blue}}\nsize: 3\n---\n",
            "a.md",
        )
        .front;
        let check = |text: &str, expected: &str| {
            let kind = Kind::of(&Evidence::default(), Some("hugo"));
            let files = Files::new("a.md", &|_| Named::Missing);
            assert_eq!(
                translate(text, false, false, &kind, &front, &files).text,
                expected,
                "{text}"
            );
        };
        check(
            "{{< param color >}} {{< param \"deep.er\" >}} {{% param size %}} {{< param none >}}.",
            "green blue 3 .",
        );
    }
}
