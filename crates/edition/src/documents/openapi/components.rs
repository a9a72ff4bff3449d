//! What operations refer to: parameters, headers, answers without a resource, schemas.

use diglot_content::{Moment, Site};
use serde_json::{Map, Value, json};

use super::operations::Reference;
use crate::documents::Material;
use crate::policy::{self, Row};
use crate::route::{Form, Route};

/// What a 200 carries: the kinds of route that share one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Page,
    Markdown,
    Xml,
    Text,
    Status,
    Description,
    Linkset,
    File,
}

impl Class {
    const ALL: [Self; 8] = [Self::Page, Self::Markdown, Self::Xml, Self::Text, Self::Status, Self::Description, Self::Linkset, Self::File];

    pub(super) fn of(route: &Route) -> Self {
        match route {
            Route::Home(form) | Route::Article(_, form) | Route::ArticleList(form) | Route::Tag(_, form) | Route::Year(_, form) => {
                Self::of_form(*form)
            }
            Route::Page(_, form) | Route::Api(form) | Route::Terms(form) | Route::NotFound(form) => Self::of_form(*form),
            Route::SitemapMarkdown => Self::Markdown,
            Route::Rss | Route::Sitemap | Route::SitemapPart(_) => Self::Xml,
            Route::Llms | Route::LlmsPart(_) | Route::LlmsFull | Route::Robots => Self::Text,
            Route::Status => Self::Status,
            Route::OpenApi => Self::Description,
            Route::ApiCatalog => Self::Linkset,
            Route::Asset(_) | Route::File(_) => Self::File,
        }
    }

    fn of_form(form: Form) -> Self {
        match form {
            Form::Html => Self::Page,
            Form::Markdown => Self::Markdown,
        }
    }

    /// The name of the component.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Markdown => "Markdown",
            Self::Xml => "Xml",
            Self::Text => "Text",
            Self::Status => "Status",
            Self::Description => "Description",
            Self::Linkset => "Linkset",
            Self::File => "File",
        }
    }

    /// The media types, without their parameters, and what is known of the content.
    fn content(self, site: &Site) -> Value {
        let text = |example: &str| json!({ "schema": { "type": "string" }, "examples": { "beginning": { "value": example } } });
        let markdown = text("---\ntitle: \"…\"\n---\n\n# …\n");
        match self {
            Self::Page => object([("text/html", text("<!doctype html>\n<html lang=\"en\">…</html>\n")), ("text/markdown", markdown)]),
            Self::Markdown => object([("text/markdown", markdown)]),
            Self::Xml => json!({ "application/xml": { "schema": {} } }),
            Self::Text => object([("text/plain", text(&format!("# {}\n", site.title)))]),
            Self::Status => json!({ "application/json": { "schema": reference("schemas", "Status") } }),
            Self::Description => json!({ "application/json": { "schema": { "type": "object" } } }),
            Self::Linkset => json!({ "application/linkset+json": { "schema": reference("schemas", "Linkset") } }),
            Self::File => json!({ "*/*": { "schema": {} } }),
        }
    }

    /// The header fields beside those of every 200, with the components that describe them.
    fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Page => &[("Content-Location", "ContentLocation"), ("Link", "Link")],
            Self::Markdown | Self::Linkset => &[("Link", "Link")],
            Self::Xml | Self::Text | Self::Status | Self::Description | Self::File => &[],
        }
    }

    fn response(self, site: &Site) -> Value {
        object([("description", "The whole.".into()), ("headers", header_fields(self.fields())), ("content", self.content(site))])
    }
}

/// The header fields of every 200 and 206, and some more.
fn header_fields(more: &[(&str, &str)]) -> Value {
    let always = [
        ("ETag", "ETag"),
        ("Last-Modified", "LastModified"),
        ("Cache-Control", "CacheControl"),
        ("Vary", "Vary"),
        ("Content-Encoding", "ContentEncoding"),
        ("Content-Signal", "ContentSignal"),
        ("Content-Usage", "ContentUsage"),
        ("Accept-Ranges", "AcceptRanges"),
    ];
    Value::Object(always.iter().chain(more).map(|(field, name)| ((*field).to_owned(), reference("headers", name))).collect())
}

/// What stands for the parts of paths, from this very site where it has such pages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Examples {
    slug: String,
    page: String,
    tag: String,
    year: String,
}

impl Examples {
    pub(super) fn of(material: &Material<'_>) -> Self {
        let first = |wanted: fn(&Route) -> Option<String>, fallback: &str| {
            material.entries.iter().find_map(|entry| wanted(entry.route)).unwrap_or_else(|| fallback.to_owned())
        };
        Self {
            slug: first(|route| if let Route::Article(slug, _) = route { Some(slug.to_string()) } else { None }, "first-article"),
            page: first(|route| if let Route::Page(path, _) = route { Some(path.to_string()) } else { None }, "about"),
            tag: first(|route| if let Route::Tag(tag, _) = route { Some(tag.to_string()) } else { None }, "news"),
            year: first(|route| if let Route::Year(year, _) = route { Some(year.to_string()) } else { None }, "2026"),
        }
    }
}

/// A reference to the component of this kind and name.
fn reference(kind: &str, name: &str) -> Value {
    json!(Reference::to(kind, name))
}

/// An object with these members. `json!` copies what stands in it, with all that stands in that: at each level once more.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

pub(super) fn components(site: &Site, examples: &Examples, day: &Moment) -> Value {
    object([("parameters", parameters(examples)), ("headers", headers(site, day)), ("responses", responses(site)), ("schemas", schemas())])
}

/// Every character a segment may hold: no control character, no backslash.
const PATH_PATTERN: &str = r"^[^\x00-\x1f\x7f-\x9f\\]+$";

fn parameters(Examples { slug, page, tag, year }: &Examples) -> Value {
    let path = |name: &str, description: &str, example: &str| {
        json!({
            "name": name, "in": "path", "required": true, "description": description,
            "schema": { "type": "string", "minLength": 1, "maxLength": 1000, "pattern": PATH_PATTERN },
            "example": example,
        })
    };
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } });
    let slash = "A `/` in it is sent as `%2F`; the canonical URL has the plain `/`, and the answer names it in `Content-Location`.";
    json!({
        "Slug": path("slug", &format!("The article's slug, without suffix. {slash}"), slug),
        "Page": path("page", &format!("The page's path, without suffix. {slash}"), page),
        "Tag": path("tag", "The tag as it stands in the list's address.", tag),
        "Year": {
            "name": "year", "in": "path", "required": true, "description": "The year of publication.",
            "schema": { "type": "integer", "minimum": -9999, "maximum": 9999 }, "example": year.parse::<i16>().unwrap_or(2026),
        },
        "Number": {
            "name": "number", "in": "path", "required": true, "description": "The number of the part, from 1.",
            "schema": { "type": "integer", "minimum": 1, "maximum": 50000 }, "example": 1,
        },
        "Section": path("section", "The name of a section, and the number of its part, as `/llms.txt` links them.", "2026-1"),
        "Asset": path("asset", "The name with its hash, as pages link it.", "main.css"),
        "File": path("file", &format!("The file's path. {slash}"), "picture.png"),
        "IfNoneMatch": header("If-None-Match", "Entity tags of forms that the client has: 304 when one is current (RFC 9110 section 13.1.2)."),
        "IfModifiedSince": header("If-Modified-Since", "A date: 304 when nothing has changed since (RFC 9110 section 13.1.3). The `ETag` is the reliable validator."),
    })
}

fn headers(site: &Site, day: &Moment) -> Value {
    let header = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string" }, "example": example });
    json!({
        "ETag": header("A strong entity tag: a digest of the bytes, and the content-coding.", "\"4f1c09ab4f1c09ab4f1c09ab4f1c09ab\""),
        "LastModified": header("When the content last changed. Absent on Markdown at an `.html` address.", &day.http()),
        "CacheControl": header("How long caches may keep it. Markdown at an `.html` address: `private, no-cache`.", &Row::Html.cache_control(site)),
        "Vary": header("The request fields that choose the answer.", policy::VARY_NEGOTIATED),
        "ContentEncoding": header("The content-coding, when one was chosen.", "br"),
        "ContentLocation": header("The Markdown form's own address, when it is the answer.", "/index.md"),
        "ContentRange": header("The range sent and the whole length.", "bytes 0-499/1234"),
        "ContentSignal": header("What the content may be used for.", &policy::content_signal(site)),
        "ContentUsage": header("The same in the words of AIPREF.", &policy::content_usage(site)),
        "AcceptRanges": header("Byte ranges are honoured.", "bytes"),
        "Link": header("The other form, the feed, the canonical address, the index (RFC 8288).", "</index.md>; rel=\"alternate\"; type=\"text/markdown\""),
        "Location": header("The address to use.", "/articles/first-article.html"),
        "Allow": header("The methods that are answered.", policy::ALLOW),
    })
}

fn responses(site: &Site) -> Value {
    let mut responses: Map<String, Value> = Class::ALL.iter().map(|class| (class.name().to_owned(), class.response(site))).collect();
    let range = header_fields(&[("Content-Range", "ContentRange")]);
    responses.insert("Part".into(), json!({ "description": "The byte range asked for.", "headers": range, "content": { "*/*": { "schema": {} } } }));
    let moved = |description: &str| json!({ "description": description, "headers": { "Location": reference("headers", "Location") } });
    responses.insert("Moved".into(), moved("An old address: the article has moved for good."));
    responses.insert("Near".into(), moved("A near miss: only case, a closing slash or a missing suffix differ from the one page meant."));
    responses.insert(
        "NotModified".into(),
        json!({
            "description": "The client's copy is current.",
            "headers": {
                "ETag": reference("headers", "ETag"), "Cache-Control": reference("headers", "CacheControl"), "Vary": reference("headers", "Vary"),
            },
        }),
    );
    for (name, title, status, description) in ERRORS {
        let mut response = object([("description", (*description).into()), ("content", error_content(title, *status))]);
        if *status == 405 {
            response["headers"] = object([("Allow", reference("headers", "Allow"))]);
        }
        responses.insert((*name).into(), response);
    }
    Value::Object(responses)
}

const ERRORS: &[(&str, &str, u16, &str)] = &[
    ("BadRequest", "Bad Request", 400, "The request is not valid HTTP, or its path is not valid."),
    ("NotFound", "Not Found", 404, "Nothing is here. The body names the nearest existing pages, the index and the sitemap."),
    ("MethodNotAllowed", "Method Not Allowed", 405, "Only GET, HEAD and OPTIONS are answered."),
    ("Gone", "Gone", 410, "The article has expired."),
    ("PreconditionFailed", "Precondition Failed", 412, "`If-Match` or `If-Unmodified-Since` does not hold."),
    ("UriTooLong", "URI Too Long", 414, "The address is longer than any that exists."),
    ("RangeNotSatisfiable", "Range Not Satisfiable", 416, "The byte range begins behind the end."),
    ("HeadersTooLarge", "Request Header Fields Too Large", 431, "The request's header is too large."),
];

/// An error's body in the form asked for.
fn error_content(title: &str, status: u16) -> Value {
    let problem = json!({ "type": "about:blank", "title": title, "status": status });
    json!({
        "text/html": { "schema": { "type": "string" } },
        "text/markdown": { "schema": { "type": "string" } },
        "application/problem+json": { "schema": reference("schemas", "Problem"), "examples": { "problem": { "value": problem } } },
    })
}

fn schemas() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let url = |description: &str| json!({ "type": "string", "format": "uri", "description": description });
    json!({
        "Problem": {
            "type": "object",
            "description": "What went wrong (RFC 9457).",
            "required": ["title", "status"],
            "properties": {
                "type": { "type": "string", "format": "uri-reference", "description": "The kind of problem." },
                "title": text("The kind of problem in words."),
                "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "The status code." },
                "detail": text("What happened here."),
                "instance": { "type": "string", "format": "uri-reference", "description": "The address asked for." },
            },
        },
        "Status": {
            "type": "object",
            "description": "The state of the service.",
            "required": ["status", "version", "releaseId", "serviceId", "articles", "updated", "links"],
            "properties": {
                "status": { "type": "string", "enum": ["pass", "warn"], "description": "`warn`: something the author meant to publish is set aside." },
                "version": text("The version of this interface."),
                "releaseId": text("The edition: a hash over every other resource."),
                "serviceId": url("The site's base URL."),
                "description": text("What this is."),
                "articles": { "type": "integer", "minimum": 0, "description": "How many articles are listed." },
                "updated": text("The newest change, ISO 8601."),
                "links": { "type": "object", "additionalProperties": { "type": "string", "format": "uri" }, "description": "Where to go from here." },
            },
        },
        "Linkset": {
            "type": "object",
            "description": "Links in context (RFC 9264 section 4.2).",
            "required": ["linkset"],
            "properties": {
                "linkset": {
                    "type": "array",
                    "description": "One object a context.",
                    "items": { "type": "object", "required": ["anchor"], "properties": { "anchor": url("The context.") } },
                },
            },
        },
    })
}
