//! An MkDocs site: `--8<-- "file"`, `{!file!}`; also one project, or one configuration, for each
//! language. Zensical has the same site with a configuration of its own.

mod file_filter;
mod templates;
mod unread;

use std::collections::BTreeSet;

use crate::dialects::config::{
    BuiltLanguages, Config, Glob, Keys, Locale, Mount, Needs, Patterns, Permalink, edit, is_built,
    plugins, read,
};
use crate::dialects::dialect::{COMMON, Dialect, FolderOrder, Spelling};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::order::nav;
use crate::dialects::redirects::{Notation, RedirectFile, Table};
use crate::dialects::scope::{Project, Scope};
use crate::model::language;
use crate::model::path::{inside_or_folder, join};
use crate::model::problem::Problem;
use crate::model::sources::SourceFile;
use crate::syntax::front::{Front, Node};

const CONFIG: &[&str] = &[
    ZENSICAL,
    "mkdocs.yml",
    "mkdocs.yaml",
    "zensical.yml",
    "zensical.yaml",
    OF_LANGUAGES,
    PROJECTS,
    BESIDE,
];
/// The configuration of Zensical, which has precedence there, and its table of all values.
const ZENSICAL: &str = "zensical.toml";
const PROJECT: &str = "project";
/// The key of the file on which a configuration builds.
const INHERIT: &str = "INHERIT";
/// The configurations of languages.
const OF_LANGUAGES: &str = "mkdocs.*.yml";
/// A project whose texts are outside of it.
const BESIDE: &str = "*/mkdocs.y*";
/// The projects of languages.
const PROJECTS: &str = "docs/*/mkdocs.yml";
/// The name of a project's configuration.
const NAME: &str = "mkdocs.yml";

pub(super) static DIALECT: Dialect = Dialect {
    name: "mkdocs",
    recognise: |evidence| {
        let other = || {
            let mut named = evidence.in_languages(OF_LANGUAGES).into_iter();
            named
                .find_map(|(_, file)| folder_of_texts(evidence, file).map(|_| file))
                .or_else(|| evidence.of_languages(PROJECTS))
                .or_else(|| evidence.beside(BESIDE))
        };
        let own = evidence.first(&CONFIG[..5]);
        own.or_else(|| Some(format!("`{}`", other()?.path)))
    },
    roots: &["docs"],
    outputs: &["site"],
    machinery: &["overrides"],
    scope,
    settle,
    reads: &[
        "md", "markdown", "mdown", "mkd", "mkdn", "html", "htm", "xhtml",
    ],
    opens_underscored: true,
    keys: Keys {
        files: CONFIG,
        within: Some((ZENSICAL, PROJECT)),
        inherit: Some(INHERIT),
        title: &["site_name"],
        description: &["site_description"],
        author: &["site_author", "extra.authors"],
        language: &["theme.language", "theme.locale"],
        address: &["site_url"],
        content: &["docs_dir"],
        usual: Some("docs"),
        exclude: &[EXCLUDED, "draft_docs"],
        patterns: Patterns::Git,
        more,
        edit: edit::mkdocs,
        ..Keys::NONE
    },
    closed,
    redirects: &[
        redirect_maps_at(ZENSICAL, "project.plugins.redirects.redirect_maps"),
        redirect_maps(ZENSICAL),
        redirect_maps("mkdocs.yml"),
        redirect_maps("mkdocs.yaml"),
        redirect_maps(OF_LANGUAGES),
        redirect_maps(PROJECTS),
        redirect_maps(BESIDE),
    ],
    addresses: Some("/:path/"),
    default_language_has_no_folder: true,
    readme_is_index: true,
    code_references: true,
    includes: Spelling::Scissors,
    ignores_status: true,
    order: &[nav::nav],
    folder_order: FolderOrder::TextsFirst,
    has_headers: true,
    heading_ids: Some(heading_ids::PYTHON),
    html_ends_with_element: true,
    tags_off: &templates::OFF,
    template_names: Some(&templates::NAMES),
    ..COMMON
};

const fn redirect_maps(file: &'static str) -> RedirectFile {
    redirect_maps_at(file, "plugins.redirects.redirect_maps")
}

const fn redirect_maps_at(file: &'static str, key: &'static str) -> RedirectFile {
    RedirectFile {
        file,
        notation: Notation::Table(Table {
            of_texts: true,
            ..Table::new(key)
        }),
    }
}

/// Texts and files in a language that is not built.
fn closed(config: &Config, path: &str) -> Option<&'static str> {
    let built = config.built.as_ref()?;
    let content = config.content.as_deref().unwrap_or_default();
    let inner = path.strip_prefix(content)?.trim_start_matches('/');
    built
        .leaves_out(inner)
        .then_some("in a language that is not built")
}

/// The folder of texts, and those of other languages.
fn scope(project: &Project<'_>) -> Scope {
    let own = project.folder(&["docs_dir"], "docs");
    let folder = project.config.folder();
    let own = match &project.config.content {
        Some(content) if !folder.is_empty() => content.clone(),
        _ => inside_or_folder(folder, &own),
    };
    let mut content = vec![own];
    let mounts = project.config.mounts.iter();
    content.extend(mounts.map(|mount| mount.folder.clone()));
    let mut scope = Scope::new(content, &[]);
    scope.ignored = file_filter::ignored(project.evidence, folder, &project.front);
    scope
}

/// The folder of texts where it is not beside the configuration, and those of other languages.
fn settle(evidence: &Evidence<'_>, config: &mut Config, front: &Front) {
    config.folder_metadata(evidence, METADATA);
    templates::settle(evidence, config);
    unread::settle(evidence, config);
    file_filter::settle(evidence, config, front);
    // Its plug-in for languages changes links.
    config.translates_links = config.locales.len() > 1;
    match config.folder().matches('/').count() {
        0 if config.folder().is_empty() => configurations(evidence, config),
        0 => {
            let file = evidence.file(&config.file);
            config.content = file.and_then(|file| folder_of_texts(evidence, file));
        }
        _ => languages(evidence, config),
    }
}

/// The folder of texts that a configuration names.
fn folder_of_texts(evidence: &Evidence<'_>, file: &SourceFile) -> Option<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (front, ..) = read(file);
    let content = join(folder, front.text(&["docs_dir"])?)?;
    (!content.is_empty() && evidence.holds_text(&content)).then_some(content)
}

/// One configuration for each language, each with its folder of texts: `mkdocs.de.yml` beside
/// `mkdocs.yml` or `mkdocs.en.yml`.
fn configurations(evidence: &Evidence<'_>, config: &mut Config) {
    let mut folders: Vec<String> = config.content.iter().cloned().collect();
    for (name, file) in evidence.in_languages(OF_LANGUAGES) {
        let Some(tag) = language::in_name(name) else {
            continue;
        };
        let locale = Locale {
            name: name.to_owned(),
            tag,
        };
        if *file.path == *config.file {
            config.default_language = Some(name.to_lowercase());
            config.locales.push(locale);
            continue;
        }
        let content = folder_of_texts(evidence, file);
        let Some(content) = content.filter(|content| !folders.contains(content)) else {
            continue;
        };
        folders.push(content.clone());
        config.locales.push(locale);
        config.mounts.push(Mount {
            folder: content,
            at: name.to_owned(),
            within: Some(name.to_owned()),
            ..Mount::default()
        });
    }
    if !config.mounts.is_empty() {
        config.say_languages();
    }
}

/// One project for each language: the texts of `docs/en/docs/` are those of the site, and those of
/// `docs/de/docs/` are at `/de/`.
fn languages(evidence: &Evidence<'_>, config: &mut Config) {
    let folder = config.folder().to_owned();
    let Some((above, own)) = folder.rsplit_once('/') else {
        return;
    };
    let content = |folder: &str| {
        let front = evidence.file(&format!("{folder}/{NAME}"));
        let front = front.map(|file| read(file).0).unwrap_or_default();
        join(folder, front.text(&["docs_dir"]).unwrap_or("docs"))
    };
    config.content = content(&folder);
    for name in evidence.folders(above) {
        let folder = format!("{above}/{name}");
        let Some(tag) = language::in_name(name) else {
            continue;
        };
        let content = content(&folder).filter(|content| evidence.holds_text(content));
        let Some(content) = content else {
            continue;
        };
        config.locales.push(Locale {
            name: name.to_owned(),
            tag,
        });
        if name != own {
            config.mounts.push(Mount {
                folder: content,
                at: name.to_owned(),
                within: Some(name.to_owned()),
                ..Mount::default()
            });
        }
    }
    config.default_language = Some(own.to_lowercase());
    config.say_languages();
}

/// Front matter for the texts of a folder and of those below, by the plug-in `meta`.
const METADATA: &[&str] = &[".meta.yml"];

/// The key with patterns of what is left out.
const EXCLUDED: &str = "exclude_docs";
/// Why what no key names is left out.
const TEMPLATES: &str =
    "in `templates/`, which MkDocs leaves out unless `exclude_docs` has `!templates/`";

/// What is left out by default, and what plug-ins do with texts.
fn more(config: &mut Config, front: &Front) {
    // `exclude_docs` may say otherwise.
    let templates = Glob::parse("/templates/").map(|glob| glob.because(TEMPLATES));
    let excluded = config.ignored.entry(EXCLUDED).or_default();
    excluded.splice(0..0, templates);
    for node in plugins(front) {
        plugin(config, node);
        templates::read(config, front, node);
    }
    // Zensical sets up both where no extension is named.
    let are_usual = config.file.ends_with(ZENSICAL) && front.get(EXTENSIONS).is_none();
    config.math |= are_usual;
    config.inline_languages = are_usual || extension(front, INLINE_LANGUAGES).is_some();
    if let Some(options) = extension(front, SNIPPETS) {
        snippets(config, options);
    }
}

/// An extension that is set up, with its options: in a list, a map, or tables of TOML.
fn extension<'f>(front: &'f Front, name: &str) -> Option<&'f Node> {
    let all = &front.get(EXTENSIONS)?.node;
    let named = |node: &'f Node| Some(&node.get(name)?.node);
    let mut items = all.items().iter().take(MOST);
    items
        .find_map(|node| match node.text() {
            Some(text) => (text == name).then_some(node),
            None => named(node),
        })
        .or_else(|| named(all))
        .or_else(|| {
            let mut parts = name.split('.');
            parts.try_fold(all, |node, part| Some(&node.get(part)?.node))
        })
}

/// The maximum number of extensions, and of folders and files of one.
const MOST: usize = 200;
const EXTENSIONS: &str = "markdown_extensions";
/// The extension that reads languages of inline code.
const INLINE_LANGUAGES: &str = "pymdownx.inlinehilite";
/// The extension that includes files.
const SNIPPETS: &str = "pymdownx.snippets";

/// `base_path: [docs/includes, snip]`, from the folder of the configuration, and `auto_append`.
fn snippets(config: &mut Config, options: &Node) {
    let texts = |key: &str| {
        let items = options.items_of(key).iter();
        items.filter_map(Node::text).take(MOST)
    };
    let folder = config.folder().to_owned();
    let content = config.content.clone().unwrap_or_default();
    for path in texts("base_path") {
        let below = match path.strip_prefix("$docs_dir") {
            Some(rest) => inside_or_folder(&content, rest.trim_matches('/')),
            None => path.trim_start_matches("$config_dir").to_owned(),
        };
        let below = below.trim_start_matches('/');
        config.snippet_folders.extend(join(&folder, below));
    }
    config.appended = texts("auto_append").map(str::to_owned).collect();
}

/// One plug-in: its name, or its options below its name. A map may have several.
fn plugin(config: &mut Config, plugin: &Node) {
    let options = |name: &str| plugin.get(name).map(|entry| &entry.node);
    if let Some(i18n) = options("i18n") {
        translations(config, i18n);
    }
    if let Some(exclude) = options("exclude") {
        excluded(config, exclude);
    }
    if let Some(encrypt) = options("encryptcontent") {
        encrypted(config, encrypt);
    }
    for name in ["blog", "material/blog"] {
        if plugin.text() == Some(name) {
            blog(config, None);
        } else if let Some(set) = options(name) {
            blog(config, Some(set));
        }
    }
}

/// `exclude: {glob: ["drafts/*"], regex: ['.*\.secret\.md$']}`. A `*` matches `/` as well, and an
/// expression is matched at the beginning of a path.
fn excluded(config: &mut Config, exclude: &Node) {
    let texts = |key: &str| {
        let items = exclude.items_of(key).iter();
        let texts = items.filter_map(|node| Some((node, node.text()?)));
        texts.collect::<Vec<_>>()
    };
    let count = config.exclude.len() + texts("glob").len() + texts("regex").len();
    if config.is_too_long("plugins.exclude", count, (exclude.line, exclude.column)) {
        return;
    }
    for (_, glob) in texts("glob") {
        config.exclude.extend(fits_paths(glob));
        config.say("plugins.exclude.glob", glob);
    }
    for (node, regex) in texts("regex") {
        let globs = from_start(regex);
        config.say("plugins.exclude.regex", regex);
        if globs.is_empty() {
            config.close("plugins.exclude.regex", regex, (node.line, node.column));
        }
        config.exclude.extend(globs);
    }
}

/// A pattern of whole paths, in which `*` matches `/` as well.
fn fits_paths(pattern: &str) -> Vec<Glob> {
    match pattern.contains(['*', '?', '[']) {
        true => Glob::parse_entry(pattern).into_iter().collect(),
        false => Glob::parse_paths("", pattern),
    }
}

/// An expression that is matched at the beginning of a path.
fn from_start(expression: &str) -> Vec<Glob> {
    Patterns::Expression.read(&format!("^{}", expression.trim_start_matches('^')))
}

/// `encryptcontent: {global_password: abc, password_inventory: {level: abc}}`
fn encrypted(config: &mut Config, encrypt: &Node) {
    let of_a_level = Needs {
        keys: vec!["level".to_owned()],
        value: None,
    };
    let hint = "to publish one, write `password:` without a value in its front matter";
    for (key, texts, needs) in [
        ("global_password", "all texts", None),
        (
            "password_inventory",
            "texts with the key `level`",
            Some(of_a_level),
        ),
    ] {
        let node = encrypt.get(key).map(|entry| &entry.node);
        let Some(node) = node.filter(|node| node.has_value()) else {
            continue;
        };
        let message = format!(
            "{texts} are withheld, because `plugins.encryptcontent.{key}` protects them with a password"
        );
        let problem = match needs {
            None => Problem::error(message),
            Some(_) => Problem::warning(message),
        };
        let problem = problem.at(&*config.file, node.line, node.column);
        config.protect(needs, problem.hint(hint));
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
    let languages = i18n.items_of("languages");
    let default = languages
        .iter()
        .find(|language| bool_of(language, "default") == Some(true));
    config.default_language = text_of(i18n, "build_only_locale")
        .or_else(|| text_of(default?, "locale"))
        .or_else(|| text_of(i18n, "default_language"))
        .or(config.default_language.take());
    let built = languages.iter().filter(|one| is_built(i18n, one));
    let name = |one: &Node| Some(one.get("locale")?.node.text()?.to_owned());
    let names: BTreeSet<String> = built.filter_map(name).collect();
    if !names.is_empty() {
        let in_folders = text_of(i18n, "docs_structure").as_deref() == Some("folder");
        config.built = Some(BuiltLanguages { names, in_folders });
    }
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
