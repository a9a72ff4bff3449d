//! JSON-LD (schema.org): what search engines read about a page.

use diglot_content::Article;
use serde_json::{Value, json};

use super::draft::{Draft, Kind};
use super::shared::Shared;
use super::words::Words;

/// The data of a page, ready to stand in a `<script>`: no `<` in it.
pub(super) fn of(shared: &Shared<'_>, draft: &Draft<'_>, words: usize) -> Option<String> {
    let graph = match (draft.kind, draft.article) {
        (Kind::Article, Some(article)) => vec![posting(shared, draft, article, words), breadcrumbs(shared, draft)],
        (Kind::Home, _) => vec![site(shared)],
        _ => return None,
    };
    let text = serde_json::to_string(&json!({ "@context": "https://schema.org", "@graph": graph })).ok()?;
    Some(if text.contains('<') { text.replace('<', "\\u003c") } else { text })
}

fn posting(shared: &Shared<'_>, draft: &Draft<'_>, article: &Article, words: usize) -> Value {
    let url = shared.absolute(&draft.stem);
    let mut node = json!({
        "@type": "BlogPosting",
        "@id": url,
        "url": url,
        "mainEntityOfPage": url,
        "headline": draft.title,
        "inLanguage": draft.language,
        "dateModified": article.updated.iso(),
        "wordCount": words,
        "isPartOf": { "@id": shared.base().absolute("/") },
    });
    let mut set = |key: &str, value: Value| node[key] = value;
    if let Some(date) = &article.date {
        set("datePublished", date.iso().into());
    }
    if !article.summary.is_empty() {
        set("description", article.summary.as_str().into());
    }
    if !article.authors.is_empty() {
        set("author", article.authors.iter().map(|name| json!({ "@type": "Person", "name": name })).collect());
    }
    if !article.tags.is_empty() {
        set("keywords", article.tags.iter().map(|tag| tag.name.as_str()).collect());
    }
    if let Some((image, _)) = article.image.as_ref().and_then(|target| shared.picture(target)) {
        set("image", image.into());
    }
    node
}

fn breadcrumbs(shared: &Shared<'_>, draft: &Draft<'_>) -> Value {
    let site = shared.context.site;
    let articles = Words::of(&draft.language).articles;
    let steps = [(site.title.as_str(), "/index"), (articles, "/articles/index"), (&*draft.title, &*draft.stem)];
    let item = |(index, (name, stem)): (usize, &(&str, &str))| json!({ "@type": "ListItem", "position": index + 1, "name": name, "item": shared.absolute(stem) });
    json!({ "@type": "BreadcrumbList", "itemListElement": steps.iter().enumerate().map(item).collect::<Value>() })
}

fn site(shared: &Shared<'_>) -> Value {
    let site = shared.context.site;
    let url = shared.base().absolute("/");
    let mut node = json!({ "@type": ["WebSite", "Blog"], "@id": url, "url": url, "name": site.title, "inLanguage": site.language });
    if !site.description.is_empty() {
        node["description"] = site.description.as_str().into();
    }
    if let Some(author) = &site.author {
        node["author"] = json!({ "@type": "Person", "name": author });
    }
    node
}
