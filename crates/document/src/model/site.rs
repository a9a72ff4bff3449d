//! The validated settings of a site.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::address::is_authority;
use crate::model::edit::EditUrl;
use crate::model::encoding::{decode_path, encode_path, encoded};
use crate::model::frame::FrameSettings;
use crate::model::tree::Shape;

/// The path of a page's HTML representation as in URLs, decoded, and its suffix: `/` for the home
/// page.
pub fn html_place(stem: &str) -> (&str, &str) {
    if stem == "/index" {
        ("/", "")
    } else {
        (stem, ".html")
    }
}

/// What may follow the path of a URL and not that of a base URL.
const AFTER_PATH: [(char, &str); 2] = [('?', "query"), ('#', "fragment")];
/// Maximum length of a base URL's path, in bytes.
const LONGEST_PATH: usize = 500;

/// The site's address: an origin and an optional path, no trailing slash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BaseUrl {
    /// `https://example.org` or `http://localhost:8080`.
    origin: String,
    /// Empty, or `/blog` (decoded).
    path: String,
}

impl BaseUrl {
    /// Reads an absolute `http` or `https` URL without user, query and fragment.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("it is empty".to_owned());
        }
        let Some(rest) = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"))
        else {
            return Err(format!(
                "`{text}` is not an absolute `http://` or `https://` URL"
            ));
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        // The text may hold a password, which is not shown.
        if authority.contains('@') {
            return Err("a user name before the host is not allowed".to_owned());
        }
        if let Some((_, what)) = AFTER_PATH.iter().find(|(mark, _)| rest.contains(*mark)) {
            return Err(format!("`{}` has a {what}", text.escape_debug()));
        }
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        if !is_authority(host) {
            return Err(format!("`{}` has no valid host", text.escape_debug()));
        }
        let path = decode_path(path.trim_end_matches('/'))
            .ok_or_else(|| format!("the path of `{text}` is not UTF-8"))?;
        check_path(text, &path)?;
        let scheme = &text[..text.len() - rest.len()];
        let path = if path.is_empty() {
            String::new()
        } else {
            format!("/{path}")
        };
        Ok(Self {
            origin: format!("{scheme}{}", host.to_ascii_lowercase()),
            path,
        })
    }

    /// `https://example.org`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The path, decoded: empty or `/blog`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The absolute URL of a decoded site path that begins with `/`.
    pub fn absolute(&self, path: &str) -> String {
        self.absolute_with(path, "")
    }

    /// The absolute URL of a decoded site path and a suffix that is already encoded: `.md`,
    /// `.html#place`.
    pub fn absolute_with(&self, path: &str, rest: &str) -> String {
        self.url(&self.origin, path, rest)
    }

    /// The root-relative URL of a decoded site path. HTML pages link with these, so that links in a
    /// preview stay local.
    pub fn rooted(&self, path: &str) -> String {
        self.rooted_with(path, "")
    }

    /// The root-relative URL of a decoded site path and a suffix that is already encoded.
    pub fn rooted_with(&self, path: &str, rest: &str) -> String {
        self.url("", path, rest)
    }

    fn url(&self, origin: &str, path: &str, rest: &str) -> String {
        let length = origin.len() + self.path.len() + path.len() + rest.len();
        let mut url = String::with_capacity(length);
        url.push_str(origin);
        url.extend(encoded(&self.path));
        url.extend(encoded(path));
        url.push_str(rest);
        url
    }
}

fn check_path(url: &str, path: &str) -> Result<(), String> {
    if path.contains("//") || path.split('/').any(|part| matches!(part, "." | "..")) {
        return Err(format!(
            "the path of `{}` has an empty, `.` or `..` segment",
            url.escape_debug()
        ));
    }
    if let Some(letter) = path.chars().find(|letter| is_foreign(*letter)) {
        return Err(format!(
            "the path of `{}` holds `{}`",
            url.escape_debug(),
            letter.escape_debug()
        ));
    }
    if path.len() > LONGEST_PATH {
        return Err(format!("its path is longer than {LONGEST_PATH} bytes"));
    }
    Ok(())
}

/// Characters not allowed in the path of a base URL: they have a meaning in hosts' configuration
/// languages and rule patterns.
fn is_foreign(letter: char) -> bool {
    letter.is_control()
        || letter.is_whitespace() && letter != ' '
        || "\"#$%'*:;<>?[\\]^`{|}".contains(letter)
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, encode_path(&self.path))
    }
}

/// The usage signals. robots.txt, two header fields and the terms page are derived from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UsageSignals {
    /// Building a search index and showing links and short excerpts.
    pub search: bool,
    /// Feeding the content to a model at the moment of an answer (grounding, retrieval).
    pub ai_input: bool,
    /// Training or fine-tuning models.
    pub ai_train: bool,
}

impl Default for UsageSignals {
    fn default() -> Self {
        Self {
            search: true,
            ai_input: true,
            ai_train: false,
        }
    }
}

impl UsageSignals {
    /// The value of `Content-Signal`: `search=yes, ai-input=yes, ai-train=no`.
    pub fn content_signal(&self) -> String {
        let [search, input, train] =
            [self.search, self.ai_input, self.ai_train].map(|on| if on { "yes" } else { "no" });
        format!("search={search}, ai-input={input}, ai-train={train}")
    }

    /// The value of the AIPREF `Content-Usage` field: `search=y, train-ai=n`; it has no key for
    /// ai-input.
    pub fn content_usage(&self) -> String {
        let [search, train] = [self.search, self.ai_train].map(|on| if on { "y" } else { "n" });
        format!("search={search}, train-ai={train}")
    }
}

/// How long caches may keep pages and documents, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lifetimes {
    /// `max-age` of pages and documents.
    pub max_age: u32,
    /// `stale-while-revalidate` of pages and documents.
    pub stale_while_revalidate: u32,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self {
            max_age: 300,
            stale_while_revalidate: 3600,
        }
    }
}

/// What shared caches alone are told, if anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SharedCaches {
    /// `max-age` of pages and documents in `CDN-Cache-Control` (RFC 9213), in seconds.
    pub max_age: Option<u32>,
    /// The field with the tags by which answers can be purged.
    pub tags: Option<TagField>,
}

/// A field with the tags of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TagField {
    /// Of Fastly and Varnish's `xkey`: separated by spaces.
    SurrogateKey,
    /// Of Cloudflare, Netlify, CloudFront and others: separated by commas.
    CacheTag,
}

impl TagField {
    /// The values of the setting, in the order of the variants.
    pub const NAMES: [&str; 2] = ["Surrogate-Key", "Cache-Tag"];

    /// Reads a value of the setting.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "Surrogate-Key" => Some(Self::SurrogateKey),
            "Cache-Tag" => Some(Self::CacheTag),
            _ => None,
        }
    }
}

/// Which Open Graph images are generated for pages without their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pictures {
    /// None.
    None,
    /// One, with the site's name, for every page.
    #[default]
    Site,
    /// One for each article, with its title, and the site's for all other pages.
    Articles,
}

impl Pictures {
    /// The values of the setting, in the order of the variants.
    pub const NAMES: [&str; 3] = ["none", "site", "articles"];

    /// Reads a value of the setting.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "site" => Some(Self::Site),
            "articles" => Some(Self::Articles),
            _ => None,
        }
    }
}

/// Facts about the site that the folder is taken from, or is a part of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherSite {
    /// The origin of links from the root that have no target in the folder.
    pub origin: Option<String>,
    /// The path below which the folder was published: `/docs`.
    pub prefix: Option<String>,
}

/// One item of the setting `nav`: a text, a link, a section, or the texts of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NavItem {
    /// Its name; `None`: the title of the text.
    pub title: Option<String>,
    /// A file of the folder, an address of the site, or a URL.
    pub link: Option<String>,
    /// A folder whose texts follow here in their own order.
    pub folder: Option<String>,
    /// The items below it.
    pub items: Vec<NavItem>,
    /// The line in the settings file, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The validated settings. Their sources, in ascending precedence: `diglot.toml`, the environment,
/// the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The site's name.
    pub title: String,
    /// One sentence about the site; may be empty.
    pub description: String,
    /// The site's base URL.
    pub base: BaseUrl,
    /// A BCP 47 tag: `en`, `pt-BR`.
    pub language: String,
    /// The author of the site, or all of them in one text.
    pub author: Option<String>,
    /// The default authors of articles.
    pub authors: Vec<String>,
    /// The articles folder, if configured: relative, `/` between segments, no trailing slash; `""`
    /// is the root.
    pub articles: Option<String>,
    /// The usage signals.
    pub signals: UsageSignals,
    /// Cache lifetimes.
    pub lifetimes: Lifetimes,
    /// What shared caches alone are told.
    #[serde(default)]
    pub shared: SharedCaches,
    /// The theme folder, relative to the site's folder.
    pub theme: Option<String>,
    /// Whether raw HTML in articles is sanitised in pages too (in the feed it always is).
    pub sanitize: bool,
    /// Whether quotation marks and dashes of HTML pages are those of print.
    pub typography: bool,
    /// Whether scripts in authors' files run with the site's origin.
    pub author_scripts: bool,
    /// Which Open Graph images are generated.
    pub pictures: Pictures,
    /// Whether `$…$` is mathematics on every page, if configured.
    pub math: Option<bool>,
    /// The larger site that the folder belongs to, and its place there.
    pub links: OtherSite,
    /// The shape of the site, if configured.
    pub shape: Option<Shape>,
    /// The order of the texts, if configured.
    pub nav: Vec<NavItem>,
    /// What is around every text.
    pub frame: FrameSettings,
    /// Where the sources of texts can be edited, if their author says so.
    pub edit_url: Option<EditUrl>,
    /// The kind of folder, if configured: a dialect's name.
    pub dialect: Option<String>,
    /// Whether the site has a search.
    pub search: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_has_a_host_and_a_plain_path() {
        for text in [
            "https://example.org/",
            "http://localhost:8080",
            "https://9gag.example/1",
            "http://[::1]:81/a",
            "https://Bücher.example/größe/a%20b/~c",
            "https://नमस्ते.example",
            "http://192.0.2.1/a_b.c",
        ] {
            assert!(BaseUrl::parse(text).is_ok(), "{text}");
        }
        for text in [
            "ftp://example.org",
            "https://",
            "https://a$b",
            "https://a;b/",
            "https://a{b}",
            "https://u@a",
            "https://a:b",
            "https://a:99/x?y",
            "https://a/x#y",
            "https://a/%0Aevil",
            "https://a/..",
            "https://a/{$HOME}",
            "https://a/b$c",
            "https://a/%22",
            "https://a/:splat",
            "https://a/*",
            "https://a\nb",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_base_url_cannot_have_is_named() {
        for (text, why) in [
            ("", "it is empty"),
            (
                "https://user:pw@example.org/?x",
                "a user name before the host is not allowed",
            ),
            (
                "https://example.org?x",
                "`https://example.org?x` has a query",
            ),
            (
                "https://example.org/#x",
                "`https://example.org/#x` has a fragment",
            ),
        ] {
            assert_eq!(BaseUrl::parse(text), Err(why.to_owned()));
        }
    }

    #[test]
    fn contract_1_paths_are_encoded_when_a_url_is_written() {
        let check = |path, expected| assert_eq!(encode_path(path), expected, "{path}");
        check(
            "/articles/größe & c++",
            "/articles/gr%C3%B6%C3%9Fe%20&%20c++",
        );
        check("/a/100%/[b]{c}|d", "/a/100%25/%5Bb%5D%7Bc%7D%7Cd");
        check("/articles/it's-here", "/articles/it%27s-here");
    }
}
