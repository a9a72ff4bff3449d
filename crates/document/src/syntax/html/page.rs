//! Parsing of a whole HTML page: finds its article and reads the metadata of its head.

use std::ops::Range;

use serde_json::Value;

use super::boilerplate;
use super::elements::{Elements, Region};
use super::normalise::normalise;
use super::tokens::{StartTag, Token, Tokens};
use super::tree::{Tree, text_of};
use crate::model::bounds;
use crate::model::document::Document;
use crate::model::document::build::{Builder, Positions, SourceMap};
use crate::syntax::clean_line;

/// The article and metadata of an HTML page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The article: `<article>`, else `<main>` or `role="main"`, else the body without its
    /// boilerplate. Includes its own H1.
    pub document: Document,
    /// The candidates for its title.
    pub names: Names,
    /// `<meta name="description">`, else `og:description`.
    pub summary: Option<String>,
    /// The date of publication, as written: `article:published_time` and similar, JSON-LD, else the
    /// article's first `<time datetime>`.
    pub date: Option<String>,
    /// The date of the last change, as written: `article:modified_time`, JSON-LD.
    pub updated: Option<String>,
    /// The language of `<html lang>`.
    pub language: Option<String>,
    /// The names of the authors.
    pub authors: Vec<String>,
    /// `article:tag`, else the keywords.
    pub tags: Vec<String>,
    /// `og:image`.
    pub image: Option<String>,
    /// The canonical address: `<link rel="canonical">`, else `og:url`.
    pub canonical: Option<String>,
    /// The target of an immediate redirect, as written: `<meta http-equiv="refresh" content="0;
    /// url=…">`.
    pub redirect: Option<String>,
}

/// The names in a page's head. Which of them is the title depends on all pages of the folder: a
/// part that they share is the site's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// `<title>`.
    pub title: Option<String>,
    /// `og:title`, else `twitter:title`.
    pub og_title: Option<String>,
    /// `og:site_name`, else `application-name`.
    pub site: Option<String>,
}

/// The names in `<meta>` and the keys in JSON-LD of the date of publication, of the last change,
/// and of other dates that archives use.
const PUBLISHED: &[&str] = &[
    "article:published_time",
    "og:article:published_time",
    "article:published",
    "datepublished",
    "date_published",
    "publish_date",
];
const MODIFIED: &[&str] = &[
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "last-modified",
    "revised",
];
const ARCHIVED: &[&str] = &[
    "date",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "dc.date.issued",
    "citation_publication_date",
    "pubdate",
];

/// Parses a whole HTML page. Never fails: invalid markup is text.
pub fn parse_page(text: &str) -> Page {
    let tokens: Vec<Token> = Tokens::new(text).collect();
    let mut head = Head::default();
    head.read(&tokens);
    let tree = Tree::new(&tokens);
    let (range, region) = article(&tree);
    let dropped = if region == Region::Body {
        boilerplate::of_body(&tree, range.clone())
    } else {
        Vec::new()
    };
    let mut document = document(text, &normalise(&tree, range.clone(), &dropped), region);
    if document.blocks.is_empty() {
        // Everything was taken for boilerplate, so keep the whole body.
        document = self::document(text, &tokens[range.clone()], region);
    }
    head.into_page(document, time(&tree, range))
}

fn document(text: &str, tokens: &[Token], region: Region) -> Document {
    let mut builder = Builder::new().with_own_notes();
    let pieces = SourceMap::default();
    let mut elements = Elements::new(&mut builder, &pieces, Some(region));
    for token in tokens.iter().take_while(|_| !bounds::is_over()) {
        elements.token(token);
    }
    builder.locate(0, &Positions::new(text, 1));
    builder.finish()
}

/// The tokens of the article, and the kind of region.
fn article(tree: &Tree<'_>) -> (Range<usize>, Region) {
    let all = 0..tree.tokens.len();
    if let Some(at) =
        longest_article(tree).or_else(|| longest(tree, &tree.outermost(all.clone(), is_main)))
    {
        return (tree.inside(at), Region::Article);
    }
    let is_start = |token: &Token| matches!(token, Token::Start(tag) if tag.name == "body");
    let ends_head = |token: &Token| matches!(token, Token::End(name) if name == "head");
    let start = tree
        .tokens
        .iter()
        .position(is_start)
        .or_else(|| tree.tokens.iter().position(ends_head));
    (start.map_or(0, |at| at + 1)..all.end, Region::Body)
}

/// The longest article. Several are usually a list of teasers, unless one is most of the page.
fn longest_article(tree: &Tree<'_>) -> Option<usize> {
    let mut articles = tree.outermost(0..tree.tokens.len(), is_article);
    let total: usize = articles.iter().map(|at| length(tree, *at)).sum();
    articles.reverse();
    longest(tree, &articles).filter(|at| length(tree, *at) * 2 > total)
}

fn longest(tree: &Tree<'_>, elements: &[usize]) -> Option<usize> {
    elements.iter().copied().max_by_key(|at| length(tree, *at))
}

/// The length of an element's text.
fn length(tree: &Tree<'_>, at: usize) -> usize {
    tree.count(&tree.inside(at)).text
}

fn is_article(tag: &StartTag) -> bool {
    tag.name == "article"
        || tag.get("role") == Some("article")
        || tag.get("itemprop") == Some("articleBody")
}

fn is_main(tag: &StartTag) -> bool {
    tag.name == "main" || tag.get("role") == Some("main")
}

/// The metadata in the head.
#[derive(Default)]
struct Head {
    page: Page,
    /// Entries of `<meta>` and JSON-LD in document order: a lower-case name and a value.
    facts: Vec<(String, String)>,
}

impl Head {
    fn read(&mut self, tokens: &[Token]) {
        let mut in_svg = 0_usize;
        // Only the first title counts, even an empty one: searching for the end of each could take
        // quadratic time.
        let mut has_title = false;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Start(tag) if tag.name == "svg" => in_svg += 1,
                Token::End(name) if name == "svg" => in_svg = in_svg.saturating_sub(1),
                Token::Start(tag) if tag.name == "title" && in_svg == 0 && !has_title => {
                    has_title = true;
                    self.title(&tokens[index + 1..]);
                }
                Token::Start(tag) => self.tag(tag, tokens.get(index + 1)),
                _ => {}
            }
        }
    }

    fn title(&mut self, behind: &[Token]) {
        let is_end = |token: &Token| matches!(token, Token::End(name) if name == "title");
        self.page.names.title = behind
            .split(is_end)
            .next()
            .map(text_of)
            .as_deref()
            .and_then(filled);
    }

    fn tag(&mut self, tag: &StartTag, next: Option<&Token>) {
        match tag.name.as_str() {
            "html" => {
                self.page.language = tag
                    .get("lang")
                    .or_else(|| tag.get("xml:lang"))
                    .and_then(filled)
            }
            "meta" => self.meta(tag),
            "link" if tag.is("rel", "canonical") && self.page.canonical.is_none() => {
                self.page.canonical = tag.get("href").and_then(filled)
            }
            "script" if tag.is("type", "application/ld+json") => {
                if let Some(Token::Text(json, _)) = next
                    && let Ok(value) = serde_json::from_str(json)
                {
                    self.json_ld(&value);
                }
            }
            _ => {}
        }
    }

    fn meta(&mut self, tag: &StartTag) {
        if tag.is("http-equiv", "refresh") {
            let redirect = &mut self.page.redirect;
            *redirect = redirect.take().or_else(|| refresh(tag.get("content")?));
            return;
        }
        let Some((name, content)) = named(tag) else {
            return;
        };
        let authors = &mut self.page.authors;
        match name.as_str() {
            "author" | "article:author"
                if !content.starts_with("http") && !authors.contains(&content) =>
            {
                authors.push(content)
            }
            "article:tag" => self.page.tags.push(content),
            _ => self.facts.push((name, content)),
        }
    }

    /// The first dates and author of a JSON-LD block, at any level; the parser bounds its depth.
    fn json_ld(&mut self, value: &Value) {
        match value {
            Value::Array(values) => {
                for value in values {
                    self.json_ld(value);
                }
            }
            Value::Object(object) => {
                for key in ["datePublished", "dateModified"] {
                    if let Some(date) = object.get(key).and_then(Value::as_str).and_then(filled) {
                        self.facts.push((key.to_ascii_lowercase(), date));
                    }
                }
                if self.page.authors.is_empty() {
                    self.page.authors = object.get("author").map(names).unwrap_or_default();
                }
                if let Some(graph) = object.get("@graph") {
                    self.json_ld(graph);
                }
            }
            _ => {}
        }
    }

    /// The first value with one of these names.
    fn first(&self, names: &[&str]) -> Option<String> {
        let (_, value) = self
            .facts
            .iter()
            .find(|(name, _)| names.contains(&name.as_str()))?;
        Some(value.clone())
    }

    fn into_page(mut self, document: Document, time: Option<&str>) -> Page {
        let mut page = std::mem::take(&mut self.page);
        page.document = document;
        page.names.og_title = self
            .first(&["og:title"])
            .or_else(|| self.first(&["twitter:title"]));
        page.names.site = self.first(&["og:site_name", "application-name"]);
        page.summary = self
            .first(&["description"])
            .or_else(|| self.first(&["og:description", "twitter:description"]));
        page.canonical = page.canonical.or_else(|| self.first(&["og:url"]));
        page.date = self
            .first(PUBLISHED)
            .or_else(|| self.first(ARCHIVED))
            .or(time.map(str::to_owned));
        page.updated = self.first(MODIFIED);
        page.image = self.first(&["og:image"]);
        if page.tags.is_empty() {
            page.tags = self.keywords();
        }
        page
    }

    fn keywords(&self) -> Vec<String> {
        let lists = self.facts.iter().filter(|(name, _)| name == "keywords");
        lists
            .flat_map(|(_, keywords)| keywords.split(',').filter_map(filled))
            .collect()
    }
}

/// The name of a fact about the page in lower case, and its value.
fn named(tag: &StartTag) -> Option<(String, String)> {
    let keys = ["property", "name", "itemprop"];
    let name = keys.into_iter().find_map(|key| tag.get(key))?;
    let content = tag.get("content").and_then(filled)?;
    Some((name.to_ascii_lowercase(), content))
}

/// The address in `0; url=…`; a page with a delay does not redirect.
fn refresh(content: &str) -> Option<String> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let (key, url) = rest.split_once('=')?;
    let soon = seconds
        .trim()
        .parse::<f32>()
        .is_ok_and(|seconds| seconds <= 5.0);
    (soon && key.trim().eq_ignore_ascii_case("url"))
        .then(|| filled(url.trim().trim_matches(['\'', '"'])))
        .flatten()
}

/// The names of a JSON-LD author: text, an object, or a list of these.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::String(name) => filled(name).into_iter().collect(),
        Value::Object(object) => object
            .get("name")
            .and_then(Value::as_str)
            .and_then(filled)
            .into_iter()
            .collect(),
        Value::Array(values) => values
            .iter()
            .filter(|value| !value.is_array())
            .flat_map(names)
            .collect(),
        _ => Vec::new(),
    }
}

/// Text on one line; `None` if empty.
fn filled(text: &str) -> Option<String> {
    let line = clean_line(text);
    (!line.is_empty()).then_some(line)
}

/// The first date that the page gives in `<time>`.
fn time<'t>(tree: &'t Tree<'_>, range: Range<usize>) -> Option<&'t str> {
    let mut times = tree.tags(range).filter(|tag| tag.name == "time");
    times.find_map(|tag| tag.filled("datetime"))
}
