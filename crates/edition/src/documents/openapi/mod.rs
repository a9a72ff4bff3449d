//! `/openapi.json`: the interface in OpenAPI 3.1. The paths are generated from the route table.
//! `template.json` holds the rest, with `null` for site-dependent values.

mod operations;

use std::fmt::Display;

use bytes::Bytes;
use diglot_content::fingerprint::Fingerprint;
use diglot_content::memo::Memo;
use serde_json::{Map, Value};

use super::status::{INTERFACE_VERSION, json_text};
use super::{Material, skills};
use crate::policy::{self, CacheRow};
use crate::resource::Resource;
use crate::route::{Form, Route};

use operations::path_item;

/// The document without paths and site-dependent values.
const TEMPLATE: &str = include_str!("template.json");

/// One route of every kind, with parameter names in its path.
pub fn kinds() -> Vec<Route> {
    let mut kinds = Vec::new();
    for form in [Form::Html, Form::Markdown] {
        kinds.extend([
            Route::Home(form),
            Route::ArticleList(form),
            Route::Article("{slug}".into(), form),
            Route::Page("{page}".into(), form),
            Route::Tag("{tag}".into(), form),
            Route::Year(YEAR, form),
            Route::Section("{contents}".into(), form),
            Route::Terms(form),
            Route::Api(form),
            Route::NotFound(form),
            Route::Search(form),
            Route::Language("{language}".into(), form),
        ]);
        kinds.extend(
            LISTS.map(|list| Route::ListPage(format!("{list}/page-{{number}}").into(), form)),
        );
    }
    kinds.extend([
        Route::SearchIndex,
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
        Route::Feed("tags/{tag}".into()),
        Route::Feed("languages/{language}".into()),
        Route::Feed("sections/{contents}".into()),
        Route::OpenSearch,
        Route::Changes,
        Route::ChangesMarkdown,
        Route::ChangesSince("{edition}".into()),
        Route::Listing,
        Route::Skills,
        Route::Skill("{skill}".into()),
    ]);
    kinds
}

/// The lists that may have several pages.
const LISTS: [&str; 5] = [
    "articles",
    "tags/{tag}",
    "years/{year}",
    "languages/{language}",
    "sections/{contents}",
];

/// A placeholder for `{year}` in a route, whose year is a number.
const YEAR: i16 = 1234;
/// A placeholder for `{number}` in a route, whose part is a number.
const NUMBER: u32 = 1234;

/// The path of a kind, with its parameter in braces.
pub fn template(route: &Route) -> String {
    match route {
        Route::Year(..) => route.path().replace(&YEAR.to_string(), "{year}"),
        Route::SitemapPart(_) => route.path().replace(&NUMBER.to_string(), "{number}"),
        other => other.path(),
    }
}

/// The API description. `memo` has that of the edition before.
pub(crate) fn resource(material: &Material<'_>, memo: &Memo<Bytes>) -> Resource {
    let (values, routes) = (of_site(material), routes(material));
    let key = Fingerprint::hash_one(&(&values, &routes));
    let text = memo.get(key, || text(values, &routes).into());
    let at = policy::words_date(material.now).at;
    Resource::new(Route::OpenApi, Bytes::clone(&text), at)
}

fn text(values: [(&'static str, Value); 20], routes: &[Route]) -> String {
    // A test parses the template.
    let mut document: Value = TEMPLATE.parse().unwrap_or_default();
    for (pointer, value) in values {
        if let Some(place) = document.pointer_mut(pointer) {
            *place = value;
        }
    }
    document["paths"] = paths(routes).into();
    json_text(&document)
}

/// The site-dependent values, by JSON pointer (RFC 6901).
fn of_site(material: &Material<'_>) -> [(&'static str, Value); 20] {
    let site = material.site;
    let home = site.base.absolute("/");
    let terms = site.base.absolute(&Route::Terms(Form::Html).path());
    let author = site.author.as_deref().unwrap_or(&site.title);
    let [slug, page, tag, year, language] = examples(material);
    [
        (
            "/info/title",
            format!("{}: content for people and machines", site.title).into(),
        ),
        ("/info/version", INTERFACE_VERSION.into()),
        ("/info/termsOfService", terms.clone().into()),
        ("/info/contact/name", author.into()),
        ("/info/contact/url", home.into()),
        ("/info/license/url", terms.into()),
        ("/servers/0/url", site.base.to_string().into()),
        ("/components/parameters/Slug/example", slug.into()),
        ("/components/parameters/Page/example", page.into()),
        ("/components/parameters/Tag/example", tag.into()),
        ("/components/parameters/Language/example", language.into()),
        (
            "/components/parameters/Skill/example",
            skills::name(material).into(),
        ),
        (
            "/components/parameters/Year/example",
            year.parse::<i16>().unwrap_or(2026).into(),
        ),
        (
            "/components/headers/LastModified/example",
            policy::words_date(material.now).http().into(),
        ),
        (
            "/components/headers/CacheControl/example",
            CacheRow::Html.cache_control(site).into(),
        ),
        (
            "/components/headers/Vary/example",
            policy::VARY_NEGOTIATED.into(),
        ),
        (
            "/components/headers/ContentSignal/example",
            policy::content_signal(site).into(),
        ),
        (
            "/components/headers/ContentUsage/example",
            policy::content_usage(site).into(),
        ),
        ("/components/headers/Allow/example", policy::ALLOW.into()),
        (
            "/components/responses/Text/content/text~1plain/examples/beginning/value",
            format!("# {}\n", site.title).into(),
        ),
    ]
}

/// Examples of a slug, page, tag, year and language, from this site where it has any.
fn examples(material: &Material<'_>) -> [String; 5] {
    let mut found: [Option<String>; 5] = Default::default();
    for entry in &material.entries {
        let (kind, example): (usize, &dyn Display) = match entry.route {
            Route::Article(slug, _) => (0, slug),
            Route::Page(path, _) => (1, path),
            Route::Tag(tag, _) => (2, tag),
            Route::Year(year, _) => (3, year),
            Route::Language(language, _) => (4, language),
            _ => continue,
        };
        found[kind].get_or_insert_with(|| example.to_string());
    }
    let usual = ["first-article", "about", "news", "2026", "de"];
    std::array::from_fn(|at| found[at].take().unwrap_or_else(|| usual[at].to_owned()))
}

/// The routes that the site may have, one of each kind.
fn routes(material: &Material<'_>) -> Vec<Route> {
    let is_there = |route: &Route| match route {
        Route::Search(_) | Route::SearchIndex => material.search,
        Route::OpenSearch => material.open_search,
        Route::Skills | Route::Skill(_) => material.skills,
        other => material.changes.has(other),
    };
    kinds().into_iter().filter(is_there).collect()
}

/// The path items.
fn paths(routes: &[Route]) -> Map<String, Value> {
    let mut paths = Map::new();
    paths.insert("/".to_owned(), operations::home());
    for route in routes {
        paths.insert(template(route), path_item(route));
    }
    paths
}

#[cfg(test)]
mod tests;
