//! The kinds of routes: what depends on nothing else.

use super::{Caching, Form};

/// `Content-Type` of the XML documents.
const XML: &str = "application/xml; charset=utf-8";
/// `Content-Type` of the plain text documents.
const TEXT: &str = "text/plain; charset=utf-8";
/// `Content-Type` of the JSON documents (RFC 8259 defines no charset).
const JSON: &str = "application/json";
/// `Content-Type` of the API catalog (RFC 9727 section 4, RFC 9264 section 4.2).
const LINKSET: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

/// `Content-Type` of a description of a search (OpenSearch 1.1, section "Autodiscovery").
const OPEN_SEARCH: &str = "application/opensearchdescription+xml";

/// The properties that depend only on the kind of a route.
pub(super) struct Kind {
    /// In one word.
    pub(super) name: &'static str,
    pub(super) content: Content,
    pub(super) caching: Caching,
    /// Whether only Diglot generates it, never an author's file.
    pub(super) is_generated: bool,
}

/// The body of a route.
#[derive(Clone, Copy)]
pub(super) enum Content {
    /// A page, in one of its two forms.
    Page,
    /// A document with this media type.
    Document(&'static str),
    /// A file, whose suffix determines its type.
    File,
}

const fn page(name: &'static str, is_generated: bool) -> Kind {
    Kind {
        name,
        content: Content::Page,
        caching: Caching::Public,
        is_generated,
    }
}

const fn document(name: &'static str, media_type: &'static str) -> Kind {
    Kind {
        name,
        content: Content::Document(media_type),
        caching: Caching::Public,
        is_generated: true,
    }
}

const fn file(name: &'static str, caching: Caching) -> Kind {
    Kind {
        name,
        content: Content::File,
        caching,
        is_generated: false,
    }
}

/// The kinds, by [`Route::kind_index`](super::Route::kind_index).
pub(super) const KINDS: [Kind; 35] = [
    page("home", true),
    page("article", false),
    page("article-list", true),
    page("tag", true),
    page("year", true),
    page("page", false),
    page("api", true),
    page("terms", true),
    page("not-found", true),
    document("rss", XML),
    document("sitemap", XML),
    document("sitemap-part", XML),
    document("sitemap-markdown", Form::Markdown.media_type()),
    document("llms", TEXT),
    document("llms-part", TEXT),
    document("llms-full", TEXT),
    Kind {
        caching: Caching::Revalidate,
        ..document("status", JSON)
    },
    document("openapi", JSON),
    document("api-catalog", LINKSET),
    document("robots", TEXT),
    file("asset", Caching::Immutable),
    file("file", Caching::Public),
    page("section", true),
    page("search", true),
    document("search-index", JSON),
    page("language", true),
    page("list-page", true),
    document("feed", XML),
    document("open-search", OPEN_SEARCH),
    document("changes", JSON),
    document("changes-markdown", Form::Markdown.media_type()),
    document("changes-since", JSON),
    document("listing", JSON),
    document("skills", JSON),
    document("skill", Form::Markdown.media_type()),
];
