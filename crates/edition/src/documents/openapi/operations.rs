//! What can be asked of each kind of route.

use serde_json::{Map, Value, json};

use crate::documents::Material;
use crate::route::{Form, Route};

/// One kind of route as operations on its path.
#[derive(Clone, Debug)]
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
    pub(super) fn renamed(&self, name: &str, summary: &str) -> Self {
        Self { name: name.to_owned(), summary: summary.to_owned(), ..self.clone() }
    }

    /// The path item: GET and HEAD.
    pub(super) fn path_item(&self, material: &Material<'_>) -> Value {
        let mut item = Map::new();
        if let Some(parameter) = self.parameter {
            item.insert("parameters".into(), json!([reference("parameters", parameter)]));
        }
        item.insert("get".into(), self.method("get", material, true));
        item.insert("head".into(), self.method("head", material, false));
        Value::Object(item)
    }

    fn method(&self, method: &str, material: &Material<'_>, body: bool) -> Value {
        let summary = if body { self.summary.clone() } else { format!("{}: headers alone", self.summary) };
        json!({
            "operationId": format!("{method}{}", self.name),
            "tags": [self.tag],
            "summary": summary,
            "description": self.description,
            "parameters": [
                reference("parameters", "IfNoneMatch"),
                reference("parameters", "IfModifiedSince"),
                reference("parameters", "Range"),
            ],
            "responses": self.responses(material, body),
        })
    }

    fn responses(&self, material: &Material<'_>, body: bool) -> Value {
        let mut responses = Map::new();
        let mut add = |status: &str, response: Value| responses.insert(status.into(), response);
        add("200", self.answer(material, "The whole.", None, body));
        if body {
            add("206", self.answer(material, "The byte range asked for.", Some("ContentRange"), true));
        }
        let suffix = if body { "" } else { "Head" };
        let refused = |name: &str| reference("responses", &format!("{name}{suffix}"));
        if self.parameter.is_some() {
            add("301", reference("responses", "Moved"));
        }
        add("304", reference("responses", "NotModified"));
        if self.parameter.is_some() {
            add("308", reference("responses", "Near"));
        }
        add("400", refused("BadRequest"));
        if self.parameter.is_some() {
            add("404", refused("NotFound"));
        }
        add("405", refused("MethodNotAllowed"));
        if self.parameter.is_some() {
            add("410", refused("Gone"));
        }
        add("412", refused("PreconditionFailed"));
        add("414", refused("UriTooLong"));
        if body {
            add("416", refused("RangeNotSatisfiable"));
        }
        add("431", refused("HeadersTooLarge"));
        Value::Object(responses)
    }

    /// A successful answer with its headers and, for GET, its media types.
    fn answer(&self, material: &Material<'_>, description: &str, extra: Option<&str>, body: bool) -> Value {
        let mut headers = Map::new();
        for name in header_names(&self.route).into_iter().chain(extra) {
            let (field, component) = split_header(name);
            headers.insert(field, reference("headers", component));
        }
        let mut answer = json!({ "description": description, "headers": headers });
        if body {
            answer["content"] = content(&self.route, material);
        }
        answer
    }
}

/// A reference to a component.
pub(super) fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// The field name of a header component and the component's own name.
fn split_header(component: &str) -> (String, &str) {
    let mut field = String::new();
    for letter in component.chars() {
        if letter.is_ascii_uppercase() && !field.is_empty() && component != "ETag" {
            field.push('-');
        }
        field.push(letter);
    }
    (field, component)
}

/// The header components of a 200.
fn header_names(route: &Route) -> Vec<&'static str> {
    let mut names = vec!["ETag", "LastModified", "CacheControl", "Vary", "ContentEncoding", "ContentSignal", "ContentUsage", "AcceptRanges"];
    if route.negotiated() {
        names.push("ContentLocation");
    }
    if route.form().is_some() || *route == Route::ApiCatalog {
        names.push("Link");
    }
    names
}

/// The media types of a 200, both forms under one where `Accept` chooses.
fn content(route: &Route, material: &Material<'_>) -> Value {
    let mut content = Map::new();
    let media = |form: Form| form.media_type().split(';').next().unwrap_or_default();
    match route.form() {
        Some(Form::Html) => {
            content.insert(media(Form::Html).into(), text("<!doctype html>\n<html lang=\"en\">…</html>\n"));
            content.insert(media(Form::Markdown).into(), text("---\ntitle: \"…\"\n---\n\n# …\n"));
        }
        Some(Form::Markdown) => {
            content.insert(media(Form::Markdown).into(), text("---\ntitle: \"…\"\n---\n\n# …\n"));
        }
        None => {
            let own = route.media_type();
            let own = own.split(';').next().unwrap_or_default().to_owned();
            let (name, body) = document_body(route, material, own);
            content.insert(name, body);
        }
    }
    Value::Object(content)
}

/// The media type of a document and what is known of its content.
fn document_body(route: &Route, material: &Material<'_>, own: String) -> (String, Value) {
    match route {
        Route::Status => (own, json!({ "schema": reference("schemas", "Status") })),
        Route::OpenApi => (own, json!({ "schema": { "type": "object", "required": ["openapi", "info", "paths"] } })),
        Route::ApiCatalog => (own, json!({ "schema": reference("schemas", "Linkset") })),
        Route::Asset(_) | Route::File(_) => ("*/*".into(), json!({ "schema": {} })),
        Route::Rss | Route::Sitemap | Route::SitemapPart(_) => (own, json!({ "schema": {} })),
        Route::SitemapMarkdown | Route::Llms | Route::LlmsPart(_) | Route::LlmsFull => (own, text(&format!("# {}\n", material.site.title))),
        Route::Robots => (own, text(&format!("User-agent: *\nContent-Signal: {}\n", material.site.signals.content_signal()))),
        Route::Home(_) | Route::Article(..) | Route::ArticleList(_) | Route::Tag(..) | Route::Year(..) | Route::Page(..) => (own, text("…")),
        Route::Api(_) | Route::Terms(_) | Route::NotFound(_) => (own, text("…")),
    }
}

fn text(example: &str) -> Value {
    json!({ "schema": { "type": "string" }, "examples": { "beginning": { "value": example } } })
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
