//! A whole HTML page: where its article is, and what its head says about it.

use serde_json::Value;

use super::elements;
use super::feed::{Region, State};
use super::tokens::{StartTag, Token, Tokens};
use crate::document::Document;
use crate::document::build::{Builder, Places};

/// What a whole HTML page says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The article: `<article>`, else `<main>`, else the body without navigation, header, footer and asides. Its own H1 is still in it.
    pub document: Document,
    /// `og:title`, else `<title>` (the H1, where that only adds the site's name to it), else the first H1.
    pub title: Option<String>,
    /// `<meta name="description">`, else `og:description`.
    pub summary: Option<String>,
    /// When it was published, as written: `article:published_time`, JSON-LD, else the article's first `<time datetime>`.
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
}

/// Reads a whole HTML page. Never fails: whatever is no markup is text.
pub fn parse_page(text: &str) -> Page {
    let tokens: Vec<Token> = Tokens::new(text).collect();
    let mut head = Head::default();
    head.read(&tokens);
    let (range, region) = article(&tokens);
    let mut builder = Builder::new();
    let mut state = State { region: Some(region), ..State::default() };
    for token in &tokens[range.clone()] {
        match token {
            Token::Start(tag) => elements::start(&mut builder, &mut state, tag, &|offset| offset),
            Token::End(name) => elements::end(&mut builder, &mut state, name),
            Token::Text(text, offset) => elements::text(&mut builder, &mut state, text, *offset),
            Token::Comment(_) => {}
        }
    }
    builder.locate(0, &mut Places::new(text, 1));
    let document = builder.finish();
    let time = first_time(&tokens[range]);
    head.into_page(document, time)
}

/// Which tokens are the article's, and what kind of region they are.
fn article(tokens: &[Token]) -> (std::ops::Range<usize>, Region) {
    let articles = regions(tokens, "article");
    let main = regions(tokens, "main").into_iter().next();
    let total: usize = articles.iter().map(|(_, length)| length).sum();
    let longest = articles.into_iter().max_by_key(|(_, length)| *length);
    // A page of many articles is a list of teasers, unless one of them is most of it.
    if let Some((range, _)) = longest.filter(|(_, length)| length * 2 > total) {
        return (range, Region::Article);
    }
    if let Some((range, _)) = main {
        return (range, Region::Article);
    }
    let is_body = |token: &Token| matches!(token, Token::Start(tag) if tag.name == "body");
    let start = tokens.iter().position(is_body).map_or_else(|| after_head(tokens), |at| at + 1);
    (start..tokens.len(), Region::Body)
}

fn after_head(tokens: &[Token]) -> usize {
    tokens.iter().position(|token| matches!(token, Token::End(name) if name == "head")).map_or(0, |at| at + 1)
}

/// The outermost elements of this name: the tokens inside, and how much text they hold.
fn regions(tokens: &[Token], name: &str) -> Vec<(std::ops::Range<usize>, usize)> {
    let mut regions = Vec::new();
    let (mut depth, mut start, mut length) = (0_usize, 0, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Start(tag) if tag.name == name => {
                if depth == 0 {
                    (start, length) = (index + 1, 0);
                }
                depth += 1;
            }
            Token::End(end) if end == name && depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    regions.push((start..index, length));
                }
            }
            Token::Text(text, _) if depth > 0 => length += text.trim().len(),
            _ => {}
        }
    }
    if depth > 0 {
        regions.push((start..tokens.len(), length));
    }
    regions
}

fn first_time(tokens: &[Token]) -> Option<String> {
    tokens.iter().find_map(|token| match token {
        Token::Start(tag) if tag.name == "time" => tag.get("datetime").map(str::trim).filter(|time| !time.is_empty()).map(str::to_owned),
        _ => None,
    })
}

/// What the head and the first heading say, in the order of their weight.
#[derive(Debug, Default)]
struct Head {
    page: Page,
    title: Option<String>,
    og_title: Option<String>,
    h1: Option<String>,
    og_summary: Option<String>,
    keywords: Vec<String>,
}

impl Head {
    fn read(&mut self, tokens: &[Token]) {
        let mut in_svg = 0_usize;
        // Only the first of each counts, even an empty one: no page makes us look for its end again and again.
        let (mut titled, mut headed) = (false, false);
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Start(tag) => match tag.name.as_str() {
                    "html" => self.page.language = tag.get("lang").or_else(|| tag.get("xml:lang")).and_then(filled),
                    "meta" => self.meta(tag),
                    "title" if in_svg == 0 && !std::mem::replace(&mut titled, true) => {
                        self.title = filled(&text_until(&tokens[index + 1..], "title"));
                    }
                    "h1" if !std::mem::replace(&mut headed, true) => self.h1 = filled(&text_until(&tokens[index + 1..], "h1")),
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
        let Some(name) = tag.get("property").or_else(|| tag.get("name")).or_else(|| tag.get("itemprop")) else { return };
        let Some(content) = tag.get("content").and_then(filled) else { return };
        let set = |slot: &mut Option<String>, content| {
            slot.get_or_insert(content);
        };
        let page = &mut self.page;
        match name.to_ascii_lowercase().as_str() {
            "og:title" => set(&mut self.og_title, content),
            "description" => set(&mut page.summary, content),
            "og:description" => set(&mut self.og_summary, content),
            "article:published_time" | "datepublished" => set(&mut page.date, content),
            "article:modified_time" | "datemodified" => set(&mut page.updated, content),
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
        let Self { mut page, title, og_title, h1, og_summary, keywords } = self;
        page.document = document;
        page.title = og_title.or(match (title, h1) {
            (Some(title), Some(h1)) if title.contains(&h1) => Some(h1),
            (title, h1) => title.or(h1),
        });
        page.summary = page.summary.or(og_summary);
        page.date = page.date.or(time);
        if page.tags.is_empty() {
            page.tags = keywords;
        }
        page
    }
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
    let text = crate::document::build::clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
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
