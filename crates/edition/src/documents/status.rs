//! `/status.json`: the service's status, with the members of the health-check format. It is built,
//! not live: a 200 means that the content service is up.

use serde_json::{Value, json};

use super::Material;
use crate::resource::{Digest, Resource};
use crate::route::{Form, Route};

/// The version of the interface that the contract describes: `version` here, `info.version` in the
/// API description.
pub const INTERFACE_VERSION: &str = "1.0.0";

/// The status document. `sound`: whether everything that the author meant to publish is published.
/// `id`: the edition's; `listing`: the digest of the list of its pages.
pub fn resource(material: &Material<'_>, (id, listing): (Digest, Digest), sound: bool) -> Resource {
    let base = &material.site.base;
    let url = |route: Route| Value::from(base.absolute(&route.canonical_path()));
    let mut status = json!({
        "status": if sound { "pass" } else { "warn" },
        "version": INTERFACE_VERSION,
        "releaseId": id.to_string(),
        "listing": listing.to_string(),
        "serviceId": base.to_string(),
        "description": format!("The content service of {}", material.site.title),
        "articles": material.articles().count(),
        "updated": material.newest.iso(),
        "links": {
            "self": url(Route::Status),
            "home": url(Route::Home(Form::Html)),
            "feed": url(Route::Rss),
            "sitemap": url(Route::Sitemap),
            "llms": url(Route::Llms),
            "service-desc": url(Route::OpenApi),
            "service-doc": url(Route::Api(Form::Html)),
            "api-catalog": url(Route::ApiCatalog),
            "terms-of-service": url(Route::Terms(Form::Html)),
        },
    });
    if material.changes.json {
        status["links"]["changes"] = url(Route::Changes);
    }
    Resource::new(Route::Status, json_text(&status), material.newest.at)
}

/// Indented JSON, keys in insertion order.
pub(super) fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}
