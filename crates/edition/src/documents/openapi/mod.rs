//! `/openapi.json`: the interface in OpenAPI 3.1, generated from the table of routes.

mod components;
mod operations;

use std::iter;

use diglot_content::{Moment, Site};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::Material;
use super::status::{INTERFACE_VERSION, json_text};
use crate::policy;
use crate::resource::Resource;
use crate::route::{Form, Route};

use components::Examples;
use operations::{Operation, PathItem};

/// One route of every kind, with the names of parameters where a path has any.
pub fn kinds() -> Vec<Route> {
    let pages = [Form::Html, Form::Markdown].into_iter().flat_map(|form| {
        [
            Route::Home(form),
            Route::ArticleList(form),
            Route::Article("{slug}".into(), form),
            Route::Page("{page}".into(), form),
            Route::Tag("{tag}".into(), form),
            Route::Year(YEAR, form),
            Route::Terms(form),
            Route::Api(form),
            Route::NotFound(form),
        ]
    });
    let documents = [
        Route::Rss,
        Route::Sitemap,
        Route::SitemapPart(NUMBER),
        Route::SitemapMarkdown,
        Route::Llms,
        Route::LlmsPart("{section}".into()),
        Route::LlmsFull,
        Route::Status,
        Route::OpenApi,
        Route::ApiCatalog,
        Route::Robots,
        Route::Asset("{asset}".into()),
        Route::File("{file}".into()),
    ];
    pages.chain(documents).collect()
}

/// Stands for `{year}` in a route, whose year is a number.
const YEAR: i16 = 1234;
/// Stands for `{number}` in a route, whose part is a number.
const NUMBER: u32 = 1234;

/// The path of a kind with its parameter in braces.
pub fn template(route: &Route) -> String {
    match route {
        Route::Year(..) => route.path().replace(&YEAR.to_string(), "{year}"),
        Route::SitemapPart(_) => route.path().replace(&NUMBER.to_string(), "{number}"),
        other => other.path(),
    }
}

/// The API description.
pub(crate) fn resource(material: &Material<'_>) -> Resource {
    let day = policy::words_date(material.now);
    Resource::new(Route::OpenApi, text(material.site, &Examples::of(material), &day), day.at)
}

/// The document. Its many paths are written from what they are, and not from a value of values.
#[derive(Serialize)]
struct Document {
    openapi: &'static str,
    info: Value,
    servers: Value,
    security: [(); 0],
    tags: Value,
    #[serde(serialize_with = "as_map")]
    paths: Vec<(String, PathItem)>,
    components: Value,
}

fn as_map<S: Serializer>(paths: &[(String, PathItem)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(paths.iter().map(|(path, item)| (path, item)))
}

fn text(site: &Site, examples: &Examples, day: &Moment) -> String {
    let base = &site.base;
    let home = ("/".to_owned(), Operation::of(&Route::Home(Form::Html)).renamed("Home", "The home page").path_item());
    let kinds = kinds().into_iter().map(|route| (template(&route), Operation::of(&route).path_item()));
    let author = site.author.as_deref().unwrap_or(&site.title);
    json_text(&Document {
        openapi: "3.1.0",
        info: json!({
            "title": format!("{}: content for people and machines", site.title),
            "version": INTERFACE_VERSION,
            "summary": "Every page as HTML and as Markdown, and the documents that list them.",
            "description": DESCRIPTION,
            "termsOfService": base.absolute(&Route::Terms(Form::Html).path()),
            "contact": { "name": author, "url": base.absolute("/") },
            "license": { "name": "See the terms of this site", "url": base.absolute(&Route::Terms(Form::Html).path()) },
        }),
        servers: json!([{ "url": base.to_string(), "description": "This site" }]),
        security: [],
        tags: json!([
            { "name": "Pages", "description": "What people read, in two forms." },
            { "name": "Feeds and indexes", "description": "What has changed, and what there is." },
            { "name": "Service", "description": "What describes the service itself." },
            { "name": "Files", "description": "Pictures, style sheets and whatever else stands beside the articles." },
        ]),
        paths: iter::once(home).chain(kinds).collect(),
        components: components::components(site, examples, day),
    })
}

const DESCRIPTION: &str = "\
Everything is public and read-only: no keys, no cookies, no query parameters (an unknown query string is ignored).

Every page has two forms with the same content. `.html` paths, and `/`, answer with HTML unless `Accept` names `text/markdown` explicitly with a \
weight that is above 0 and not below that of `text/html`; then they answer with Markdown and name its own address in `Content-Location`. Wildcards \
never select Markdown. `.md` paths always answer with Markdown.

Every 200 has a strong `ETag`; conditional requests and one byte range are honoured everywhere. Content-codings are `br`, `zstd` and `gzip`. HEAD \
answers like GET without the body, OPTIONS with 204 and `Allow`; every other method with 405. Errors come as HTML, Markdown or \
`application/problem+json`, as `Accept` prefers.

Slugs may hold `/`, which one path parameter carries as `%2F`; canonical URLs have the plain `/`.";

#[cfg(test)]
mod tests;
