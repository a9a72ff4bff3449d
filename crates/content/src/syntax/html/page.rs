//! A whole HTML page: where its article is, and what its head says about it.

use std::ops::Range;

use serde_json::Value;

use super::feed::{Region, State};
use super::normalise::normalise;
use super::tokens::{StartTag, Token, Tokens};
use super::tree::Tree;
use super::{boilerplate, elements};
use crate::model::document::Document;
use crate::model::document::build::{Builder, Positions};

/// What a whole HTML page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The article: `<article>`, else `<main>` or `role="main"`, else the body without its furniture. Its own H1 is still in it.
    pub document: Document,
    /// What the page is called.
    pub names: Names,
    /// `<meta name="description">`, else `og:description`.
    pub summary: Option<String>,
    /// When it was published, as written: `article:published_time` and its like, JSON-LD, else the article's first `<time datetime>`.
    pub date: Option<String>,
    /// When it was changed, as written: `article:modified_time`, JSON-LD.
    pub updated: Option<String>,
    /// The language of `<html lang>`.
    pub language: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// `article:tag`, else the keywords.
    pub tags: Vec<String>,
    /// `og:image`.
    pub image: Option<String>,
    /// The address it calls its own: `<link rel="canonical">`, else `og:url`.
    pub canonical: Option<String>,
    /// Where it sends its readers at once, as written: `<meta http-equiv="refresh" content="0; url=…">`.
    pub redirect: Option<String>,
}

/// The names that a page has in its head. Which of them is its title, all pages of a folder say together: what they share is the site's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// `<title>`.
    pub title: Option<String>,
    /// `og:title`, else `twitter:title`.
    pub og_title: Option<String>,
    /// `og:site_name`, else `application-name`.
    pub site: Option<String>,
}

/// Reads a whole HTML page. Never fails: whatever is no markup is text.
pub fn parse_page(text: &str) -> Page {
    let tokens: Vec<Token> = Tokens::new(text).collect();
    let mut head = Head::default();
    head.read(&tokens);
    let tree = Tree::of(&tokens);
    let (range, region) = article(&tree);
    let dropped = if region == Region::Body { boilerplate::of_body(&tree, range.clone()) } else { Vec::new() };
    let mut document = document(text, &normalise(&tree, range.clone(), &dropped), region);
    if document.blocks.is_empty() {
        // What looked like furniture is all there is.
        document = self::document(text, &tokens[range.clone()], region);
    }
    let time = first_time(&tokens[range]);
    head.into_page(document, time)
}

fn document(text: &str, tokens: &[Token], region: Region) -> Document {
    let mut builder = Builder::new().with_own_notes();
    let mut state = State { region: Some(region), ..State::default() };
    for token in tokens.iter().take_while(|_| !crate::model::bounds::is_over()) {
        match token {
            Token::Start(tag) => elements::start(&mut builder, &mut state, tag, &|offset| offset),
            Token::End(name) => elements::end(&mut builder, &mut state, name),
            Token::Text(text, offset) => elements::text(&mut builder, &mut state, text, *offset),
            Token::Comment(_) => {}
        }
    }
    builder.locate(0, &Positions::new(text, 1));
    builder.finish()
}

/// Which tokens are the article's, and what kind of region they are.
fn article(tree: &Tree<'_>) -> (Range<usize>, Region) {
    let is_article = |tag: &StartTag| tag.name == "article" || tag.get("role") == Some("article") || tag.get("itemprop") == Some("articleBody");
    let longest = |places: Vec<usize>| {
        let length = |at: &usize| tree.sum(&tree.inside(*at)).text;
        let total: usize = places.iter().map(length).sum();
        // Many of them are a list of teasers, unless one is most of the page.
        places.into_iter().rev().max_by_key(length).filter(|at| length(at) * 2 > total)
    };
    let main =
        || tree.outermost(|tag| tag.name == "main" || tag.get("role") == Some("main")).into_iter().max_by_key(|at| tree.sum(&tree.inside(*at)).text);
    if let Some(at) = longest(tree.outermost(is_article)).or_else(main) {
        return (tree.inside(at), Region::Article);
    }
    let body = tree.outermost(|tag| tag.name == "body").first().copied();
    let start = body.map_or_else(|| after_head(tree.tokens), |at| at + 1);
    (start..tree.tokens.len(), Region::Body)
}

fn after_head(tokens: &[Token]) -> usize {
    tokens.iter().position(|token| matches!(token, Token::End(name) if name == "head")).map_or(0, |at| at + 1)
}

fn first_time(tokens: &[Token]) -> Option<String> {
    tokens.iter().find_map(|token| match token {
        Token::Start(tag) if tag.name == "time" => tag.get("datetime").map(str::trim).filter(|time| !time.is_empty()).map(str::to_owned),
        _ => None,
    })
}

/// What the head says, in the order of its weight.
#[derive(Debug, Default)]
struct Head {
    page: Page,
    twitter_title: Option<String>,
    og_summary: Option<String>,
    og_url: Option<String>,
    keywords: Vec<String>,
    /// A date of a kind that archives give, weaker than any other.
    other_date: Option<String>,
}

impl Head {
    fn read(&mut self, tokens: &[Token]) {
        let mut in_svg = 0_usize;
        // Only the first of each counts, even an empty one: no page makes us look for its end again and again.
        let mut titled = false;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Start(tag) => match tag.name.as_str() {
                    "html" => self.page.language = tag.get("lang").or_else(|| tag.get("xml:lang")).and_then(filled),
                    "meta" => self.meta(tag),
                    "title" if in_svg == 0 && !std::mem::replace(&mut titled, true) => {
                        self.page.names.title = filled(&text_until(&tokens[index + 1..], "title"));
                    }
                    "link" if tag.get("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) && self.page.canonical.is_none() => {
                        self.page.canonical = tag.get("href").and_then(filled);
                    }
                    "script" if tag.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json")) => {
                        if let Some(Token::Text(json, _)) = tokens.get(index + 1)
                            && let Ok(value) = serde_json::from_str(json)
                        {
                            self.json_ld(&value);
                        }
                    }
                    "svg" => in_svg += 1,
                    _ => {}
                },
                Token::End(name) if name == "svg" => in_svg = in_svg.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn meta(&mut self, tag: &StartTag) {
        if tag.get("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) {
            self.page.redirect = self.page.redirect.take().or_else(|| refresh(tag.get("content")?));
            return;
        }
        let Some(name) = tag.get("property").or_else(|| tag.get("name")).or_else(|| tag.get("itemprop")) else { return };
        let Some(content) = tag.get("content").and_then(filled) else { return };
        let set = |slot: &mut Option<String>, content| {
            slot.get_or_insert(content);
        };
        let page = &mut self.page;
        match name.to_ascii_lowercase().as_str() {
            "og:title" => set(&mut page.names.og_title, content),
            "twitter:title" => set(&mut self.twitter_title, content),
            "og:site_name" | "application-name" => set(&mut page.names.site, content),
            "og:url" => set(&mut self.og_url, content),
            "description" => set(&mut page.summary, content),
            "og:description" | "twitter:description" => set(&mut self.og_summary, content),
            "article:published_time" | "og:article:published_time" | "article:published" | "datepublished" | "date_published" | "publish_date" => {
                set(&mut page.date, content);
            }
            "article:modified_time" | "og:updated_time" | "datemodified" | "last-modified" | "revised" => set(&mut page.updated, content),
            "date" | "dc.date" | "dcterms.date" | "dcterms.created" | "dc.date.issued" | "citation_publication_date" | "pubdate" => {
                set(&mut self.other_date, content);
            }
            "og:image" => set(&mut page.image, content),
            "author" | "article:author" if !content.starts_with("http") && !page.authors.contains(&content) => page.authors.push(content),
            "article:tag" => page.tags.push(content),
            "keywords" => self.keywords.extend(content.split(',').filter_map(filled)),
            _ => {}
        }
    }

    /// The first dates and author of a JSON-LD block, wherever they stand; the parser bounds its depth.
    fn json_ld(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.json_ld(value)),
            Value::Object(object) => {
                let text = |key: &str| object.get(key).and_then(Value::as_str).and_then(filled);
                if self.page.date.is_none() {
                    self.page.date = text("datePublished");
                }
                if self.page.updated.is_none() {
                    self.page.updated = text("dateModified");
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

    fn into_page(self, document: Document, time: Option<String>) -> Page {
        let Self { mut page, twitter_title, og_summary, og_url, keywords, other_date } = self;
        page.document = document;
        page.names.og_title = page.names.og_title.or(twitter_title);
        page.summary = page.summary.or(og_summary);
        page.canonical = page.canonical.or(og_url);
        page.date = page.date.or(other_date).or(time);
        if page.tags.is_empty() {
            page.tags = keywords;
        }
        page
    }
}

/// The address of `0; url=…`; a page that is shown for a while is no redirect.
fn refresh(content: &str) -> Option<String> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let (key, url) = rest.split_once('=')?;
    let soon = seconds.trim().parse::<f32>().is_ok_and(|seconds| seconds <= 5.0);
    (soon && key.trim().eq_ignore_ascii_case("url")).then(|| filled(url.trim().trim_matches(['\'', '"']))).flatten()
}

/// The names of a JSON-LD author: text, an object, or a list of these.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::String(name) => filled(name).into_iter().collect(),
        Value::Object(object) => object.get("name").and_then(Value::as_str).and_then(filled).into_iter().collect(),
        Value::Array(values) => values.iter().filter(|value| !value.is_array()).flat_map(names).collect(),
        _ => Vec::new(),
    }
}

/// Text on one line; `None` when there is none.
fn filled(text: &str) -> Option<String> {
    let text = crate::model::document::build::clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn text_until(tokens: &[Token], end: &str) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Text(part, _) => text.push_str(part),
            Token::End(name) if name == end => break,
            _ => {}
        }
    }
    text
}
