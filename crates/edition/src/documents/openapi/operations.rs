//! The operations on each kind of route.

use serde_json::{Map, Value, json};

use crate::route::{Form, Route};

/// Name, tag, response, summary, description and parameter.
struct Operation(
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
);

const PAGES: &str = "Pages";
const INDEXES: &str = "Feeds and indexes";
const SERVICE: &str = "Service";
const FILES: &str = "Files";

/// The path item of `/`.
pub(super) fn home() -> Value {
    let home = Route::Home(Form::Html);
    item("Home", ("The home page", "Page"), &home)
}

/// The path item of a kind of route. HEAD and OPTIONS are the same on every path, so only the
/// document's description covers them.
pub(super) fn path_item(route: &Route) -> Value {
    let operation = &OPERATIONS[route.kind_index()];
    let Operation(name, _, response, summary, ..) = *operation;
    let name = &format!("{}{name}", list_of(route));
    let mut item = match route.form() {
        Some(Form::Html) => item(&format!("{name}Page"), (summary, response), route),
        Some(Form::Markdown) => item(
            &format!("{name}Markdown"),
            (&format!("{summary}, as Markdown"), "Markdown"),
            route,
        ),
        None => item(name, (summary, response), route),
    };
    if let Route::Search(_) = route
        && let Some(Value::Array(parameters)) = item.pointer_mut("/get/parameters")
    {
        parameters.insert(0, reference("parameters", "Query"));
    }
    item
}

/// The list of a page or feed, where several kinds of list have one kind of route.
fn list_of(route: &Route) -> &'static str {
    let path = match route {
        Route::ListPage(path, _) | Route::Feed(path) => path,
        _ => return "",
    };
    match path.split('/').next() {
        Some("tags") => "Tag",
        Some("years") => "Year",
        Some("languages") => "Language",
        Some("sections") => "Contents",
        _ => "Article",
    }
}

/// The parameters of a path, by their names in it.
fn parameters(route: &Route, own: Option<&str>) -> Vec<Value> {
    let of_list = match list_of(route) {
        "" | "Article" => None,
        list => Some(list),
    };
    let all = of_list.into_iter().chain(own);
    all.map(|name| reference("parameters", name)).collect()
}

fn item(name: &str, (summary, response): (&str, &str), route: &Route) -> Value {
    let operation = &OPERATIONS[route.kind_index()];
    let Operation(_, tag, _, _, description, parameter) = operation;
    let mut item = Map::new();
    let parameters = parameters(route, *parameter);
    let may_be_missing = !parameters.is_empty();
    if may_be_missing {
        item.insert("parameters".to_owned(), parameters.into());
    }
    let get = json!({
        "operationId": format!("get{name}"),
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": [reference("parameters", "IfNoneMatch"), reference("parameters", "IfModifiedSince")],
        "responses": responses(response, may_be_missing),
    });
    item.insert("get".to_owned(), get);
    item.into()
}

/// Every response by status. Only a path with a parameter can be missing.
fn responses(whole: &str, may_be_missing: bool) -> Map<String, Value> {
    let answers = [
        ("200", whole, true),
        ("206", "Part", true),
        ("301", "Moved", may_be_missing),
        ("304", "NotModified", true),
        ("308", "Near", may_be_missing),
        ("400", "BadRequest", true),
        ("404", "NotFound", may_be_missing),
        ("405", "MethodNotAllowed", true),
        ("410", "Gone", may_be_missing),
        ("412", "PreconditionFailed", true),
        ("414", "UriTooLong", true),
        ("416", "RangeNotSatisfiable", true),
        ("431", "HeadersTooLarge", true),
    ];
    let mut responses = Map::new();
    for (status, name, is_possible) in answers {
        if is_possible {
            responses.insert(status.to_owned(), reference("responses", name));
        }
    }
    responses
}

/// A reference to the component of this kind and name.
fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// The operation of each kind of route, in the order of [`Route::KIND_NAMES`]. The response of a
/// page depends on its form.
const OPERATIONS: [Operation; Route::KIND_NAMES.len()] = [
    Operation(
        "Home",
        PAGES,
        "Page",
        "The home page",
        "The home page; its canonical address is `/`.",
        None,
    ),
    Operation(
        "Article",
        PAGES,
        "Page",
        "One article",
        "One article by its slug.",
        Some("Slug"),
    ),
    Operation(
        "ArticleList",
        PAGES,
        "Page",
        "All articles",
        "The list of all articles.",
        None,
    ),
    Operation(
        "Tag",
        PAGES,
        "Page",
        "Articles with a tag",
        "The list of the articles that have one tag.",
        Some("Tag"),
    ),
    Operation(
        "Year",
        PAGES,
        "Page",
        "Articles of a year",
        "The list of the articles of one year.",
        Some("Year"),
    ),
    Operation(
        "Page",
        PAGES,
        "Page",
        "A further page",
        "A page that the author wrote beside the articles.",
        Some("Page"),
    ),
    Operation(
        "Api",
        SERVICE,
        "Page",
        "The interface for people",
        "This interface described for people.",
        None,
    ),
    Operation(
        "Terms",
        SERVICE,
        "Page",
        "The terms",
        "Copyright, terms, and what the usage signals mean here.",
        None,
    ),
    Operation(
        "NotFound",
        SERVICE,
        "Page",
        "What a 404 says",
        "What static hosts show for an address that does not exist.",
        None,
    ),
    Operation(
        "Feed",
        INDEXES,
        "Xml",
        "The feed",
        "RSS 2.0: the latest 20 articles, whole.",
        None,
    ),
    Operation(
        "Sitemap",
        INDEXES,
        "Xml",
        "The sitemap",
        "Every page with the day its content last changed, or an index of such lists.",
        None,
    ),
    Operation(
        "SitemapPart",
        INDEXES,
        "Xml",
        "A part of the sitemap",
        "A part of the sitemap of a very large site.",
        Some("Number"),
    ),
    Operation(
        "SitemapMarkdown",
        INDEXES,
        "Markdown",
        "The sitemap as Markdown",
        "Every page by title, with both addresses.",
        None,
    ),
    Operation(
        "Index",
        INDEXES,
        "Text",
        "The index for language models",
        "What there is to read, with summaries (llmstxt.org).",
        None,
    ),
    Operation(
        "IndexPart",
        INDEXES,
        "Text",
        "A part of the index",
        "A section of the index of a large site.",
        Some("Section"),
    ),
    Operation(
        "AllArticles",
        INDEXES,
        "Text",
        "All articles",
        "All articles merged into one Markdown text, in the order of the index.",
        None,
    ),
    Operation(
        "Status",
        SERVICE,
        "Status",
        "The state of the service",
        "A 200 means that the content service is up.",
        None,
    ),
    Operation(
        "ApiDescription",
        SERVICE,
        "Description",
        "This description",
        "This description of the interface.",
        None,
    ),
    Operation(
        "ApiCatalog",
        SERVICE,
        "Linkset",
        "The API catalog",
        "A linkset (RFC 9264) that leads to everything about the interface (RFC 9727).",
        None,
    ),
    Operation(
        "Robots",
        SERVICE,
        "Text",
        "Who may read, and what for",
        "RFC 9309, with the usage signals.",
        None,
    ),
    Operation(
        "Asset",
        FILES,
        "File",
        "A file of the theme",
        "Style sheets and pictures under content-hashed names: they never change.",
        Some("Asset"),
    ),
    Operation(
        "File",
        FILES,
        "File",
        "A file",
        "A file that the author published, unchanged.",
        Some("File"),
    ),
    Operation(
        "Section",
        PAGES,
        "Page",
        "The contents of a section",
        "What a section of a guide contains, in the author's order, where the section has no text of its own; of a journal the articles in one folder.",
        Some("Contents"),
    ),
    Operation(
        "Search",
        INDEXES,
        "Page",
        "The search",
        "How to search; with `q` the results.",
        None,
    ),
    Operation(
        "SearchIndex",
        INDEXES,
        "SearchIndex",
        "The index of the search",
        "Names the files of the index, so that programs can search without asking the server.",
        None,
    ),
    Operation(
        "Language",
        PAGES,
        "Page",
        "Articles in a language",
        "The list of the articles in a language other than the site's.",
        Some("Language"),
    ),
    Operation(
        "FurtherList",
        PAGES,
        "Page",
        "A further page of a list",
        "A list has 50 articles on a page, newest first; its first page is the list's own address.",
        Some("PageNumber"),
    ),
    Operation(
        "PartFeed",
        INDEXES,
        "Xml",
        "The feed of a part",
        "RSS 2.0: the latest 20 articles of a tag, of a section of a journal, or of a language other than the site's, whole.",
        None,
    ),
    Operation(
        "OpenSearch",
        INDEXES,
        "OpenSearch",
        "How browsers search",
        "The address of the search for browsers (OpenSearch 1.1).",
        None,
    ),
    Operation(
        "Changes",
        INDEXES,
        "Changes",
        "What each edition changed",
        "What each of the last 50 editions changed, the newest first.",
        None,
    ),
    Operation(
        "ChangesMarkdown",
        INDEXES,
        "Markdown",
        "What each edition changed, as Markdown",
        "What each of the last 50 editions changed, for people.",
        None,
    ),
    Operation(
        "ChangesSince",
        INDEXES,
        "ChangesSince",
        "What changed since an edition",
        "All that changed since an earlier edition. A 404 means that nothing is known of it: start over with `/changes/all.json`.",
        Some("Edition"),
    ),
    Operation(
        "AllPages",
        INDEXES,
        "Listing",
        "Every page with its digest",
        "Every listed page with the digest of its Markdown form and of each section, for a client that starts a copy.",
        None,
    ),
    Operation(
        "Skills",
        INDEXES,
        "Skills",
        "The skills of this site",
        "Names the skill that tells an agent how to read this site (Agent Skills Discovery 0.2.0). It is answered at the root of the origin as well.",
        None,
    ),
    Operation(
        "Skill",
        INDEXES,
        "Markdown",
        "How a program reads this site",
        "A skill: a Markdown text with a name and a description, for agents to install.",
        Some("Skill"),
    ),
];
