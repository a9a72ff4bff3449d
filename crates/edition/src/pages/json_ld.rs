//! JSON-LD (schema.org): what search engines read about a page. Fields are written in the order in which they stand here.

use diglot_content::Article;
use serde::Serialize;

use super::draft::{Draft, Kind};
use super::shared::Shared;
use super::words::Words;

#[derive(Serialize)]
struct Graph<T> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    nodes: T,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename = "BlogPosting")]
#[serde(rename_all = "camelCase")]
struct Posting<'a> {
    #[serde(rename = "@id")]
    id: &'a str,
    url: &'a str,
    main_entity_of_page: &'a str,
    headline: &'a str,
    in_language: &'a str,
    date_modified: String,
    word_count: usize,
    is_part_of: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    author: Vec<Person<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
}

#[derive(Serialize)]
struct Id {
    #[serde(rename = "@id")]
    id: String,
}

#[derive(Serialize)]
#[serde(tag = "@type")]
struct Person<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename = "BreadcrumbList")]
struct Breadcrumbs<'a> {
    #[serde(rename = "itemListElement")]
    steps: [ListItem<'a>; 3],
}

#[derive(Serialize)]
#[serde(tag = "@type")]
struct ListItem<'a> {
    position: usize,
    name: &'a str,
    item: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Site<'a> {
    #[serde(rename = "@type")]
    kinds: [&'static str; 2],
    #[serde(rename = "@id")]
    id: &'a str,
    url: &'a str,
    name: &'a str,
    in_language: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Person<'a>>,
}

/// The data of a page, ready to stand in a `<script>`: no `<` in it.
pub(super) fn of(shared: &Shared<'_>, draft: &Draft<'_>, words: usize) -> Option<String> {
    let text = match (draft.kind, draft.article) {
        (Kind::Article, Some(article)) => {
            let url = shared.absolute(&draft.stem);
            written((posting(shared, draft, article, &url, words), breadcrumbs(shared, draft, &url)))
        }
        (Kind::Home, _) => written([site(shared, &shared.base().absolute("/"))]),
        _ => None,
    }?;
    Some(if text.contains('<') { text.replace('<', "\\u003c") } else { text })
}

fn written(nodes: impl Serialize) -> Option<String> {
    serde_json::to_string(&Graph { context: "https://schema.org", nodes }).ok()
}

fn posting<'a>(shared: &Shared<'_>, draft: &'a Draft<'_>, article: &'a Article, url: &'a str, words: usize) -> Posting<'a> {
    Posting {
        id: url,
        url,
        main_entity_of_page: url,
        headline: &draft.title,
        in_language: &draft.language,
        date_modified: article.updated.iso(),
        word_count: words,
        is_part_of: Id { id: shared.base().absolute("/") },
        date_published: article.date.as_ref().map(|date| date.iso()),
        description: &article.summary,
        author: article.authors.iter().map(|name| Person { name }).collect(),
        keywords: article.tags.iter().map(|tag| &*tag.name).collect(),
        image: article.image.as_ref().and_then(|target| shared.picture(target)).map(|(image, _)| image),
    }
}

fn breadcrumbs<'a>(shared: &Shared<'a>, draft: &'a Draft<'_>, url: &str) -> Breadcrumbs<'a> {
    let step = |position, name, item| ListItem { position, name, item };
    Breadcrumbs {
        steps: [
            step(1, shared.context.site.title.as_str(), shared.absolute("/index")),
            step(2, Words::of(&draft.language).articles, shared.absolute("/articles/index")),
            step(3, &draft.title, url.to_owned()),
        ],
    }
}

fn site<'a>(shared: &Shared<'a>, url: &'a str) -> Site<'a> {
    let site = shared.context.site;
    Site {
        kinds: ["WebSite", "Blog"],
        id: url,
        url,
        name: &site.title,
        in_language: &site.language,
        description: &site.description,
        author: site.author.as_deref().map(|name| Person { name }),
    }
}
