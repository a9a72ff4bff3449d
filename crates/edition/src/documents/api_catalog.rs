//! `/.well-known/api-catalog` (RFC 9727): a linkset (RFC 9264) of the interface's description,
//! documentation, status and terms.

use serde_json::json;

use super::Material;
use super::status::json_text;
use crate::policy;
use crate::resource::Resource;
use crate::route::{Form, Route};

/// The catalog. It has its own `Link`, as RFC 9727 section 3.1 requires of HEAD.
pub fn resource(material: &Material<'_>) -> Resource {
    let base = &material.site.base;
    let url = |route: &Route| base.absolute(&route.canonical_path());
    let target = |route: Route| json!({ "href": url(&route), "type": route.media_type() });
    let catalog = url(&Route::ApiCatalog);
    let mut linkset = json!({
        "linkset": [
            { "anchor": catalog, "item": [target(Route::Home(Form::Html))] },
            {
                "anchor": url(&Route::Home(Form::Html)),
                "service-desc": [target(Route::OpenApi)],
                "service-doc": [target(Route::Api(Form::Html)), target(Route::Api(Form::Markdown))],
                "status": [target(Route::Status)],
                "terms-of-service": [target(Route::Terms(Form::Html))],
            },
        ],
    });
    if material.search {
        let mut search = [Form::Html, Form::Markdown].map(Route::Search).to_vec();
        if material.open_search {
            search.push(Route::OpenSearch);
        }
        let search: Vec<_> = search.into_iter().map(target).collect();
        linkset["linkset"][1]["search"] = search.into();
        linkset["linkset"][1]["index"] = vec![target(Route::SearchIndex)].into();
    }
    let changes = [Route::Changes, Route::ChangesMarkdown].into_iter();
    let changes: Vec<_> = changes
        .filter(|route| material.changes.has(route))
        .map(target)
        .collect();
    if !changes.is_empty() {
        // RFC 5829 section 3.1.
        linkset["linkset"][1]["version-history"] = changes.into();
    }
    if material.skills {
        let items = [Route::Home(Form::Html), Route::Skills].map(target);
        linkset["linkset"][0]["item"] = items.to_vec().into();
    }
    let words = policy::words_date(material.now);
    Resource::new(Route::ApiCatalog, json_text(&linkset), words.at)
        .linked(format!("<{catalog}>; rel=\"api-catalog\""))
}
