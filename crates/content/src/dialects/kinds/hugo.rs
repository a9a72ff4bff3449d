//! A Hugo site: shortcodes in `{{< >}}`.

mod mounts;

mod addresses;
mod permalinks;

use std::collections::BTreeSet;

use crate::dialects::config::{
    Cascade, CodeShortcode, Config, DateKey, HiddenShortcodes, Keys, Patterns, PlaceOfShortcode,
    Template, cascaded, edit, read,
};
use crate::dialects::dialect::{COMMON, CodeTags, Dialect, FolderOrder, Inherits, Owner, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids::{self, NamedIds};
use crate::dialects::markup::address;
use crate::dialects::order::menus;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::dialects::tags::{Call, Piece};
use crate::model::document::REF;
use crate::model::path;
use crate::model::sources::SourceFile;
use crate::syntax::front::{Entry, Front, Node, Value, is_same_word, split_with_keywords};
use mounts::Mounts;

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

const READS: &[&str] = &[
    "md", "markdown", "mdown", "mkd", "mkdn", "html", "htm", "xhtml",
];

/// The suffixes of texts that other programs render for it.
const UNREAD: &[&str] = &["org", "adoc", "asciidoc", "ad", "rst", "pandoc", "pdc"];
/// The key of the date from which a text is published, and its other names.
const PUBLISH: &str = "publishDate";
const PUBLISH_TOO: [&str; 2] = ["pubdate", "published"];
/// The kinds of pages that texts make.
const KINDS: [&str; 5] = ["home", "page", "section", "taxonomy", "term"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "hugo",
    recognise,
    roots: &["content"],
    outputs: &["public", "resources"],
    machinery: &["layouts", "themes", "archetypes", "i18n"],
    scope,
    reads: READS,
    unread: UNREAD,
    bundles: true,
    owns_files: Owner::Index,
    inherits: Inherits::Cascade,
    opens_underscored: true,
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
        more,
        ..Keys::NONE
    },
    settle,
    closed,
    escaped_formulas: true,
    split: split_with_keywords,
    code_tags: CodeTags::Escapes,
    heading_ids: Some(heading_ids::GOLDMARK),
    addresses: Some("/:path/"),
    spell: addresses::spell,
    filling: Some(&addresses::FILLING),
    section_feeds: &["index.xml"],
    default_language_has_no_folder: true,
    aliases_count_from_page: true,
    includes: Spelling::Shortcodes,
    shortcodes: &[
        (&["figure", "img", "image", "picture"], Piece::picture),
        (&["param", "_param"], param),
        (&["ref", "relref"], reference),
    ],
    ignores_status: true,
    order: &[|ask| menus::of_hugo(ask, &DIALECT.keys)],
    menus_in_texts: true,
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

/// `params.toml` holds `params`, `menus.de.toml` the menus of a language, in any folder.
fn below(path: &str) -> Option<Vec<String>> {
    let (stem, suffix) = path::name(path).rsplit_once('.')?;
    if !matches!(suffix, "toml" | "yaml" | "yml" | "json") {
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

/// `cascade` for all texts, and whether terms of definitions have ids.
fn more(config: &mut Config, front: &Front) {
    let key = "markup.goldmark.parser.autoDefinitionTermID";
    config.term_ids = front.bool(&[key]) == Some(true);
    config.heading_ids = match front.text(&["markup.goldmark.parser.autoHeadingIDType"]) {
        Some("blackfriday") => Some(NamedIds::Blackfriday),
        Some("github-ascii") => Some(NamedIds::GithubAscii),
        _ => None,
    };
    let [title, block] = ["title", "block"]
        .map(|of| front.bool(&[&format!("markup.goldmark.parser.attribute.{of}")]));
    config.title_attributes = title != Some(false);
    config.block_attributes = block == Some(true);
    config.unbuilt = disabled(front);
    config.date_keys = date_keys(front);
    config.taxonomies = taxonomies(front);
    let unbuilt = front.texts("disableKinds").map(str::to_lowercase);
    config.unbuilt_kinds = unbuilt.filter(|kind| KINDS.contains(&&**kind)).collect();
    config.cascade = cascades(front);
    if !config.cascade.is_empty() {
        config.say("cascade", config.file_of("cascade").to_owned().as_str());
    }
    config.hidden_shortcodes = HiddenShortcodes::read(front);
    names_of_language(config, front);
    addresses::read(config, front);
    permalinks::read(config, front);
    config.site_params = cascaded(front.items("cascade"));
    if let Some(Value::Map(params)) = front.get("params").map(|entry| &entry.node.value) {
        config.site_params.entries.extend(params.iter().cloned());
    }
}

/// `cascade` of the languages, then that of the site.
fn cascades(front: &Front) -> Vec<Cascade> {
    let languages = front.get("languages");
    let languages = languages.map_or(&[][..], |entry| entry.node.entries());
    let mut all = Vec::new();
    for Entry { key, node } in languages {
        let items = node.items_of("cascade").iter();
        all.extend(items.map(|values| Cascade {
            language: Some(key.text.clone()),
            values: values.clone(),
        }));
    }
    all.extend(front.items("cascade").iter().map(|values| Cascade {
        language: None,
        values: values.clone(),
    }));
    all
}

/// The folders of taxonomies: the plural names.
fn taxonomies(front: &Front) -> Vec<String> {
    match front.get("taxonomies").map(|entry| &entry.node.value) {
        Some(Value::Map(names)) => {
            let names = names.iter().filter_map(|name| name.node.text());
            names.map(str::to_owned).collect()
        }
        _ => ["tags", "categories"].map(str::to_owned).to_vec(),
    }
}

/// Title and description of the default language, which have priority over those of the site.
fn names_of_language(config: &mut Config, front: &Front) {
    let language = config.default_language.clone();
    let language = language.unwrap_or_else(|| "en".to_owned());
    let title = config.words(front, &[&format!("languages.{language}.title")]);
    let description = [
        &*format!("languages.{language}.params.description"),
        &*format!("languages.{language}.description"),
    ];
    let description = config.words(front, &description);
    let settings = &mut config.settings;
    settings.title = title.or(settings.title.take());
    settings.description = description.or(settings.description.take());
}

/// The names of the languages that are not built, in lower case.
fn disabled(front: &Front) -> BTreeSet<String> {
    let listed = front.texts("disableLanguages");
    let mut names: BTreeSet<String> = listed.map(str::to_lowercase).collect();
    if let Some(Value::Map(languages)) = front.get("languages").map(|entry| &entry.node.value) {
        let disabled = languages.iter().filter(|language| {
            let flag = language.node.get("disabled");
            flag.and_then(|entry| entry.node.bool()) == Some(true)
        });
        names.extend(disabled.map(|language| language.key.text.to_lowercase()));
    }
    names
}

/// Files in a language that is not built, `post.de.md`, and those whose name is that of a copy that
/// an editor makes.
fn closed(config: &Config, path: &str) -> Option<&'static str> {
    let is_copy = |part: &str| part.starts_with('#') || part.ends_with('~');
    if path.split('/').any(is_copy) {
        return Some("a copy that an editor makes");
    }
    let (bare, _) = path.rsplit_once('.')?;
    let (_, language) = bare.rsplit('/').next()?.rsplit_once('.')?;
    let is_unbuilt = config.unbuilt.contains(&language.to_lowercase());
    is_unbuilt.then_some("in a language that is not built")
}

/// The keys of texts that `[frontmatter]` names in place of the usual ones: those before
/// `:default` or the usual key, and behind it those that count where no usual one is given. Other names
/// of usual keys are of the latter sort.
fn date_keys(front: &Front) -> Vec<DateKey> {
    let mut keys = Vec::new();
    for usual in ["date", "lastmod", PUBLISH, "expiryDate"] {
        let Some(entry) = front.get(&format!("frontmatter.{usual}")) else {
            continue;
        };
        let mut counts_first = true;
        for name in entry.node.items().iter().filter_map(Node::text) {
            match name.strip_prefix(':') {
                Some(special) => counts_first &= !special.eq_ignore_ascii_case("default"),
                None if is_same_word(name, usual) => counts_first = false,
                None => keys.push(DateKey {
                    own: name.to_owned(),
                    usual,
                    counts_first,
                }),
            }
        }
    }
    keys.extend(PUBLISH_TOO.map(|own| DateKey {
        own: own.to_owned(),
        usual: PUBLISH,
        counts_first: false,
    }));
    keys
}

/// The ids that the site's shortcodes write, and whether links lead to the language of their page.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    let shortcodes = Template::all(templates(evidence));
    config.shortcode_ids = PlaceOfShortcode::all(&shortcodes);
    config.code_shortcodes = CodeShortcode::all(&shortcodes);
    hide(evidence, config, &shortcodes);
    config.links_in_language = config.locales.len() > 1 && finds_pages(evidence);
    config.translates_links = config.links_in_language;
    config.read_sections(evidence, "_index.");
}

/// The shortcodes that do not show what they hold. What a site does not say of itself its themes may.
fn hide(evidence: &Evidence<'_>, config: &mut Config, shortcodes: &[Template<'_>]) {
    let hidden = &mut config.hidden_shortcodes;
    for file in evidence.all_below("themes") {
        let inner = file.path.splitn(3, '/').nth(2).unwrap_or_default();
        let in_folders = ["config/_default/", "config/production/"];
        let in_folder = in_folders
            .iter()
            .find_map(|folder| inner.strip_prefix(folder));
        let at_root = Some(inner).filter(|inner| CONFIG.contains(inner));
        if let Some(keys) = in_folder.or(at_root).and_then(below) {
            hidden.add_theme(file, &keys);
        }
    }
    let templates = templates(evidence)
        .filter(|file| file.path.starts_with("layouts/") || file.path.contains("/layouts/"));
    hidden.find(shortcodes, templates);
}

/// The templates, of the site before its themes.
fn templates<'a>(evidence: &Evidence<'a>) -> impl Iterator<Item = &'a SourceFile> {
    let folders = ["layouts", "themes"].map(|folder| evidence.all_below(folder));
    folders.into_iter().flatten()
}

/// Whether links are looked up as pages: Hugo's own hook of a site in several languages does so, and
/// one of the site where it asks for a page.
fn finds_pages(evidence: &Evidence<'_>) -> bool {
    let is_hook = |path: &str| path.contains("/_markup/render-link") && path.ends_with(".html");
    let hook = templates(evidence).find(|file| is_hook(&file.path));
    hook.is_none_or(|file| {
        let says = |word: &&str| memchr::memmem::find(&file.bytes, word.as_bytes()).is_some();
        ["GetPage", "relref", "ref ."].iter().any(says)
    })
}

/// `contentDir` of the site and of its languages, `staticDir`, and mounts of the project's own
/// folders, which replace the usual folder of what they are mounted at.
fn scope(project: &Project<'_>) -> Scope {
    let base = project.folder(&["contentDir"], "content");
    let mut copied = project.folders("staticDir", "static");
    let mut assets = vec![project.folder(&["assetDir"], "assets")];
    let languages = languages(project);
    let mut content = named_by(&languages, "contentDir");
    copied.extend(named_by(&languages, "staticDir"));
    if languages.is_empty() || content.len() < languages.len() {
        content.insert(0, base);
    }
    let Mounts {
        kinds: [texts, files, pictures],
        excluded,
        covered,
    } = Mounts::read(project);
    let folders = |mounts: Vec<Copied>| mounts.into_iter().map(|mount| mount.folder);
    if !texts.is_empty() {
        content = folders(texts).collect();
    }
    if !pictures.is_empty() {
        assets = folders(pictures).collect();
    }
    let mut scope = Scope::new(content, &[]);
    scope.copied = if files.is_empty() {
        copied
            .iter()
            .map(|folder| Copied::at_root(folder))
            .collect()
    } else {
        files
    };
    Scope {
        assets,
        excluded,
        covered,
        ..scope
    }
}

/// The languages that are published.
fn languages<'p>(project: &'p Project<'_>) -> Vec<&'p Entry> {
    let languages = project.front.get("languages");
    let Some(Value::Map(languages)) = languages.map(|entry| &entry.node.value) else {
        return Vec::new();
    };
    let languages = languages.iter();
    let disabled = &project.config.unbuilt;
    languages
        .filter(|language| !disabled.contains(&language.key.text.to_lowercase()))
        .collect()
}

/// The folders that languages name under a key.
fn named_by(languages: &[&Entry], key: &str) -> Vec<String> {
    let languages = languages.iter();
    languages
        .filter_map(|language| named(&language.node, key))
        .collect()
}

fn named(node: &Node, key: &str) -> Option<String> {
    folder_path(node.get(key)?.node.text()?)
}

/// `{{< param color >}}`: a value from the page's front matter, from a section above it, or of the
/// site.
fn param(call: &Call<'_>) -> Option<Piece> {
    let name = call.arguments.first()?;
    let keys = [&*format!("params.{name}"), name];
    let around = call.around.iter().copied();
    let mut fronts = std::iter::once(call.front).chain(around);
    Piece::words(fronts.find_map(|front| front.text(&keys))?)
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
            let kind = Kind::detect(&Evidence::default(), Some("hugo"));
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
