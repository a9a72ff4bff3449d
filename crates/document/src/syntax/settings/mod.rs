//! The unvalidated settings: `diglot.toml`, then the environment, then the command line.
//!
//! [`Settings::parse`] reads raw values, [`Settings::into_site`] validates them, so that all
//! problems of all sources are reported together.

mod check;
mod folders;
mod frame;
mod nav;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::model::frame::{Accent, LogoSetting, MenuItem};
use crate::model::problem::SourceLocation;
use crate::model::site::NavItem;
use crate::model::sources::Sources;
use crate::model::text;
use crate::syntax::front;

pub use folders::missing as missing_folders;

/// The name of the settings file, at the root of the folder.
pub const FILE: &str = "diglot.toml";

/// The valid values of `dialect`, in detection order.
pub const DIALECTS: [&str; 19] = [
    "mdbook",
    "docusaurus",
    "mkdocs",
    "vitepress",
    "quarto",
    "astro",
    "nextra",
    "eleventy",
    "hugo",
    "zola",
    "hexo",
    "gitbook",
    "docfx",
    "docsify",
    "mintlify",
    "jupyterbook",
    "jekyll",
    "obsidian",
    "plain",
];

/// Raw settings with every key optional: from [`Settings::parse`], or set field by field from the
/// environment or the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The site's name.
    pub title: Option<String>,
    /// One sentence about the site.
    pub description: Option<String>,
    /// The site's base URL.
    pub base_url: Option<String>,
    /// A BCP 47 tag.
    pub language: Option<String>,
    /// The default author of articles.
    pub author: Option<String>,
    /// All authors that another generator's configuration names; `author` is all of them in one
    /// text.
    pub authors: Vec<String>,
    /// The articles folder.
    pub articles: Option<String>,
    /// The theme folder.
    pub theme: Option<String>,
    /// The kind of folder, by a dialect's name.
    pub dialect: Option<String>,
    /// Whether raw HTML is sanitised in pages too.
    pub sanitize: Option<bool>,
    /// Whether quotation marks and dashes of HTML pages are those of print.
    pub typography: Option<bool>,
    /// `[security] author_scripts`
    pub author_scripts: Option<bool>,
    /// Which Open Graph images are generated: one of
    /// [`Pictures::NAMES`](crate::model::site::Pictures::NAMES).
    pub pictures: Option<String>,
    /// Whether `$…$` is mathematics on every page.
    pub math: Option<bool>,
    /// `[links] origin`
    pub links_origin: Option<String>,
    /// `[links] prefix`
    pub links_prefix: Option<String>,
    /// The shape of the site, by its name.
    pub shape: Option<String>,
    /// Where the sources of texts can be edited.
    pub edit_url: Option<String>,
    /// The order of the texts: `nav`, or `[nav] order`.
    pub nav: Option<Vec<NavItem>>,
    /// `[nav] links`
    pub nav_links: Option<Vec<MenuItem>>,
    /// The picture beside the site's name.
    pub logo: Option<LogoSetting>,
    /// The file with the site's icon.
    pub favicon: Option<String>,
    /// The colour of links.
    pub accent: Option<Accent>,
    /// `[footer] text`
    pub footer_text: Option<String>,
    /// `[footer] links`
    pub footer_links: Option<Vec<MenuItem>>,
    /// Whether the site has a search.
    pub search_page: Option<bool>,
    /// `[signals] search`
    pub search: Option<bool>,
    /// `[signals] ai_input`
    pub ai_input: Option<bool>,
    /// `[signals] ai_train`
    pub ai_train: Option<bool>,
    /// `[cache] max_age`, in seconds.
    pub max_age: Option<u32>,
    /// `[cache] stale_while_revalidate`, in seconds.
    pub stale_while_revalidate: Option<u32>,
    /// `[cache] cdn_max_age`, in seconds.
    pub cdn_max_age: Option<u32>,
    /// `[cache] tags`: one of [`TagField::NAMES`](crate::model::site::TagField::NAMES).
    pub cache_tags: Option<String>,
    /// The place of each key (`signals.search` for nested ones); keys without a place are not from
    /// a file.
    pub places: BTreeMap<String, SourceLocation>,
}

/// The field of a key, by its type.
enum Field<'s> {
    Text(&'s mut Option<String>),
    Switch(&'s mut Option<bool>),
    Seconds(&'s mut Option<u32>),
    Nav(&'s mut Option<Vec<NavItem>>),
    Menu(&'s mut Option<Vec<MenuItem>>),
    Logo(&'s mut Option<LogoSetting>),
    Colours(&'s mut Option<Accent>),
}

use Field::{Colours, Logo, Menu, Nav, Seconds, Switch, Text};

/// A dotted key of the file, and its field.
type Key = (&'static str, fn(&mut Settings) -> Field<'_>);

const KEYS: [Key; 33] = [
    ("title", |s| Text(&mut s.title)),
    ("description", |s| Text(&mut s.description)),
    ("base_url", |s| Text(&mut s.base_url)),
    ("language", |s| Text(&mut s.language)),
    ("author", |s| Text(&mut s.author)),
    ("articles", |s| Text(&mut s.articles)),
    ("theme", |s| Text(&mut s.theme)),
    ("dialect", |s| Text(&mut s.dialect)),
    ("sanitize", |s| Switch(&mut s.sanitize)),
    ("typography", |s| Switch(&mut s.typography)),
    ("pictures", |s| Text(&mut s.pictures)),
    ("math", |s| Switch(&mut s.math)),
    ("links.origin", |s| Text(&mut s.links_origin)),
    ("links.prefix", |s| Text(&mut s.links_prefix)),
    ("shape", |s| Text(&mut s.shape)),
    ("edit_url", |s| Text(&mut s.edit_url)),
    ("nav", |s| Nav(&mut s.nav)),
    ("nav.order", |s| Nav(&mut s.nav)),
    ("nav.links", |s| Menu(&mut s.nav_links)),
    ("logo", |s| Logo(&mut s.logo)),
    ("favicon", |s| Text(&mut s.favicon)),
    ("accent", |s| Colours(&mut s.accent)),
    ("footer.text", |s| Text(&mut s.footer_text)),
    ("footer.links", |s| Menu(&mut s.footer_links)),
    ("search", |s| Switch(&mut s.search_page)),
    ("signals.search", |s| Switch(&mut s.search)),
    ("signals.ai_input", |s| Switch(&mut s.ai_input)),
    ("signals.ai_train", |s| Switch(&mut s.ai_train)),
    ("cache.max_age", |s| Seconds(&mut s.max_age)),
    ("cache.stale_while_revalidate", |s| {
        Seconds(&mut s.stale_while_revalidate)
    }),
    ("cache.cdn_max_age", |s| Seconds(&mut s.cdn_max_age)),
    ("cache.tags", |s| Text(&mut s.cache_tags)),
    ("security.author_scripts", |s| Switch(&mut s.author_scripts)),
];

impl Settings {
    /// These settings, overridden by those set in `over`.
    #[must_use]
    pub fn overlay(mut self, mut over: Self) -> Self {
        if over.author.is_some() {
            self.authors = std::mem::take(&mut over.authors);
        }
        for (key, field) in KEYS {
            let replaced = match (field(&mut self), field(&mut over)) {
                (Text(own), Text(over)) => replace(own, over),
                (Switch(own), Switch(over)) => replace(own, over),
                (Seconds(own), Seconds(over)) => replace(own, over),
                (Nav(own), Nav(over)) => replace(own, over),
                (Menu(own), Menu(over)) => replace(own, over),
                (Logo(own), Logo(over)) => replace(own, over),
                (Colours(own), Colours(over)) => replace(own, over),
                _ => false,
            };
            if replaced {
                self.places.remove(key);
            }
        }
        self.places.extend(over.places);
        self
    }
}

/// Overrides a value if the other is set; returns whether it was.
fn replace<T>(own: &mut Option<T>, over: &mut Option<T>) -> bool {
    let is_set = over.is_some();
    if is_set {
        *own = over.take();
    }
    is_set
}

/// The default title: that of the home page, else the folder's name converted to a title.
pub fn default_title(sources: &Sources) -> String {
    for path in [
        "index.md",
        "index.markdown",
        "content/_index.md",
        "docs/index.md",
    ] {
        if let Some(title) = title_of(sources, path) {
            return title;
        }
    }
    let name = text::presentable(&sources.name);
    if name.is_empty() {
        "Articles".to_owned()
    } else {
        name
    }
}

/// The title of a file: in its front matter, else in its first heading. `Home` is ignored.
fn title_of(sources: &Sources, path: &str) -> Option<String> {
    let file = sources.files.iter().find(|file| *file.path == *path)?;
    let (text, _) = text::decode(&file.bytes, path);
    let split = front::split(&text, path);
    let title = match split.front.text(&["title"]) {
        Some(title) => title,
        None => split
            .body
            .lines()
            .find_map(|line| line.strip_prefix("# "))?,
    };
    let title = text::plain(title);
    (!title.is_empty() && !title.eq_ignore_ascii_case("home")).then_some(title)
}

/// The hint for an unknown word: the most similar known one, or all of them.
fn similar(word: &str, known: &[&str]) -> String {
    match text::nearest(word, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("use one of `{}`", known.join("`, `")),
    }
}
