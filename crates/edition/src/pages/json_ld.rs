//! JSON-LD (schema.org) for search engines. Members are written in insertion order.

use diglot_content::{Article, Shape};
use serde_json::{Map, Value, json};

use super::article_cover;
use super::page_data::{PageData, PageKind};
use super::shared::Shared;

/// The data of a page for a `<script>`, without `<`. What other elements of the page's head say, as
/// its description, is not repeated.
pub(super) fn for_page(shared: &Shared<'_>, data: &PageData<'_>, words: usize) -> Option<String> {
    let nodes = match (data.kind, data.article) {
        (PageKind::Article, Some(article)) => vec![
            posting(shared, data, article, words).into(),
            breadcrumbs(shared, data),
        ],
        (PageKind::Section, _) => vec![breadcrumbs(shared, data)],
        (PageKind::Home, _) => vec![site(shared)],
        _ => return None,
    };
    // `json!` would copy the nodes.
    let mut graph = json!({ "@context": "https://schema.org" });
    graph["@graph"] = nodes.into();
    Some(graph.to_string().replace('<', "\\u003c"))
}

fn posting(
    shared: &Shared<'_>,
    data: &PageData<'_>,
    article: &Article,
    words: usize,
) -> Map<String, Value> {
    let mut node = Map::new();
    let mut set = |key: &str, value: Value| node.insert(key.to_owned(), value);
    let is_guide = data.place.is_some();
    let kind = if is_guide {
        "TechArticle"
    } else {
        "BlogPosting"
    };
    set("@type", kind.into());
    set("url", shared.absolute(&data.stem).into());
    set("headline", (&*data.title).into());
    set("inLanguage", (&*data.language).into());
    if article.updated.is_known() {
        set("dateModified", article.updated.iso().into());
    }
    set("wordCount", words.into());
    set("isPartOf", json!({ "@id": shared.base().absolute("/") }));
    if let Some(date) = &article.date {
        set("datePublished", date.iso().into());
    }
    if !article.authors.is_empty() {
        set(
            "author",
            article.authors.iter().map(|name| person(name)).collect(),
        );
    }
    if !article.tags.is_empty() {
        set(
            "keywords",
            article.tags.iter().map(|tag| &*tag.name).collect(),
        );
    }
    if let Some((image, _)) = article
        .image
        .as_ref()
        .and_then(|target| article_cover::absolute(shared.base(), target))
    {
        set("image", image.into());
    }
    node
}

fn breadcrumbs(shared: &Shared<'_>, data: &PageData<'_>) -> Value {
    let steps = steps(shared, data);
    let mut items = Vec::new();
    for (position, (name, stem)) in (1..).zip(steps) {
        let mut item = json!({ "@type": "ListItem", "position": position, "name": name });
        // The last step is this page, whose address needs no repetition.
        if stem != &*data.stem {
            item["item"] = shared.absolute(stem).into();
        }
        items.push(item);
    }
    let mut list = json!({ "@type": "BreadcrumbList" });
    list["itemListElement"] = items.into();
    list
}

/// The titles and stems of the pages from the home page to this one.
fn steps<'a>(shared: &'a Shared<'_>, data: &'a PageData<'_>) -> Vec<(&'a str, &'a str)> {
    let mut steps = vec![(shared.context.site.title.as_str(), "/index")];
    match shared.trail(data) {
        Some(trail) => {
            // A step must have an address: sections without a text have none.
            steps.extend(
                trail
                    .iter()
                    .filter_map(|(title, stem)| Some((*title, &**(*stem)?))),
            );
        }
        None => steps.push((
            shared.word(&data.language, "articles"),
            &**shared.languages.list_of(&data.language),
        )),
    }
    steps.push((&*data.title, &*data.stem));
    steps.dedup_by(|next, step| next.1 == step.1);
    steps
}

fn site(shared: &Shared<'_>) -> Value {
    let site = shared.context.site;
    let url = shared.base().absolute("/");
    let kind = match shared.context.library.shape {
        Shape::Journal => json!(["WebSite", "Blog"]),
        Shape::Guide => json!("WebSite"),
    };
    let mut node = json!({
        "@type": kind,
        "@id": url,
        "url": url,
        "name": site.title,
        "inLanguage": site.language,
    });
    if !site.description.is_empty() {
        node["description"] = site.description.as_str().into();
    }
    match site.authors.as_slice() {
        [] => {}
        [author] => node["author"] = person(author),
        authors => node["author"] = authors.iter().map(|author| person(author)).collect(),
    }
    node
}

fn person(name: &str) -> Value {
    json!({ "@type": "Person", "name": name })
}
