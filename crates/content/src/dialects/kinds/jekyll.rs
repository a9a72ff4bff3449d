//! A Jekyll site: Liquid tags for links, posts and includes.

use super::eleventy::BASES;
use super::plain;
use crate::dialects::config::{Config, Glob, Keys, MOST_VALUES, Patterns, SiteValue};
use crate::dialects::dialect::{COMMON, CodeTags, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::markup::address;
use crate::dialects::order::data;
use crate::dialects::scope::{Project, Scope};
use crate::dialects::tags::common;
use crate::dialects::tags::{Call, Form, Piece};
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::model::document::POST;
use crate::model::format::Format;
use crate::model::path::{inside_or_folder, is_at_or_below, split_name};
use crate::syntax::front::{Entry, Front, Node, Value};

const CONFIG: &[&str] = &["_config.yml", "_config.yaml", "_config.toml"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "jekyll",
    recognise,
    outputs: &["_site"],
    scope,
    reads: &[
        "md", "markdown", "mkdown", "mkdn", "mkd", "html", "htm", "xhtml",
    ],
    keys: Keys {
        files: CONFIG,
        title: &["title", "name"],
        description: &["description", "tagline"],
        base: &["baseurl"],
        permalink: &["permalink"],
        exclude: &["exclude"],
        patterns: Patterns::Entry,
        zone: &["timezone"],
        // The YAML of Ruby reads `2023-12-08 23:30:00` as UTC, and leaves `2023-12-08 23:30` to Jekyll.
        seconds_are_utc: true,
        content: &["source"],
        more,
        ..Keys::NONE
    },
    has_vendor: true,
    addresses: Some("date"),
    addresses_in_zone: true,
    only_posts_have_patterns: true,
    posts_in_folders: true,
    files_may_be_templates: true,
    dated_addresses: true,
    dated_endings: &[".html", "/"],
    tags_by_space: true,
    tags: &[
        (&["link"], link),
        (&["post_url"], post_url),
        (&["post_link"], post_link),
        (&["include", "include_relative", "include_cached"], include),
    ],
    ignores_status: true,
    liquid: true,
    code_tags: CodeTags::Raw,
    tags_off: &[("render_with_liquid", "false")],
    html_ends_with_element: true,
    template_names: Some(&TEMPLATE_NAMES),
    page_values,
    settle,
    closed,
    opens,
    order: &[data::menus],
    ..COMMON
};

/// The plug-in that publishes the files beside posts.
const POST_FILES: &str = "jekyll-postfiles";
/// The key that says how many posts are published.
const LIMIT: &str = "limit_posts";

fn more(config: &mut Config, front: &Front) {
    let mut plugins = front.texts("plugins").chain(front.texts("gems"));
    config.posts_have_files = plugins.any(|name| name == POST_FILES);
    let most = front.text(&[LIMIT]).and_then(|number| number.parse().ok());
    config.most_posts = most.filter(|most| *most > 0);
    if let Some(most) = config.most_posts {
        config.say(LIMIT, &most.to_string());
    }
    values(config, "", &front.entries, 0);
}

/// The flags in its data. The public site is built in the environment `production`.
fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    config.posts_have_files |= has_gem(evidence, POST_FILES);
    // Without a configuration no name is known to be absent.
    if config.values.is_empty() {
        return;
    }
    let folder = config.content.clone().unwrap_or_default();
    let folder = inside_or_folder(&folder, "_data");
    config.flags(evidence, &folder, "data.");
    // A theme or a plug-in may have data too.
    let has_more = ["theme", "remote_theme"]
        .iter()
        .any(|key| config.values.contains_key(*key));
    if !has_more && !evidence.folder("_plugins") {
        config.data_is_whole(evidence, &folder, "data");
    }
    usual_values(config);
}

/// The values that a public site has if its configuration gives no others, and its environment.
fn usual_values(config: &mut Config) {
    for key in ["future", "serving", "show_drafts", "unpublished", "watch"] {
        let value = config.values.entry(key.to_owned());
        value.or_insert(SiteValue::No);
    }
    let limit = config.values.entry(LIMIT.to_owned());
    limit.or_insert(SiteValue::Zero);
    let production = SiteValue::Text("production".to_owned());
    config
        .values
        .insert(".jekyll.environment".to_owned(), production);
}

/// Whether a line of the `Gemfile` names a gem.
fn has_gem(evidence: &Evidence<'_>, name: &str) -> bool {
    let file = evidence.file("Gemfile");
    let text = file.map(|file| String::from_utf8_lossy(&file.bytes));
    let mut lines = text.iter().flat_map(|text| text.lines());
    lines.any(|line| line.trim_start().starts_with("gem") && line.contains(name))
}

/// The path of a text, and its collection.
fn page_values(config: &Config, path: &str) -> Vec<(&'static str, SiteValue)> {
    let root = config.content.as_deref().unwrap_or_default();
    let below = path
        .strip_prefix(root)
        .map(|path| path.trim_start_matches('/'));
    let path = below.unwrap_or(path);
    let mut folders = split_name(path).0.split('/');
    let name = folders.find_map(|folder| folder.strip_prefix('_'));
    let is_collection = |name: &str| config.values.contains_key(&format!("collections.{name}"));
    let collection = match name {
        None => SiteValue::Nil,
        Some(name) if name == "posts" || is_collection(name) => SiteValue::Text(name.to_owned()),
        Some(_) => return Vec::new(),
    };
    vec![
        ("path", SiteValue::Text(path.to_owned())),
        ("collection", collection),
    ]
}

/// Its own names, with those that have a value in every site or by an option of its command line, and
/// those of widespread plug-ins.
static TEMPLATE_NAMES: TemplateNames = TemplateNames {
    of_site: &[
        "active_lang",
        "base_url",
        "baseurl",
        "cache_dir",
        "categories",
        "collections",
        "collections_dir",
        "data",
        "data_dir",
        "defaults",
        "destination",
        "documents",
        "encoding",
        "excerpt_separator",
        "exclude",
        "feed",
        "future",
        "github",
        "highlighter",
        "host",
        "html_files",
        "html_pages",
        "include",
        "includes_dir",
        "keep_files",
        "kramdown",
        "lang",
        "layouts_dir",
        "limit_posts",
        "liquid",
        "markdown",
        "markdown_ext",
        "pages",
        "paginate_path",
        "permalink",
        "plugins",
        "plugins_dir",
        "port",
        "posts",
        "related_posts",
        "safe",
        "sass",
        "serving",
        "show_drafts",
        "source",
        "static_files",
        "tags",
        "theme",
        "time",
        "timezone",
        "unpublished",
        "url",
        "watch",
        "whitelist",
    ],
    objects: &[
        "content",
        "forloop",
        "jekyll",
        "layout",
        "page",
        "paginator",
        "site",
        "tablerowloop",
        "theme",
    ],
    language: TemplateLanguage::Liquid,
    of_page: None,
};

fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    // Themes of other generators have this folder too.
    let is_one = || evidence.folder("_posts") && !plain::has_generator(evidence);
    let own = evidence.first(CONFIG);
    own.or_else(|| is_one().then(|| "`_posts/`".to_owned()))
}

/// The values of the configuration, which templates name as `site.key`. Addresses count from the
/// site's root, without the path of its base.
fn values(config: &mut Config, above: &str, entries: &[Entry], depth: usize) {
    const DEPTH: usize = 4;
    for Entry { key, node } in entries {
        let name = format!("{above}{}", key.text);
        if is_base(&name) || config.values.len() >= MOST_VALUES {
            continue;
        }
        let value = match &node.value {
            Value::Map(_) | Value::List(_) if node.is_null() => SiteValue::Empty,
            Value::Map(inner) if depth < DEPTH => {
                values(config, &format!("{name}."), inner, depth + 1);
                SiteValue::Map
            }
            Value::Scalar { .. } => value(node),
            Value::List(items) => SiteValue::of_list(items),
            Value::Map(_) => SiteValue::Unread,
        };
        config.values.insert(name, value);
    }
}

/// Whether a key of the configuration is a name of the base path.
fn is_base(key: &str) -> bool {
    BASES.iter().any(|base| *base == format!("site.{key}"))
}

fn value(node: &Node) -> SiteValue {
    let Value::Scalar { text, plain } = &node.value else {
        return SiteValue::Unread;
    };
    match node.bool().filter(|_| *plain) {
        Some(value) => SiteValue::of_bool(value),
        None if node.is_null() => SiteValue::Nil,
        None => SiteValue::Text(text.trim().to_owned()),
    }
}

/// What Jekyll passes over: names that begin with `~` or `#`, unless `include` has them, texts and
/// files in `_posts` without a date, and files that `defaults` withhold. Without a configuration the
/// folder may be of another program.
fn closed(config: &Config, path: &str) -> Option<&'static str> {
    if config.file.is_empty() {
        return None;
    }
    let is_special = |part: &str| part.starts_with(['~', '#']) && !config.includes(part);
    if path.split('/').any(is_special) {
        return Some("its name begins with `~` or `#`");
    }
    let (folder, name) = split_name(path);
    let is_text = Format::from_path(path).is_some();
    let is_post = folder.split('/').any(|part| part == "_posts");
    if is_post && !has_date(name) && (is_text || !config.posts_have_files) {
        return Some("in `_posts`, without a date in its name");
    }
    (!is_text && config.withholds_file(path)).then_some("`defaults` say `published: false`")
}

/// Posts are in every folder, but not in a collection; a collection is in one folder alone. Where
/// `collections_dir` names a folder, both are in it. Without a configuration the folder may be of
/// another program.
fn opens(config: &Config, path: &str) -> bool {
    if config.file.is_empty() {
        return true;
    }
    let content = config.content.as_deref().unwrap_or_default();
    let top = config.collections_folder.as_deref().unwrap_or(content);
    let (above, name) = split_name(path);
    let is_special = |part: &str| part.starts_with('_') && !config.includes(part);
    match name {
        "_posts" => {
            (top.is_empty() || is_at_or_below(above, top)) && !above.split('/').any(is_special)
        }
        _ => config.includes(name) || above == top && config.has_collection(name),
    }
}

/// Whether a name begins with a date, as Jekyll reads it: `2024-1-31-title`.
fn has_date(name: &str) -> bool {
    let mut parts = name.splitn(4, '-');
    let mut is_number = |lengths: std::ops::RangeInclusive<usize>| {
        parts.next().is_some_and(|part| {
            lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let is_dated = is_number(2..=4) && is_number(1..=2) && is_number(1..=2);
    let ending = parts.next().and_then(|rest| rest.rsplit_once('.'));
    is_dated && ending.is_some_and(|(_, suffix)| !suffix.is_empty())
}

/// Paths that Jekyll always excludes.
const EXCLUDED: [&str; 8] = [
    ".sass-cache/",
    "gemfiles/",
    "Gemfile",
    "node_modules/",
    "vendor/bundle/",
    "vendor/cache/",
    "vendor/gems/",
    "vendor/ruby/",
];

/// The whole source. Texts without front matter are rendered by GitHub Pages, and by a plug-in.
fn scope(project: &Project<'_>) -> Scope {
    let gems = project
        .evidence
        .file("Gemfile")
        .map(|file| String::from_utf8_lossy(&file.bytes));
    let is_optional = |text: &str| {
        ["github-pages", "jekyll-optional-front-matter"]
            .iter()
            .any(|gem| text.contains(gem))
    };
    let renders_all = is_optional(&project.text) || gems.as_deref().is_none_or(is_optional);
    Scope {
        needs_front_matter: !renders_all,
        excluded: EXCLUDED.into_iter().filter_map(Glob::parse_entry).collect(),
        ..Scope::new(vec![project.folder(&["source"], "")], &[])
    }
}

/// `{% link _posts/2020-01-01-x.md %}`: the address of a file.
fn link(call: &Call<'_>) -> Option<Piece> {
    let path = call.text.trim_matches(['"', '\'']).trim_start_matches('/');
    Some(Piece::Text(format!("/{}", address(path))))
}

/// `{% post_url 2020-01-01-x %}`: the address of a post.
fn post_url(call: &Call<'_>) -> Option<Piece> {
    let name = call.text.trim_matches(['"', '\'']);
    Some(Piece::Text(format!("{POST}{}", address(name))))
}

/// `{% post_link name "Title" %}`
fn post_link(call: &Call<'_>) -> Option<Piece> {
    let name = call.arguments.first()?;
    Piece::link(
        format!("{POST}{name}"),
        call.arguments.second().unwrap_or(name),
    )
}

/// An include whose file does not exist: a picture, or the tag with its name (`youtube.html`,
/// `embed/youtube.html`, `note.html`).
fn include(call: &Call<'_>) -> Option<Piece> {
    let file = call.arguments.first()?.to_ascii_lowercase();
    let pictures = ["figure", "image", "img", "picture", "photo"]
        .iter()
        .any(|word| file.contains(word));
    if pictures
        && call
            .arguments
            .named(&["src", "path", "url", "image_path", "image", "file"])
            .is_some()
    {
        return Piece::picture(call);
    }
    let (_, name) = file.rsplit_once('/').unwrap_or(("", &file));
    let (mut name, _) = name.split_once('.').unwrap_or((name, ""));
    if name == "video" {
        name = call.arguments.named(&["provider"]).unwrap_or(name);
    }
    let (_, rest) = call
        .text
        .trim_start()
        .split_once(char::is_whitespace)
        .unwrap_or_default();
    common::replace(&Call::new(Form::Tag, name, rest, call.front))
}
