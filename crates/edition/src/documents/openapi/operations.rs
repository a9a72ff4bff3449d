//! What can be asked of each kind of route.

use std::collections::BTreeMap;

use serde::Serialize;

use super::components::Class;
use crate::route::{Form, Route};

/// One kind of route as operations on its path.
#[derive(Debug)]
pub(super) struct Operation {
    route: Route,
    /// What an operation's id ends with: unique.
    name: String,
    tag: &'static str,
    summary: String,
    description: &'static str,
    parameter: Option<&'static str>,
}

const PAGES: &str = "Pages";
const INDEXES: &str = "Feeds and indexes";
const SERVICE: &str = "Service";
const FILES: &str = "Files";

impl Operation {
    /// The operation of a kind of route.
    pub(super) fn of(route: &Route) -> Self {
        let (name, tag, summary, description, parameter) = words(route);
        let (name, summary) = match route.form() {
            Some(Form::Html) => (format!("{name}Page"), summary.to_owned()),
            Some(Form::Markdown) => (format!("{name}Markdown"), format!("{summary}, as Markdown")),
            None => (name.to_owned(), summary.to_owned()),
        };
        Self { route: route.clone(), name, tag, summary, description, parameter }
    }

    /// The same operation on another path.
    pub(super) fn renamed(self, name: &str, summary: &str) -> Self {
        Self { name: name.to_owned(), summary: summary.to_owned(), ..self }
    }

    /// The path item. HEAD and OPTIONS are the same on every path, so the document's own description says them.
    pub(super) fn path_item(self) -> PathItem {
        let parameters = self.parameter.map(|name| [Reference::to("parameters", name)]);
        let responses = self.responses();
        let Self { name, tag, summary, description, .. } = self;
        let conditions = ["IfNoneMatch", "IfModifiedSince"].map(|name| Reference::to("parameters", name));
        let get = Get { operation_id: format!("get{name}"), tags: [tag], summary, description, parameters: conditions, responses };
        PathItem { parameters, get }
    }

    fn responses(&self) -> BTreeMap<&'static str, Reference> {
        let whole = Class::of(&self.route).name();
        let missing = self.parameter.is_some();
        let answers = [
            ("200", whole, true),
            ("206", "Part", true),
            ("301", "Moved", missing),
            ("304", "NotModified", true),
            ("308", "Near", missing),
            ("400", "BadRequest", true),
            ("404", "NotFound", missing),
            ("405", "MethodNotAllowed", true),
            ("410", "Gone", missing),
            ("412", "PreconditionFailed", true),
            ("414", "UriTooLong", true),
            ("416", "RangeNotSatisfiable", true),
            ("431", "HeadersTooLarge", true),
        ];
        let answers = answers.into_iter().filter(|(_, _, possible)| *possible);
        answers.map(|(status, name, _)| (status, Reference::to("responses", name))).collect()
    }
}

/// What can be asked of one path.
#[derive(Debug, Serialize)]
pub(super) struct PathItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<[Reference; 1]>,
    get: Get,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Get {
    operation_id: String,
    tags: [&'static str; 1],
    summary: String,
    description: &'static str,
    parameters: [Reference; 2],
    responses: BTreeMap<&'static str, Reference>,
}

/// A reference to a component.
#[derive(Debug, Serialize)]
pub(super) struct Reference {
    #[serde(rename = "$ref")]
    to: String,
}

impl Reference {
    /// A reference to the component of this kind and name.
    pub(super) fn to(kind: &str, name: &str) -> Self {
        Self { to: format!("#/components/{kind}/{name}") }
    }
}

/// Name, tag, summary, description and parameter of a kind.
fn words(route: &Route) -> (&'static str, &'static str, &'static str, &'static str, Option<&'static str>) {
    match route {
        Route::Home(_) => ("Home", PAGES, "The home page", "The home page; its canonical address is `/`.", None),
        Route::Article(..) => ("Article", PAGES, "One article", "One article by its slug.", Some("Slug")),
        Route::ArticleList(_) => ("ArticleList", PAGES, "All articles", "The list of all articles.", None),
        Route::Tag(..) => ("Tag", PAGES, "Articles with a tag", "The list of the articles that have one tag.", Some("Tag")),
        Route::Year(..) => ("Year", PAGES, "Articles of a year", "The list of the articles of one year.", Some("Year")),
        Route::Page(..) => ("Page", PAGES, "A further page", "A page that the author wrote beside the articles.", Some("Page")),
        Route::Api(_) => ("Api", SERVICE, "The interface for people", "This interface described for people.", None),
        Route::Terms(_) => ("Terms", SERVICE, "The terms", "Copyright, terms, and what the usage signals mean here.", None),
        Route::NotFound(_) => ("NotFound", SERVICE, "What a 404 says", "What static hosts show for an address that does not exist.", None),
        Route::Rss => ("Feed", INDEXES, "The feed", "RSS 2.0: the latest 20 articles, whole.", None),
        Route::Sitemap => ("Sitemap", INDEXES, "The sitemap", "Every page with the day its content last changed, or an index of such lists.", None),
        Route::SitemapPart(_) => ("SitemapPart", INDEXES, "A part of the sitemap", "A part of the sitemap of a very large site.", Some("Number")),
        Route::SitemapMarkdown => ("SitemapMarkdown", INDEXES, "The sitemap as Markdown", "Every page by title, with both addresses.", None),
        Route::Llms => ("Index", INDEXES, "The index for language models", "What there is to read, with summaries (llmstxt.org).", None),
        Route::LlmsPart(_) => ("IndexPart", INDEXES, "A part of the index", "A section of the index of a large site.", Some("Section")),
        Route::LlmsFull => ("AllArticles", INDEXES, "All articles", "All articles merged into one Markdown text, in the order of the index.", None),
        Route::Status => ("Status", SERVICE, "The state of the service", "A 200 means that the content service is up.", None),
        Route::OpenApi => ("ApiDescription", SERVICE, "This description", "This description of the interface.", None),
        Route::ApiCatalog => {
            ("ApiCatalog", SERVICE, "The API catalog", "A linkset (RFC 9264) that leads to everything about the interface (RFC 9727).", None)
        }
        Route::Robots => ("Robots", SERVICE, "Who may read, and what for", "RFC 9309, with the usage signals.", None),
        Route::Asset(_) => {
            ("Asset", FILES, "A file of the theme", "Style sheets and pictures under content-hashed names: they never change.", Some("Asset"))
        }
        Route::File(_) => ("File", FILES, "A file", "A file that the author published, unchanged.", Some("File")),
    }
}
